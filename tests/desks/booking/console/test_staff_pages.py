"""Staff see the day, book by phone, move, cancel and decide; the feed is private."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from icalendar import Calendar

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import Book, DeclineBooking, RenewFeed, SetRules
from frontdesk.desks.booking.model import Booking, BookingStatus, booking_id
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import Approval, Need, Resource, ResourceId, ResourceKind
from frontdesk.values import replace
from tests.desks.booking.pages.shop import CUT, MIRA, RULES, SPA, at
from tests.desks.waitlist.console.counter import owner
from tests.support.salon import Salon

BOARD = "/console/bookings"
NEW = f"{BOARD}/new"
CALENDARS = f"{BOARD}/calendars"


def bookings(salon: Salon) -> list[Booking]:
    reads: BookingReads = salon.product.engine.reads().desk("bk")
    return list(reads.bookings())


def only(salon: Salon) -> Booking:
    (found,) = bookings(salon)
    return found


def books(salon: Salon, name: str = "Ann Lee", starts_at: datetime | None = None) -> Booking:
    new = salon.product.engine.new_id
    command = Book(
        booking_id(new()),
        PersonId(new()),
        "Haircut",
        starts_at or at(10),
        name,
        f"{name.split()[0].lower()}@example.org",
        resource=MIRA,
    )
    salon.run(command)
    salon.settle()
    return next(one for one in bookings(salon) if one.id == command.booking_id)


def form(**changes: str) -> dict[str, str]:
    plain = {"service": "Haircut", "staff": "mira", "on": "2026-11-17", "at": "10:00"}
    return {**plain, "name": "Bo Berg", "mobile": "", "email": "bo@example.org", **changes}


@pytest.fixture
def busy_salon(salon: Salon) -> Salon:
    salon.run(SetRules(RULES))
    return salon.settle()


@pytest.mark.spec("BK-38")
def test_the_day_board_shows_each_booking_in_the_column_of_its_person(busy_salon: Salon) -> None:
    books(busy_salon)
    page = owner(busy_salon).get(f"{BOARD}?on=2026-11-17")

    assert "Tuesday 17 November 2026" in page.says
    assert "1 booking" in page.says
    assert "Ann Lee 10:00 to 10:45 Haircut" in page.says
    assert "Free: 1 h 09:00 to 10:00" in page.says


def test_a_number_is_written_with_spaces_on_the_page_of_a_booking(busy_salon: Salon) -> None:
    new = busy_salon.product.engine.new_id
    known, mobile = (booking_id(new()), PersonId(new())), "+6591234567"
    busy_salon.run(Book(*known, "Haircut", at(10), "Bo", "", mobile=mobile))

    page = owner(busy_salon).get(f"{BOARD}/one/{only(busy_salon).id}")

    assert '<a href="tel:+6591234567">+65 9123 4567</a>' in page.text


def test_a_booking_names_the_room_that_was_assigned_to_it(salon: Salon) -> None:
    room = Resource(ResourceId("room"), "The long table", kind=ResourceKind.ROOM)
    rent = replace(CUT, needs=(Need((room.id,)),))
    salon.run(SetRules(replace(RULES, services=(rent,), resources=(room,))))
    new = salon.product.engine.new_id
    salon.run(Book(booking_id(new()), PersonId(new()), "Haircut", at(10), "Ann", "ann@example.org"))

    page = owner(salon).get(f"{BOARD}/one/{only(salon).id}")

    assert "The long table was chosen: the only one free." in page.says
    assert "Assigned Automatically: the only one free" in page.says


@pytest.mark.spec("BK-38")
def test_the_day_board_has_a_column_for_a_room_that_is_booked_without_staff(salon: Salon) -> None:
    room, other = Resource(ResourceId("room"), "Room", kind=ResourceKind.ROOM), ResourceId("shed")
    rent = replace(SPA, name="Rent", needs=(Need((room.id,)),))
    shed = Resource(other, "Shed", kind=ResourceKind.ROOM)
    resources = (*RULES.resources, room, shed)
    salon.run(SetRules(replace(RULES, services=(CUT, rent), resources=resources)))
    host = owner(salon)
    day, new = f"{BOARD}?on=2026-11-17", salon.product.engine.new_id
    assert "Room" not in host.get(day).says.partition("Why are there")[2]

    ann = ("Ann Lee", "ann@example.org")
    salon.run(Book(booking_id(new()), PersonId(new()), "Rent", at(10), *ann))
    salon.settle()

    assert "Ann Lee 10:00 to 11:00 Rent" in host.get(day).says
    assert "Shed" not in host.get(day).says
    everything = host.get(f"{day}&all=yes")
    assert "Shed" in everything.says
    assert "Without rooms and devices" in everything.says


@pytest.mark.parametrize("name", ["Anna & Tom", "Lee (2 dogs)", f"{'Wilhelmina ' * 6}Berg"])
def test_staff_see_every_customer_by_name(busy_salon: Salon, name: str) -> None:
    """Mails leave out such names, because anybody can type them; the console shows them."""
    booking = books(busy_salon, name)
    host = owner(busy_salon)

    for path in ("?on=2026-11-17", "/week?on=2026-11-17", "/list", f"/one/{booking.id}"):
        assert name in host.get(f"{BOARD}{path}").says


def test_a_request_for_a_booking_that_needs_approval_says_so(salon: Salon) -> None:
    asking = replace(CUT, approval=Approval.ALWAYS)
    salon.run(SetRules(replace(RULES, services=(asking, SPA))))
    booked = books(salon)
    host = owner(salon)
    page = host.get(f"{BOARD}/one/{booked.id}")
    request = host.get(f"{BOARD}/requests/{booked.request_id}")

    assert "Decline Cancel" not in page.says
    assert "Requested on the booking page: Haircut" in page.says
    assert "Booked on the booking page" not in page.says
    assert "This waits for your approval." in request.says
    assert "Needs approval" in request.says
    assert "Approve or decline it on its own page." in request.says
    assert "It was decided on" not in request.says
    assert "Requested Mon 16 Nov" in page.says
    assert "Booked Mon 16 Nov" not in page.says


def test_a_week_and_a_month_count_the_bookings_of_each_day(busy_salon: Salon) -> None:
    books(busy_salon)
    host = owner(busy_salon)

    assert "10:00 Ann Lee Haircut · Mira" in host.get(f"{BOARD}/week?on=2026-11-17").says
    assert 'aria-label="Tuesday 17 November: 1 booking"' in host.get(f"{BOARD}/month").text
    assert "Tue 17 Nov, 10:00 to 10:45 Ann Lee Haircut Mira" in host.get(f"{BOARD}/list").says
    assert host.get(f"{BOARD}/list.csv").text.count("Ann Lee") == 1


@pytest.mark.parametrize("on", ["", "yesterday", "9999-99-99", "0001-01-01", "2026-11-17' OR 1"])
def test_a_day_that_cannot_be_read_is_today(busy_salon: Salon, on: str) -> None:
    for path in (BOARD, f"{BOARD}/week", f"{BOARD}/month"):
        assert owner(busy_salon).get(f"{path}?on={on.replace(' ', '+')}").status == 200


def test_a_number_that_takes_no_texts_can_be_booked_with_and_staff_are_told_to_call(
    busy_salon: Salon,
) -> None:
    answer = owner(busy_salon).send(NEW, **form(email="", mobile="020 12345"))

    assert answer.flash == "Booked. No message reaches this number: please call the customer."
    assert only(busy_salon.settle()).mobile == "020 12345"


@pytest.mark.spec("BK-38")
def test_staff_book_by_phone_in_one_line(busy_salon: Salon) -> None:
    host = owner(busy_salon)
    read = host.get(f"{NEW}?line=Mira+Tue+10:00+cut+Bo+Berg+bo@example.org")
    assert "Please check what was read" in read.says

    answer = host.send(NEW, **form())

    assert answer.flash == "Booked. The customer is told."
    booking = only(busy_salon.settle())
    assert (booking.name, booking.starts_at, booking.status) == (
        "Bo Berg",
        at(10),
        BookingStatus.CONFIRMED,
    )
    assert "You're booked." in busy_salon.messages("bo@example.org")[-1]["text"]


@pytest.mark.spec("BK-38")
def test_a_line_without_a_known_service_chooses_none(busy_salon: Salon) -> None:
    page = owner(busy_salon).get(f"{NEW}?line=Mira+Tue+10:00+massage+bo@example.org")

    assert "Please check what was read, and add the service." in page.says
    assert "Choose a service" in page.says


@pytest.mark.spec("BK-22")
def test_staff_are_warned_and_may_overbook_knowingly(busy_salon: Salon) -> None:
    books(busy_salon)
    host = owner(busy_salon)

    warned = host.send(NEW, **form())
    assert warned.status == 409
    assert "This time is taken. If you book it anyway, two bookings overlap." in warned.says
    assert len(bookings(busy_salon)) == 1

    assert host.send(NEW, **form(), anyway="yes").flash == "Booked. The customer is told."
    over = next(one for one in bookings(busy_salon) if one.name == "Bo Berg")
    assert over.overrides == ("overbooked",)
    assert "Staff knew: overbooked. By " in host.get(f"{BOARD}/one/{over.id}").says


@pytest.mark.spec("BK-22")
def test_staff_are_warned_of_every_rule_that_they_would_break(busy_salon: Salon) -> None:
    host, night = owner(busy_salon), {"at": "03:00"}
    assert host.send(NEW, **form(**night), anyway="yes").flash == "Booked. The customer is told."

    warned = host.send(NEW, **form(**night, name="Cy Coe", email="cy@example.org"))

    outside = "This is outside working hours."
    taken = "This time is taken. If you book it anyway, two bookings overlap."
    assert f"{outside} {taken}" in warned.says
    moved = host.send(NEW, **form(at="05:00", move=only(busy_salon).id, version="1"))
    assert outside in moved.says
    assert taken not in moved.says


@pytest.mark.spec("BK-22")
def test_staff_note_a_visit_of_this_week_and_none_of_long_ago(busy_salon: Salon) -> None:
    host, anyway = owner(busy_salon), "You can still do it"

    passed = host.send(NEW, **form(on="2026-11-12"))
    assert "This time has passed." in passed.says
    assert anyway in passed.says
    for on, error in (("2020-01-02", "a week ago"), ("2036-01-02", "four years ahead")):
        refused = host.send(NEW, **form(on=on))
        assert f"This is more than {error}." in refused.says
        assert anyway not in refused.says

    assert host.send(NEW, **form(on="2026-11-12"), anyway="yes").flash.startswith("Booked.")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"on": "soon"}, "Enter a date and a time, like 15:00."),
        ({"at": "25:99"}, "Enter a date and a time, like 15:00."),
        ({"service": "Nothing"}, "Choose a service."),
        ({"email": ""}, "Please give an e-mail address or a mobile number."),
        ({"name": ""}, "name"),
    ],
)
def test_a_wrong_form_says_what_to_write(
    busy_salon: Salon, changes: dict[str, str], error: str
) -> None:
    answer = owner(busy_salon).send(NEW, **form(**changes))

    assert answer.status == 422
    assert error in answer.says
    assert bookings(busy_salon) == []


def test_staff_move_and_cancel_a_booking_and_the_customer_is_told(busy_salon: Salon) -> None:
    booking, host = books(busy_salon), owner(busy_salon)
    page = f"{NEW}?move={booking.id}"

    moved = host.send(page, NEW, on="2026-11-18", at="11:00")
    assert moved.flash == "Moved. The customer is told."
    assert only(busy_salon.settle()).starts_at == at(11) + timedelta(days=1)
    assert "We had to move your booking." in busy_salon.messages("ann@example.org")[-1]["text"]

    url = f"{BOARD}/one/{booking.id}"
    asked = host.send(url, f"{url}/cancel")
    assert "Cancel this booking?" in asked.says
    assert only(busy_salon).takes_time, "nothing is done before a yes"
    assert (
        host.send(url, f"{url}/cancel", confirmed="yes").flash == "Cancelled. The customer is told."
    )
    assert only(busy_salon.settle()).status is BookingStatus.CANCELLED


@pytest.mark.spec("BK-38")
def test_the_story_names_the_staff_member_after_a_move(busy_salon: Salon) -> None:
    booking, host = books(busy_salon), owner(busy_salon)
    url = f"{BOARD}/one/{booking.id}"
    moves = (
        ("18", "11:00", "jo", "Staff moved it from {} 17 November, 10:00 (SGT) to {} 18 November,"),
        ("18", "11:00", "mira", "Staff moved it from Jo to Mira at the same time."),
        ("19", "11:00", "jo", "19 November, 11:00 (SGT), now with Jo."),
    )
    for day, clock, staff, said in moves:
        host.send(f"{NEW}?move={booking.id}", NEW, on=f"2026-11-{day}", at=clock, staff=staff)
        assert said.format("Tuesday", "Wednesday") in host.get(url).says, said


@pytest.mark.spec("BK-33")
def test_a_booking_that_needs_approval_is_on_today_and_decided_there(salon: Salon) -> None:
    salon.run(SetRules(replace(RULES, services=(replace(CUT, approval=Approval.ALWAYS), SPA))))
    booking, host = books(salon), owner(salon)
    assert "Ann Lee: Haircut" in host.get("/console").says
    assert "Needs approval" in host.get("/console").says

    url = f"{BOARD}/one/{booking.id}"
    assert host.send(url, f"{url}/approve").flash == "Approved. The customer is told."

    assert only(salon.settle()).status is BookingStatus.CONFIRMED
    assert "Needs approval" not in host.get("/console").says


def test_a_person_shows_their_bookings(busy_salon: Salon) -> None:
    booking = books(busy_salon)
    page = owner(busy_salon).get(f"/console/people/{booking.person_id}")

    assert "Haircut, Tue 17 Nov, 10:00 to 10:45" in page.says


@pytest.mark.parametrize("path", ["", "/week", "/month", "/list", "/new", "/calendars"])
def test_only_staff_see_bookings(busy_salon: Salon, path: str) -> None:
    assert busy_salon.visitor.get(f"{BOARD}{path}").status != 200


@pytest.mark.spec("BK-38", "BK-37")
def test_a_private_feed_has_the_bookings_of_one_person_until_it_is_renewed(
    busy_salon: Salon,
) -> None:
    books(busy_salon)
    host = owner(busy_salon)
    [address] = re.findall(r"http\S+?/feed/mira/\S+?\.ics", host.get(CALENDARS).text)

    answer = busy_salon.visitor.get(address)
    [event] = Calendar.from_ical(answer.body).walk("VEVENT")
    assert (event["SUMMARY"], event.decoded("DTSTART")) == ("Haircut, Ann", at(10))
    assert "ann@example.org" not in answer.body

    busy_salon.run(RenewFeed(MIRA))
    assert busy_salon.visitor.get(address).status == 404
    assert busy_salon.visitor.get(address.replace("mira", "jo")).status == 404
    assert busy_salon.visitor.get(address.replace("mira", "nobody")).status == 404


@pytest.mark.spec("BK-38")
def test_a_feed_has_bookings_that_wait_for_approval_but_none_that_ended(busy_salon: Salon) -> None:
    cut = replace(CUT, approval=Approval.ALWAYS)
    busy_salon.run(SetRules(replace(RULES, services=(cut,))))
    pending = books(busy_salon)
    host = owner(busy_salon)
    [address] = re.findall(r"http\S+?/feed/mira/\S+?\.ics", host.get(CALENDARS).text)

    [event] = Calendar.from_ical(busy_salon.visitor.get(address).body).walk("VEVENT")
    assert (event["SUMMARY"], event["STATUS"]) == ("Needs approval: Haircut, Ann", "TENTATIVE")

    busy_salon.run(DeclineBooking(pending.id))
    assert not Calendar.from_ical(busy_salon.visitor.get(address).body).walk("VEVENT")


@pytest.mark.spec("FD-10", "BK-13")
def test_a_corrected_address_gets_the_links_of_upcoming_bookings(busy_salon: Salon) -> None:
    booking = books(busy_salon)
    before = busy_salon.last_link("ann@example.org")
    person = busy_salon.product.engine.reads().engine.person(booking.person_id)
    assert person is not None
    host = owner(busy_salon)
    page = f"/console/people/{person.id}"
    host.send(page, f"{page}/correct", name="Ann Lee", email="ann.lee@example.org")

    assert only(busy_salon.settle()).email == "ann.lee@example.org"
    after = busy_salon.last_link("ann.lee@example.org")
    assert busy_salon.visitor.get(after).status == 200
    assert "Haircut" not in busy_salon.visitor.get(before).says
