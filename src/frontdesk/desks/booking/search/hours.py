"""The working periods of a resource on a day, from the week's hours and dated exceptions.

An exception without hours (away, closed) always counts. Of the others, the one with the fewest
days counts; if several have equally few days, only the time that all of them allow. An exception
of the business limits the hours of resources that have hours or exceptions of their own, and
replaces those of the others. Extra openings are added last: those of a resource to that resource,
and those of the business to the resources that work when the business is open and have no
exception on that day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from frontdesk.desks.booking.rules import BookingRules, DatedHours, Period, Resource, minus
from frontdesk.values import Frozen, replace


class DayHours(Frozen):
    """The working periods that start on a day, and the exceptions that shaped them."""

    periods: tuple[Period, ...]
    own: DatedHours | None = None
    """The exception of the resource that counts on this day."""
    closed: DatedHours | None = None
    """The exception of the business that counts on this day."""
    week: tuple[Period, ...] = ()
    """The hours of the weekday, before exceptions."""


class HoursRules(Frozen):
    """The hours of one resource, with the exceptions that matter for the days of a query."""

    resource: Resource
    week: tuple[tuple[Period, ...], ...]
    own: tuple[DatedHours, ...]
    closed: tuple[DatedHours, ...]

    @property
    def follows_business(self) -> bool:
        return self.resource.hours is None or bool(self.resource.breaks)

    def on(self, day: date) -> DayHours:
        week = self.week[day.weekday()]
        if not self.own and not self.closed:
            return DayHours(week, week=week)
        own, closed = _replacing(self.own, day), _replacing(self.closed, day)
        periods = week if own is None else own.periods
        if closed is not None:
            replaces = self.follows_business and own is None
            if replaces:
                periods = self._without_breaks(closed.periods, day)
            else:
                periods = _both(periods, closed.periods)
        extra = _extra(self.own, day)
        if self.follows_business and own is None:
            extra += self._without_breaks(_extra(self.closed, day), day)
        return DayHours((*periods, *extra), own, closed, week)

    def _without_breaks(self, periods: tuple[Period, ...], day: date) -> tuple[Period, ...]:
        breaks = self.resource.breaks
        return minus(periods, breaks[day.weekday()]) if breaks else periods


def hours_rules(
    rules: BookingRules, resource: Resource, first_on: date, last_on: date
) -> HoursRules:
    def matters(dated: DatedHours) -> bool:
        return dated.first_on <= last_on and first_on <= dated.last_on

    return HoursRules(
        resource,
        rules.hours if resource.hours is None else resource.hours,
        tuple(filter(matters, resource.exceptions)),
        tuple(filter(matters, rules.closed)),
    )


def _replacing(dated: Iterable[DatedHours], day: date) -> DatedHours | None:
    """The exception that counts on a day; several equal ones allow what all of them allow."""
    found: DatedHours | None = None
    for each in dated:
        if each.extra or not each.first_on <= day <= each.last_on:
            continue
        if not each.periods:
            return each
        if found is None or _days(each) < _days(found):
            found = each
        elif _days(each) == _days(found):
            found = replace(each, periods=_both(found.periods, each.periods))
    return found


def _days(dated: DatedHours) -> int:
    return (dated.last_on - dated.first_on).days


def _extra(dated: Iterable[DatedHours], day: date) -> tuple[Period, ...]:
    return tuple(
        period
        for each in dated
        if each.extra and each.first_on <= day <= each.last_on
        for period in each.periods
    )


def _both(periods: Sequence[Period], limits: Sequence[Period]) -> tuple[Period, ...]:
    """The parts of the periods that lie inside the limits."""
    return tuple(
        replace(period, start=max(period.start, limit.start), end=min(period.end, limit.end))
        for period in periods
        for limit in limits
        if max(period.start, limit.start) < min(period.end, limit.end)
    )
