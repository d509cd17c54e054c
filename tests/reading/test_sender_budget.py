"""The attachments of one sender are read only for a limited time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.reading import sender_budget
from frontdesk.reading.requests import read_request
from frontdesk.reading.sender_budget import SenderBudget
from tests.reading.files import mail, text_pdf

NINE = datetime(2026, 11, 16, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.mark.spec("FD-29")
def test_a_senders_budget_returns_after_an_hour_and_is_separate_from_others() -> None:
    budget = SenderBudget(most_seconds=60)
    budget.spend("eve@example.org", 45, NINE)
    budget.spend("eve@example.org", 30, NINE + 10 * MINUTE)

    assert budget.left("eve@example.org", NINE + 59 * MINUTE) == 0
    assert budget.left("eve@example.org", NINE + 60 * MINUTE) == 30
    assert budget.left("eve@example.org", NINE + 70 * MINUTE) == 60
    assert budget.left("ann@example.org", NINE) == 60


@pytest.mark.spec("FD-29")
def test_all_senders_together_have_a_bound_since_an_address_is_easily_forged() -> None:
    budget = SenderBudget(most_seconds=60, most_in_all=100)
    for number in range(3):
        budget.spend(f"eve{number}@example.org", 30, NINE + number * MINUTE)

    assert budget.left("ann@example.org", NINE + 3 * MINUTE) == 10
    assert budget.left("ann@example.org", NINE + 60 * MINUTE) == 40


def test_many_senders_are_not_remembered_for_ever() -> None:
    budget = SenderBudget(most_seconds=1, most_in_all=10_000)
    for number in range(sender_budget.MOST_SENDERS + 1):
        budget.spend(f"{number}@example.org", 1, NINE)

    assert budget.left("0@example.org", NINE) == 1
    assert budget.left("1@example.org", NINE) == 0


@pytest.mark.spec("FD-29", "WL-03")
def test_when_the_time_is_used_up_the_mail_is_read_and_its_attachments_are_not() -> None:
    raw = mail("A massage, please.\n", ("wish.pdf", "application/pdf", text_pdf("On 4 December")))

    found = read_request(raw, seconds=0)

    assert "A massage, please." in found.text
    assert found.unread == (
        "wish.pdf: It was not read, as the attachments before it took too long.",
    )
