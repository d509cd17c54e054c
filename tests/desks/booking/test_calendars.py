"""Bookings in the calendars of staff, with a real CalDAV server, on both stores."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from zoneinfo import ZoneInfo

import pytest

from frontdesk.connect.calendars.caldav import CalDavCalendar
from frontdesk.connect.calendars.client import Account
from frontdesk.connect.calendars.port import BusySource, BusySpan
from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.core.mail import MailId
from frontdesk.desks.booking.calendar_job import CalendarWriter, calendar_entry
from frontdesk.desks.booking.calendar_watch import CalendarWatch, EventChange, open_changes
from frontdesk.desks.booking.commands import (
    CancelBooking,
    IgnoreMail,
    MoveBooking,
    ReadMail,
    SetRules,
    WriteCalendarAgain,
)
from frontdesk.desks.booking.decide.requests import READ_JOB
from frontdesk.desks.booking.decide.states import CALENDAR_JOB
from frontdesk.desks.booking.facts import (
    BookingConfirmed,
    CalendarChanged,
    CalendarTroubled,
    CalendarUnusable,
)
from frontdesk.desks.booking.load import BusyResources
from frontdesk.desks.booking.model import Booking, BookingStatus, Lane
from frontdesk.desks.booking.rules import CalendarRef
from frontdesk.embedded.runner import Runner
from frontdesk.engine.clock import SystemClock, VirtualClock
from frontdesk.engine.ports import Recorded
from frontdesk.features.calendars.busy_cache import BusyCache
from frontdesk.values import replace
from frontdesk.wiring.booking.calendars import saved_busy
from tests.desks.booking.conftest import Opened
from tests.support.booking import HOUR, MIRA, SEVEN, TEN, BookingDesk, hex_id, resource, rules
from tests.support.calendars import Radicale, calendar, event, radicale_server

NAME = "mira-private"
PATIENCE_SECONDS = 60.0
SUBJECT = f"calendar:{NAME}"
RULES = rules(resources=[resource(MIRA, calendars=(CalendarRef(NAME, write=True),))])


class Business:
    """A booking desk with one connected calendar."""

    def __init__(self, open_desk: Opened, server: Radicale, **options: object) -> None:
        self.server = server
        here = ZoneInfo("UTC")
        self.port = CalDavCalendar(server.url, Account("mia", "secret"), here=here)
        writer = CalendarWriter(lambda: self.desk.engine.reads(), lambda: self.calendars())
        self.desk: BookingDesk = open_desk(jobs={CALENDAR_JOB: writer.run}, **options)
        self.desk.given(RULES)

    def calendars(self) -> dict[str, BusySource]:
        return {NAME: self.port}

    def event(self, booking: Booking) -> tuple[object, ...] | None:
        found = self.port.find(booking.id, booking.calendars[0].event_id)
        return (found.starts_at, found.ends_at) if found and not found.cancelled else None

    def staff_put(self, name: str) -> None:
        """Adds an event of staff on Tuesday from ten."""
        self.server.put(name, calendar(event(name, "Dentist", f"{TEN:%Y%m%dT%H%M%SZ}")))

    def watch(self) -> CalendarWatch:
        return CalendarWatch(self.desk.engine, self.desk.clock, self.calendars)

    def changes(self) -> list[EventChange]:
        self.watch().turn()
        return [change for _, change in open_changes(self.desk.engine.reads(), [NAME])]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Radicale]:
    folder = tmp_path / "radicale"
    folder.mkdir()
    with radicale_server(folder) as server:
        yield server


@pytest.fixture
def business(open_desk: Opened, server: Radicale) -> Business:
    return Business(open_desk, server)


@pytest.mark.spec("BK-12", "BK-37")
def test_a_booking_is_confirmed_once_its_event_is_in_the_calendar(business: Business) -> None:
    claimed = business.desk.book("ann")
    assert claimed.status is BookingStatus.CLAIMED

    confirmed = business.desk.settle().booking(claimed.id)

    assert confirmed.status is BookingStatus.CONFIRMED
    assert business.event(confirmed) == (TEN, TEN + HOUR)
    assert [link.written_sequence for link in confirmed.calendars] == [0]
    file = PurePosixPath(confirmed.calendars[0].event_id).stem
    text = business.server.text(file)
    assert "SUMMARY:cut\\, Ann" in text
    assert "ann@example.org" not in text


@pytest.mark.spec("BK-12")
def test_an_event_that_staff_put_there_meanwhile_wins(business: Business) -> None:
    claimed = business.desk.book("ann")
    business.staff_put("dentist")

    released = business.desk.settle().booking(claimed.id)

    assert released.status is BookingStatus.RELEASED
    assert business.desk.book("bob").status is BookingStatus.CLAIMED, "the time is free again"


@pytest.mark.spec("BK-22")
def test_a_visit_that_staff_book_over_an_event_stays_and_is_written(
    open_desk: Opened, server: Radicale
) -> None:
    busy = BusyResources({MIRA: [(TEN, TEN + HOUR)]})
    business = Business(open_desk, server, busy=lambda *_asked: busy)
    business.staff_put("dentist")
    desk = business.desk

    desk.book("ann", lane=Lane.STAFF, override=True)
    booking = desk.settle().of("ann")

    assert booking.overrides == ("busy in a calendar",)
    assert booking.status is BookingStatus.CONFIRMED
    assert business.event(booking) == (TEN, TEN + HOUR)


@pytest.mark.spec("BK-15", "BK-16", "BK-25")
def test_the_event_moves_with_the_booking_and_goes_with_it(business: Business) -> None:
    booking = business.desk.book("ann")
    business.desk.settle().do(MoveBooking(booking.id, TEN + HOUR / 4))
    moved = business.desk.booking(booking.id)

    assert business.event(moved) == (TEN + HOUR / 4, TEN + HOUR * 5 / 4)
    assert moved.status is BookingStatus.CONFIRMED

    business.desk.do(CancelBooking(booking.id))
    assert business.event(business.desk.booking(booking.id)) is None


@pytest.mark.spec("BK-12")
def test_a_write_with_an_unknown_outcome_is_looked_up_before_it_is_repeated(
    business: Business,
) -> None:
    business.server.after["PUT"] = 502
    answered: list[str] = []
    business.server.done = answered.append
    booking = business.desk.book("ann")

    confirmed = business.desk.settle().booking(booking.id)

    assert confirmed.status is BookingStatus.CONFIRMED
    assert "PUT" not in answered, "it was found, and is not written again"
    assert [link.written_sequence for link in confirmed.calendars] == [0]
    assert CalendarTroubled.kind not in business.desk.kinds(booking.id)
    assert business.event(confirmed) == (TEN, TEN + HOUR)
    assert len(business.port.changes("", TEN - HOUR, TEN + 2 * HOUR).events) == 1


@pytest.mark.spec("BK-12")
@pytest.mark.parametrize("method", ["PUT", "REPORT"], ids=["writing", "reading"])
def test_a_calendar_that_is_down_leaves_the_booking_confirmed_and_is_written_later(
    business: Business, method: str
) -> None:
    business.server.instead[method] = 503
    booking = business.desk.book("ann")
    confirmed = business.desk.settle().booking(booking.id)

    assert confirmed.status is BookingStatus.CONFIRMED
    assert [link.written_sequence for link in confirmed.calendars] == [-1]

    written = business.desk.wait(hours=1).booking(booking.id)
    assert [link.written_sequence for link in written.calendars] == [0]
    assert business.event(written) == (TEN, TEN + HOUR)


@pytest.mark.spec("BK-12")
def test_an_event_stays_known_until_it_is_gone_from_a_calendar_that_is_no_longer_used(
    business: Business, monkeypatch: pytest.MonkeyPatch
) -> None:
    booking = business.desk.book("ann")
    before = business.desk.settle().booking(booking.id)
    other = Radicale(f"{business.server.url}-other")
    other.make()
    port = CalDavCalendar(other.url, Account("mia", "secret"), here=ZoneInfo("UTC"))
    monkeypatch.setattr(business, "calendars", lambda: {NAME: business.port, "other": port})
    calendars = (CalendarRef("other", write=True),)
    business.desk.given(rules(resources=[resource(MIRA, calendars=calendars)]))
    business.server.instead["DELETE"] = 503

    troubled = business.desk.do(MoveBooking(booking.id, TEN + HOUR / 4)).booking(booking.id)
    assert [link.calendar for link in troubled.calendars] == [NAME, "other"]
    assert business.event(before) == (TEN, TEN + HOUR)

    written = business.desk.wait(hours=1).booking(booking.id)
    assert [link.calendar for link in written.calendars] == ["other"]
    assert business.event(before) is None


@pytest.mark.spec("BK-12")
def test_a_definite_refusal_releases_the_claim(business: Business) -> None:
    business.server.instead["PUT"] = 403
    booking = business.desk.book("ann")

    assert business.desk.settle().booking(booking.id).status is BookingStatus.RELEASED


@pytest.mark.spec("BK-12")
@pytest.mark.home("one machine")
def test_a_mail_that_takes_long_to_read_delays_no_calendar(tmp_path: Path) -> None:
    go_on, confirmed = threading.Event(), threading.Event()

    def read(job: Job) -> Command:
        assert go_on.wait(PATIENCE_SECONDS)
        return IgnoreMail(MailId(job.subject), "nothing in it", job.id)

    desk = BookingDesk(tmp_path, jobs={READ_JOB: read})
    desk.given(RULES)

    def hear(facts: Sequence[Recorded]) -> None:
        if any(isinstance(each.fact, BookingConfirmed) for each in facts):
            confirmed.set()

    desk.store.on_commit(hear)
    desk.run(ReadMail(MailId("a scan")))
    runner = Runner(desk.runtime, SystemClock())
    runner.start()

    assert desk.book("ann").status is BookingStatus.CLAIMED
    assert confirmed.wait(PATIENCE_SECONDS / 2)
    go_on.set()
    assert runner.stop()
    desk.close()


def test_a_calendar_that_can_only_be_read_is_not_written(business: Business) -> None:
    class ReadOnly:
        def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
            return business.port.busy(start, end)

    business.calendars = lambda: {NAME: ReadOnly()}  # type: ignore[method-assign]
    booking = business.desk.book("ann")

    confirmed = business.desk.settle().booking(booking.id)

    assert (confirmed.status, confirmed.calendars) == (BookingStatus.CONFIRMED, ())


@pytest.mark.spec("BK-12")
def test_bookings_from_before_a_calendar_was_connected_are_written_into_it(
    business: Business,
) -> None:
    desk = business.desk.do(SetRules(rules()))
    earlier = desk.book("ann")
    assert (earlier.status, earlier.calendars) == (BookingStatus.CONFIRMED, ())

    desk.do(SetRules(RULES))
    business.watch().turn()
    written = desk.settle().of("ann")

    assert business.event(written) == (TEN, TEN + HOUR)
    assert desk.kinds(written.id)[-2:] == ["bk.calendar_retried", "bk.calendar_written"]
    business.watch().turn()
    assert desk.settle().of("ann") == written, "it is written once"


@pytest.mark.spec("BK-31")
def test_an_event_that_staff_move_or_delete_becomes_a_question(business: Business) -> None:
    booking = business.desk.book("ann")
    booking = business.desk.settle().booking(booking.id)
    assert business.changes() == []

    later = replace(booking, starts_at=TEN + HOUR, ends_at=TEN + 2 * HOUR, sequence=1)
    business.port.put(calendar_entry(later, RULES), booking.calendars[0].event_id)
    assert business.changes() == [EventChange(booking.id, TEN + HOUR)]
    assert business.changes() == [EventChange(booking.id, TEN + HOUR)], "until they answer"
    assert business.desk.kinds(SUBJECT).count(CalendarChanged.kind) == 1, "staff are told once"

    business.desk.do(WriteCalendarAgain(booking.id))
    assert business.changes() == []

    business.port.remove(booking.id, booking.calendars[0].event_id)
    assert business.changes() == [EventChange(booking.id)]
    business.desk.do(CancelBooking(booking.id, by_staff=True))
    assert business.changes() == []


@pytest.mark.spec("BK-30")
def test_a_calendar_that_cannot_be_read_offers_nothing_and_is_told_once(
    open_desk: Opened, server: Radicale
) -> None:
    clock = VirtualClock(SEVEN)
    business = Business(open_desk, server, busy=saved_busy(clock), clock=clock)
    desk = business.desk
    cache = BusyCache(desk.engine, desk.clock, "bk", business.calendars, CalendarUnusable)
    assert desk.refused(desk.command("ann")) == "busy", "it has not been read yet"

    cache.refresh(NAME)
    desk.book("ann", TEN + 5 * HOUR)
    business.staff_put("dentist")
    desk.wait(minutes=6)
    cache.refresh(NAME)
    assert desk.refused(desk.command("bob", TEN)) == "busy"

    for _ in range(3):
        desk.wait(hours=1)
        business.server.instead["REPORT"] = 500
        cache.refresh(NAME)
    assert desk.refused(desk.command("cat", TEN + 3 * HOUR)) == "busy"
    assert desk.kinds(SUBJECT).count(CalendarUnusable.kind) == 1


def test_a_service_with_braces_in_its_name_fills_in_nothing_else() -> None:
    booking = replace(_sample(), service="{first_name}", name="Ann Lee")

    assert calendar_entry(booking, RULES).title == "{first_name}, Ann"


def _sample() -> Booking:
    return Booking(
        id=hex_id("ann"),
        person_id="p",  # type: ignore[arg-type]
        service="cut",
        party=1,
        starts_at=TEN,
        ends_at=TEN + HOUR,
        resources=(MIRA,),
        places=(1,),
        capacities=(1,),
        lane="form",  # type: ignore[arg-type]
        booked_at=TEN - timedelta(days=1),
        local_on=TEN.date(),
    )
