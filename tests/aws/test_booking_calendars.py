"""Journeys of bookings and the calendar of the stylist, on a real CalDAV server and a deployed
application."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urljoin

import pytest

from frontdesk.desks.booking.console.calendars import PATH as CALENDARS
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.desks.booking.rules import CalendarRef
from tests.aws.outside import Outside
from tests.aws.stack import host
from tests.support.calendars import calendar, event

pytestmark = pytest.mark.needs("ministack")


@pytest.fixture(autouse=True)
def connected(outside: Outside) -> Iterator[None]:
    """Reads the calendar before each test. Checks at the end that no call was denied."""
    outside.stack.forget_visitors()
    outside.salon.given(CalendarRef("sam", write=True))
    outside.stack.invoke("bk-calendar", {})
    yield
    outside.stack.settle()
    assert outside.stack.denied() == []


def name_of(booking: Booking) -> str:
    """Returns the name of its event on the server."""
    [link] = booking.calendars
    return link.event_id.removesuffix(".ics")


@pytest.mark.spec("BK-12", "BK-15", "BK-16", "FD-18")
def test_the_event_of_a_booking_moves_with_it_and_goes_with_it(outside: Outside) -> None:
    salon, diary = outside.salon, outside.diary
    salon.books("may", salon.time(6))
    name = name_of(salon.booked("may", BookingStatus.CONFIRMED))
    later = salon.time(6, 13)
    salon.wait_for_messages("may", 1)

    salon.moves("may", later)
    moved = f"{later:%Y%m%dT%H%M%S}"
    outside.stack.until("the event moves", lambda: moved in diary.text(name))
    salon.wait_for_messages("may", 2)
    salon.cancels("may")

    outside.stack.until("the event goes", lambda: "VEVENT" not in diary.text(name))
    salon.wait_for_messages("may", 3)


@pytest.mark.spec("BK-12", "FD-18")
def test_an_event_of_staff_wins_over_a_claim_which_is_released(outside: Outside) -> None:
    salon, at = outside.salon, outside.salon.time(7)
    outside.diary.put("school", calendar(event("school", "School", f"{at:%Y%m%dT%H%M%SZ}")))

    salon.books("ned", at)

    salon.booked("ned", BookingStatus.RELEASED)
    salon.wait_for_messages("ned", 1)
    assert salon.takers(at) == []


@pytest.mark.spec("BK-15", "FD-18")
def test_a_customer_cannot_move_onto_an_event_that_staff_put_there_meanwhile(
    outside: Outside,
) -> None:
    salon, at, later = outside.salon, outside.salon.time(13), outside.salon.time(13, 13)
    salon.books("rob", at)
    salon.booked("rob", BookingStatus.CONFIRMED)
    salon.wait_for_messages("rob", 1)
    outside.diary.put("meal", calendar(event("meal", "Meal", f"{later:%Y%m%dT%H%M%SZ}")))

    page = salon.moves("rob", later)

    assert "It could not be moved there." in page.says
    assert salon.booking("rob").starts_at == at
    assert salon.takers(later) == []


@pytest.mark.spec("BK-31", "FD-18")
def test_an_event_that_staff_move_is_a_question_and_the_customer_is_told_after_a_yes(
    outside: Outside,
) -> None:
    salon, diary, stack = outside.salon, outside.diary, outside.stack
    at, later = salon.time(8), salon.time(8) + timedelta(hours=3)
    salon.books("ola", at)
    name = name_of(salon.booked("ola", BookingStatus.CONFIRMED))
    salon.wait_for_messages("ola", 1)
    stack.settle()
    text = diary.text(name)
    diary.put(name, re.sub(r"(DT(?:START|END)[^:]*:\d{8}T)(\d\d)", _three_hours_later, text))

    stack.invoke("bk-calendar", {})

    visitor = host(stack)
    console = stack.addresses["fd-console"]
    assert "moved or deleted in a calendar" in visitor.get(urljoin(console, "/console")).says
    page = urljoin(console, CALENDARS)
    csrf = visitor.get(page).fields["csrf"]
    visitor.post(f"{page}/settle", csrf=csrf, booking=salon.booking("ola").id, do="move")
    assert [each.starts_at for each in salon.takers(later)] == [later]
    salon.wait_for_messages("ola", 2)


def _three_hours_later(found: re.Match[str]) -> str:
    return f"{found[1]}{int(found[2]) + 3:02}"


@pytest.mark.spec("BK-12", "FD-18")
def test_a_calendar_that_cannot_be_written_is_written_by_a_second_try(outside: Outside) -> None:
    """The booking stays confirmed meanwhile, and staff know."""
    salon, diary, at = outside.salon, outside.diary, outside.salon.time(9)
    staff = salon.add_staff()
    diary.instead |= {"PUT": 503}

    salon.books("pam", at)

    booking = salon.booked("pam", BookingStatus.CONFIRMED)
    outside.stack.until("staff know", lambda: len(salon.subjects(staff)) > 1)
    diary.instead.clear()
    salon.rings(f"bk/calendar/{booking.id}")
    written = f"{at:%Y%m%dT%H%M%S}"
    outside.stack.until("it is written", lambda: written in diary.text(booking.id))


@pytest.mark.spec("BK-12", "FD-18")
def test_a_booking_from_before_the_calendar_was_connected_is_written_into_it(
    outside: Outside,
) -> None:
    salon, diary, at = outside.salon, outside.diary, outside.salon.time(10)
    salon.given()
    salon.books("quin", at)
    booking = salon.booked("quin", BookingStatus.CONFIRMED)
    assert booking.calendars == ()

    salon.given(CalendarRef("sam", write=True))
    outside.stack.invoke("bk-calendar", {})

    written = f"{at:%Y%m%dT%H%M%S}"
    outside.stack.until("it is written", lambda: written in diary.text(booking.id))
