"""Converts between wall time and instants in any zone, and writes instants in words."""

import re
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.values import Frozen

#: The name of every zone starts with a capital, unlike other files beside the zone files.
_ZONE_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9_+-]*(/[A-Z][A-Za-z0-9_+-]*){0,2}")
_SECOND: Final = timedelta(seconds=1)
#: Limits for input from people and other programs.
FIRST_YEAR: Final = 1970
LAST_YEAR: Final = 2200

#: Countries that write the month first: 11/20/2026.
_MONTH_FIRST: Final = frozenset(("US", "PH", "FM", "GU", "MH", "MP", "PW", "AS", "PR", "VI", "UM"))


def is_month_first(country: str) -> bool:
    """Returns whether people of that country write 3/4 for 4 March."""
    return country.upper() in _MONTH_FIRST


class BadZone(ValueError):
    """There is no time zone of this name."""


@lru_cache(maxsize=256)
def zone(name: str) -> ZoneInfo:
    """Returns the zone of this name, such as 'Asia/Singapore'. Raises `BadZone`."""
    if len(name) > 64 or not _ZONE_NAME.fullmatch(name):
        raise BadZone(f"{name[:64]!r} is not a time zone; write it like 'Asia/Singapore'")
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise BadZone(f"there is no time zone {name!r}; write it like 'Asia/Singapore'") from None


def parse_instant(text: str) -> datetime:
    """Parses an ISO time with an offset to an instant in whole seconds.

    Raises `ValueError` for other text, for a time without an offset, and outside `FIRST_YEAR` to
    `LAST_YEAR`, where calculations with zones could overflow.
    """
    at = datetime.fromisoformat(text)
    if at.utcoffset() is None:
        raise ValueError("it has no offset")
    check_year(at.year)
    return at.astimezone(UTC).replace(microsecond=0)


def parse_wall(text: str) -> datetime:
    """Parses an ISO time without an offset. Raises `ValueError` like `parse_instant`."""
    wall = datetime.fromisoformat(text)
    if wall.tzinfo is not None:
        raise ValueError("it has an offset")
    check_year(wall.year)
    return wall.replace(microsecond=0)


def parse_day(text: str) -> date:
    """Parses a day like 2026-11-20. Raises `ValueError` like `parse_instant`."""
    on = date.fromisoformat(text)
    check_year(on.year)
    return on


def check_year(year: int) -> None:
    """Raises `ValueError` outside `FIRST_YEAR` to `LAST_YEAR`."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError(f"the year is not from {FIRST_YEAR} to {LAST_YEAR}")


def to_instant(wall: datetime, tz: ZoneInfo) -> datetime:
    """Converts a wall time. One that does not exist moves forward by the gap; of two equal wall
    times, it means the first."""
    assert wall.tzinfo is None, "wall time has no zone of its own"
    return wall.replace(tzinfo=tz, fold=0, microsecond=0).astimezone(UTC)


def to_wall(at: datetime, tz: ZoneInfo) -> datetime:
    """Converts an instant to the local wall time."""
    assert at.tzinfo is not None, "an instant has a zone"
    return at.astimezone(tz).replace(tzinfo=None, fold=0)


def to_local_date(at: datetime, tz: ZoneInfo) -> date:
    """Converts an instant to the local day, in less time than `to_wall`."""
    assert at.tzinfo is not None, "an instant has a zone"
    return at.astimezone(tz).date()


def same_wall_time(on: date, at: time, tz: ZoneInfo) -> datetime:
    """Returns the instant at which a local clock shows this time on this day."""
    assert at.tzinfo is None, "wall time has no zone of its own"
    if at.fold or at.microsecond:
        at = at.replace(fold=0, microsecond=0)
    return datetime.combine(on, at, tz).astimezone(UTC)


def wall_days_before(start_at: datetime, days: int, tz: ZoneInfo) -> datetime:
    """Returns the instant with the same wall time, this many days earlier."""
    return to_instant(to_wall(start_at, tz) - timedelta(days=days), tz)


def next_clock_change(
    after: datetime, until: datetime, tz: ZoneInfo, step: timedelta = timedelta(hours=1)
) -> datetime | None:
    """Returns the first instant after `after`, at most `until`, at which the zone's offset changes.

    It misses two changes within one step that cancel each other.
    """
    earlier, until, old = after.astimezone(UTC), until.astimezone(UTC), _offset(after, tz)
    while earlier < until:
        later = min(earlier + step, until)
        if _offset(later, tz) != old:
            return _end_of(old, earlier, later, tz)
        earlier = later
    return None


def _end_of(offset: timedelta, before: datetime, after: datetime, tz: ZoneInfo) -> datetime:
    """Finds the end of this offset by bisection, to the second."""
    before = before.replace(microsecond=0)
    while after - before > _SECOND:
        middle = (before + (after - before) / 2).replace(microsecond=0)
        before, after = (middle, after) if _offset(middle, tz) == offset else (before, middle)
    return after


def _offset(at: datetime, tz: ZoneInfo) -> timedelta:
    offset = at.astimezone(tz).utcoffset()
    assert offset is not None
    return offset


class TimeWords(Frozen):
    """The words and patterns for times in one language."""

    weekdays: tuple[str, ...]
    months: tuple[str, ...]
    date: str = "{weekday} {day} {month} {year}"
    date_this_year: str = "{weekday} {day} {month}"
    time: str = "{time} ({zone})"
    date_and_time: str = "{date} at {time} ({zone})"
    start: str = "{date}, {time} ({zone})"
    until_today: str = "until {time} today ({zone})"
    until_tomorrow: str = "until {time} tomorrow ({zone})"
    until_date: str = "until {date}, {time} ({zone})"
    span: str = "{date}, {start} to {end} ({zone})"
    span_of_days: str = "{start_date}, {start} to {end_date}, {end} ({zone})"
    span_of_zones: str = "{start_date}, {start} ({start_zone}) to {end_date}, {end} ({zone})"
    zone_of_place: str = "{place} time, {offset}"


ENGLISH: Final = TimeWords(
    weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    months=(
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
)

#: Local names of zones for which the tz database has a number only.
_KNOWN_AS: Final = {"Asia/Singapore": "SGT", "Singapore": "SGT"}


def spoken(at: datetime, tz: ZoneInfo, words: TimeWords = ENGLISH) -> str:
    """'Friday 20 November 2026 at 18:00 (SGT)'."""
    return words.date_and_time.format(
        date=spoken_date(at, tz, words), time=_clock(at, tz), zone=zone_name(at, tz, words)
    )


def spoken_date(at: datetime, tz: ZoneInfo, words: TimeWords = ENGLISH) -> str:
    """'Friday 20 November 2026'."""
    return _date(to_wall(at, tz).date(), words.date, words)


def spoken_day(on: date, words: TimeWords = ENGLISH) -> str:
    """'Friday 20 November'."""
    return _date(on, words.date_this_year, words)


def spoken_start(at: datetime, tz: ZoneInfo, words: TimeWords = ENGLISH) -> str:
    """'Friday 20 November, 15:00 (SGT)'."""
    return words.start.format(
        date=spoken_day(to_wall(at, tz).date(), words),
        time=_clock(at, tz),
        zone=zone_name(at, tz, words),
    )


def spoken_time(at: datetime, tz: ZoneInfo) -> str:
    """'18:00 (SGT)'."""
    return ENGLISH.time.format(time=_clock(at, tz), zone=zone_name(at, tz))


def spoken_deadline(at: datetime, now: datetime, tz: ZoneInfo, words: TimeWords = ENGLISH) -> str:
    """'until 16:00 today (SGT)' or 'until Friday 20 November, 16:00 (SGT)'."""
    on, today = to_wall(at, tz).date(), to_wall(now, tz).date()
    form = {0: words.until_today, 1: words.until_tomorrow}.get((on - today).days, words.until_date)
    date_form = words.date_this_year if on.year == today.year else words.date
    return form.format(
        date=_date(on, date_form, words), time=_clock(at, tz), zone=zone_name(at, tz, words)
    )


def spoken_span(start: datetime, end: datetime, tz: ZoneInfo, words: TimeWords = ENGLISH) -> str:
    """'Friday 20 November 2026, 18:00 to 21:00 (SGT)'; over midnight, with both days."""
    start_on, end_on = spoken_date(start, tz, words), spoken_date(end, tz, words)
    start_zone, end_zone = zone_name(start, tz, words), zone_name(end, tz, words)
    if start_zone != end_zone:
        form = words.span_of_zones
    elif start_on != end_on:
        form = words.span_of_days
    else:
        form = words.span
    return form.format(
        date=start_on,
        start_date=start_on,
        end_date=end_on,
        start=_clock(start, tz),
        end=_clock(end, tz),
        start_zone=start_zone,
        zone=end_zone,
    )


def zone_name(at: datetime, tz: ZoneInfo, words: TimeWords = ENGLISH) -> str:
    """'CET', 'SGT', or 'Kathmandu time, UTC+05:45' for a zone without an abbreviation."""
    key = tz.key or ""
    letters = _KNOWN_AS.get(key) or at.astimezone(tz).tzname() or ""
    if letters.isalpha():
        return letters
    area, _, place = key.rpartition("/")
    if area == "Etc" or not place:
        return _offset_name(at, tz)
    return words.zone_of_place.format(place=place.replace("_", " "), offset=_offset_name(at, tz))


def _offset_name(at: datetime, tz: ZoneInfo) -> str:
    minutes = round(_offset(at, tz) / timedelta(minutes=1))
    sign = "-" if minutes < 0 else "+"
    return f"UTC{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _clock(at: datetime, tz: ZoneInfo) -> str:
    wall = to_wall(at, tz)
    return f"{wall.hour:02}:{wall.minute:02}"


def _date(on: date, form: str, words: TimeWords) -> str:
    return form.format(
        weekday=words.weekdays[on.weekday()],
        day=on.day,
        month=words.months[on.month - 1],
        year=on.year,
    )
