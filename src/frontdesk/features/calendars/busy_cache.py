"""Reads the busy times of outside calendars for any desk at intervals, and saves them.

Searches use `SavedBusyTimes`, which reads the store alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from frontdesk.connect.calendars.port import BadCalendar, BusySource
from frontdesk.core.decision import Accepted, Decision, Fact, Refused
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Committed, Reads
from frontdesk.features.calendars.busy_times import (
    MAX_SPANS,
    BusyTimes,
    CacheLimits,
    ReadState,
    merged,
    state_setting,
    times_setting,
)
from frontdesk.logs import log
from frontdesk.values import replace

BY: Final = "calendar"
#: The saved period is a day longer than needed, so that unchanged times are written only once a
#: day.
_DAY: Final = timedelta(days=1)
#: A search for today also needs the busy times of yesterday, because of visits over midnight.
_BEFORE: Final = timedelta(days=3)


class Reason(StrEnum):
    READ_LATELY = "read lately"


class BusyCache:
    """Keeps the saved busy times of a desk's calendars fresh. Several processes may do this at the
    same time: one of them reads."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        desk: str,
        calendars: Callable[[], Mapping[str, BusySource]],
        unusable: Callable[[str, str, datetime], Fact],
        limits: CacheLimits = CacheLimits(),  # noqa: B008 - it is immutable
    ) -> None:
        """`calendars` returns the current ones by their names. `unusable` makes the fact that
        alerts staff, from the calendar's name, the reason and the time."""
        self._engine = engine
        self._clock = clock
        self._desk = desk
        self._calendars = calendars
        self._unusable = unusable
        self._limits = limits

    def turn(self) -> bool:
        """Reads all calendars that are due, and returns whether any was read."""
        read = [self.refresh(name) for name in self._calendars()]
        return any(read)

    def refresh(self, calendar: str, *, at_once: bool = False) -> bool:
        """Reads one calendar if it is due, or `at_once`, and saves the result. Returns whether it
        was read successfully."""
        source = self._calendars().get(calendar)
        if source is None or not self._begin(calendar, at_once=at_once):
            return False
        now = self._clock.now()
        start, end = now - _BEFORE, now + self._limits.ahead + _DAY
        try:
            spans = merged((span.starts_at, span.ends_at) for span in source.busy(start, end))
            if len(spans) > MAX_SPANS:
                raise BadCalendar("This calendar has too many events in this time.")
        except BadCalendar as bad:
            log("calendar.failed", why=str(bad))
            self._save_trouble(calendar, str(bad), now)
            return False
        self._save(calendar, BusyTimes(start, end, spans), now)
        return True

    def _begin(self, calendar: str, *, at_once: bool) -> bool:
        """Records the attempt. Returns False if the calendar is not due, perhaps because another
        process has just begun to read it."""
        setting, now = state_setting(self._desk, calendar), self._clock.now()

        def take(reads: Reads) -> Decision:
            state = reads.engine.setting(setting)
            if state.tried_at and now - state.tried_at < self._limits.every and not at_once:
                return Refused(Reason.READ_LATELY)
            return Accepted((WriteSetting(setting, state, replace(state, tried_at=now)),))

        return isinstance(self._engine.store.decide(take, by=BY, at=now), Committed)

    def _save(self, calendar: str, times: BusyTimes, now: datetime) -> None:
        state_key = state_setting(self._desk, calendar)
        times_key = times_setting(self._desk, calendar)

        def save(reads: Reads) -> Decision:
            state, before = reads.engine.setting(state_key), reads.engine.setting(times_key)
            if _was_read_after(state, now):
                return Refused(Reason.READ_LATELY)
            after = ReadState(read_at=now, tried_at=now)
            changes = [WriteSetting(state_key, state, after)]
            if _differs(before, times):
                changes.append(WriteSetting(times_key, before, times))
            return Accepted(tuple(changes))

        self._engine.store.decide(save, by=BY, at=now)

    def _save_trouble(self, calendar: str, why: str, now: datetime) -> None:
        """Saves the reason of a failure. Tells staff once, when the last reading is too old to be
        used."""
        setting = state_setting(self._desk, calendar)

        def save(reads: Reads) -> Decision:
            state = reads.engine.setting(setting)
            if _was_read_after(state, now):
                return Refused(Reason.READ_LATELY)
            is_old = state.read_at is None or now - state.read_at > self._limits.usable
            tells = is_old and not state.told
            after = replace(state, tried_at=now, trouble=why, told=state.told or tells)
            facts = (self._unusable(calendar, why, now),) if tells else ()
            return Accepted((WriteSetting(setting, state, after),), facts)

        self._engine.store.decide(save, by=BY, at=now)


def _was_read_after(state: ReadState, now: datetime) -> bool:
    """Whether another process began later and finished earlier."""
    return state.read_at is not None and state.read_at > now


def _differs(before: BusyTimes, now: BusyTimes) -> bool:
    """Whether to write the times: they changed, or the saved period begins to run out."""
    if before.spans != now.spans or before.end is None or now.end is None:
        return True
    return now.end - before.end >= _DAY
