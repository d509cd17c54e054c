"""Syncs a desk's items with the calendar in which staff put events.

A process only caches the text of the calendar. It reads the items and the result of the last sync
from the store each time, so the next sync repairs everything after a crash.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from threading import Lock
from typing import Any, Final, Protocol, TypeVar
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.ics_in import read_ics
from frontdesk.connect.calendars.model import CalendarEvent, CalendarFile, CalendarSource
from frontdesk.connect.calendars.port import BadCalendar
from frontdesk.core.decision import Accepted, Decision, Fact
from frontdesk.core.localtime import to_wall
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Reads
from frontdesk.features.calendars.state import CalendarProblem, CalendarState, calendar_setting
from frontdesk.logs import log
from frontdesk.values import Frozen, replace

BY: Final = "calendar"
#: The origin of every item from a calendar begins with this.
ORIGIN: Final = "calendar:"
#: Events that start later are ignored until they are nearer.
AHEAD: Final = timedelta(days=400)
#: A series may never end: its events are read so far ahead.
SERIES_AHEAD: Final = timedelta(days=60)
MAX_EVENTS: Final = 500
MAX_PROBLEMS: Final = 100
#: The most syncs in one turn, if each writes something into the calendar.
MOST_SYNCS: Final = 3
#: If this many items vanish at once, and more than a third of all, the sync asks staff first.
MANY: Final = 3
PART_OF_ALL: Final = 3

_ORIGIN: Final = re.compile(r"(calendar:.*/\d{8}T\d{6}Z)(?:/(\d+))?", re.DOTALL)
_MAX_UID: Final = 200


class Unclear(Frozen):
    """An event for the desk that cannot be used; `why` explains it to staff."""

    why: str


class Report:
    """The changes and problems of one sync."""

    def __init__(self) -> None:
        self.did = 0
        self.problems: list[CalendarProblem] = []
        self.sync_again = False
        """The desk may have written into the calendar, so the sync must run again."""

    def problem(self, title: str, starts_at: datetime | None, why: str) -> None:
        self.problems.append(CalendarProblem(title, starts_at, why))


class CalendarItem(Protocol):
    """An item of the desk's own type."""

    @property
    def id(self) -> str: ...
    @property
    def origin(self) -> str:
        """The result of `origin_of` for its event, or of `following` for a later item of the
        event."""


class CalendarDesk(Protocol):
    """The functions that a desk passes to the sync."""

    @property
    def code(self) -> str: ...
    @property
    def noun(self) -> str:
        """The plural noun for its items: 'openings'."""

    def zone(self) -> ZoneInfo:
        """The time zone of event times that name none."""

    def reader(
        self, events: Sequence[CalendarEvent]
    ) -> Callable[[CalendarEvent], Any | Unclear | None]:
        """Returns a function that reads one of these events; None means that it is about
        something else."""

    def origin_of(self, event: CalendarEvent) -> str:
        """The origin of the items of an event: the function `origin_of`, or another that begins
        with 'calendar:'."""

    def items(self, start: datetime, end: datetime) -> Sequence[CalendarItem]:
        """Items of events that start in this period."""

    def is_open(self, item: Any) -> bool:
        """Whether removing it would take something away."""

    def put(
        self, origin: str, event: CalendarEvent, meant: Any, item: Any | None, report: Report
    ) -> None:
        """Creates or updates the item of an event; `item` is the newest one, if there is any."""

    def remove(self, item: Any, report: Report) -> None:
        """Removes an item whose event is gone."""

    def halted(self, missing: int, at: datetime) -> Fact:
        """The fact that the sync waits for staff, because many items are missing."""


class EventReader(Protocol):
    def events(self, now: datetime, here: ZoneInfo) -> list[CalendarEvent]:
        """Returns all events. Raises `BadCalendar`."""

    def forget(self) -> None:
        """Makes the next sync read it again, even if it seems unchanged."""


class SeveralCalendars(Frozen):
    """Reads several calendars as one: if one cannot be read, the whole read fails."""

    readers: tuple[EventReader, ...]

    def events(self, now: datetime, here: ZoneInfo) -> list[CalendarEvent]:
        return [event for each in self.readers for event in each.events(now, here)]

    def forget(self) -> None:
        for each in self.readers:
            each.forget()


class CalendarReader:
    """Reads a calendar, and fetches it again only when it has changed."""

    def __init__(
        self, source: CalendarSource, calendar: str = "", *, expands: bool = False
    ) -> None:
        """`calendar` is its name, which each event gets. `expands` makes an event of each
        repetition."""
        self._source = source
        self._calendar = calendar
        self._expands = expands
        self._known = ""
        self._files: tuple[CalendarFile, ...] = ()

    def events(self, now: datetime, here: ZoneInfo) -> list[CalendarEvent]:
        """Returns all events. Raises `BadCalendar`."""
        span = (now, now + SERIES_AHEAD) if self._expands else None
        try:
            if (reading := self._source.read(self._known, now)) is not None:
                self._files, self._known = reading.files, reading.known
            return [
                replace(event, calendar=self._calendar, event_id=file.name, etag=file.etag)
                for file in self._files
                for event in read_ics(file.text, here, span)
            ]
        except BadCalendar:
            self.forget()
            raise

    def forget(self) -> None:
        """Makes the next sync fetch it."""
        self._known = ""


class CalendarSync:
    """Syncs with the calendar, once at a time in a process."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        desk: CalendarDesk,
        source: CalendarSource | SeveralCalendars,
        every: timedelta,
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._desk = desk
        self._setting = calendar_setting(desk.code)
        self._reader: EventReader = (
            source if isinstance(source, SeveralCalendars) else CalendarReader(source)
        )
        self.every = every
        self._turn = Lock()
        self.on_result: Callable[[str], None] = lambda _why: None
        """Called after each read with the reason why it failed, or with an empty text."""

    def turn(self) -> bool:
        """Syncs, and returns whether anything changed. Syncs again after a write."""
        did = 0
        with self._turn:
            for _ in range(MOST_SYNCS):
                report = self._run()
                did += report.did
                if not report.sync_again:
                    break
                self._reader.forget()
        return did > 0

    def _run(self) -> Report:
        now = self._clock.now()
        before = self._state(self._engine.reads())
        try:
            events = self._reader.events(now, self._desk.zone())
        except BadCalendar as bad:
            self._save(before, replace(before, looked_at=now, trouble=str(bad), problems=()))
            log("calendar.failed", why=str(bad))
            self.on_result(str(bad))
            return Report()
        self.on_result("")
        run = _SyncRun(self._desk, now, before)
        run.apply(events)
        state = CalendarState(
            now,
            problems=tuple(run.report.problems[:MAX_PROBLEMS]),
            missing=run.missing,
            let_go=run.let_go,
            kept=run.kept,
        )
        is_new = bool(run.missing) and not before.missing
        self._save(before, state, *((self._desk.halted(len(run.missing), now),) if is_new else ()))
        return run.report

    def _state(self, reads: Reads) -> CalendarState:
        state: CalendarState = reads.desk(self._desk.code).setting(self._setting)
        return state

    def _save(self, before: CalendarState, state: CalendarState, *facts: Fact) -> None:
        assert state.looked_at is not None

        def save(reads: Reads) -> Decision:
            now = self._state(reads)
            meanwhile = tuple(each for each in now.kept if each not in before.kept)
            after = replace(state, kept=(*state.kept, *meanwhile))
            return Accepted((WriteSetting(self._setting, now, after),), facts)

        self._engine.store.decide(save, by=BY, at=state.looked_at)


class _SyncRun:
    """One sync: creates items of events, removes items without an event, reports unclear events."""

    def __init__(self, desk: CalendarDesk, now: datetime, before: CalendarState) -> None:
        """`before` is the result of the last sync, with later decisions of staff."""
        self._desk = desk
        self._now = now
        self._before = before
        self.report = Report()
        self.missing: tuple[str, ...] = ()
        self.let_go: tuple[str, ...] = ()
        self.kept: tuple[str, ...] = ()

    def apply(self, events: Sequence[CalendarEvent]) -> None:
        wanted, present = self._read(events)
        latest = newest(self._desk.items(self._now, self._now + AHEAD))
        out = [item for origin, item in latest.items() if not _is_in(origin, present)]
        self.kept = tuple(item.id for item in out if item.id in self._before.kept)
        gone = [item for item in out if item.id not in self.kept]
        if self._are_too_many(gone, latest.values()):
            self.missing = tuple(item.id for item in self._open(gone))
            self.let_go = self._before.let_go
            return
        for item in gone:
            self._desk.remove(item, self.report)
        for origin, (event, meant) in wanted.items():
            self._desk.put(origin, event, meant, latest.get(origin), self.report)

    def _are_too_many(
        self, gone: Iterable[CalendarItem], all_of_them: Iterable[CalendarItem]
    ) -> bool:
        """Whether too many items vanished. Those that staff confirmed do not count."""
        doubtful = [item for item in self._open(gone) if item.id not in self._before.let_go]
        there = len(self._open(all_of_them))
        return len(doubtful) >= MANY and len(doubtful) * PART_OF_ALL > there

    def _open(self, items: Iterable[CalendarItem]) -> list[CalendarItem]:
        return [item for item in items if self._desk.is_open(item)]

    def _read(
        self, events: Sequence[CalendarEvent]
    ) -> tuple[Mapping[str, tuple[CalendarEvent, Any]], frozenset[str]]:
        """Returns the events that the desk understands, and the origins of all events: an unclear
        event still exists."""
        read = self._desk.reader(events)
        wanted: dict[str, tuple[CalendarEvent, Any]] = {}
        present: set[str] = set()
        for event in sorted(events, key=_order):
            meant = None if self._is_far(event) else read(event)
            if meant is None:
                continue
            origin = self._desk.origin_of(event)
            if event.occurrence is not None and origin in present:  # twice on a day
                origin += f"{event.occurrence:T%H%MZ}"
            present.add(origin)
            if isinstance(meant, Unclear):
                self.report.problem(event.title, event.starts_at, meant.why)
            elif len(wanted) >= MAX_EVENTS:
                why = f"Only {MAX_EVENTS} {self._desk.noun} are taken at once."
                self.report.problem(event.title, event.starts_at, why)
            else:
                wanted.setdefault(origin, (event, meant))
        return wanted, frozenset(present)

    def _is_far(self, event: CalendarEvent) -> bool:
        """Whether an event is past or far in the future. A repeating event is neither."""
        at = event.starts_at
        near = at is None or self._now < at < self._now + AHEAD
        return not near and not event.repeats


def _order(event: CalendarEvent) -> tuple[str, str]:
    """Events of a series keep their order if one is moved."""
    return str(event.occurrence or event.starts_at or ""), event.uid


# --- which item came from which event -------------------------------------------------------


def origin_of(event: CalendarEvent) -> str:
    """The origin of an event: its id and start. An event that moves gets another one."""
    uid = event.uid
    if len(uid) > _MAX_UID or not uid:
        uid = blake2b((uid or event.title).encode(), digest_size=16).hexdigest()
    start = f"{event.starts_at:%Y%m%dT%H%M%SZ}" if event.starts_at else "0"
    return f"{ORIGIN}{uid}/{start}"


def following(origin: str) -> str:
    """The origin of the next item of the same event."""
    first, number = _split(origin)
    return f"{first}/{number + 1}"


Item = TypeVar("Item", bound=CalendarItem)


def newest(items: Sequence[Item]) -> dict[str, Item]:
    """The newest item of each event, by the origin of the event."""
    found: dict[str, Item] = {}
    for item in items:
        if item.origin.startswith(ORIGIN):
            first, number = _split(item.origin)
            if first not in found or number > _split(found[first].origin)[1]:
                found[first] = item
    return found


def in_series(origin: str, event: CalendarEvent, here: ZoneInfo) -> str:
    """The origin of one event of a series: `origin` and the day that the rule gives to the event.
    It stays the same if staff move this event, or the whole series to another hour. Returns
    `origin` for an event outside a series."""
    if event.occurrence is None:
        return origin
    return f"{origin}/{to_wall(event.occurrence, here):%Y%m%d}"


def series_of(origin: str) -> str:
    """The origin of the series of an event."""
    return origin.rpartition("/")[0]


def _is_in(origin: str, present: Collection[str]) -> bool:
    """Whether the event or its series is in the calendar, even if it cannot be understood."""
    return origin in present or series_of(origin) in present


def _split(origin: str) -> tuple[str, int]:
    found = _ORIGIN.fullmatch(origin)
    return (found[1], int(found[2] or 1)) if found else (origin, 1)
