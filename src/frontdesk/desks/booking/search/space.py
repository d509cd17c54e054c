"""Prepares a query: its frame of ticks, its resources and lengths, and their taken ticks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.booking.rules import TICK, BookingRules, Resource, ResourceId, ServiceRules
from frontdesk.desks.booking.search import bit_sets
from frontdesk.desks.booking.search.local_days import DAY_TICKS, LocalDays, local_days
from frontdesk.desks.booking.search.query import Cause, Filter, Occupancy, Query, Removed
from frontdesk.desks.booking.ticks import Span, starts_of, tick_after, tick_at
from frontdesk.values import Frozen

#: A search covers at most so many days, whatever the query and the horizon say.
MOST_DAYS: Final = 750
_DAY: Final = timedelta(days=1)


class Space(Frozen):
    """A search that can be run. Bit n of every set is the tick `first + n`."""

    rules: BookingRules
    service: ServiceRules
    query: Query
    now: datetime
    days: LocalDays
    """The days of the query, and two more on each side for periods over midnight and neighbours."""
    first_on: date
    last_on: date
    """The days of the query inside the horizon."""
    first: int
    count: int
    pools: tuple[tuple[Resource, ...], ...]
    """The resources for each need. The first has only the chosen one, unless anyone will do."""
    resources: tuple[Resource, ...]
    """All resources that the service may need, each once."""
    visit: int
    before: int
    after: int
    """The lengths of the visit and of its buffers, in ticks."""

    @property
    def until_on(self) -> date:
        """The last day on which a visit of the asked days can end."""
        return self.last_on + (1 + (self.visit + self.after) // DAY_TICKS) * _DAY

    @property
    def span(self) -> Span:
        """All ticks that matter to the search, for reads of the store and of calendars."""
        return Span(self.first, self.first + self.count)

    @property
    def choices(self) -> tuple[Resource, ...]:
        """The resources that a customer can choose from."""
        return self.pools[0]

    def asked_days(self) -> Iterator[date]:
        return (self.first_on + n * _DAY for n in range((self.last_on - self.first_on).days + 1))

    def days_between(self, first_on: date, last_on: date) -> int:
        """The set of all ticks of some days that are in the frame."""
        low, high = self.days.first_on, self.days.first_on + (len(self.days) - 1) * _DAY
        if first_on > high or last_on < low:
            return 0
        start = self.days.bounds(max(first_on, low))[0]
        return self.ticks_between(start, self.days.bounds(min(last_on, high))[1])

    def ticks_between(self, start: int, end: int) -> int:
        """The set of the ticks from `start` until before `end` that are in the frame."""
        return bit_sets.between(
            max(start - self.first, 0), max(0, min(end - self.first, self.count))
        )

    def instants(self, ticks: int) -> tuple[tuple[datetime, datetime], ...]:
        """The start and end times of the runs in a set of ticks."""
        return tuple(
            (starts_of(self.first + start), starts_of(self.first + end))
            for start, end in bit_sets.spans(ticks)
        )

    def busy(self, occupancy: Occupancy, resource: ResourceId) -> int:
        """The ticks in which calendars are busy, even for a part of the tick."""
        found = 0
        for start, end in occupancy.busy.get(resource, ()):
            if start < end:
                found |= self.ticks_between(tick_at(start), tick_after(end))
        return found

    def taken(self, occupancy: Occupancy, resource: ResourceId, more_than: int = 0) -> int:
        """The ticks in which bookings have more than this number of places."""
        rows: Iterable[tuple[int, int, int]] = occupancy.taken.get(resource, ())
        found = 0
        for start, end, places in rows if more_than == 0 else summed(rows):
            if places > more_than:
                found |= self.ticks_between(start, end)
        return found


def summed(rows: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Splits overlapping spans into spans that do not overlap, and adds their places."""
    steps: dict[int, int] = {}
    for start, end, places in rows:
        steps[start] = steps.get(start, 0) + places
        steps[end] = steps.get(end, 0) - places
    places = 0
    for start, end in pairwise(sorted(steps)):
        places += steps[start]
        yield start, end, places


def ticks_in(length: timedelta) -> int:
    """The number of ticks of a length; a part of a tick counts as the whole tick."""
    return -(-length // TICK)


def prepare(rules: BookingRules, query: Query, now: datetime) -> Space | Removed:
    """Prepares a query. Returns a `Removed` if no time at all can match it."""
    service = rules.service(query.service)
    if service is None:
        return Removed(Filter.DURATION, Cause.UNKNOWN_SERVICE, note=query.service[:100])
    if not 1 <= query.party <= service.most:
        return Removed(
            Filter.LIMITS, Cause.PARTY, service.line, limit=service.most, used=query.party
        )
    pools = _pools(rules, service, query.resource)
    if not pools or not pools[0]:
        return Removed(Filter.DURATION, Cause.NOT_QUALIFIED, service.line, query.resource)
    tz = zone(rules.zone)
    today, horizon_on = to_wall(now, tz).date(), to_wall(now + service.horizon, tz).date()
    first_on = max(query.first_on, today)
    last_on = min(query.last_on, horizon_on, first_on + (MOST_DAYS - 1) * _DAY)
    if query.first_on > horizon_on:
        return _limit(Cause.HORIZON, service, service.horizon // _DAY, "days")
    if last_on < first_on:
        return Removed(Filter.LIMITS, Cause.NOTICE)  # the days are over, whatever the notice
    length = ticks_in(service.duration + service.buffer_after)
    days = local_days(rules.zone, first_on - 2 * _DAY, last_on + (2 + length // DAY_TICKS) * _DAY)
    # One day more before, even where a change of the clock skipped that day.
    first = min(days.bounds(first_on - _DAY)[0], days.bounds(first_on)[0] - DAY_TICKS)
    end = days.midnights[-1] + length
    return Space(
        rules,
        service,
        query,
        now,
        days,
        first_on,
        last_on,
        first=first,
        count=end - first,
        pools=pools,
        resources=tuple({one.id: one for pool in pools for one in pool}.values()),
        visit=ticks_in(service.duration),
        before=ticks_in(service.buffer_before),
        after=ticks_in(service.buffer_after),
    )


def _pools(
    rules: BookingRules, service: ServiceRules, wanted: ResourceId
) -> tuple[tuple[Resource, ...], ...]:
    known = {one.id: one for one in rules.resources}
    return tuple(
        tuple(
            known[each]
            for each in need.anyone_of
            if each in known and (at > 0 or wanted in ("", each))
        )
        for at, need in enumerate(service.needs)
    )


def _limit(cause: Cause, service: ServiceRules, limit: int, unit: str) -> Removed:
    return Removed(Filter.LIMITS, cause, service.line, limit=limit, unit=unit)
