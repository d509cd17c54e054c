"""Parses iCalendar files of any origin: only the parts that we need, with limits.

An error in one event does not affect others. A truncated file is rejected as a whole: missing
events must not look deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.model import BadCalendar, CalendarEvent
from frontdesk.core.localtime import BadZone, parse_wall, to_instant, zone
from frontdesk.values import Frozen

MOST_CHARACTERS: Final = 5_000_000
MOST_EVENTS: Final = 5_000
MOST_TEXT: Final = 500
MOST_HEAD: Final = 1_000

REPEATS: Final = "It repeats. Please put each opening in by itself."
NO_TIME: Final = "It has no time of day."
BAD_TIME: Final = "Its time cannot be read."
NO_ZONE: Final = "Its time zone is not known here."

_WANTED: Final = frozenset(
    (
        *("UID", "SUMMARY", "DTSTART", "DTEND", "DURATION", "CATEGORIES", "STATUS"),
        *("RRULE", "RDATE", "TZID", "TZOFFSETTO", "X-LIC-LOCATION"),
    )
)
_FOLD: Final = re.compile(r"\r?\n[ \t]")
_PARAMETER: Final = re.compile(r';([\w-]+)=("[^"]*"|[^;:"]*)')
_TIME: Final = re.compile(r"(\d{8}(?:T\d{6})?)(Z?)", re.ASCII)
_DURATION: Final = re.compile(
    r"\+?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?",
    re.ASCII,
)
_OFFSET: Final = re.compile(r"([+-])(\d\d)(\d\d)(?:\d\d)?", re.ASCII)
_ESCAPED: Final = re.compile(r"\\([\\;,nN])")


class _Line(Frozen):
    value: str
    parameters: Mapping[str, str]


_Part = dict[str, _Line]
_Zones = Mapping[str, tzinfo]


def read_ics(text: str, here: ZoneInfo) -> list[CalendarEvent]:
    """Returns all events, cancelled ones included. Times without a zone are in `here`."""
    if len(text) > MOST_CHARACTERS:
        raise BadCalendar("This calendar is too large.")
    lines = _FOLD.sub("", text.removeprefix("\ufeff")).strip().splitlines()
    if not lines or not (_is(lines[0], "BEGIN:VCALENDAR") and _is(lines[-1], "END:VCALENDAR")):
        raise BadCalendar("There is no calendar at this address, or only a part of one.")
    events: list[_Part] = []
    zones: dict[str, tzinfo] = {}
    for name, part, offsets in _parts(lines):
        if name == "VEVENT":
            events.append(part)
        elif found := _zone_of(part, offsets):
            zones[part["TZID"].value] = found
        if len(events) > MOST_EVENTS:
            raise BadCalendar(f"This calendar has more than {MOST_EVENTS:,} events.")
    return [_event(each, zones, here) for each in events]


# --- lines ------------------------------------------------------------------------------------


def _parts(lines: Iterable[str]) -> Iterator[tuple[str, _Part, set[str]]]:
    """Yields each event and zone with its own lines; nested lines count only for a zone."""
    within: list[str] = []
    part: _Part = {}
    offsets: set[str] = set()
    for line in lines:
        kind, _, rest = line.partition(":")
        if kind.upper() == "BEGIN":
            within.append(rest.strip().upper())
            if len(within) == 2:
                part, offsets = {}, set()
        elif kind.upper() == "END":
            if len(within) == 2 and within[1] in ("VEVENT", "VTIMEZONE"):
                yield within[1], part, offsets
            del within[-1:]
        elif len(within) in (2, 3) and (read := _line(line)):
            name, content = read
            if len(within) == 2:
                part.setdefault(name, content)
            elif name == "TZOFFSETTO":
                offsets.add(content.value)


def _line(line: str) -> tuple[str, _Line] | None:
    name = re.split("[;:]", line[:40], maxsplit=1)[0].upper()
    if name not in _WANTED:
        return None
    quoted = False
    for at, sign in enumerate(line[:MOST_HEAD]):
        if sign == '"':
            quoted = not quoted
        elif sign == ":" and not quoted:
            found = _PARAMETER.findall(line[:at])
            parameters = {each.upper(): value.strip('"') for each, value in found}
            return name, _Line(line[at + 1 :].strip(), parameters)
    return None


def _is(line: str, wanted: str) -> bool:
    return line.strip().upper() == wanted


# --- events -----------------------------------------------------------------------------------


def _is_cancelled(part: _Part) -> bool:
    return "STATUS" in part and part["STATUS"].value.upper() == "CANCELLED"


def _event(part: _Part, zones: _Zones, here: ZoneInfo) -> CalendarEvent:
    uid, title = _text(part, "UID"), _text(part, "SUMMARY")
    named = part["CATEGORIES"].value.split(",")[:20] if "CATEGORIES" in part else ()
    categories = tuple(_unescaped(each) for each in named)
    starts_at = ends_at = None
    why = ""
    try:
        starts_at = _instant(part.get("DTSTART"), zones, here)
        why = "" if "T" in part["DTSTART"].value else NO_TIME
        ends_at = None if why else _end(part, starts_at, zones, here)
    except _Unclear as unclear:
        why = str(unclear)
    if "RRULE" in part or "RDATE" in part:
        why = REPEATS
    cancelled = _is_cancelled(part)
    return CalendarEvent(uid, title, starts_at, ends_at, categories, why, cancelled)


class _Unclear(Exception):
    pass


def _end(part: _Part, starts_at: datetime, zones: _Zones, here: ZoneInfo) -> datetime | None:
    if "DTEND" in part:
        return _instant(part["DTEND"], zones, here)
    if "DURATION" not in part:
        return None
    found = _DURATION.fullmatch(part["DURATION"].value)
    if found is None:
        raise _Unclear(BAD_TIME)
    weeks, days, hours, minutes, seconds = (int(each or 0) for each in found.groups())
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    try:
        return starts_at + length
    except OverflowError:
        raise _Unclear(BAD_TIME) from None


def _instant(line: _Line | None, zones: _Zones, here: ZoneInfo) -> datetime:
    """Parses a time. A day alone means midnight."""
    found = _TIME.fullmatch(line.value) if line else None
    if line is None or found is None:
        raise _Unclear(BAD_TIME)
    try:
        wall = parse_wall(found[1])
        return _at(wall, UTC if found[2] else _zone(line, zones, here))
    except (ValueError, OverflowError):
        raise _Unclear(BAD_TIME) from None


def _at(wall: datetime, tz: tzinfo) -> datetime:
    if isinstance(tz, ZoneInfo):
        return to_instant(wall, tz)
    return wall.replace(tzinfo=tz).astimezone(UTC)


# --- zones ------------------------------------------------------------------------------------


def _zone(line: _Line, zones: _Zones, here: ZoneInfo) -> tzinfo:
    name = line.parameters.get("TZID", "")
    if not name:
        return here
    if (found := _named(name) or zones.get(name)) is None:
        raise _Unclear(NO_ZONE)
    return found


def _zone_of(part: _Part, offsets: set[str]) -> tzinfo | None:
    """Returns a zone that the file describes, if its name is known or its offset never changes."""
    if "TZID" not in part:
        return None
    if "X-LIC-LOCATION" in part and (known := _named(part["X-LIC-LOCATION"].value)):
        return known
    found = _OFFSET.fullmatch(next(iter(offsets))) if len(offsets) == 1 else None
    if found is None:
        return None
    ahead = timedelta(hours=int(found[2]), minutes=int(found[3]))
    try:
        return timezone(-ahead if found[1] == "-" else ahead)
    except ValueError:
        return None


def _named(name: str) -> ZoneInfo | None:
    """Finds 'Europe/Berlin', also at the end of a longer name."""
    parts = name[:100].strip().strip("/").split("/")
    for some in (parts, parts[-3:], parts[-2:]):
        try:
            return zone("/".join(some))
        except BadZone:
            continue
    return None


# --- texts ------------------------------------------------------------------------------------


def _text(part: _Part, name: str) -> str:
    return _unescaped(part[name].value)[:MOST_TEXT] if name in part else ""


def _unescaped(text: str) -> str:
    plain = _ESCAPED.sub(lambda found: " " if found[1] in "nN" else found[1], text[:MOST_TEXT])
    return " ".join(plain.split())
