"""Finds the busy times in iCalendar files: expands repeats and leaves our own events out.

A file is read completely or not at all: an event that cannot be understood may be at any time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.ics_lines import (
    Component,
    components,
    file_zones,
    instant_of,
)
from frontdesk.connect.calendars.ics_repeats import (
    EventLength,
    TimedEvent,
    dated_spans,
    exceptions,
    period_end,
    repeats,
    rule_starts,
    values,
    wall_end,
)
from frontdesk.connect.calendars.ics_times import (
    IcsZones,
    UnclearTime,
    Wall,
    read_wall,
    read_wall_text,
)
from frontdesk.connect.calendars.port import AllDayEvents, BadCalendar, BusySpan
from frontdesk.connect.calendars.recurrence import BadRule, Budget, TooManyRepeats
from frontdesk.values import Frozen

MOST_CHARACTERS: Final = 25_000_000
MOST_EVENTS: Final = 100_000
#: Days and occurrences to visit for all repeating events of a calendar: about two seconds of work.
MOST_STEPS: Final = 1_000_000
MOST_SPANS: Final = 20_000

OWN_KEY: Final = "X-FRONTDESK-KEY"
_DAY: Final = timedelta(days=1)
#: Wall times differ from UTC by less than this.
_ZONE_MARGIN: Final = 2 * _DAY
_FREE_STATES: Final = ("FREE", "WORKINGELSEWHERE")


def own_uid(key: str) -> str:
    """The UID of the event that we write for this key."""
    return f"{key}@frontdesk"


class BusyWindow(Frozen):
    start: datetime
    end: datetime
    here: ZoneInfo
    """The zone of times that name none, and of whole days."""
    all_day: AllDayEvents = AllDayEvents.AS_MARKED

    def touches(self, starts_at: datetime, ends_at: datetime) -> bool:
        return starts_at < self.end and ends_at > self.start and starts_at < ends_at


def busy_in_files(texts: Iterable[str], window: BusyWindow) -> list[BusySpan]:
    """Returns the busy spans that touch the window, sorted. Raises `BadCalendar`."""
    reader = _BusyReader(window)
    for text in texts:
        reader.read(text)
    return sorted(reader.spans(), key=lambda span: (span.starts_at, span.ends_at, span.event_id))


class _Event(TimedEvent):
    """A busy event, or one that replaces a repetition of another."""

    uid: str
    is_busy: bool
    replaces: datetime | None
    """The start of the repetition that it replaces."""
    sequence: int


class _BusyReader:
    def __init__(self, window: BusyWindow) -> None:
        self._window = window
        self._budget = Budget(MOST_STEPS)
        self._count = 0
        self._characters = 0
        self._events: list[_Event] = []
        self._replaced: dict[str, dict[datetime, _Event]] = defaultdict(dict)
        self._published: list[BusySpan] = []

    def read(self, text: str) -> None:
        self._characters += len(text)
        if self._characters > MOST_CHARACTERS:
            raise BadCalendar("This calendar is too large.")
        zones = IcsZones(file_zones(text, MOST_CHARACTERS), self._window.here)
        for part in components(text, ("VEVENT", "VFREEBUSY"), MOST_CHARACTERS):
            self._count += 1
            if self._count > MOST_EVENTS:
                raise BadCalendar(f"This calendar has more than {MOST_EVENTS:,} events.")
            try:
                self._take(part, zones)
            except (UnclearTime, OverflowError):
                raise _unreadable(part, "has a time that we cannot read") from None

    def _take(self, part: Component, zones: IcsZones) -> None:
        if part.name == "VFREEBUSY":
            self._published += _published_spans(part, zones, self._window)
        elif (event := self._relevant(part, zones)) is None:
            return
        elif event.replaces is None:
            self._events.append(event)
        else:
            known = self._replaced[event.uid].get(event.replaces)
            if known is None or event.sequence >= known.sequence:
                self._replaced[event.uid][event.replaces] = event

    def _relevant(self, part: Component, zones: IcsZones) -> _Event | None:
        replaces = part.first("RECURRENCE-ID")
        is_busy = _is_busy(part, self._window.all_day)
        if replaces is None and (not is_busy or _is_own(part)):
            return None
        starts = read_wall(part.first("DTSTART"))
        if not (repeats(part) or replaces) and self._is_elsewhere(part, starts):
            return None
        if replaces and replaces.parameters.get("RANGE"):
            raise _unreadable(part, "changes all later repetitions")
        at = zones.instant(read_wall(replaces)) if replaces else None
        named = part.first("UID")
        sequence = part.value("SEQUENCE")[:9]
        number = int(sequence) if sequence.isascii() and sequence.isdigit() else 0
        uid = named.value if named else ""
        return _Event(part, zones, starts, uid, is_busy, at, number)

    def _is_elsewhere(self, part: Component, starts: Wall) -> bool:
        """Whether an event is far from the window in any zone."""
        first = self._window.start.replace(tzinfo=None) - _ZONE_MARGIN
        last = self._window.end.replace(tzinfo=None) + _ZONE_MARGIN
        try:
            ends = wall_end(part, starts)
        except (UnclearTime, OverflowError):
            return starts.at > last
        return max(starts.at, ends) < first or min(starts.at, ends) > last

    # --- spans --------------------------------------------------------------------------------

    def spans(self) -> Iterator[BusySpan]:
        for count, span in enumerate(self._all()):
            if count >= MOST_SPANS:
                raise BadCalendar("This calendar has too many events in this time.")
            yield span

    def _all(self) -> Iterator[BusySpan]:
        yield from self._published
        for event in self._events:
            yield from self._read(event)
        for changed in self._replaced.values():
            for event in changed.values():
                if event.is_busy:
                    yield from self._read(event)

    def _read(self, event: _Event) -> list[BusySpan]:
        try:
            return list(self._spans_of(event))
        except BadRule:
            raise _unreadable(event.part, "repeats by a rule that we do not understand") from None
        except TooManyRepeats:
            raise BadCalendar("This calendar has too many repeating events.") from None
        except (UnclearTime, OverflowError):
            raise _unreadable(event.part, "has a time that we cannot read") from None

    def _spans_of(self, event: _Event) -> Iterator[BusySpan]:
        first = instant_of(event.starts.at, event.zone)
        length = EventLength(event, first)
        all_day = _is_all_day(event.part)
        left_out = set() if event.replaces else self._left_out(event)
        for at, ends_at in self._times(event, first, length):
            if at not in left_out and self._window.touches(at, ends_at):
                yield BusySpan(at, ends_at, all_day, event.uid)

    def _times(
        self, event: _Event, first: datetime, length: EventLength
    ) -> Iterator[tuple[datetime, datetime]]:
        if event.replaces is not None:
            yield first, length.end(first)
            return
        span = self._window.start, self._window.end
        for at in rule_starts(event, first, span, length.most, self._budget):
            yield at, length.end(at)
        yield from dated_spans(event, length, self._budget)

    def _left_out(self, event: _Event) -> set[datetime]:
        changed = self._replaced.get(event.uid, {}) if event.uid else {}
        return {*changed, *exceptions(event, self._budget)}


# --- single properties ------------------------------------------------------------------------


def _is_busy(part: Component, all_day: AllDayEvents) -> bool:
    if part.value("STATUS") == "CANCELLED":
        return False
    if _is_all_day(part) and all_day is not AllDayEvents.AS_MARKED:
        return all_day is AllDayEvents.BLOCK
    is_free = part.value("X-MICROSOFT-CDO-BUSYSTATUS") in _FREE_STATES
    return part.value("TRANSP") != "TRANSPARENT" and not is_free


def _is_all_day(part: Component) -> bool:
    if part.value("X-MICROSOFT-CDO-ALLDAYEVENT") == "TRUE":
        return True
    starts = part.value("DTSTART")
    return bool(starts) and "T" not in starts


def _is_own(part: Component) -> bool:
    """Whether it is our own event. A copy by staff, which has another UID, counts as busy. So does
    an event that staff made repeat, because it takes other times as well."""
    key = part.value(OWN_KEY).lower()
    repeats = "RRULE" in part.properties or "RDATE" in part.properties
    return bool(key) and part.value("UID").lower() == own_uid(key) and not repeats


def _published_spans(part: Component, zones: IcsZones, window: BusyWindow) -> Iterator[BusySpan]:
    """Yields the periods of a published free/busy list."""
    for line in part.properties.get("FREEBUSY", ()):
        if line.parameters.get("FBTYPE", "BUSY").upper() == "FREE":
            continue
        for text in values(line):
            start, _, end = text.partition("/")
            at = zones.instant(read_wall_text(start, line))
            ends_at = period_end(at, end, line, zones)
            if window.touches(at, ends_at):
                yield BusySpan(at, ends_at)


def _unreadable(part: Component, why: str) -> BadCalendar:
    """Names only the day, because other staff may read it."""
    on = part.value("DTSTART")[:8]
    day = f" on {on[:4]}-{on[4:6]}-{on[6:]}" if on.isascii() and on.isdigit() else ""
    return BadCalendar(f"An event{day} {why}.")
