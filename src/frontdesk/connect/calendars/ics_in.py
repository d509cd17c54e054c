"""Reads events from iCalendar files of any origin, for people to use one by one.

An error in one event does not affect others. A truncated file is rejected as a whole: missing
events must not look deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.ics_lines import Component, Property, components, file_zones
from frontdesk.connect.calendars.ics_times import (
    BAD_TIME,
    NO_ZONE,
    IcsZones,
    UnclearTime,
    read_length,
    read_wall,
)
from frontdesk.connect.calendars.model import CalendarEvent, EventGuest
from frontdesk.connect.calendars.port import BadCalendar
from frontdesk.core.localtime import check_year

__all__ = ["BAD_TIME", "MOST_CHARACTERS", "NO_TIME", "NO_ZONE", "REPEATS", "read_ics"]

MOST_CHARACTERS: Final = 5_000_000
MOST_EVENTS: Final = 5_000
MOST_TEXT: Final = 500
MOST_DESCRIPTION: Final = 4_000
MOST_GUESTS: Final = 10

REPEATS: Final = "It repeats. Please put each opening in by itself."
NO_TIME: Final = "It has no time of day."

_ESCAPED: Final = re.compile(r"\\([\\;,nN])")


def read_ics(text: str, here: ZoneInfo) -> list[CalendarEvent]:
    """Returns all events, cancelled ones included. Times without a zone are in `here`."""
    zones = IcsZones(file_zones(text, MOST_CHARACTERS), here)
    events: list[CalendarEvent] = []
    for part in components(text, ("VEVENT",), MOST_CHARACTERS):
        events.append(_event(part, zones))
        if len(events) > MOST_EVENTS:
            raise BadCalendar(f"This calendar has more than {MOST_EVENTS:,} events.")
    return events


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
    if "RRULE" in part.properties or "RDATE" in part.properties:
        why = REPEATS
    return CalendarEvent(
        uid=_text(part.first("UID")),
        title=_text(part.first("SUMMARY")),
        starts_at=starts_at,
        ends_at=ends_at,
        categories=tuple(_unescaped(each) for each in categories),
        why=why,
        cancelled=part.value("STATUS") == "CANCELLED",
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


def _text(found: Property | None) -> str:
    return _unescaped(found.value)[:MOST_TEXT] if found else ""


def _lines(found: Property | None) -> str:
    """A text of several lines."""
    if found is None:
        return ""
    text = found.value[:MOST_DESCRIPTION]
    return _ESCAPED.sub(lambda each: "\n" if each[1] in "nN" else each[1], text).strip()


def _unescaped(text: str) -> str:
    plain = _ESCAPED.sub(lambda found: " " if found[1] in "nN" else found[1], text[:MOST_TEXT])
    return " ".join(plain.split())
