"""Finds clock changes: for each distinct zone, the days around them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

DAY = timedelta(days=1)
FIRST, LAST = datetime(2016, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC)

Instants = tuple[datetime, ...]


@cache
def zones_that_differ() -> dict[str, Instants]:
    """Returns one zone for each set of zones that are equal in these years, with its clock
    changes."""
    by_clock: dict[tuple[object, ...], tuple[str, Instants]] = {}
    for name in sorted(available_timezones()):
        tz = ZoneInfo(name)
        days = tuple(_days_of_change(tz))
        clock = (
            FIRST.astimezone(tz).utcoffset(),
            *((d, d.astimezone(tz).utcoffset()) for d in days),
        )
        by_clock.setdefault(clock, (name, days))
    return dict(by_clock.values())


def _days_of_change(tz: ZoneInfo) -> Iterator[datetime]:
    """Yields the first midnight (UTC) after each change."""
    day, offset = FIRST, FIRST.astimezone(tz).utcoffset()
    while day < LAST:
        day += 7 * DAY
        if day.astimezone(tz).utcoffset() != offset:
            while (day - DAY).astimezone(tz).utcoffset() != offset:
                day -= DAY
            offset = day.astimezone(tz).utcoffset()
            yield day


@cache
def changes() -> tuple[tuple[ZoneInfo, datetime], ...]:
    """Returns every pair of zone and day of change; one day for zones that never change."""
    return tuple(
        (ZoneInfo(name), day)
        for name, days in zones_that_differ().items()
        for day in (days or (FIRST,))
    )
