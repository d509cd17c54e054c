"""Writes our own events as files for a CalDAV server, and reads them back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.ics_busy import MOST_CHARACTERS, OWN_KEY, own_uid
from frontdesk.connect.calendars.ics_lines import Component, components, file_zones
from frontdesk.connect.calendars.ics_times import IcsZones, UnclearTime, read_length, read_wall
from frontdesk.connect.calendars.port import BadCalendar, CalendarEntry, WrittenEvent
from frontdesk.core.ics import escape_text, fold, utc_form, zoned_span

#: The properties that we write. A change keeps all others, such as an alarm that staff set.
_OURS: Final = frozenset(
    (
        *("UID", "SEQUENCE", "DTSTAMP", "DTSTART", "DTEND", "DURATION", "SUMMARY", "LOCATION"),
        *("DESCRIPTION", "STATUS", "TRANSP", "LAST-MODIFIED", OWN_KEY),
    )
)
_NAME: Final = re.compile(r"[\w-]+", re.ASCII)
_UNFOLDED: Final = re.compile(r"(?:\r\n|\r|\n)[ \t]")


def new_file(entry: CalendarEntry, stamped_at: datetime) -> bytes:
    described, span = zoned_span(entry.zone, entry.starts_at, entry.ends_at)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Frontdesk//Frontdesk//EN",
        *described,
        "BEGIN:VEVENT",
        *_event(entry, span, stamped_at),
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return b"".join(map(fold, lines))


def feed_file(entries: Iterable[CalendarEntry], name: str, stamped_at: datetime) -> bytes:
    """Writes many events as one file for calendar programs that subscribe to it. Our own events
    carry our key, so that they do not block time if the file is read as a calendar."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Frontdesk//Frontdesk//EN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{escape_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
    ]
    for entry in entries:
        span = [f":{utc_form(at)}" for at in (entry.starts_at, entry.ends_at)]
        lines += ["BEGIN:VEVENT", *_event(entry, span, stamped_at), "END:VEVENT"]
    return b"".join(map(fold, [*lines, "END:VCALENDAR"]))


def changed_file(text: str, entry: CalendarEntry, stamped_at: datetime) -> bytes:
    """Replaces our properties in the file and keeps those of others. Writes times in UTC, because
    the zones in the file may not cover the new day."""
    span = [f":{utc_form(at)}" for at in (entry.starts_at, entry.ends_at)]
    lines: list[str] = []
    depth, is_first, ours = 0, True, False
    for line in _UNFOLDED.sub("", text).splitlines():
        kind = line[:6].upper()
        depth += (kind == "BEGIN:") - (kind[:4] == "END:")
        begins = depth == 2 and line.strip().upper() == "BEGIN:VEVENT"
        name = _NAME.match(line)
        if ours and depth == 2 and name and name[0].upper() in _OURS:
            continue
        lines.append(line)
        if begins and is_first:
            lines += _event(entry, span, stamped_at)
            is_first, ours = False, True
        elif depth < 2:
            ours = False
    return b"".join(map(fold, lines))


def _event(entry: CalendarEntry, span: Sequence[str], stamped_at: datetime) -> Iterator[str]:
    yield f"UID:{own_uid(entry.key)}"
    yield f"{OWN_KEY}:{entry.key}"
    yield f"SEQUENCE:{entry.sequence}"
    yield f"DTSTAMP:{utc_form(stamped_at)}"
    yield f"DTSTART{span[0]}"
    yield f"DTEND{span[1]}"
    yield f"SUMMARY:{escape_text(entry.title)}"
    if entry.location:
        yield f"LOCATION:{escape_text(entry.location)}"
    if entry.description:
        yield f"DESCRIPTION:{escape_text(entry.description)}"
    yield "STATUS:TENTATIVE" if entry.is_tentative else "STATUS:CONFIRMED"
    yield "TRANSP:OPAQUE"


def read_own(text: str, event_id: str, etag: str, here: ZoneInfo) -> WrittenEvent | None:
    """Returns our event in a file, or None if there is none. Raises `BadCalendar`."""
    zones = IcsZones(file_zones(text, MOST_CHARACTERS), here)
    for part in components(text, ("VEVENT",), MOST_CHARACTERS):
        key = part.value(OWN_KEY).lower()
        if key and part.value("UID").lower() == own_uid(key):
            try:
                starts_at, ends_at = _times(part, zones)
            except (UnclearTime, OverflowError):
                raise BadCalendar("One of our events has a time that we cannot read.") from None
            cancelled = part.value("STATUS") == "CANCELLED"
            return WrittenEvent(key, event_id, starts_at, ends_at, cancelled, etag)
    return None


def _times(part: Component, zones: IcsZones) -> tuple[datetime, datetime]:
    starts_at = zones.instant(read_wall(part.first("DTSTART")))
    if ends := part.first("DTEND"):
        return starts_at, zones.instant(read_wall(ends))
    length = part.first("DURATION")
    return starts_at, starts_at + read_length(length.value) if length else starts_at
