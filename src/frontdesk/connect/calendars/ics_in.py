"""Reads single events from iCalendar files of any origin.

An error in one event does not affect others. A truncated file is rejected as a whole: missing
events must not look deleted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.ics_lines import Component, Property, components, file_zones
from frontdesk.connect.calendars.ics_repeats import (
    EventLength,
    TimedEvent,
    dated_spans,
    exceptions,
    repeats,
    rule_starts,
)
from frontdesk.connect.calendars.ics_times import (
    BAD_TIME,
    NO_ZONE,
    IcsZones,
    UnclearTime,
    read_length,
    read_wall,
)
from frontdesk.connect.calendars.model import (
    MOST_DESCRIPTION,
    MOST_GUESTS,
    MOST_TEXT,
    CalendarEvent,
    EventGuest,
)
from frontdesk.connect.calendars.port import BadCalendar
from frontdesk.connect.calendars.recurrence import BadRule, Budget, TooManyRepeats
from frontdesk.core.localtime import check_year
from frontdesk.values import replace

__all__ = ["BAD_TIME", "MOST_CHARACTERS", "NO_TIME", "NO_ZONE", "REPEATS", "read_ics", "text_value"]

MOST_CHARACTERS: Final = 5_000_000
MOST_EVENTS: Final = 5_000

#: Events of series, and days to visit for all series of a file.
MOST_OCCURRENCES: Final = 20_000
MOST_STEPS: Final = 300_000

REPEATS: Final = "It repeats. Please enter each opening as an event of its own."
UNCLEAR_RULE: Final = "It repeats by a rule that we do not understand."
NO_TIME: Final = "It has no time of day."

_ESCAPED: Final = re.compile(r"\\([\\;,nN])")


Span = tuple[datetime, datetime]


def read_ics(text: str, here: ZoneInfo, expand: Span | None = None) -> list[CalendarEvent]:
    """Returns all events, cancelled ones included. Times without a zone are in `here`.

    With `expand`, a repeating event is one event for each time in this span. A series that cannot
    be understood is one event that says why.
    """
    zones = IcsZones(file_zones(text, MOST_CHARACTERS), here)
    parts = list(_limited(components(text, ("VEVENT",), MOST_CHARACTERS)))
    if expand is None:
        events = (_event(part, zones) for part in parts)
        return [replace(each, why=REPEATS) if each.repeats else each for each in events]
    return _Series(parts, zones, expand).events()


def _limited(parts: Iterator[Component]) -> Iterator[Component]:
    for count, part in enumerate(parts):
        if count >= MOST_EVENTS:
            raise BadCalendar(f"This calendar has more than {MOST_EVENTS:,} events.")
        yield part


class _Series:
    """Expands the repeating events of a file."""

    def __init__(self, parts: Sequence[Component], zones: IcsZones, span: Span) -> None:
        self._parts = parts
        self._zones = zones
        self._span = span
        self._budget = Budget(MOST_STEPS)
        self._changed: dict[str, set[datetime]] = defaultdict(set)
        """The times of each series that events of their own replace."""
        self._unclear: set[str] = set()
        """The series that have such an event with a time that is unclear."""

    def events(self) -> list[CalendarEvent]:
        found = [
            self._single(part) if "RECURRENCE-ID" in part.properties else _event(part, self._zones)
            for part in self._parts
            if not repeats(part)
        ]
        for part in self._parts:
            if repeats(part):
                found += self._expanded(part)
                if len(found) > MOST_OCCURRENCES:
                    raise BadCalendar("This calendar has too many repeating events.")
        return found

    def _single(self, part: Component) -> CalendarEvent:
        """An event of a series that was changed by itself."""
        event, replaced = _event(part, self._zones), part.first("RECURRENCE-ID")
        assert replaced is not None
        try:
            if replaced.parameters.get("RANGE"):
                raise UnclearTime(UNCLEAR_RULE)
            at = _instant(replaced, self._zones)
        except UnclearTime:
            self._unclear.add(event.uid)
            return replace(event, why=UNCLEAR_RULE, repeats=True)
        self._changed[event.uid].add(at)
        return replace(event, occurrence=at)

    def _expanded(self, part: Component) -> list[CalendarEvent]:
        """Returns the events of a series, or one event that says why the series is unclear."""
        whole = _event(part, self._zones)
        if whole.why:
            return [whole]
        if whole.uid in self._unclear:
            return []
        try:
            return [
                replace(whole, starts_at=at, ends_at=ends_at, occurrence=at, repeats=False)
                for at, ends_at in self._times(part, whole.uid)
            ]
        except (BadRule, UnclearTime, TooManyRepeats, OverflowError):
            return [replace(whole, why=UNCLEAR_RULE)]

    def _times(self, part: Component, uid: str) -> Iterator[tuple[datetime, datetime | None]]:
        event = TimedEvent(part, self._zones, read_wall(part.first("DTSTART")))
        first = self._zones.instant(event.starts)
        length = EventLength(event, first)
        has_end = "DTEND" in part.properties or "DURATION" in part.properties
        left_out = {*self._changed.get(uid, ()), *exceptions(event, self._budget)}
        starts = rule_starts(event, first, self._span, length.most, self._budget)
        spans = {at: length.end(at) for at in starts}
        spans |= dict(dated_spans(event, length, self._budget))
        for at, ends_at in sorted(spans.items()):
            if self._span[0] <= at < self._span[1] and at not in left_out:
                yield at, ends_at if has_end else None


def _event(part: Component, zones: IcsZones) -> CalendarEvent:
    named = part.first("CATEGORIES")
    categories = named.value.split(",")[:20] if named else ()
    starts_at = ends_at = None
    why = ""
    try:
        starts_at = _instant(part.first("DTSTART"), zones)
        why = "" if "T" in part.value("DTSTART") else NO_TIME
        ends_at = None if why else _end(part, starts_at, zones)
    except UnclearTime as unclear:
        why = str(unclear)
    return CalendarEvent(
        uid=text_value(part.first("UID")),
        title=text_value(part.first("SUMMARY")),
        starts_at=starts_at,
        ends_at=ends_at,
        categories=tuple(_unescaped(each) for each in categories),
        why=why,
        cancelled=part.value("STATUS") == "CANCELLED",
        repeats=repeats(part),
        description=_lines(part.first("DESCRIPTION")),
        guests=tuple(_guests(part)),
    )


def _guests(part: Component) -> Iterator[EventGuest]:
    for each in part.properties.get("ATTENDEE", ())[:MOST_GUESTS]:
        kind, _, email = each.value.partition(":")
        if kind.lower() == "mailto" and "@" in email:
            yield EventGuest(email.strip()[:MOST_TEXT], each.parameters.get("CN", "")[:MOST_TEXT])


def _end(part: Component, starts_at: datetime, zones: IcsZones) -> datetime | None:
    if "DTEND" in part.properties:
        return _instant(part.first("DTEND"), zones)
    if "DURATION" not in part.properties:
        return None
    try:
        return starts_at + read_length(part.value("DURATION"))
    except OverflowError:
        raise UnclearTime(BAD_TIME) from None


def _instant(found: Property | None, zones: IcsZones) -> datetime:
    wall = read_wall(found, last_year=9999)
    try:
        check_year(wall.at.year)
    except ValueError:
        raise UnclearTime(BAD_TIME) from None
    return zones.instant(wall)


def text_value(found: Property | None) -> str:
    """Returns a text on one line."""
    return _unescaped(found.value)[:MOST_TEXT] if found else ""


def _lines(found: Property | None) -> str:
    """Returns a text with its line breaks."""
    if found is None:
        return ""
    text = found.value[:MOST_DESCRIPTION]
    return _ESCAPED.sub(lambda each: "\n" if each[1] in "nN" else each[1], text).strip()


def _unescaped(text: str) -> str:
    plain = _ESCAPED.sub(lambda found: " " if found[1] in "nN" else found[1], text[:MOST_TEXT])
    return " ".join(plain.split())
