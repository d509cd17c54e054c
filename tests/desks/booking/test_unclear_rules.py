"""Staff get one mail about a `rules.yml` that cannot be used, with the place and what to write."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.salon import Salon, salon

OWNER = "mia@example.org"
GOOD = "hours: {mon-fri: 9:00-17:00}\nstaff: {mia: {name: Mia}}\nservices: {Cut: {minutes: 60}}\n"
WRONG = GOOD.replace("9:00-17:00", "9.30-17")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Salon]:
    with salon(tmp_path) as one:
        yield one.with_staff(OWNER)


def saves(shop: Salon, text: str) -> None:
    """Saves the file and runs the periodic task twice."""
    path = shop.product.settings.data_dir / "booking" / "rules.yml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    [task] = [each for each in shop.product.periodic_tasks if each.name == "rules"]
    task.turn()
    task.turn()


def mails(shop: Salon) -> list[dict[str, Any]]:
    subject = "Your booking rules need a look"
    return [each for each in shop.settle().messages(OWNER) if each["subject"] == subject]


@pytest.mark.spec("BK-08", "FD-30")
def test_a_broken_version_is_told_once_with_line_column_and_what_to_write(
    shop: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    saves(shop, GOOD)
    saves(shop, WRONG)

    [mail] = mails(shop)
    text = " ".join(mail["text"].split())
    assert "We could not understand 1 line (line 1) of the booking rules" in text
    assert 'Line 1, column 18: "9.30-17"' in text
    assert "write" in text.partition("column 18")[2]
    assert "/console/bookings/rules" in mail["text"]
    assert '"event": "document.failed", "name": "rules.yml"' in capsys.readouterr().err

    saves(shop, GOOD)
    saves(shop, WRONG)
    assert len(mails(shop)) == 1
    saves(shop, f"{WRONG}tone: {{\n")
    assert len(mails(shop)) == 2


def test_a_version_that_is_put_right_before_the_mail_goes_out_is_not_told(shop: Salon) -> None:
    saves(shop, WRONG)
    saves(shop, GOOD)

    assert mails(shop) == []
