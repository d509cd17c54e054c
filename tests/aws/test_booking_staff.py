"""Staff decide about bookings in the console of a deployed application, and mails follow."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urljoin

import pytest

from frontdesk.core.decision import Command
from frontdesk.core.members import Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import CorrectContact
from frontdesk.desks.booking.commands import Book, CancelBooking
from frontdesk.desks.booking.console.new_booking import PATH as NEW
from frontdesk.desks.booking.console.page import booking_url
from frontdesk.desks.booking.model import BookingStatus, booking_id
from frontdesk.engine.ports import Committed
from tests.aws.salon import Salon
from tests.aws.stack import Visitor, host

pytestmark = pytest.mark.needs("ministack")


@pytest.mark.spec("BK-22", "BK-38", "FD-18")
def test_staff_book_by_phone_overbook_knowingly_move_and_cancel(salon: Salon) -> None:
    salon.given()
    visitor, at, later = host(salon.stack), salon.time(), salon.time(4, 16)
    new = urljoin(salon.stack.addresses["fd-console"], NEW)
    salon.books("ann", at)

    bea = {"service": salon.service, "name": "Bea Lee", "email": salon.email("bea")}
    form = {**visitor.get(new).fields, **bea, "on": f"{at.date()}", "at": f"{at:%H:%M}"}
    warned = visitor.post(new, **form)
    assert (warned.status, "This time is taken." in warned.says) == (409, True), warned.says
    visitor.post(new, **{**form, "anyway": "yes"})
    salon.wait_for_messages("bea", 1)  # a message is dropped if the booking has changed since
    assert sorted(each.name for each in salon.takers(at)) == ["Ann Lee", "Bea Lee"]

    booking = salon.booking("bea")
    moving = visitor.get(f"{new}?move={booking.id}")
    when = {"on": f"{later.date()}", "at": f"{later:%H:%M}"}
    visitor.post(new, **{**moving.fields, **bea, **when})
    salon.wait_for_messages("bea", 2)
    assert [each.name for each in salon.takers(later)] == ["Bea Lee"]
    page = urljoin(new, booking_url(booking.id))
    story = visitor.get(page)
    assert "Staff knew: overbooked." in story.says
    visitor.post(f"{page}/cancel", csrf=story.fields["csrf"], confirmed="yes")

    assert salon.booking("bea").status is BookingStatus.CANCELLED
    salon.wait_for_messages("bea", 3)


@pytest.mark.spec("BK-38", "BK-37", "FD-18")
def test_a_private_feed_has_the_bookings_of_the_stylist(salon: Salon) -> None:
    salon.given()
    salon.books("ann")
    visitor, console = host(salon.stack), salon.stack.addresses["fd-console"]
    shown = visitor.get(urljoin(console, "/console/bookings/calendars"))
    [address] = re.findall(rf"http\S+?/feed/{salon.resource}/\S+?\.ics", shown.body)

    feed = Visitor(salon.stack).get(address)

    assert f"SUMMARY:{salon.service}\\, Ann" in feed.body
    assert salon.email("ann") not in feed.body


@pytest.mark.spec("FD-10", "FD-18")
def test_a_corrected_address_gets_the_link_and_an_erased_person_loses_the_booking(
    salon: Salon,
) -> None:
    salon.given()
    salon.books("ann")
    salon.wait_for_messages("ann", 1)
    person, found = salon.person("ann"), salon.booking("ann")

    salon.run(CorrectContact(person.id, "Ann Lee", salon.email("anna"), Role.OWNER))

    salon.wait_for_messages("anna", 1)
    assert Visitor(salon.stack).get(salon.link("anna")).heading == "It's booked."
    assert salon.booking("anna").email == salon.email("anna")
    visitor = host(salon.stack)
    page = urljoin(salon.stack.addresses["fd-console"], f"/console/people/{person.id}")
    csrf = visitor.get(page).fields["csrf"]
    visitor.post(f"{page}/erase", csrf=csrf, name="Ann Lee")
    salon.stack.until("the time is free", lambda: not salon.takers(salon.time()))
    booking = salon.bk.booking(found.id)
    assert booking is not None
    assert (booking.name, booking.email) == ("", "")


@pytest.mark.spec("FD-02", "BK-13", "BK-16", "FD-18")
def test_the_sweep_tells_of_a_booking_and_frees_a_time_that_the_stream_lost(salon: Salon) -> None:
    salon.given()
    at = salon.time()

    new, name = salon.back.engine.new_id, booking_id(salon.back.engine.new_id())
    person, email = PersonId(new()), salon.email("ann")

    with salon.stack.deaf("fd-relay"):
        run_long_ago(salon, Book(name, person, salon.service, at, "Ann Lee", email))
        salon.stack.invoke("fd-sweep", {})
        salon.wait_for_messages("ann", 1)
        run_long_ago(salon, CancelBooking(name, by_staff=True))
        salon.stack.invoke("fd-sweep", {})
        salon.wait_for_messages("ann", 2)
        salon.stack.invoke("fd-sweep", {})

    salon.stack.settle()
    assert salon.books("bob", at).heading == "It's booked."


def run_long_ago(salon: Salon, command: Command) -> None:
    """Runs a command with an earlier time, so that no follower is still about to act on it."""
    at = datetime.now(UTC) - timedelta(minutes=10)
    outcome = salon.back.engine.run(command, by="test", now=at)
    assert isinstance(outcome, Committed), outcome
