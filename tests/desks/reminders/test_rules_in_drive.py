"""`reminders.yml` in Google Drive on one machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.rules import parse_before
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import build
from tests.desks.reminders.test_connections import Shop, owner
from tests.support.google import BOOKING_DOC, BOOKING_FILE, Google, exported, google

TEXT = "Our reminders\n\nreminders:\n* 5d\n* 1d\n"


@pytest.fixture
def drive() -> Iterator[Google]:
    with google() as found:
        found.writes(BOOKING_FILE, exported(TEXT))
        yield found


@pytest.fixture
def shop(tmp_path: Path, drive: Google) -> Iterator[Shop]:
    key = tmp_path / "account.json"
    key.write_text(drive.key)
    more = {
        "reminders_rules_doc": BOOKING_DOC,
        "google_account": str(key),
        "google_api": drive.address,
    }
    with closing(Shop(tmp_path / "data", more=more)) as one:
        yield one
        assert one.settle().problems() == ()


def looks(shop: Shop) -> None:
    [task] = [each for each in shop.product.periodic_tasks if each.name == "reminder rules"]
    assert task.every() == timedelta(minutes=3)
    task.turn()
    shop.settle()


def first_reminder(shop: Shop) -> object:
    rules = reminder_reads(shop.product.engine.reads()).rules()
    return rules.schedule("cut").reminders[0]


@pytest.mark.spec("AR-01")
def test_an_edit_in_google_docs_is_in_force_at_the_next_look(shop: Shop, drive: Google) -> None:
    looks(shop)
    assert first_reminder(shop) == parse_before("5d")

    drive.writes(BOOKING_FILE, exported(TEXT.replace("5d", "7d")))
    looks(shop)
    assert first_reminder(shop) == parse_before("7d")


@pytest.mark.spec("AR-01")
def test_a_mistake_in_google_docs_leaves_the_last_good_rules(shop: Shop, drive: Google) -> None:
    looks(shop)
    drive.writes(BOOKING_FILE, exported(TEXT.replace("5d", "soon")))
    looks(shop)

    assert first_reminder(shop) == parse_before("5d")
    assert "The rules of reminders have mistakes" in owner(shop).get("/console").says


def test_a_missing_key_is_named_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="google_account"):
        build(Settings(data_dir=tmp_path, reminders_rules_doc=BOOKING_DOC))
