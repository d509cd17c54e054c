"""Finds services that last longer than every working period of those who can do them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache, partial
from typing import Final

from frontdesk.desks.booking.rules import DAY_MINUTES, BookingRules, Need, Resource, ServiceRules
from frontdesk.desks.booking.search.hours import HoursRules, hours_rules
from frontdesk.values import Frozen

_MINUTE: Final = timedelta(minutes=1)
_DAY: Final = timedelta(days=1)
#: Any date serves for hours that are the same every week.
_SOME_DAY: Final = date(2024, 1, 1)
#: A week, and the nights before and after it.
_WEEK_DAYS: Final = 9


class NeverBookable(Frozen):
    service: ServiceRules
    need: Need
    """The need that nobody can meet."""
    longest: timedelta
    """The longest working period of those in the need."""


def never_bookable(rules: BookingRules) -> Iterator[NeverBookable]:
    """The services that fit into no working period on any day. Breaks, special hours and extra
    hours count; buffers do not, as they may lie outside of working hours."""
    lengths = [cache(partial(each, rules)) for each in (_longest_in_week, _longest_on_dates)]
    for service in rules.services:
        found = (_unmet(rules, service, need, lengths) for need in service.needs)
        if (first := next(filter(None, found), None)) is not None:
            yield first


def _unmet(
    rules: BookingRules,
    service: ServiceRules,
    need: Need,
    lengths: Iterable[Callable[[Resource], timedelta]],
) -> NeverBookable | None:
    longest = timedelta()
    able = [one for one in rules.resources if one.id in need.anyone_of]
    for longest_of in lengths:
        for one in able:
            longest = max(longest, longest_of(one))
            if longest >= service.duration:
                return None
    return NeverBookable(service, need, longest)


def _longest_in_week(rules: BookingRules, resource: Resource) -> timedelta:
    week = rules.hours if resource.hours is None else resource.hours
    return _longest(HoursRules(resource, week, (), ()), [_SOME_DAY])


def _longest_on_dates(rules: BookingRules, resource: Resource) -> timedelta:
    """Checks the weeks in which dated hours begin or end: between them the hours repeat weekly."""
    dated = (*resource.exceptions, *rules.closed)
    if not any(one.periods for one in dated):
        return timedelta()
    turns = {day for one in dated for day in (one.first_on, one.last_on)}
    return _longest(hours_rules(rules, resource, date.min, date.max), sorted(turns))


def _longest(hours: HoursRules, weeks: Sequence[date]) -> timedelta:
    """The longest time without a gap in the weeks that begin on these days."""
    longest = 0
    for begin in weeks:
        periods = sorted(
            (number * DAY_MINUTES + one.start, number * DAY_MINUTES + one.end)
            for number in range(_WEEK_DAYS)
            for one in hours.on(begin + (number - 1) * _DAY).periods
        )
        since = until = 0
        for start, end in periods:
            since = start if start > until else since
            until = max(until, end)
            longest = max(longest, until - since)
    return longest * _MINUTE
