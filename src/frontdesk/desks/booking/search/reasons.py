"""The reasons why one start with one resource is not possible, from the filters' own sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from frontdesk.desks.booking.rules import Resource
from frontdesk.desks.booking.search import bit_sets
from frontdesk.desks.booking.search.caps import FullCap, full_cap, own_caps, shared_caps
from frontdesk.desks.booking.search.filters import (
    FilterResult,
    blackout_ticks,
    earliest_tick,
    relevant_blackouts,
    working_ticks,
)
from frontdesk.desks.booking.search.hours import hours_rules
from frontdesk.desks.booking.search.query import Cause, Filter, Occupancy, Removed
from frontdesk.desks.booking.search.space import Space

_MINUTE: Final = timedelta(minutes=1)


def reasons_at(
    space: Space,
    stages: Sequence[FilterResult],
    occupancy: Occupancy,
    tick: int,
    resource: Resource,
) -> tuple[Removed, ...]:
    """All reasons against the start at this tick of the frame, in the order of the filters."""
    visit = bit_sets.between(tick, tick + space.visit)
    whole = bit_sets.between(tick - space.before, tick + space.visit + space.after)
    found = (
        *calendar_reasons(space, occupancy, resource, whole),
        *hours_reasons(space, resource, visit),
        *_duration_reasons(space, stages, tick, resource),
        *limit_reasons(space, occupancy, tick, resource),
    )
    return found or (no_combination(space, Filter.LIMITS),)


def no_combination(space: Space, after: Filter) -> Removed:
    """Each need could be met alone, but not all with different resources and within their caps."""
    pools = {one.name: one for pool in space.pools[1:] for one in pool}
    line = next((need.line for need in space.service.needs[1:]), 0) or space.service.line
    return Removed(after, Cause.NEED, line, note=", ".join(pools))


def calendar_reasons(
    space: Space, occupancy: Occupancy, resource: Resource, ticks: int
) -> Iterator[Removed]:
    """The reasons why a resource is not free in some of these ticks."""
    if (why := occupancy.unreadable.get(resource.id)) is not None:
        line = resource.calendars[0].line if resource.calendars else resource.line
        yield Removed(Filter.CALENDAR, Cause.UNREADABLE, line, resource.id, note=why)
    if busy := space.busy(occupancy, resource.id) & ticks:
        yield Removed(Filter.CALENDAR, Cause.BUSY, 0, resource.id, spans=space.instants(busy))
    places = resource.places(space.query.party)
    if places > resource.capacity:
        yield Removed(
            Filter.CALENDAR,
            Cause.TOO_FEW_PLACES,
            resource.line,
            resource.id,
            limit=resource.capacity,
            used=places,
        )
        return
    if taken := space.taken(occupancy, resource.id, resource.capacity - places) & ticks:
        yield Removed(Filter.CALENDAR, Cause.TAKEN, 0, resource.id, spans=space.instants(taken))


def hours_reasons(space: Space, resource: Resource, visit: int) -> Iterator[Removed]:
    """The reason why a visit does not lie in working hours: the exception or the week's hours."""
    outside = visit & ~working_ticks(space, resource)[0]
    if not outside:
        return
    on = space.days.date_of(space.first + bit_sets.first_member(visit))
    hours = hours_rules(space.rules, resource, on, on).on(on)
    dated = hours.own or hours.closed
    cause, line = Cause.NOT_WORKING, resource.line
    if dated is not None:
        cause = Cause.AWAY if hours.own else Cause.CLOSED
        line = dated.line
    elif hours.week:
        line = hours.week[0].line
    yield Removed(
        Filter.HOURS,
        cause,
        line,
        resource.id,
        spans=space.instants(outside),
        note=dated.note if dated else "",
    )


def _duration_reasons(
    space: Space, stages: Sequence[FilterResult], tick: int, resource: Resource
) -> Iterator[Removed]:
    _calendar, hours, duration, _limits = stages
    is_working = working_ticks(space, resource)[0] >> tick & 1
    if is_working and not hours.grid[resource.id] >> tick & 1:
        yield Removed(
            Filter.DURATION,
            Cause.OFF_GRID,
            space.service.line,
            resource.id,
            limit=space.service.step // _MINUTE,
            unit="minutes",
        )
    yield from missing_needs(space, duration, 1 << tick)


def missing_needs(space: Space, available: FilterResult, ticks: int) -> Iterator[Removed]:
    """The needs beside the first that no resource meets at any of these starts."""
    for need, pool in zip(space.service.needs[1:], space.pools[1:], strict=True):
        if not any(available.fits[one.id] & ticks for one in pool):
            names = ", ".join(one.name for one in pool)
            yield Removed(Filter.DURATION, Cause.NEED, need.line or space.service.line, note=names)


def limit_reasons(
    space: Space, occupancy: Occupancy, tick: int, resource: Resource
) -> Iterator[Removed]:
    service = space.service
    visit = bit_sets.between(tick, tick + space.visit)
    yield from blackout_reasons(space, visit)
    on = space.days.date_of(space.first + tick)
    minutes = service.duration // _MINUTE
    for scope, cap in (*shared_caps(space.rules, service), *own_caps(resource)):
        if full := full_cap(scope, cap, occupancy.tallies, on, minutes):
            yield cap_reason(full)
    if space.first + tick < earliest_tick(space):
        yield notice_reason(space)


def blackout_reasons(space: Space, visit: int) -> Iterator[Removed]:
    for one in relevant_blackouts(space):
        if hit := blackout_ticks(space, one) & visit:
            spans = space.instants(hit)
            yield Removed(Filter.LIMITS, Cause.BLACKOUT, one.line, spans=spans, note=one.note)


def cap_reason(full: FullCap) -> Removed:
    return Removed(
        Filter.LIMITS,
        Cause.CAP,
        full.cap.line,
        limit=full.limit,
        used=full.used,
        unit=f"{full.unit} a {full.cap.per.value}",
        scope=full.scope,
    )


def notice_reason(space: Space) -> Removed:
    service = space.service
    limit = service.notice // _MINUTE
    return Removed(Filter.LIMITS, Cause.NOTICE, service.line, limit=limit, unit="minutes")
