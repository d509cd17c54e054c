"""Journeys of bookings on the deployed application."""

from __future__ import annotations

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import urlencode, urljoin

import pytest

from frontdesk.desks.booking.commands import ApproveBooking, CancelBooking
from frontdesk.desks.booking.console.page import booking_url
from frontdesk.desks.booking.model import BookingStatus, Lane
from frontdesk.desks.booking.rules import Approval
from frontdesk.store.dynamodb.schema import FD_SENDS
from tests.aws.salon import HOUR, Salon, text
from tests.aws.stack import Visitor, host
from tests.aws.studio import a_number

#: The number of people who want one time at once.
CLIENTS = 20
#: This many functions start cold at once, on few processors.
LONG_SECONDS = 180.0
TAKEN = "This one was just taken."
TIMES = 'name="at"'

pytestmark = pytest.mark.needs("ministack")


@pytest.mark.spec("BK-01", "BK-13", "BK-17", "BK-34", "FD-18")
def test_a_time_is_held_and_booked_by_the_form_and_confirmed_by_mail_with_a_calendar_file(
    salon: Salon,
) -> None:
    """Only the function that answers the form reads it."""
    salon.given()
    salon.stack.settle()
    visitor, at, start = Visitor(salon.stack), salon.time(), salon.stack.lines
    shown = visitor.get(f"{salon.page}?service={salon.service}&day={at.date()}")
    assert text(at) in shown.body

    held = salon.chooses(visitor, at)
    assert salon.books("bob", at).status == 409
    page = visitor.post(salon.page, **{**held.fields, **salon.form("ann", at)})

    assert (page.status, page.heading) == (200, "It's booked.")
    assert set(salon.stack.runs_since(start)) <= {"bk-pages", "fd-relay", "bk-sender"}
    [mail] = salon.stack.until("a mail", lambda: salon.stack.mails_to(salon.email("ann")))
    [file] = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    assert f"{at:%Y%m%dT%H%M%S}" in str(file.get_content())
    opened = Visitor(salon.stack).get(salon.link("ann"))
    assert (opened.status, opened.heading) == (200, "It's booked.")
    assert salon.booking("ann").status is BookingStatus.CONFIRMED


@pytest.mark.spec("BK-11", "FD-18")
def test_of_many_who_want_one_time_exactly_one_has_it_and_all_others_see_free_times(
    salon: Salon,
) -> None:
    """All of them have the page open, so their functions are already awake when they press."""
    salon.given()
    at = salon.time()
    names = [f"guest{number}" for number in range(CLIENTS)]
    visitors = [Visitor(salon.stack, patience=LONG_SECONDS) for _ in names]

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(lambda visitor: visitor.get(salon.page), visitors))
        pages = list(pool.map(lambda who, visitor: salon.books(who, at, visitor), names, visitors))

    assert Counter(page.status for page in pages) == {200: 1, 409: CLIENTS - 1}
    assert all(TAKEN in each.says and TIMES in each.body for each in pages if each.status == 409)
    [booking] = salon.takers(at)
    salon.stack.settle()
    assert [who for who in names if salon.mails(who)] == [booking.name.split()[0].lower()]


@pytest.mark.spec("BK-11", "BK-29", "FD-18")
def test_a_group_takes_and_gives_up_many_places_at_once(salon: Salon) -> None:
    """So many places that the store writes the whole row of the hour."""
    salon.given(service={"most": 10}, capacity=15)
    at = salon.time()

    first = Visitor(salon.stack).post(salon.page, **salon.form("ann", at), party=10)
    second = Visitor(salon.stack).post(salon.page, **salon.form("bob", at), party=10)

    assert (first.heading, second.status) == ("It's booked.", 409)
    salon.wait_for_messages("ann", 1)
    salon.cancels("ann")
    salon.stack.until("the places are free", lambda: not salon.takers(at))
    salon.wait_for_messages("ann", 2)


@pytest.mark.spec("BK-15", "FD-18")
def test_a_booking_is_moved_by_its_link_in_one_exchange(salon: Salon) -> None:
    salon.given()
    before, after = salon.time(), salon.time(4, 15)
    salon.books("ann", before)
    salon.wait_for_messages("ann", 1)

    moved = salon.moves("ann", after)

    assert (moved.status, moved.heading) == (200, "It's booked.")
    salon.wait_for_messages("ann", 2)
    assert (salon.takers(before), [each.starts_at for each in salon.takers(after)]) == ([], [after])


@pytest.mark.spec("BK-16", "FD-18")
def test_a_cancelled_time_goes_to_the_waitlist_and_comes_back_as_a_booking(salon: Salon) -> None:
    salon.given()
    at = salon.time()
    salon.books("ann", at)
    salon.wait_for_messages("ann", 1)
    salon.comes_free()  # makes the waitlist read its rules, which have no quiet hours
    salon.stack.settle()
    salon.waits("wim")

    salon.cancels("ann")

    salon.wait_for_messages("wim", 1)
    assert salon.books("bob", at).status == 409
    assert salon.takes("wim").heading == "It's yours."
    taken = salon.stack.until("a booking for wim", lambda: salon.takers(at))
    assert [(each.person_id, each.lane) for each in taken] == [
        (salon.person("wim").id, Lane.WAITLIST)
    ]


@pytest.mark.spec("BK-16", "FD-18")
def test_a_cancelled_time_that_nobody_waits_for_can_be_booked_again(salon: Salon) -> None:
    salon.given()
    at = salon.time()
    salon.books("ann", at)
    salon.run(CancelBooking(salon.booking("ann").id, by_staff=True))
    salon.stack.settle()

    assert salon.books("bob", at).heading == "It's booked."


@pytest.mark.spec("BK-33", "FD-18")
def test_a_booking_that_needs_approval_is_add_staff_and_confirmed_when_they_say_so(
    salon: Salon,
) -> None:
    salon.given(service={"approval": Approval.ALWAYS})
    staff = salon.add_staff()
    salon.books("ann")
    salon.stack.until("staff know", lambda: len(salon.subjects(staff)) > 1)
    assert salon.booking("ann").status is BookingStatus.PENDING

    salon.run(ApproveBooking(salon.booking("ann").id))

    salon.booked("ann", BookingStatus.CONFIRMED)
    salon.wait_for_messages("ann", 2)


@pytest.mark.spec("BK-14", "FD-18")
def test_a_reminder_comes_by_a_schedule_of_its_own(salon: Salon) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    at = now.replace(minute=0, second=0) + 5 * HOUR
    salon.given(reminders=(at - now - timedelta(seconds=20),))

    salon.books("ann", at)
    salon.wait_for_messages("ann", 2)

    person = salon.person("ann").id
    sends = [row for row in salon.stack.rows(FD_SENDS) if row["person_id"]["S"] == person]
    assert Counter(row["kind"]["S"] for row in sends)["reminder"] == 1


@pytest.mark.spec("BK-33", "FD-18")
def test_a_booking_that_nobody_approves_in_time_lapses_by_its_schedule(salon: Salon) -> None:
    soon = timedelta(seconds=5)
    salon.given(service={"approval": Approval.ALWAYS, "approve_within": soon})
    salon.books("ann")

    salon.booked("ann", BookingStatus.LAPSED)
    salon.wait_for_messages("ann", 2)
    assert salon.takers(salon.time()) == []


@pytest.mark.spec("BK-13", "FD-18")
def test_a_customer_with_a_number_is_told_by_text(salon: Salon) -> None:
    salon.given()
    salon.phones["pia"] = a_number()

    salon.books("pia")

    [said] = salon.wait_for_messages("pia", 1)
    assert salon.page.removesuffix("book") in said


@pytest.mark.spec("BK-19", "FD-18")
def test_service_staff_day_time_and_details_are_chosen_in_a_month_or_a_week(salon: Salon) -> None:
    salon.given()
    visitor, at = Visitor(salon.stack), salon.time()
    chosen = {"service": salon.service, "staff": salon.resource, "day": f"{at.date()}"}

    month = visitor.get(f"{salon.page}?{urlencode(chosen)}")
    week = visitor.get(f"{salon.page}?{urlencode({**chosen, 'view': 'week'})}")
    held = visitor.post(
        f"{salon.page}/choose", service=salon.service, staff=salon.resource, at=text(at)
    )
    booked = visitor.post(salon.page, **{**held.fields, **salon.form("ann", at)})

    assert '<table class="month">' in month.body
    assert 'class="week-day"' in week.body
    assert text(at) in month.body
    assert f"day={at.date()}" in week.body
    assert f"with {salon.stylist}" in held.says
    assert booked.heading == "It's booked."
    assert salon.booking("ann").resources == (salon.resource,)


@pytest.mark.spec("BK-35", "FD-18")
def test_nothing_suits_leads_to_the_form_of_the_waitlist_with_the_same_wishes(
    salon: Salon,
) -> None:
    salon.given()
    visitor, at = Visitor(salon.stack), salon.time()
    page = visitor.get(f"{salon.page}?service={salon.service}&day={at.date()}")
    [waitlist] = re.findall(r'href="([^"]+/waitlist\?[^"]+)"', page.body)

    form = visitor.get(unescape(waitlist))

    assert form.url.startswith(salon.stack.addresses["web-form"])
    assert f'value="{salon.service}" checked' in form.body
    assert form.fields["earliest"] == at.date().isoformat()


@pytest.mark.spec("BK-35", "FD-18")
def test_a_visitor_who_gave_their_details_joins_the_waitlist_with_one_press(salon: Salon) -> None:
    """The form is sent to another address than the page's own, and the page allows that address."""
    salon.given()
    salon.books("bob")

    lost = salon.books("ann")

    assert (lost.status, "Join the waitlist" in lost.buttons) == (409, True)
    action, form = re.findall(r'action="([^"]+/waitlist)">(.*?)</form>', lost.body, re.DOTALL)[0]
    address = salon.stack.addresses["web-form"].rstrip("/")
    assert action == f"{address}/waitlist"
    assert f"form-action 'self' {address};" in lost.headers["content-security-policy"]
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
    joined = Visitor(salon.stack).post(action, **fields)
    assert joined.heading == "You're on the list."
    assert salon.entry("ann").wish.service == salon.service


@pytest.mark.spec("BK-36", "FD-18")
def test_links_are_filled_in_and_a_frame_on_another_site_books_without_cookies(
    salon: Salon,
) -> None:
    salon.given()
    visitor, at = Visitor(salon.stack), salon.time()
    preset = {"service": salon.service, "staff": salon.resource, "at": text(at)}
    contact = {"name": "Ann Lee", "email": "a@example.org"}

    filled = visitor.get(f"{salon.page}?{urlencode({**preset, **contact})}")
    script = visitor.get(f"{salon.page}/embed.js")
    framed = visitor.get(f"{salon.page}/embed?service={salon.service}")
    visitor.cookies.clear()
    held = visitor.post(f"{salon.page}/embed/choose", service=salon.service, at=text(at))

    assert (filled.fields["name"], filled.fields["contact"]) == ("Ann Lee", "a@example.org")
    assert f"with {salon.stylist}" in filled.says
    assert (script.status, "iframe" in script.body) == (200, True)
    for page in (framed, held):
        assert "frame-ancestors *" in page.headers["content-security-policy"]
        assert "frontdeskHeight" in page.body
    assert 'action="/book" target="_top"' in held.body
    visitor.cookies.clear()
    done = visitor.post(salon.page, **{**held.fields, **salon.form("cat", at)})
    assert (done.heading, done.headers["x-frame-options"]) == ("It's booked.", "DENY")


@pytest.mark.spec("BK-36", "FD-18")
def test_an_unlisted_service_is_booked_by_its_private_link_only(salon: Salon) -> None:
    salon.given(service={"unlisted": True})
    console = f"{salon.stack.addresses['fd-console']}console/bookings/links"
    [private] = re.findall(r"<code>(\S+\?key=\S+)</code>", host(salon.stack).get(console).body)
    visitor, key = Visitor(salon.stack), private.partition("?key=")[2]

    shown, without = visitor.get(private), visitor.get(private.partition("?")[0])
    salon.books("bob")
    assert salon.takers(salon.time()) == []
    booked = visitor.post(salon.page, **salon.form("ann", salon.time()), key=key)

    assert (salon.service in shown.says, salon.service in without.says) == (True, False)
    assert booked.heading == "It's booked."


@pytest.mark.spec("BK-38", "FD-18")
def test_staff_see_the_day_and_the_booking_in_the_console(salon: Salon) -> None:
    salon.given()
    at = salon.time()
    salon.books("ann", at)
    salon.wait_for_messages("ann", 1)
    visitor = host(salon.stack)
    console = f"{salon.stack.addresses['fd-console']}console/bookings"

    board = visitor.get(f"{console}?on={at.date()}")

    assert (board.status, "Ann Lee" in board.says) == (200, True), board.says
    pages = [f"{console}/{name}" for name in ("rules", "calendars", "links")]
    pages.append(urljoin(console, booking_url(salon.booking("ann").id)))
    found = {page: visitor.get(page).status for page in pages}
    assert set(found.values()) == {200}, found
