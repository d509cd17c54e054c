"""Explains the times of a day: for each resource, which filter removed what, and by which line.

These are values; `explanation_words` puts them into sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final

from frontdesk.desks.booking.rules import BookingRules, Period, Resource, ResourceId, ServiceRules
from frontdesk.desks.booking.search import bit_sets
from frontdesk.desks.booking.search.caps import full_cap, own_caps, shared_caps
from frontdesk.desks.booking.search.filters import (
    FilterResult,
    blackout_ticks,
    earliest_tick,
    relevant_blackouts,
    working_ticks,
)
from frontdesk.desks.booking.search.hours import hours_rules
from frontdesk.desks.booking.search.local_days import TICK_MINUTES
from frontdesk.desks.booking.search.query import Cause, Filter, Occupancy, Query, Removed
from frontdesk.desks.booking.search.ranking import RankedTime, rank
from frontdesk.desks.booking.search.reasons import (
    calendar_reasons,
    cap_reason,
    hours_reasons,
    missing_needs,
    no_combination,
    notice_reason,
)
from frontdesk.desks.booking.search.space import Space, prepare
from frontdesk.desks.booking.search.times import run_filters
from frontdesk.desks.booking.ticks import starts_of
from frontdesk.values import Frozen, replace

_MINUTE: Final = timedelta(minutes=1)
_DAY: Final = timedelta(days=1)


class Stage(Frozen):
    """The size of what is left on the day after a filter."""

    filter: Filter
    minutes: int = 0
    """The free minutes, after a filter of time."""
    starts: int = 0
    """The number of possible starts, after a filter of starts."""


class ResourceDay(Frozen):
    """One resource on the day."""

    resource: ResourceId
    name: str
    works: tuple[Period, ...]
    """The working periods that reach into the day, with their lines."""
    removed: tuple[Removed, ...]
    """The reasons that took time away, in the order of the filters."""
    stages: tuple[Stage, ...]
    times: tuple[datetime, ...]
    """The starts that can be booked."""


class DayExplanation(Frozen):
    on: date
    zone: str
    service: ServiceRules
    resources: tuple[ResourceDay, ...] = ()
    best: tuple[RankedTime, ...] = ()
    """The starts that the ranking proposes, the best first."""
    refused: Removed | None = None
    """The reason why the question has no answer at all."""

    @property
    def has_times(self) -> bool:
        return any(one.times for one in self.resources)


def explain_day(
    rules: BookingRules, query: Query, occupancy: Occupancy, now: datetime
) -> DayExplanation | Removed:
    """Explains the first day of a query. Returns a `Removed` if the service is unknown."""
    service = rules.service(query.service)
    space = prepare(rules, replace(query, last_on=query.first_on), now)
    if isinstance(space, Removed):
        if service is None:
            return space
        return DayExplanation(query.first_on, rules.zone, service, refused=space)
    stages = run_filters(space, occupancy)
    resources = tuple(_resource_day(space, stages, occupancy, one) for one in space.choices)
    best = rank(space, stages[-1], occupancy, rules.proposals)
    return DayExplanation(query.first_on, rules.zone, space.service, resources, best)


def _resource_day(
    space: Space, stages: tuple[FilterResult, ...], occupancy: Occupancy, one: Resource
) -> ResourceDay:
    calendar, hours, duration, limits = stages
    day = space.days_between(space.first_on, space.first_on)
    working = working_ticks(space, one)[0] & day
    reasons = (
        *_hours(space, one, day, working),
        *calendar_reasons(space, occupancy, one, working),
        *_duration(space, stages, one, day),
        *_limits(space, duration, limits, occupancy, one, day),
    )
    order = list(Filter)
    return ResourceDay(
        one.id,
        one.name,
        _periods(space, one),
        tuple(sorted(reasons, key=lambda removed: order.index(removed.filter))),
        (
            Stage(Filter.CALENDAR, minutes=_minutes(calendar.free[one.id] & day)),
            Stage(Filter.HOURS, minutes=_minutes(hours.open[one.id] & day)),
            Stage(Filter.DURATION, starts=(duration.starts[one.id] & day).bit_count()),
            Stage(Filter.LIMITS, starts=(limits.starts[one.id] & day).bit_count()),
        ),
        tuple(
            starts_of(space.first + tick) for tick in bit_sets.members(limits.starts[one.id] & day)
        ),
    )


def _minutes(ticks: int) -> int:
    return ticks.bit_count() * TICK_MINUTES


def _periods(space: Space, one: Resource) -> tuple[Period, ...]:
    """The working periods of the day, and the end of a night shift that began the day before."""
    on = space.first_on
    hours = hours_rules(space.rules, one, on - _DAY, on)
    night = (
        replace(period, start=max(0, period.start - 1440), end=period.end - 1440)
        for period in hours.on(on - _DAY).periods
        if period.end > 1440
    )
    return tuple(sorted((*night, *hours.on(on).periods), key=lambda period: period.start))


def _hours(space: Space, one: Resource, day: int, working: int) -> Iterator[Removed]:
    """A reason if the resource does not work at all, or if an exception changes the day."""
    on = space.first_on
    hours = hours_rules(space.rules, one, on, on).on(on)
    if not working or hours.own or hours.closed:
        yield from hours_reasons(space, one, day)


def _duration(
    space: Space, stages: tuple[FilterResult, ...], one: Resource, day: int
) -> Iterator[Removed]:
    _calendar, hours, duration, limits = stages
    is_open, fits = hours.open[one.id] & day, duration.fits[one.id] & day
    if not is_open or limits.starts[one.id] & day:
        return
    line = space.service.line
    possible = fits & hours.grid[one.id]
    if not fits:
        needed = (space.before + space.visit + space.after) * TICK_MINUTES
        longest = max(end - start for start, end in bit_sets.spans(is_open)) * TICK_MINUTES
        yield Removed(Filter.DURATION, Cause.TOO_SHORT, line, one.id, limit=needed, used=longest)
    elif not possible:
        step = space.service.step // _MINUTE
        yield Removed(Filter.DURATION, Cause.OFF_GRID, line, one.id, limit=step, unit="minutes")
    elif without_others := _without_others(possible, duration, limits, one):
        missing = tuple(missing_needs(space, duration, without_others))
        yield from missing or (no_combination(space, Filter.DURATION),)


def _without_others(
    possible: int, duration: FilterResult, limits: FilterResult, one: Resource
) -> int:
    """The starts that only lack another resource. Prefers those that no limit removes: starts in
    the past say nothing about the rest of the day."""
    lacking = possible & ~duration.starts[one.id]
    in_force = lacking & limits.fits[one.id]
    return in_force or (0 if duration.starts[one.id] & possible else lacking)


def _limits(
    space: Space,
    duration: FilterResult,
    limits: FilterResult,
    occupancy: Occupancy,
    one: Resource,
    day: int,
) -> Iterator[Removed]:
    lost = duration.starts[one.id] & ~limits.starts[one.id] & day
    explained = 0
    for blackout in relevant_blackouts(space):
        ticks = blackout_ticks(space, blackout)
        if hit := bit_sets.touching(ticks, space.visit) & lost:
            explained |= hit
            yield Removed(
                Filter.LIMITS,
                Cause.BLACKOUT,
                blackout.line,
                spans=space.instants(ticks & day),
                note=blackout.note,
            )
    minutes = space.service.duration // _MINUTE
    for scope, cap in (*shared_caps(space.rules, space.service), *own_caps(one)):
        if full := full_cap(scope, cap, occupancy.tallies, space.first_on, minutes):
            explained |= lost
            yield cap_reason(full)
    too_soon = lost & bit_sets.ones(earliest_tick(space) - space.first)
    if too_soon:
        explained |= too_soon
        yield notice_reason(space)
    if lost & ~explained:
        yield no_combination(space, Filter.LIMITS)
