"""Changes single events in files of others: moves one, marks it as cancelled, or leaves it out.

Everything else in the file stays as it is. One event of a series becomes an exception (an event
with RECURRENCE-ID, or an EXDATE); the series itself keeps its rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.ics_in import MOST_CHARACTERS, text_value
from frontdesk.connect.calendars.ics_lines import Component, components, file_zones, wall_of
from frontdesk.connect.calendars.ics_repeats import EventLength, TimedEvent
from frontdesk.connect.calendars.ics_times import IcsZones, UnclearTime, Wall, read_wall
from frontdesk.connect.calendars.port import BadCalendar, CalendarConflict
from frontdesk.connect.calendars.staff_events import CANCELLED
from frontdesk.core.ics import basic_form, escape_text, fold, utc_form
from frontdesk.values import Frozen

UNCLEAR: Final = "An event in this file has a time that we cannot read."
GONE: Final = "This event is not in the calendar any more."
_NAME: Final = re.compile(r"[\w-]+", re.ASCII)
_UNFOLDED: Final = re.compile(r"(?:\r\n|\r|\n)[ \t]")
_RULES: Final = ("RRULE", "RDATE", "EXDATE", "EXRULE")


class EventAt(Frozen):
    """An event in a file: its UID, and in a series the start that the rule gives to it."""

    uid: str
    occurrence: datetime | None = None


def moved(
    text: str, event: EventAt, starts_at: datetime, here: ZoneInfo, stamped_at: datetime
) -> bytes:
    """Moves the event; it keeps its length."""

    def change(block: _Block) -> Mapping[str, str | None]:
        length = EventLength(block.timed, block.starts_at)
        ends_at = starts_at + (length.end(block.starts_at) - block.starts_at)
        return {
            "DTSTART": f"DTSTART{block.form(starts_at)}",
            "DTEND": f"DTEND{block.form(ends_at)}",
            "DURATION": None,
        }

    return _changed(text, event, here, stamped_at, change)


def marked(text: str, event: EventAt, here: ZoneInfo, stamped_at: datetime) -> bytes:
    """Marks the event as cancelled in its title, and as free time. It keeps its status, because
    programs hide events with the status 'cancelled'."""

    def change(block: _Block) -> Mapping[str, str | None]:
        title = block.part.first("SUMMARY")
        before = title.value if title else ""
        return {
            "SUMMARY": f"SUMMARY:{escape_text(CANCELLED)}{before}",
            "TRANSP": "TRANSP:TRANSPARENT",
            "X-MICROSOFT-CDO-BUSYSTATUS": None,
        }

    return _changed(text, event, here, stamped_at, change)


def left_out(text: str, event: EventAt, here: ZoneInfo, stamped_at: datetime) -> bytes:
    """Takes one event out of its series."""
    file = _File(text, here)
    own, master = file.find(event), file.find(EventAt(event.uid))
    if master is None:
        raise BadCalendar(GONE)
    assert event.occurrence is not None, "a single event is deleted with its file"
    without = f"EXDATE{master.form(event.occurrence)}"
    lines = master.lines_with({"SEQUENCE": master.next_sequence, **_stamps(stamped_at)}, [without])
    replaced = {master.start: lines}
    if own is not None:
        replaced[own.start] = []
    return file.written(replaced)


def _changed(
    text: str,
    event: EventAt,
    here: ZoneInfo,
    stamped_at: datetime,
    change: Callable[[_Block], Mapping[str, str | None]],
) -> bytes:
    file = _File(text, here)
    found, master = file.find(event), file.find(EventAt(event.uid))
    try:
        if found is not None:
            return file.written({found.start: _lines(found, change, stamped_at)})
        if master is None or event.occurrence is None:
            raise CalendarConflict(GONE)
        added = _lines(master.at(event.occurrence), change, stamped_at)
        return file.written({master.start: [*master.lines, *added]})
    except (UnclearTime, OverflowError):
        raise BadCalendar(UNCLEAR) from None


def _lines(
    block: _Block, change: Callable[[_Block], Mapping[str, str | None]], stamped_at: datetime
) -> list[str]:
    changes = {"SEQUENCE": block.next_sequence, **_stamps(stamped_at), **change(block)}
    return block.lines_with(changes)


def _stamps(at: datetime) -> dict[str, str]:
    return {"DTSTAMP": f"DTSTAMP:{utc_form(at)}", "LAST-MODIFIED": f"LAST-MODIFIED:{utc_form(at)}"}


class _Block(Frozen):
    """The lines of one event in a file."""

    start: int
    lines: Sequence[str]
    part: Component
    zones: IcsZones

    @property
    def timed(self) -> TimedEvent:
        return TimedEvent(self.part, self.zones, read_wall(self.part.first("DTSTART")))

    @property
    def starts_at(self) -> datetime:
        return self.zones.instant(self.timed.starts)

    @property
    def next_sequence(self) -> str:
        text = self.part.value("SEQUENCE")[:9]
        return f"SEQUENCE:{int(text) + 1 if text.isascii() and text.isdigit() else 1}"

    def is_at(self, event: EventAt) -> bool:
        uid, replaces = self.part.first("UID"), self.part.first("RECURRENCE-ID")
        if text_value(uid) != event.uid or (replaces is None) != (not event.occurrence):
            return False
        return replaces is None or self.zones.instant(read_wall(replaces)) == event.occurrence

    def form(self, at: datetime) -> str:
        """Writes a time in the same form as the start of this event, or in UTC if the clock shows
        that time twice."""
        starts: Wall = self.timed.starts
        wall = wall_of(at, self.zones.of(starts))
        if starts.utc or self.zones.instant(Wall(wall, starts.property, False, False)) != at:
            return f":{utc_form(at)}"
        zone = starts.property.parameters.get("TZID", "")
        return f";TZID={zone}:{basic_form(wall)}" if zone else f":{basic_form(wall)}"

    def at(self, occurrence: datetime) -> _Block:
        """One event of this series as an event of its own."""
        ends_at = EventLength(self.timed, self.starts_at).end(occurrence)
        changes = {
            **dict.fromkeys(_RULES),
            "DTSTART": f"DTSTART{self.form(occurrence)}",
            "DTEND": f"DTEND{self.form(ends_at)}",
            "DURATION": None,
        }
        lines = self.lines_with(changes, [f"RECURRENCE-ID{self.form(occurrence)}"])
        return _Block(self.start, lines, _parsed(lines), self.zones)

    def lines_with(self, changes: Mapping[str, str | None], added: Sequence[str] = ()) -> list[str]:
        """Replaces properties by lines, or leaves them out; parts such as alarms stay."""
        found = [self.lines[0]]
        found += (line for line in changes.values() if line is not None)
        found += added
        depth = 0
        for line in self.lines[1:]:
            depth += line[:6].upper() == "BEGIN:"
            name = _NAME.match(line)
            if depth or not name or name[0].upper() not in changes:
                found.append(line)
            depth -= depth > 0 and line[:4].upper() == "END:"
        return found


class _File:
    def __init__(self, text: str, here: ZoneInfo) -> None:
        self._lines = _UNFOLDED.sub("", text.removeprefix("\ufeff")).splitlines()
        self._zones = IcsZones(file_zones(text, MOST_CHARACTERS), here)
        self._blocks = list(self._events())

    def _events(self) -> Iterator[_Block]:
        start = -1
        for number, line in enumerate(self._lines):
            mark = line.strip().upper()
            if mark == "BEGIN:VEVENT":
                start = number
            elif mark == "END:VEVENT" and start >= 0:
                lines = self._lines[start : number + 1]
                yield _Block(start, lines, _parsed(lines), self._zones)
                start = -1

    def find(self, event: EventAt) -> _Block | None:
        try:
            return next((each for each in self._blocks if each.is_at(event)), None)
        except (UnclearTime, OverflowError):
            raise BadCalendar(UNCLEAR) from None

    def written(self, replaced: Mapping[int, Sequence[str]]) -> bytes:
        """Returns the file with new lines for the events that start at these lines."""
        ends = {each.start: each.start + len(each.lines) for each in self._blocks}
        lines: list[str] = []
        number = 0
        while number < len(self._lines):
            if number in replaced:
                lines += replaced[number]
                number = ends[number]
            else:
                lines.append(self._lines[number])
                number += 1
        return b"".join(map(fold, lines))


def _parsed(lines: Sequence[str]) -> Component:
    text = "\r\n".join(["BEGIN:VCALENDAR", *lines, "END:VCALENDAR"])
    return next(components(text, ("VEVENT",), MOST_CHARACTERS))
