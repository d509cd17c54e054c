"""The console page about the calendar of openings."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desks.waitlist.console.counter import owner
from tests.support.calendars import FeedServer, calendar, event, feed_server
from tests.support.salon import Salon
from tests.support.salon import salon as open_salon

CALENDAR = "/console/waitlist/calendar"


@pytest.fixture
def feed() -> Iterator[FeedServer]:
    with feed_server() as one:
        yield one


@pytest.fixture
def salon(tmp_path: Path, feed: FeedServer) -> Iterator[Salon]:
    with open_salon(tmp_path, calendar_url=feed.url) as opened:
        yield opened


def test_staff_read_the_calendar_at_once_and_see_its_problems(
    salon: Salon, feed: FeedServer
) -> None:
    staff = owner(salon)
    page = staff.get(CALENDAR)
    assert "It has not been looked at yet." in page.says
    assert "Nothing needs a look" in page.says

    feed.text = calendar(event("a", "Free: Cut"), event("b", "Free: <b>Massage</b>"))
    assert staff.post(CALENDAR, csrf=page.csrf).status == 303
    page = staff.get(CALENDAR)

    assert "What has changed is taken over." in page.says
    assert "16 Nov 2026, 15:00" in page.says
    assert "Free: <b>Massage</b>" in page.says
    assert "No service is called <b>Massage</b>." in page.says
    assert len(salon.wl.slots(10)) == 1
    assert "1 opening in the calendar to look at" in staff.get("/console").says
    assert CALENDAR in staff.get("/console/settings").text


def test_a_calendar_that_cannot_be_read_is_told_today(salon: Salon, feed: FeedServer) -> None:
    staff = owner(salon)
    assert "calendar" not in staff.get("/console").says
    feed.status = 404

    assert staff.post(CALENDAR, csrf=staff.get(CALENDAR).csrf).status == 303
    page = staff.get(CALENDAR)

    assert "The calendar could not be read." in page.says
    assert "Nothing needs a look" not in page.says
    assert "The calendar cannot be read" in staff.get("/console").says


@pytest.mark.spec("WL-07")
@pytest.mark.parametrize(
    ("do", "flash", "status"),
    [
        ("let_go", "They are taken back.", "handed_back"),
        ("keep", "They stay slots.", "open"),
    ],
)
def test_staff_are_asked_when_nearly_all_openings_vanish(
    salon: Salon, feed: FeedServer, do: str, flash: str, status: str
) -> None:
    staff = owner(salon)
    days = ("17", "18", "19")
    feed.text = calendar(*(event(day, "Free: Cut", f"202611{day}T070000Z") for day in days))
    staff.act(CALENDAR, CALENDAR)
    feed.text = calendar()

    page = staff.act(CALENDAR, CALENDAR)
    assert page.flash == "3 openings are gone. Nothing is done before you say so."
    assert "3 openings are gone from the calendar" in staff.get("/console").says
    shown = staff.get(CALENDAR)
    assert "No slot is taken back before you say so: Cut, Tomorrow, 15:00; Cut, Wed" in shown.says

    missing = " ".join(salon.wl.calendar().missing)
    said = staff.act(CALENDAR, f"{CALENDAR}/missing", do=do, items=missing)
    assert said.flash == flash
    assert {slot.status.value for slot in salon.wl.slots(9)} == {status}
    assert "gone" not in staff.get("/console").says
    assert staff.act(CALENDAR, f"{CALENDAR}/missing", do=do, items=missing).flash == (
        "They are not missing any more."
    )
