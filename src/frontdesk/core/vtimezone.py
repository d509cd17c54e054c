"""Writes a zone as VTIMEZONE (RFC 5545) that is correct around one date."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import next_clock_change
from frontdesk.values import Frozen

_DAY: Final = timedelta(days=1)
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
_WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
#: A yearly rule is used if it holds in the year before and in some years after.
_YEARS_AHEAD: Final = 5


class ClockChange(Frozen):
    """A change of the zone's offset from UTC at this instant."""

    at: datetime
    old_offset: timedelta
    offset: timedelta
    name: str
    is_summer: bool

    @property
    def wall(self) -> datetime:
        """Returns the wall time by the old offset."""
        return self.at.replace(tzinfo=None) + self.old_offset


@lru_cache(maxsize=64)  # it is the same for all guests of an event
def vtimezone(tz: ZoneInfo, starts_at: datetime, ends_at: datetime) -> tuple[str, ...]:
    """Returns the lines of a VTIMEZONE that is correct for every instant of the span."""
    observances = _yearly(tz, starts_at.year - 1) or _one_by_one(tz, starts_at, ends_at)
    return ("BEGIN:VTIMEZONE", f"TZID:{tz.key}", *observances, "END:VTIMEZONE")


def basic_form(wall: datetime) -> str:
    """'20261120T180000'. It does not use strftime, which does not pad the year on all systems."""
    return (
        f"{wall.year:04}{wall.month:02}{wall.day:02}T{wall.hour:02}{wall.minute:02}{wall.second:02}"
    )


@lru_cache(maxsize=64)  # it is the same for all events that start in a year
def _yearly(tz: ZoneInfo, first_year: int) -> tuple[str, ...]:
    """Returns two observances with yearly rules, or nothing if the zone does not follow such."""
    years = [
        list(_changes(tz, datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)))
        for year in range(first_year, first_year + 2 + _YEARS_AHEAD)
    ]
    if any(len(changes) != 2 for changes in years):
        return ()
    lines: list[str] = []
    for changes in zip(*years, strict=True):
        rule = _rule(changes)
        if rule is None:
            return ()
        lines += _observance(changes[0], rule)
    return tuple(lines)


def _rule(changes: Sequence[ClockChange]) -> str | None:
    """Returns the yearly rule that all of these changes follow, or None."""
    alike = {
        (c.wall.month, c.wall.weekday(), c.wall.time(), c.old_offset, c.offset, c.name)
        for c in changes
    }
    if len(alike) != 1:
        return None
    wall = changes[0].wall
    weeks = {(c.wall.day - 1) // 7 + 1 for c in changes}
    if all((c.wall + 7 * _DAY).month != wall.month for c in changes):
        week = -1
    elif len(weeks) == 1:
        (week,) = weeks
    else:
        return None
    return f"FREQ=YEARLY;BYMONTH={wall.month};BYDAY={week}{_WEEKDAYS[wall.weekday()]}"


def _one_by_one(tz: ZoneInfo, starts_at: datetime, ends_at: datetime) -> Iterator[str]:
    """Yields each change around the span; before them the state, if no change precedes the span."""
    since = starts_at - 400 * _DAY
    changes = list(_changes(tz, since, ends_at + 400 * _DAY))
    if not changes or changes[0].at > starts_at:
        yield from _observance(_state(tz, since))
    for change in changes:
        yield from _observance(change)


def _changes(tz: ZoneInfo, after: datetime, until: datetime) -> Iterator[ClockChange]:
    while change_at := next_clock_change(after, until, tz, step=7 * _DAY):
        yield _change(tz, change_at)
        after = change_at


def _change(tz: ZoneInfo, at: datetime) -> ClockChange:
    """Calls it summer when clocks go forward, also in zones where the law defines winter time."""
    before, after = (at - timedelta(seconds=1)).astimezone(tz), at.astimezone(tz)
    old_offset, offset = before.utcoffset(), after.utcoffset()
    assert old_offset is not None
    assert offset is not None
    return ClockChange(
        at=at.astimezone(UTC),
        old_offset=old_offset,
        offset=offset,
        name=after.tzname() or "",
        is_summer=offset > old_offset and bool(before.dst()) != bool(after.dst()),
    )


def _state(tz: ZoneInfo, at: datetime) -> ClockChange:
    local = at.astimezone(tz)
    offset, dst = local.utcoffset(), local.dst()
    assert offset is not None
    return ClockChange(
        at=_LONG_AGO - offset,
        old_offset=offset,
        offset=offset,
        name=local.tzname() or "",
        is_summer=dst is not None and dst > timedelta(),
    )


def _observance(change: ClockChange, rule: str | None = None) -> Iterator[str]:
    kind = "DAYLIGHT" if change.is_summer else "STANDARD"
    yield f"BEGIN:{kind}"
    yield f"DTSTART:{basic_form(change.wall)}"
    yield f"TZOFFSETFROM:{_offset(change.old_offset)}"
    yield f"TZOFFSETTO:{_offset(change.offset)}"
    yield f"TZNAME:{change.name}"
    if rule:
        yield f"RRULE:{rule}"
    yield f"END:{kind}"


def _offset(offset: timedelta) -> str:
    seconds = abs(int(offset.total_seconds()))
    sign = "-" if offset < timedelta() else "+"
    digits = f"{sign}{seconds // 3600:02}{seconds // 60 % 60:02}"
    return f"{digits}{seconds % 60:02}" if seconds % 60 else digits
