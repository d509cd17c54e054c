"""The saved busy times of a calendar: how old they are, and whether they may be used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

from frontdesk.core.saved_settings import SavedSetting
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen

#: The limit that is sure to fit into one row of the store.
MAX_SPANS: Final = 5_000

NOT_READ: Final = "The calendar has not been read yet."
TOO_OLD: Final = "The calendar was last read too long ago."
TOO_FAR: Final = "The calendar was not read for this time."


class CacheLimits(Frozen):
    """How often a calendar is read, and for how long its busy times may be used."""

    every: timedelta = timedelta(minutes=5)
    """The shortest interval between two reads of a calendar."""
    usable: timedelta = timedelta(minutes=30)
    """The longest time for which a reading may be used."""
    ahead: timedelta = timedelta(days=90)
    """The period that is read, from the beginning of today on."""


class CalendarCache(Protocol):
    """The saved busy times of calendars. On AWS another function reads the calendars."""

    def refresh(self, calendar: str, *, at_once: bool = False) -> bool: ...


class ReadState(Frozen):
    """The result of reading a calendar. It is small because it is written each time."""

    read_at: datetime | None = None
    """The last time that the calendar was read successfully."""
    tried_at: datetime | None = None
    trouble: str = ""
    """The reason why the last attempt failed."""
    told: bool = False
    """Staff have been told that the calendar cannot be used."""


class BusyTimes(Frozen):
    """The period that was read, and its merged busy spans in seconds since 1970."""

    start: datetime | None = None
    end: datetime | None = None
    spans: tuple[tuple[int, int], ...] = ()

    def within(self, start: datetime, end: datetime) -> Iterator[Span]:
        first, last = start.timestamp(), end.timestamp()
        for starts, ends in self.spans:
            if starts < last and ends > first:
                yield datetime.fromtimestamp(starts, UTC), datetime.fromtimestamp(ends, UTC)


Span = tuple[datetime, datetime]


class UnreadableCalendar(Frozen):
    """Nothing may be offered from this calendar; `why` explains it to staff."""

    why: str


class CalendarStatus(Frozen):
    """A calendar as staff see it."""

    read_at: datetime | None
    trouble: str
    """The reason why the last attempt to read it failed."""
    unusable: str
    """The reason why nothing is offered from it."""
    today: tuple[Span, ...]


def state_setting(desk: str, calendar: str) -> SavedSetting[ReadState]:
    return SavedSetting(f"{desk}.calendar_read.{calendar}", ReadState, ReadState())


def times_setting(desk: str, calendar: str) -> SavedSetting[BusyTimes]:
    return SavedSetting(f"{desk}.calendar_busy.{calendar}", BusyTimes, BusyTimes())


class SavedBusyTimes(Frozen):
    """The busy times of a desk's calendars as last read. It reads nothing but the store."""

    desk: str
    limits: CacheLimits = CacheLimits()

    def busy(
        self, reads: Reads, calendar: str, start: datetime, end: datetime, now: datetime
    ) -> Sequence[Span] | UnreadableCalendar:
        state = reads.engine.setting(state_setting(self.desk, calendar))
        if why := self._why_not(state, now):
            return UnreadableCalendar(why)
        times = reads.engine.setting(times_setting(self.desk, calendar))
        if times.start is None or times.end is None or start < times.start or end > times.end:
            return UnreadableCalendar(TOO_FAR)
        return tuple(times.within(start, end))

    def status(self, reads: Reads, calendar: str, day: Span, now: datetime) -> CalendarStatus:
        """`day` is today, in the zone of the business."""
        state = reads.engine.setting(state_setting(self.desk, calendar))
        times = reads.engine.setting(times_setting(self.desk, calendar))
        unusable = self._why_not(state, now)
        return CalendarStatus(state.read_at, state.trouble, unusable, tuple(times.within(*day)))

    def _why_not(self, state: ReadState, now: datetime) -> str:
        if state.read_at is None:
            return state.trouble or NOT_READ
        if now - state.read_at > self.limits.usable:
            return state.trouble or TOO_OLD
        return ""


def merged(spans: Iterable[Span]) -> tuple[tuple[int, int], ...]:
    """Joins spans that overlap or touch. Rounds them outwards to whole seconds."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        first, last = int(start.timestamp()), -int(-end.timestamp() // 1)
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)
