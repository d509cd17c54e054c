"""The page of calendars: the state of reading, today's busy times, and events that staff
changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from frontdesk.connect.calendars.port import CalendarPort
from frontdesk.core.members import Role
from frontdesk.desks.booking.calendar_job import calendar_entry
from frontdesk.desks.booking.commands import MoveBooking, SetRules
from frontdesk.desks.booking.links import BookingLinks
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import CalendarRef, Need, Resource
from frontdesk.values import replace
from frontdesk.wiring.booking.calendars import CalendarTasks, calendar_tasks
from tests.desks.booking.console.test_staff_pages import books
from tests.desks.booking.pages.shop import CUT, MIRA, RULES, TUESDAY, at, text, times_in
from tests.desks.rsvp.console_desk import Host
from tests.desks.waitlist.console.counter import member, owner
from tests.support.browser import Answer
from tests.support.calendars import Radicale, calendar, event, radicale_server
from tests.support.salon import NINE, Salon, salon

CALENDARS = "/console/bookings/calendars"
WITH_CALENDAR = replace(
    RULES,
    services=(replace(CUT, needs=(Need((MIRA,)),), most_upcoming=9),),
    resources=(Resource(MIRA, "Mira", calendars=(CalendarRef("mira", write=True),)),),
)
HOUR = timedelta(hours=1)


@dataclass
class Shop:
    """A salon where Mira's calendar is on a CalDAV server. It is Monday, 09:00 in Singapore."""

    salon: Salon
    server: Radicale
    host: Host
    tasks: CalendarTasks

    @property
    def reads(self) -> BookingReads:
        found: BookingReads = self.salon.product.engine.reads().desk("bk")
        return found

    def one(self, booking: Booking) -> Booking:
        found = self.reads.booking(booking.id)
        assert found is not None
        return found

    def books(self, name: str, starts_at: datetime) -> Booking:
        """Books a time and writes it into the calendar."""
        self.tasks.cache.refresh("mira", at_once=True)
        return self.one(books(self.salon, name, starts_at))

    def staff_move(self, booking: Booking, to: datetime) -> None:
        length = booking.ends_at - booking.starts_at
        moved = replace(booking, starts_at=to, ends_at=to + length, sequence=9)
        self._port.put(calendar_entry(moved, WITH_CALENDAR), booking.calendars[0].event_id)

    def staff_delete(self, booking: Booking) -> None:
        self._port.remove(booking.id, booking.calendars[0].event_id)

    @property
    def _port(self) -> CalendarPort:
        port = self.tasks.calendars()["mira"]
        assert isinstance(port, CalendarPort)
        return port

    def looks(self) -> None:
        self.tasks.watch.turn()
        self.salon.settle()


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    folder = tmp_path / "radicale"
    folder.mkdir()
    data = tmp_path / "data"
    data.mkdir()
    with radicale_server(folder) as server:
        (data / "calendars.toml").write_text(
            f'[mira]\nkind = "caldav"\nurl = "{server.url}"\nuser = "mia"\npassword = "secret"\n'
        )
        with salon(data) as opened:
            opened.run(SetRules(WITH_CALENDAR))
            host = owner(opened)
            yield Shop(opened, server, host, calendar_tasks(opened.product))


@pytest.mark.spec("BK-30")
def test_a_calendar_shows_when_it_was_read_and_what_it_blocks_and_can_be_tested(
    shop: Shop,
) -> None:
    shop.server.put(
        "dentist", calendar(event("dentist", "Dentist", f"{NINE + HOUR:%Y%m%dT%H%M%SZ}"))
    )
    before = shop.host.get(CALENDARS)
    assert "Offers nothing" in before.says
    assert "Last read: Not yet" in before.says

    answer = shop.host.send(CALENDARS, f"{CALENDARS}/read")

    assert answer.flash == "It works: the calendar was read just now."
    page = shop.host.get(CALENDARS)
    assert "mira Works Mira Last read: Mon 16 Nov, 09:00:00 Busy today: 10:00 to 11:00" in page.says

    shop.salon.clock.move_to(NINE + HOUR / 12)
    shop.server.instead["REPORT"] = 503
    shop.server.instead["PROPFIND"] = 503
    again = shop.host.send(CALENDARS, f"{CALENDARS}/read")
    assert again.flash == "The calendar could not be read. The reason is below."
    assert "mira Does not answer Mira Last read: Mon 16 Nov, 09:00:00" in again.says


@pytest.mark.spec("BK-30")
def test_staff_are_told_once_that_a_calendar_offers_nothing(shop: Shop) -> None:
    member(shop.salon, "Jo", Role.STAFF)
    shop.tasks.cache.refresh("mira", at_once=True)
    assert times_in(shop.salon.visitor.get("/book/haircut"))

    for _ in range(5):
        shop.salon.later(timedelta(minutes=6))
        shop.server.instead = dict.fromkeys(("REPORT", "PROPFIND", "GET", "OPTIONS"), 503)
        shop.tasks.cache.turn()
        shop.salon.settle()

    told = [each["subject"] for each in shop.salon.messages("jo@salon.example")]
    assert len([each for each in told if "mira" in each]) == 1
    assert not times_in(shop.salon.visitor.get("/book/haircut"))
    assert "Offers nothing" in shop.host.get(CALENDARS).says


@pytest.mark.spec("BK-12")
@pytest.mark.parametrize("method", ["PUT", "REPORT"], ids=["writing", "reading"])
def test_a_booking_that_its_calendar_lacks_is_a_task_on_today_until_it_is_written(
    shop: Shop, method: str
) -> None:
    shop.tasks.cache.refresh("mira", at_once=True)
    shop.server.instead[method] = 503
    booking = shop.one(books(shop.salon, "Ann Lee", at(10)))
    task = "Not in the calendar mira yet"

    assert booking.status is BookingStatus.CONFIRMED
    assert task in shop.host.get("/console").says

    shop.salon.later(HOUR)
    assert task not in shop.host.get("/console").says


@pytest.mark.spec("BK-31")
def test_an_event_that_staff_move_is_a_question_on_today_and_moves_after_a_yes(shop: Shop) -> None:
    booking = shop.books("Ann Lee", at(10))
    assert booking.status is BookingStatus.CONFIRMED
    shop.staff_move(booking, at(15))
    shop.looks()

    assert "1 booking moved or deleted in a calendar" in shop.host.get("/console").says
    page = shop.host.get(CALENDARS)
    assert "Moved to Tuesday 17 November, 15:00 (SGT) in the calendar mira." in page.says
    assert shop.one(booking).starts_at == at(10), "nothing is done before they answer"

    answer = shop.host.act(CALENDARS, f"{CALENDARS}/settle", booking=booking.id, do="move")

    assert answer.flash == "Moved. The customer is told."
    assert shop.salon.settle().messages("ann@example.org")[-1]["subject"].startswith("New time")
    assert shop.one(booking).starts_at == at(15)
    shop.looks()
    assert "moved or deleted in a calendar" not in shop.host.get("/console").says


@pytest.mark.spec("BK-22", "BK-31")
def test_staff_are_warned_before_an_event_that_they_moved_moves_a_booking_over_another(
    shop: Shop,
) -> None:
    booking = shop.books("Ann Lee", at(10))
    other = shop.books("Bob Roe", at(15))
    shop.staff_move(booking, at(15))
    shop.looks()
    settle = f"{CALENDARS}/settle"

    assert "This time is taken. If you book it anyway, two bookings overlap." in (
        shop.host.get(CALENDARS).says
    )
    shop.host.act(CALENDARS, settle, booking=booking.id, do="move")
    assert shop.one(booking).starts_at == at(10), "they have not read the warning"

    answer = shop.host.act(CALENDARS, settle, booking=booking.id, do="anyway")

    assert answer.flash == "Moved. The customer is told."
    moved = shop.one(booking)
    assert (moved.starts_at, moved.overrides) == (other.starts_at, ("overbooked",))


@pytest.mark.spec("BK-31")
def test_an_event_that_staff_delete_is_cancelled_or_put_back_as_they_say(shop: Shop) -> None:
    first, second = shop.books("Ann Lee", at(10)), shop.books("Bob Roe", at(15))
    for each in (first, second):
        shop.staff_delete(each)
    shop.looks()

    shop.host.act(CALENDARS, f"{CALENDARS}/settle", booking=first.id, do="cancel")
    shop.host.act(CALENDARS, f"{CALENDARS}/settle", booking=second.id, do="back")
    shop.salon.settle()

    assert shop.one(first).status is BookingStatus.CANCELLED
    assert shop.one(second).status is BookingStatus.CONFIRMED
    shop.looks()
    assert "Deleted in the calendar" not in shop.host.get(CALENDARS).says


@pytest.mark.spec("BK-31")
def test_many_changes_at_once_stop_and_ask(shop: Shop) -> None:
    made = [shop.books(f"Ann{hour} Lee", at(hour)) for hour in (10, 11, 14, 15)]
    for each in made:
        shop.staff_delete(each)
    shop.looks()

    page = shop.host.get(CALENDARS)
    assert "So many at once may be a mistake. Nothing is done before you say so." in page.says
    assert "4 bookings moved or deleted in a calendar" in shop.host.get("/console").says
    assert {shop.one(each).status for each in made} == {BookingStatus.CONFIRMED}
    assert len(shop.salon.messages("ann10@example.org")) == 1, "only the confirmation"


@pytest.mark.spec("BK-31")
def test_an_event_that_staff_put_over_a_booking_is_on_today_until_one_of_them_moves(
    shop: Shop,
) -> None:
    card = "1 booking at the same time as another event"
    booking, other = shop.books("Ann Lee", at(10)), shop.books("Bob Roe", at(15))
    shop.tasks.cache.refresh("mira", at_once=True)
    assert card not in shop.host.get("/console").says, "our own events do not count"

    shop.server.put("dentist", calendar(event("dentist", "Dentist", _utc(at(10, 15)))))
    shop.tasks.cache.refresh("mira", at_once=True)

    assert card in shop.host.get("/console").says
    page = shop.host.get(CALENDARS)
    assert (
        "Ann Lee: Haircut, Tuesday 17 November, 10:00 (SGT) "
        "In the calendar mira: busy Tuesday 17 November 2026, 10:15 to 11:15 (SGT)."
    ) in page.says
    assert shop.one(other).status is BookingStatus.CONFIRMED

    shop.salon.run(MoveBooking(booking.id, at(12), by_staff=True, override=True))
    assert card not in shop.host.get("/console").says


@pytest.mark.spec("BK-22")
def test_a_booking_that_staff_made_knowingly_over_an_event_is_no_task(shop: Shop) -> None:
    shop.server.put("dentist", calendar(event("dentist", "Dentist", _utc(at(10)))))
    booking = shop.books("Ann Lee", at(15))

    shop.salon.run(MoveBooking(booking.id, at(10), by_staff=True, override=True))

    assert shop.one(booking).overrides == ("busy in a calendar",)
    assert "at the same time as another event" not in shop.host.get("/console").says


def _utc(at: datetime) -> str:
    return f"{at:%Y%m%dT%H%M%SZ}"


@pytest.mark.spec("BK-15")
def test_a_customer_cannot_move_onto_an_event_that_staff_put_there_meanwhile(shop: Shop) -> None:
    booking = shop.books("Ann Lee", at(10))
    shop.server.put("dentist", calendar(event("dentist", "Dentist", _utc(at(15)))))

    page = moves(shop, booking, at(15))

    assert "It could not be moved there. Your appointment is still as it was." in page.says
    assert shop.one(booking).starts_at == at(10)
    moves(shop, booking, at(16))
    assert shop.one(booking).starts_at == at(16)


@pytest.mark.spec("BK-15")
def test_a_move_goes_on_if_the_calendar_cannot_be_read_just_then(shop: Shop) -> None:
    booking = shop.books("Ann Lee", at(10))
    shop.server.instead |= {"PROPFIND": 500, "REPORT": 500}

    moves(shop, booking, at(15))

    assert len(shop.server.instead) == 1, "it was asked and did not answer"
    assert shop.one(booking).starts_at == at(15)


def moves(shop: Shop, booking: Booking, to: datetime) -> Answer:
    """The customer follows the link and chooses this time."""
    person, product = shop.reads.person(booking.person_id), shop.salon.product
    assert person is not None
    links = BookingLinks(product.settings.links_at, lambda: product.keys)
    link = urlsplit(links.manage(booking, person.contact_version)).path
    answer = shop.host.press(f"{link}?do=move&day={TUESDAY}", link, at=text(to))
    return shop.host.open(answer.location)
