"""Parses the times and lengths of iCalendar properties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.ics_lines import Property, Zone, instant_of, named_zone
from frontdesk.core.localtime import LAST_YEAR
from frontdesk.values import Frozen

BAD_TIME: Final = "Its time cannot be read."
NO_ZONE: Final = "Its time zone is unknown."
#: Some programs write 1604 as the year of a birthday. Conversions of much earlier times overflow.
EARLIEST_YEAR: Final = 1600

_TIME: Final = re.compile(r"(\d{8}(?:T\d{6})?)(Z?)", re.ASCII)
_DURATION: Final = re.compile(
    r"\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?",
    re.ASCII,
)


class UnclearTime(Exception):
    """The time cannot be read; the text says why."""


class Wall(Frozen):
    """A time as written: a wall time, its zone, and whether it is a whole day."""

    at: datetime
    property: Property
    utc: bool
    is_day: bool


class IcsZones(Frozen):
    """The zones of one file; times that name none are in `here`."""

    described: Mapping[str, Zone]
    here: ZoneInfo

    def of(self, wall: Wall) -> Zone:
        if wall.utc:
            return ZoneInfo("UTC")
        name = wall.property.parameters.get("TZID", "")
        if not name or wall.is_day:
            return self.here
        if (found := named_zone(name) or self.described.get(name)) is None:
            raise UnclearTime(NO_ZONE)
        return found

    def instant(self, wall: Wall) -> datetime:
        return instant_of(wall.at, self.of(wall))


def read_wall(found: Property | None, *, last_year: int = LAST_YEAR) -> Wall:
    """Parses a time. A day without a time means midnight. Years after `last_year` count as
    `last_year`."""
    if found is None:
        raise UnclearTime(BAD_TIME)
    return read_wall_text(found.value, found, last_year=last_year)


def read_wall_text(text: str, found: Property, *, last_year: int = LAST_YEAR) -> Wall:
    matched = _TIME.fullmatch(text.upper())
    try:
        if matched is None:
            raise ValueError
        at = datetime.fromisoformat(matched[1])
    except ValueError:
        raise UnclearTime(BAD_TIME) from None
    if at.year < EARLIEST_YEAR:
        raise UnclearTime(BAD_TIME)
    if at.year > last_year:
        at = datetime(last_year, 12, 31)  # noqa: DTZ001 - wall time
    return Wall(at, found, bool(matched[2]), "T" not in matched[1])


def read_length(text: str) -> timedelta:
    found = _DURATION.fullmatch(text.upper())
    if found is None or text[-1:].upper() in ("P", "T"):
        raise UnclearTime(BAD_TIME)
    weeks, days, hours, minutes, seconds = (int(each or 0) for each in found.groups())
    return timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
