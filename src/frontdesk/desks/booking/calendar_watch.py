"""Compares bookings with calendars: staff may move or delete our events, or add others.

A difference becomes a question for staff, and nothing changes before they answer. When a calendar
is connected, earlier bookings are written into it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from frontdesk.connect.calendars.port import BadCalendar, CalendarPort
from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.saved_settings import SavedSetting, WriteSetting
from frontdesk.desks.booking.calendar_job import Calendars, calendar_names, written_calendars
from frontdesk.desks.booking.commands import WriteCalendarAgain
from frontdesk.desks.booking.decide.claims import BUSY_IN_CALENDAR
from frontdesk.desks.booking.facts import CalendarChanged
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import CODE, Booking, BookingId, BookingStatus
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Reads
from frontdesk.features.calendars.busy_times import (
    CacheLimits,
    SavedBusyTimes,
    Span,
    UnreadableCalendar,
)
from frontdesk.features.calendars.drift import Drift, Expected, Moved, find_drift
from frontdesk.logs import log
from frontdesk.values import Frozen

BY: Final = "calendar"
AHEAD: Final = timedelta(days=60)
#: The most earlier bookings that one turn writes into newly connected calendars.
MOST_WRITTEN: Final = 20


class EventChange(Frozen):
    """The event of a booking is at another time, or gone if `starts_at` is None."""

    booking_id: BookingId
    starts_at: datetime | None = None


class WatchState(Frozen):
    """The result of the last check of the events in one calendar."""

    known: str = ""
    changes: tuple[EventChange, ...] = ()
    many: bool = False
    """Whether there are so many changes at once that they may be a mistake."""


def watch_setting(calendar: str) -> SavedSetting[WatchState]:
    return SavedSetting(f"bk.calendar_watch.{calendar}", WatchState, WatchState())


class CalendarWatch(Frozen):
    engine: Engine
    clock: Clock
    calendars: Calendars

    def turn(self) -> bool:
        """Checks each calendar that has events of ours. Returns whether there are differences."""
        bk, now = booking_reads(self.engine.reads()), self.clock.now()
        bookings = list(bk.bookings_between(now, now + AHEAD))
        ports = {
            name: port for name, port in self.calendars().items() if isinstance(port, CalendarPort)
        }
        for booking in islice(_not_in_calendar(bookings, bk.rules(), ports), MOST_WRITTEN):
            self.engine.run(WriteCalendarAgain(booking.id), by=BY, now=now)
        expected = _expected(bookings)
        found = [
            self._look(name, port, expected.get(name, ()), now) for name, port in ports.items()
        ]
        return any(found)

    def _look(
        self, name: str, port: CalendarPort, expected: Sequence[Expected], now: datetime
    ) -> bool:
        setting = watch_setting(name)
        state = self.engine.reads().engine.setting(setting)
        if not expected and not state.changes:
            return False
        try:
            drift = find_drift(port, expected, state.known, now, now + AHEAD)
        except BadCalendar as bad:
            log("calendar.failed", why=str(bad))
            return False
        if drift.unchanged:
            return bool(state.changes)
        self._save(name, _state(drift), now)
        return bool(drift.differences)

    def _save(self, name: str, after: WatchState, now: datetime) -> None:
        """Saves the differences. Tells staff if there are more than before."""
        setting = watch_setting(name)

        def save(reads: Reads) -> Decision:
            before = reads.engine.setting(setting)
            if before == after:
                return Refused(Reason.UNCHANGED)
            is_new = not set(after.changes) <= set(before.changes)
            fact = CalendarChanged(name, len(after.changes), now)
            return Accepted((WriteSetting(setting, before, after),), (fact,) if is_new else ())

        self.engine.store.decide(save, by=BY, at=now)


def open_changes(reads: Reads, calendars: Iterable[str]) -> Iterator[tuple[str, EventChange]]:
    """The differences that still hold: the booking has not changed since."""
    bk = booking_reads(reads)
    for name in calendars:
        for change in reads.engine.setting(watch_setting(name)).changes:
            booking = bk.booking(change.booking_id)
            if booking is None or booking.status is not BookingStatus.CONFIRMED:
                continue
            if change.starts_at != booking.starts_at and _is_written(booking, name):
                yield name, change


class Clash(Frozen):
    """A calendar has another event during a booking."""

    booking: Booking
    calendar: str
    event: Span


def clashes(reads: Reads, rules: BookingRules, now: datetime) -> Iterator[Clash]:
    """Yields bookings at the same time as another event, in the calendars as last read.

    Bookings that staff made knowingly over an event do not count.
    """
    saved = SavedBusyTimes(CODE, CacheLimits(usable=rules.calendar_max_age))
    busy: dict[str, Sequence[Span]] = {}
    for name in calendar_names(rules.resources):
        spans = saved.busy(reads, name, now, now + AHEAD, now)
        if not isinstance(spans, UnreadableCalendar) and spans:
            busy[name] = spans
    if not busy:
        return
    for booking in booking_reads(reads).bookings_between(now, now + AHEAD):
        if booking.status is not BookingStatus.CONFIRMED or BUSY_IN_CALENDAR in booking.overrides:
            continue
        served_by = [one for one in map(rules.resource, booking.resources) if one is not None]
        for name in calendar_names(served_by):
            event = _first_during(booking, busy.get(name, ()))
            if event is not None:
                yield Clash(booking, name, event)
                break


def _first_during(booking: Booking, spans: Sequence[Span]) -> Span | None:
    """The first span that overlaps with the visit. The spans are sorted and do not overlap."""
    index = bisect_right(spans, booking.starts_at, key=lambda span: span[1])
    if index < len(spans) and spans[index][0] < booking.ends_at:
        return spans[index]
    return None


def _is_written(booking: Booking, calendar: str) -> bool:
    """Whether the calendar had the booking as it is now."""
    return any(
        link.calendar == calendar and link.written_sequence == booking.sequence
        for link in booking.calendars
    )


def _not_in_calendar(
    bookings: Iterable[Booking], rules: BookingRules, calendars: Container[str]
) -> Iterator[Booking]:
    """Yields the bookings that nobody has tried to write into a calendar of their resources."""
    for one in bookings:
        served_by = [found for each in one.resources if (found := rules.resource(each))]
        tried = {link.calendar for link in one.calendars}
        wanted = set(written_calendars(served_by)) - tried
        if one.status is BookingStatus.CONFIRMED and any(name in calendars for name in wanted):
            yield one


def _expected(bookings: Iterable[Booking]) -> Mapping[str, list[Expected]]:
    found: dict[str, list[Expected]] = {}
    for one in bookings:
        for link in one.calendars:
            if one.status is BookingStatus.CONFIRMED and link.written_sequence == one.sequence:
                event = Expected(one.id, link.event_id, one.starts_at, one.ends_at)
                found.setdefault(link.calendar, []).append(event)
    return found


def _state(drift: Drift) -> WatchState:
    changes = (
        EventChange(BookingId(each.key), each.starts_at if isinstance(each, Moved) else None)
        for each in drift.differences
    )
    return WatchState(drift.known, tuple(changes), drift.many)
