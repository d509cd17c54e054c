"""Parses iCalendar text into components and zones: only the properties that we need, with limits.

A truncated or wrongly nested file is rejected as a whole: missing events must not look deleted, or
their time free.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.port import BadCalendar
from frontdesk.connect.calendars.recurrence import BadRule, Budget, occurrences, parse_rule
from frontdesk.core.localtime import BadZone, to_instant, to_wall, zone
from frontdesk.values import Frozen

MOST_HEAD: Final = 1_000
MOST_ZONES: Final = 200
MOST_DEPTH: Final = 6
NO_CALENDAR: Final = "There is no calendar at this address, or only a part of one."

_WANTED: Final = frozenset(
    (
        *("UID", "SUMMARY", "DTSTART", "DTEND", "DURATION", "CATEGORIES", "STATUS", "SEQUENCE"),
        *("RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "TRANSP", "FREEBUSY"),
        *("DESCRIPTION", "ATTENDEE"),
        *("TZID", "TZOFFSETFROM", "TZOFFSETTO", "X-LIC-LOCATION", "X-FRONTDESK-KEY"),
        *("X-MICROSOFT-CDO-BUSYSTATUS", "X-MICROSOFT-CDO-ALLDAYEVENT"),
    )
)
_FOLD: Final = re.compile(r"(?:\r\n|\r|\n)[ \t]")
_LINE: Final = re.compile(r"[^\r\n]+")
_PARAMETER: Final = re.compile(r';([\w-]+)=("[^"]*"|[^;:"]*)')
_OFFSET: Final = re.compile(r"([+-])(\d\d)(\d\d)(\d\d)?", re.ASCII)
#: Rules of zones are expanded for these years.
_ZONES_FROM: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - wall time
_ZONES_UNTIL: Final = datetime(2100, 1, 1)  # noqa: DTZ001 - wall time
_ZONE_STEPS: Final = 20_000


class Property(Frozen):
    value: str
    parameters: Mapping[str, str]


class Component(Frozen):
    name: str
    properties: dict[str, list[Property]]
    parts: list[Component]

    def first(self, name: str) -> Property | None:
        found = self.properties.get(name)
        return found[0] if found else None

    def value(self, name: str) -> str:
        """Returns the first value in upper case, or nothing."""
        found = self.properties.get(name)
        return found[0].value.upper() if found else ""


def components(text: str, names: Collection[str], most_characters: int) -> Iterator[Component]:
    """Yields the components of these names in all calendars of the text, one at a time."""
    if len(text) > most_characters:
        raise BadCalendar("This calendar is too large.")
    within: list[Component] = []
    skipped: list[str] = []
    calendars = 0
    for found in _LINE.finditer(_FOLD.sub("", text.removeprefix("\ufeff"))):
        line = found[0]
        kind = line[:6].upper()
        if kind == "BEGIN:":
            name = line[6:].strip().upper()
            _check_nesting(name, within, skipped)
            calendars += not within
            if skipped or (len(within) == 1 and name not in names):
                skipped.append(name)
            else:
                within.append(Component(name, {}, []))
        elif kind[:4] == "END:":
            name = line[4:].strip().upper()
            if skipped:
                if skipped.pop() != name:
                    raise BadCalendar(NO_CALENDAR)
            elif not within or within[-1].name != name:
                raise BadCalendar(NO_CALENDAR)
            else:
                done = within.pop()
                if len(within) == 1:
                    yield done
                elif len(within) > 1:
                    within[-1].parts.append(done)
        elif len(within) > 1 and not skipped and (read := _property(line)):
            within[-1].properties.setdefault(read[0], []).append(read[1])
        elif not within and line.strip():
            raise BadCalendar(NO_CALENDAR)
    if within or skipped or not calendars:
        raise BadCalendar(NO_CALENDAR)


def _check_nesting(name: str, within: list[Component], skipped: list[str]) -> None:
    depth = len(within) + len(skipped)
    is_calendar = name == "VCALENDAR"
    is_inner = depth > 1 and name in ("VEVENT", "VTIMEZONE", "VFREEBUSY")
    if is_calendar != (depth == 0) or is_inner or depth > MOST_DEPTH:
        raise BadCalendar(NO_CALENDAR)


def _property(line: str) -> tuple[str, Property] | None:
    head = line[:40]
    name = head.partition(":")[0].partition(";")[0].upper()
    if name not in _WANTED:
        return None
    if line[len(name) : len(name) + 1] == ":":
        return name, Property(line[len(name) + 1 :].strip(), {})
    quoted = False
    for at, sign in enumerate(line[:MOST_HEAD]):
        if sign == '"':
            quoted = not quoted
        elif sign == ":" and not quoted:
            found = _PARAMETER.findall(line[:at])
            parameters = {each.upper(): value.strip('"') for each, value in found}
            return name, Property(line[at + 1 :].strip(), parameters)
    return None


# --- zones ------------------------------------------------------------------------------------


class FileZone(Frozen):
    """A zone that a file describes: from each wall time on, the clock has this offset."""

    onsets: tuple[datetime, ...]
    """Wall times in the offset that ends there."""
    offsets: tuple[timedelta, ...]
    """The first one holds before all onsets, so there is one more than onsets."""

    def to_instant(self, wall: datetime) -> datetime:
        """Works like `core.localtime.to_instant`: moves a wall time that does not exist forward."""
        number = bisect.bisect_right(self.onsets, wall)
        if number:
            step = self.offsets[number] - self.offsets[number - 1]
            if wall < self.onsets[number - 1] + step:
                number -= 1
        return (wall - self.offsets[number]).replace(tzinfo=UTC, microsecond=0)

    def to_wall(self, at: datetime) -> datetime:
        utc = at.astimezone(UTC).replace(tzinfo=None)
        pairs = zip(self.onsets, self.offsets, strict=False)
        number = sum(utc >= onset - before for onset, before in pairs)
        return utc + self.offsets[number]


Zone = ZoneInfo | FileZone | timezone


def instant_of(wall: datetime, tz: Zone) -> datetime:
    match tz:
        case ZoneInfo():
            return to_instant(wall, tz)
        case FileZone():
            return tz.to_instant(wall)
        case timezone():
            return wall.replace(tzinfo=tz).astimezone(UTC)


def wall_of(at: datetime, tz: Zone) -> datetime:
    match tz:
        case ZoneInfo():
            return to_wall(at, tz)
        case FileZone():
            return tz.to_wall(at)
        case timezone():
            return at.astimezone(tz).replace(tzinfo=None)


def file_zones(text: str, most_characters: int) -> dict[str, Zone]:
    """Returns the zones that the file describes, by their names in the file."""
    zones: dict[str, Zone] = {}
    if "VTIMEZONE" not in text.upper():
        return zones
    for count, part in enumerate(components(text, ("VTIMEZONE",), most_characters)):
        if count >= MOST_ZONES:
            raise BadCalendar("This calendar has too many time zones.")
        named = part.first("TZID")
        if named and (found := _described(part)):
            zones[named.value] = found
    return zones


@lru_cache(maxsize=1_024)
def named_zone(name: str) -> ZoneInfo | None:
    """Finds 'Europe/Berlin', also at the end of a longer name."""
    parts = name[:100].strip().strip("/").split("/")
    for some in (parts, parts[-3:], parts[-2:]):
        try:
            return zone("/".join(some))
        except BadZone:
            continue
    return None


def _described(part: Component) -> Zone | None:
    """None if the description cannot be understood: then events in this zone cannot be read."""
    location = part.first("X-LIC-LOCATION")
    if location and (known := named_zone(location.value)):
        return known
    only = {each.value("TZOFFSETTO") for each in part.parts}
    if len(only) == 1:
        fixed = _offset(only.pop())
        return None if fixed is None else timezone(fixed)
    try:
        changes = sorted(change for each in part.parts for change in _onsets(each))
    except (BadRule, ValueError, OverflowError):
        return None
    if not changes:
        return None
    offsets = (changes[0][1], *(after for _, _, after in changes))
    return FileZone(tuple(wall for wall, _, _ in changes), offsets)


def _onsets(part: Component) -> Iterator[tuple[datetime, timedelta, timedelta]]:
    """Yields the wall time of each change, with the offsets before and after."""
    before, after = _offset(part.value("TZOFFSETFROM")), _offset(part.value("TZOFFSETTO"))
    if before is None or after is None or "DTSTART" not in part.properties:
        raise BadRule("a zone")
    starts = datetime.fromisoformat(part.value("DTSTART"))
    yield starts, before, after
    for line in part.properties.get("RDATE", ()):
        for value in line.value.split(",")[:_ZONE_STEPS]:
            yield datetime.fromisoformat(value), before, after
    for line in part.properties.get("RRULE", ()):
        rule = parse_rule(line.value, lambda utc: utc + before)
        span = {"after": max(starts, _ZONES_FROM), "before": _ZONES_UNTIL}
        for wall in occurrences(rule, starts, **span, budget=Budget(_ZONE_STEPS)):
            if wall != starts:
                yield wall, before, after


def _offset(text: str) -> timedelta | None:
    found = _OFFSET.fullmatch(text)
    if found is None:
        return None
    hours, minutes, seconds = (int(each or 0) for each in found.groups()[1:])
    ahead = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    if ahead >= timedelta(days=1):
        return None
    return -ahead if found[1] == "-" else ahead
