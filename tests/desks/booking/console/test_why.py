"""The console page that explains a day without times."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.desks.booking.commands import SetRules
from frontdesk.values import replace
from tests.desks.booking.search.salon import MIRA, staff, week
from tests.desks.booking.search.salon import salon as rules
from tests.desks.waitlist.console.counter import owner
from tests.support.salon import Salon
from tests.support.salon import salon as open_salon

WHY = "/console/bookings/why"


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    with open_salon(tmp_path) as opened:
        mira = replace(staff(MIRA), hours=week("10:00-10:30", line=14))
        opened.run(SetRules(rules(resources=(mira,), zone="Asia/Singapore")))
        yield opened


@pytest.mark.spec("BK-07")
def test_the_page_names_the_filter_and_the_line_and_what_each_filter_leaves(salon: Salon) -> None:
    page = owner(salon).get(f"{WHY}?service=Haircut&on=2026-11-17&staff=mira")

    assert "Tuesday 17 November has no times for Haircut." in page.says
    assert "Mira works 10:00–10:30 (line 14)." in page.says
    needs = "Haircut needs 45 + 10 minutes, and the longest free time is 30 minutes (line 20)."
    assert needs in page.says
    assert (
        "Step by step: 1 day free in the calendar, 30 minutes of it in working hours,"
        " no time long enough, with buffers, no time within notice and limits."
    ) in page.says


@pytest.mark.spec("BK-07")
def test_the_page_says_which_times_are_proposed_and_why(salon: Salon) -> None:
    mira = replace(staff(MIRA), hours=week("10:00-13:00", line=14))
    salon.run(SetRules(rules(resources=(mira,), zone="Asia/Singapore")))

    page = owner(salon).get(f"{WHY}?service=Haircut&on=2026-11-17&staff=mira")

    assert "Proposed first: 10:00 with Mira (leaves no small gap, the earliest)." in page.says


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("", "Monday 16 November has no times for Haircut."),
        ("?on=yesterday&party=many", "Monday 16 November has no times for Haircut."),
        ("?on=9999-12-31", "Monday 16 November has no times for Haircut."),
        ("?on=2026-11-13", "This time is over."),
        ("?on=2199-12-31", "Haircut is booked at most 60 days ahead (line 20)."),
        ("?on=2026-11-17&party=7", "The party has 7 people; 1 is the most (line 20)."),
        ("?service=Massage", "There is no such service."),
        ("?staff=nobody&on=2026-11-17", "nobody does not offer Haircut (line 20)."),
    ],
)
def test_a_question_that_makes_no_sense_is_answered_too(
    salon: Salon, query: str, text: str
) -> None:
    assert text in owner(salon).get(f"{WHY}{query}").says


def test_the_day_leads_to_the_page_and_only_staff_see_it(salon: Salon) -> None:
    assert f'href="{WHY}?on=2026-11-16"' in owner(salon).get("/console/bookings").text
    assert salon.visitor.get(WHY).status == 303
