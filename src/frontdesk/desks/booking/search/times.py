"""Finds times that can be booked, and checks one time by the same filters.

A page shows times by `times_in`; `check_all` says why a time cannot be booked. Both run the same
filters on the same values. A claim asks `one_time.choose_one`, which gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from itertools import chain

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.desks.booking.search import bit_sets
from frontdesk.desks.booking.search.caps import own_caps, period_of, shared_caps
from frontdesk.desks.booking.search.filters import (
    FilterResult,
    calendar_filter,
    duration_filter,
    hours_filter,
    limits_filter,
)
from frontdesk.desks.booking.search.query import Cause, Filter, Occupancy, Query, Removed
from frontdesk.desks.booking.search.ranking import RankedTime, rank
from frontdesk.desks.booking.search.reasons import reasons_at
from frontdesk.desks.booking.search.space import Space, prepare
from frontdesk.desks.booking.ticks import starts_of, tick_after, tick_at
from frontdesk.values import Frozen, replace


class FreeTime(Frozen):
    starts_at: datetime
    resources: tuple[ResourceId, ...]
    """The choosable resources that are free then, in the order of the rules."""


class Times(Frozen):
    """The result of a query. It lists times only on request: pages list the days that they show."""

    space: Space
    stages: tuple[FilterResult, ...]
    """The availability after each of the first four filters."""
    best: tuple[RankedTime, ...] = ()

    @property
    def starts(self) -> int:
        """The set of all ticks at which somebody is free."""
        found = 0
        for one in self.space.choices:
            found |= self.stages[-1].starts[one.id]
        return found

    @property
    def first(self) -> datetime | None:
        """The first time at which somebody is free."""
        starts = self.starts
        return starts_of(self.space.first + bit_sets.first_member(starts)) if starts else None

    def days(self) -> tuple[date, ...]:
        """The days with times."""
        starts, space = self.starts, self.space
        return tuple(on for on in space.asked_days() if starts & space.days_between(on, on))

    def counts(self) -> dict[date, int]:
        """The number of times of each day that has some, without listing them."""
        starts, space = self.starts, self.space
        found = (
            (on, (starts & space.days_between(on, on)).bit_count()) for on in space.asked_days()
        )
        return {on: number for on, number in found if number}

    def on(self, day: date) -> tuple[FreeTime, ...]:
        """The times of a day."""
        if not self.space.first_on <= day <= self.space.last_on:
            return ()
        return tuple(self._between(self.space.days.bounds(day)))

    def all(self) -> tuple[FreeTime, ...]:
        return tuple(self._between((self.space.first, self.space.first + self.space.count)))

    def _between(self, ticks: tuple[int, int]) -> Iterator[FreeTime]:
        low, count = ticks[0] - self.space.first, ticks[1] - ticks[0]
        cut = [
            (one.id, self.stages[-1].starts[one.id] >> low & bit_sets.ones(count))
            for one in self.space.choices
        ]
        at: dict[int, list[ResourceId]] = {}
        for resource, starts in cut:
            for tick in bit_sets.members(starts):
                at.setdefault(tick, []).append(resource)
        return (FreeTime(starts_of(ticks[0] + tick), tuple(at[tick])) for tick in sorted(at))


def needed_tallies(space: Space) -> frozenset[tuple[str, str]]:
    """The tallies that the search compares with caps; none without caps."""
    caps = (*shared_caps(space.rules, space.service), *chain(*map(own_caps, space.resources)))
    return frozenset(
        (scope, period_of(cap.per, on)) for scope, cap in caps for on in space.asked_days()
    )


def times_in(space: Space, occupancy: Occupancy, most: int | None = None) -> Times:
    """Finds all times of a prepared query, and ranks the best `most`, usually as many as the rules
    propose."""
    stages = run_filters(space, occupancy)
    best = rank(space, stages[-1], occupancy, space.rules.proposals if most is None else most)
    return Times(space, stages, best)


def run_filters(space: Space, occupancy: Occupancy) -> tuple[FilterResult, ...]:
    """Runs the first four filters and keeps the result of each."""
    calendar = calendar_filter(space, occupancy)
    hours = hours_filter(space, calendar)
    duration = duration_filter(space, hours)
    return calendar, hours, duration, limits_filter(space, duration, occupancy.tallies)


def check_time(
    rules: BookingRules, query: Query, starts_at: datetime, occupancy: Occupancy, now: datetime
) -> Removed | None:
    """The reason why a time cannot be booked; None if it can. Ignores the days of the query."""
    return next(iter(check_all(rules, query, starts_at, occupancy, now)), None)


def check_all(
    rules: BookingRules, query: Query, starts_at: datetime, occupancy: Occupancy, now: datetime
) -> tuple[Removed, ...]:
    """All reasons why a time cannot be booked, in the order of the filters.

    If anyone may serve, these are the reasons of the resource that comes nearest.
    """
    on = to_wall(starts_at, zone(rules.zone)).date()
    space = prepare(rules, replace(query, first_on=on, last_on=on), now)
    if isinstance(space, Removed):
        return (space,)
    if tick_at(starts_at) != tick_after(starts_at):
        return (Removed(Filter.DURATION, Cause.OFF_GRID, space.service.line),)
    stages = run_filters(space, occupancy)
    tick = tick_at(starts_at) - space.first
    if any(stages[-1].starts[one.id] >> tick & 1 for one in space.choices):
        return ()
    return min((reasons_at(space, stages, occupancy, tick, one) for one in space.choices), key=len)
