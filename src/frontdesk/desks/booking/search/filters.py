"""The filters of a search, in order. Each reduces the availability, and its result can be
inspected.

1. `calendar_filter`: ticks that no calendar and no booking of this desk takes.
2. `hours_filter`: of these, the ticks in working hours, and the grid of starts.
3. `duration_filter`: starts at which the visit fits into working hours, and its buffers into free
   time, for one resource of each need. Buffers may lie outside of working hours: nobody else can
   be booked then, but the customer is not there.
4. `limits_filter`: of these starts, the ones that blackouts, caps, notice and horizon leave.

The fifth, `ranking.rank`, chooses the best of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Final

from frontdesk.desks.booking.rules import Blackout, Cap, Resource, ResourceId
from frontdesk.desks.booking.search import bit_sets
from frontdesk.desks.booking.search.caps import Tallies, full_cap, own_caps, shared_caps
from frontdesk.desks.booking.search.query import Filter, Occupancy
from frontdesk.desks.booking.search.space import Space
from frontdesk.desks.booking.search.working_days import working_days
from frontdesk.desks.booking.ticks import tick_after
from frontdesk.values import Frozen, replace

Ticks = Mapping[ResourceId, int]
"""A set of ticks for each resource."""
_DAY: Final = timedelta(days=1)
_MINUTE: Final = timedelta(minutes=1)


class FilterResult(Frozen):
    """The result of a filter. Each filter fills in its part from the parts before it."""

    after: Filter
    taken: Ticks
    """Ticks in which bookings have at least one place."""
    free: Ticks
    """Ticks with enough places, in calendars and beside other bookings."""
    open: Ticks
    """Free ticks in working hours."""
    grid: Ticks
    """Ticks on the start grid of the service in the working periods of each choosable resource."""
    fits: Ticks
    """Starts at which each resource by itself can serve the visit."""
    starts: Ticks
    """Possible starts with each choosable resource: on its grid, and with the other needs met."""


NOTHING: Final[Ticks] = {}


def calendar_filter(space: Space, occupancy: Occupancy) -> FilterResult:
    taken = {one.id: space.taken(occupancy, one.id) for one in space.resources}
    free = {one.id: _free(space, occupancy, one, taken[one.id]) for one in space.resources}
    return FilterResult(Filter.CALENDAR, taken, free, free, NOTHING, NOTHING, NOTHING)


def _free(space: Space, occupancy: Occupancy, resource: Resource, taken: int) -> int:
    spare = resource.capacity - resource.places(space.query.party)
    if spare < 0 or resource.id in occupancy.unreadable:
        return 0
    full = space.taken(occupancy, resource.id, more_than=spare) if spare and taken else taken
    return bit_sets.ones(space.count) & ~(space.busy(occupancy, resource.id) | full)


def hours_filter(space: Space, available: FilterResult) -> FilterResult:
    choosable = {one.id for one in space.choices}
    is_open: dict[ResourceId, int] = {}
    grid: dict[ResourceId, int] = {}
    known: dict[object, tuple[int, int]] = {}
    for one in space.resources:
        key = (one.hours, one.breaks, one.exceptions)
        if key not in known:
            known[key] = working_ticks(space, one)
        is_open[one.id] = available.free[one.id] & known[key][0]
        if one.id in choosable:
            grid[one.id] = known[key][1]
    return replace(available, after=Filter.HOURS, open=is_open, grid=grid)


def working_ticks(space: Space, resource: Resource) -> tuple[int, int]:
    """The ticks of a resource's working periods, and those of them on the grid of starts."""
    known = working_days(space.rules, resource, space.service)
    working = grid = 0
    on = space.first_on - _DAY
    while on <= space.until_on:
        ticks, starts = known.on(on)
        if ticks:
            shift = space.days.bounds(on)[0] - space.first
            working |= bit_sets.shifted(ticks, shift)
            grid |= bit_sets.shifted(starts, shift)
        on += _DAY
    asked = space.days_between(space.first_on, space.last_on)
    return working & bit_sets.ones(space.count), grid & asked


def duration_filter(space: Space, available: FilterResult) -> FilterResult:
    known: dict[tuple[int, int], int] = {}
    fits: dict[ResourceId, int] = {}
    for one in space.resources:
        key = available.free[one.id], available.open[one.id]
        if key not in known:
            known[key] = _fitting(space, *key)
        fits[one.id] = known[key]
    starts = with_all_needs(space, fits, available.grid)
    return replace(available, after=Filter.DURATION, fits=fits, starts=starts)


def _fitting(space: Space, free: int, is_open: int) -> int:
    """The starts at which the visit lies in open time, and its buffers in free time."""
    visits = bit_sets.runs_of(is_open, space.visit)
    if not space.before and not space.after:
        return visits
    whole = bit_sets.runs_of(free, space.before + space.visit + space.after)
    return visits & (whole << space.before)


def with_all_needs(space: Space, fits: Ticks, grid: Ticks) -> dict[ResourceId, int]:
    """The starts on the grid of each choosable resource at which all other needs can be met."""
    starts = {one.id: fits[one.id] & grid[one.id] for one in space.choices}
    others = space.pools[1:]
    if not others:
        return starts
    shared = {one.id for pool in others for one in pool}
    rest = _each_has_one(others, fits, ResourceId(""), space.count)
    for one in space.choices:
        is_shared = one.id in shared
        starts[one.id] &= _each_has_one(others, fits, one.id, space.count) if is_shared else rest
    return starts


def _each_has_one(
    pools: Sequence[Sequence[Resource]], fits: Ticks, without: ResourceId, count: int
) -> int:
    """The starts at which each pool can have a resource of its own.

    `reached[needs]` are the starts at which this set of needs can be met by the resources so far.
    """
    everything = (1 << len(pools)) - 1
    reached = [bit_sets.ones(count), *(0 for _ in range(everything))]
    for resource in {one.id: one for pool in pools for one in pool}:
        if resource == without or not fits[resource]:
            continue
        for needs in range(everything, -1, -1):
            if not (at := reached[needs] & fits[resource]):
                continue
            for number, pool in enumerate(pools):
                if not needs >> number & 1 and any(one.id == resource for one in pool):
                    reached[needs | 1 << number] |= at
    return reached[everything]


def limits_filter(space: Space, available: FilterResult, tallies: Tallies) -> FilterResult:
    full = capped_days(space, shared_caps(space.rules, space.service), tallies)
    allowed = _in_time(space) & ~blackout_starts(space) & ~full
    fits = {
        one.id: available.fits[one.id] & allowed & ~capped_days(space, own_caps(one), tallies)
        for one in space.resources
    }
    starts = with_all_needs(space, fits, available.grid)
    return replace(available, after=Filter.LIMITS, fits=fits, starts=starts)


def _in_time(space: Space) -> int:
    """The starts after the notice and inside the horizon."""
    return space.ticks_between(earliest_tick(space), space.first + space.count)


def earliest_tick(space: Space) -> int:
    """The first tick that the notice allows. The frame of the search ends with the horizon."""
    return tick_after(space.now + space.service.notice)


def blackout_starts(space: Space) -> int:
    """The starts whose visit overlaps a blackout of the service."""
    closed = 0
    for one in relevant_blackouts(space):
        closed |= blackout_ticks(space, one)
    return bit_sets.touching(closed, space.visit) if closed else 0


def relevant_blackouts(space: Space) -> Iterable[Blackout]:
    name, first_on, last_on = space.service.name, space.first_on - _DAY, space.until_on
    return (
        one
        for one in space.rules.blackouts
        if (not one.services or name in one.services)
        and one.first_on <= last_on
        and first_on <= one.last_on
    )


def blackout_ticks(space: Space, blackout: Blackout) -> int:
    if blackout.period is None:
        return space.days_between(blackout.first_on, blackout.last_on)
    found = 0
    on = max(blackout.first_on, space.first_on - _DAY)
    while on <= min(blackout.last_on, space.until_on):
        for part in space.days.stretches(on, blackout.period.start, blackout.period.end):
            found |= space.ticks_between(part.start, part.end)
        on += _DAY
    return found


def capped_days(space: Space, caps: Iterable[tuple[str, Cap]], tallies: Tallies) -> int:
    """The ticks of asked days on which a cap leaves no room for one more booking."""
    minutes = space.service.duration // _MINUTE
    found = 0
    for scope, cap in caps:
        for on in space.asked_days():
            if full_cap(scope, cap, tallies, on, minutes):
                found |= space.days_between(on, on)
    return found
