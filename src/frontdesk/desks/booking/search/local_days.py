"""Local days and wall times as ticks: the only place of the search that knows a time zone.

A period begins when a clock on the wall first shows its start or later, and ends when the clock
first shows its end or later. So a period loses the part that a change of the clock skips, and of a
wall time that occurs twice the first one counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Final

from frontdesk.core.localtime import next_clock_change, to_wall, zone
from frontdesk.desks.booking.rules import DAY_MINUTES
from frontdesk.desks.booking.ticks import TICK_SECONDS, starts_of, tick_after
from frontdesk.values import Frozen

TICK_MINUTES: Final = TICK_SECONDS // 60
DAY_TICKS: Final = DAY_MINUTES // TICK_MINUTES
_DAY: Final = timedelta(days=1)


class Stretch(Frozen):
    """A part of a period without a change of the clock."""

    start: int
    end: int
    """Ticks since 1970."""
    elapsed: int
    """Minutes on the wall clock from the start of the period to `start`."""


class LocalDays(Frozen):
    """Consecutive local days with the ticks at which they start."""

    zone: str
    first_on: date
    midnights: tuple[int, ...]
    """The start of each day, and of the day after the last."""

    def __len__(self) -> int:
        return len(self.midnights) - 1

    def __iter__(self) -> Iterator[date]:
        return (self.first_on + n * _DAY for n in range(len(self)))

    def bounds(self, on: date) -> tuple[int, int]:
        """The ticks at which a day starts and ends. A skipped day ends where it starts."""
        at = (on - self.first_on).days
        return self.midnights[at], self.midnights[at + 1]

    def tick(self, on: date, minutes: int) -> int:
        """The tick at a wall time of a day; minutes above 24 hours lie on the next days."""
        days, rest = divmod(minutes, DAY_MINUTES)
        at = (on - self.first_on).days + days
        if rest == 0 and 0 <= at < len(self.midnights):
            return self.midnights[at]
        if self._is_usual(at):
            return self.midnights[at] + -(-rest // TICK_MINUTES)
        return _exact_tick(self.zone, on, minutes)

    def stretches(self, on: date, start: int, end: int) -> tuple[Stretch, ...]:
        """The ticks of a period of a day, with a cut at each change of the clock."""
        at = (on - self.first_on).days
        first, last = at + start // DAY_MINUTES, at + (end - 1) // DAY_MINUTES
        opens, closes = self.tick(on, start), self.tick(on, end)
        if opens >= closes:
            return ()
        if all(self._is_usual(day) for day in range(first, last + 1)):
            return (Stretch(opens, closes, 0),)
        nominal = datetime.combine(on, time()) + timedelta(minutes=start)
        return tuple(_cut(self.zone, nominal, opens, closes))

    def date_of(self, tick: int) -> date:
        return to_wall(starts_of(tick), zone(self.zone)).date()

    def _is_usual(self, at: int) -> bool:
        """Whether a day has 24 hours. No zone changes its clock there and back in one day."""
        if not 0 <= at < len(self):
            return False
        return self.midnights[at + 1] - self.midnights[at] == DAY_TICKS


@lru_cache(maxsize=1024)
def local_days(zone_name: str, first_on: date, last_on: date) -> LocalDays:
    count = (last_on - first_on).days + 2
    midnights = (_midnight(zone_name, first_on + n * _DAY) for n in range(count))
    return LocalDays(zone_name, first_on, tuple(midnights))


@lru_cache(maxsize=4096)
def _midnight(zone_name: str, on: date) -> int:
    return _exact_tick(zone_name, on, 0)


def _exact_tick(zone_name: str, on: date, minutes: int) -> int:
    """The first tick at or after a wall time; for one that does not exist, the end of the gap."""
    tz = zone(zone_name)
    wall = datetime.combine(on, time()) + timedelta(minutes=minutes)
    later = wall.replace(tzinfo=tz).astimezone(UTC)
    if to_wall(later, tz) == wall:
        return tick_after(later)
    earlier = wall.replace(tzinfo=tz, fold=1).astimezone(UTC)
    change = next_clock_change(earlier, later, tz)
    assert change is not None, "a wall time that does not exist lies in a change of the clock"
    return tick_after(change)


def _cut(zone_name: str, nominal: datetime, opens: int, closes: int) -> Iterator[Stretch]:
    tz = zone(zone_name)
    while opens < closes:
        change = next_clock_change(starts_of(opens), starts_of(closes), tz)
        end = closes if change is None else min(tick_after(change), closes)
        elapsed = to_wall(starts_of(opens), tz) - nominal
        yield Stretch(opens, end, int(elapsed.total_seconds()) // 60)
        opens = end
