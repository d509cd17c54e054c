"""Caches working hours as sets of ticks: each search needs them, and only new rules change them."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from frontdesk.desks.booking.rules import (
    BookingRules,
    DatedHours,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
    WeekHours,
)
from frontdesk.desks.booking.search import bit_sets
from frontdesk.desks.booking.search.hours import HoursRules
from frontdesk.desks.booking.search.local_days import TICK_MINUTES, LocalDays, local_days
from frontdesk.desks.booking.search.space import ticks_in

#: The most entries in the cache: different hours, for any resource and service.
_MOST_KEPT: Final = 128
_DAY: Final = timedelta(days=1)
_MINUTE: Final = timedelta(minutes=1)


class WorkingDays:
    """The working periods of a resource, and its starts of one service, day by day."""

    def __init__(self, zone: str, hours: HoursRules, step: timedelta, offset: timedelta) -> None:
        self._zone = zone
        self._hours = hours
        self._step = max(1, ticks_in(step))
        self._offset = offset // _MINUTE
        self._known: dict[date, tuple[int, int]] = {}

    def on(self, day: date) -> tuple[int, int]:
        """The ticks of the periods that start on a day, and those of them on the grid of starts.
        Bit 0 is the first tick of the day."""
        found = self._known.get(day)
        if found is None:
            found = self._known[day] = self._computed(day)
        return found

    def _computed(self, day: date) -> tuple[int, int]:
        days = local_days(self._zone, day, day + _DAY)
        ticks = grid = 0
        for period in self._hours.on(day).periods:
            working, starts = self._of_period(days, day, period)
            ticks |= working
            grid |= starts
        return ticks, grid

    def _of_period(self, days: LocalDays, day: date, period: Period) -> tuple[int, int]:
        midnight = days.bounds(day)[0]
        ticks = grid = 0
        for part in days.stretches(day, period.start, period.end):
            ticks |= bit_sets.between(part.start - midnight, part.end - midnight)
            wait = self._offset - part.elapsed
            if wait < 0:
                wait %= self._step * TICK_MINUTES
            begin = part.start + -(-wait // TICK_MINUTES)
            if begin < part.end:
                grid |= bit_sets.every(self._step, part.end - begin) << begin - midnight
        return ticks, grid


def working_days(rules: BookingRules, resource: Resource, service: ServiceRules) -> WorkingDays:
    """Returns the working days of a resource. Resources with the same hours share them."""
    return _shared(
        rules.zone,
        rules.hours,
        rules.closed,
        resource.hours,
        resource.breaks,
        resource.exceptions,
        service.step,
        service.offset,
    )


@lru_cache(maxsize=_MOST_KEPT)
def _shared(
    zone: str,
    business: WeekHours,
    closed: tuple[DatedHours, ...],
    hours: WeekHours | None,
    breaks: WeekHours,
    exceptions: tuple[DatedHours, ...],
    step: timedelta,
    offset: timedelta,
) -> WorkingDays:
    anybody = Resource(ResourceId(""), "", hours=hours, breaks=breaks, exceptions=exceptions)
    week = business if hours is None else hours
    return WorkingDays(zone, HoursRules(anybody, week, exceptions, closed), step, offset)
