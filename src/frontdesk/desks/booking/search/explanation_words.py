"""Puts reasons of the search into sentences, with the lines of `rules.yml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Final, assert_never

from frontdesk.core.localtime import ENGLISH, to_wall, zone
from frontdesk.core.words import count, how_long, join_names
from frontdesk.desks.booking.rules import BookingRules, Preference, ServiceRules
from frontdesk.desks.booking.search.explain import DayExplanation, ResourceDay, Stage
from frontdesk.desks.booking.search.query import Cause, Filter, Removed
from frontdesk.desks.booking.search.ranking import RankedTime

_MINUTE: Final = timedelta(minutes=1)
_MOST_TIMES: Final = 8


def explain_in_words(rules: BookingRules, day: DayExplanation) -> list[str]:
    """The answer to 'why is there nothing on Tuesday?', one sentence per line."""
    lines = [headline(day)]
    if day.refused is not None:
        lines.append(sentence(rules, day.refused, day.service))
    for one in day.resources:
        lines += resource_sentences(rules, day, one)
    return [*lines, *ranking_sentences(rules, day)]


def headline(day: DayExplanation) -> str:
    """'Tuesday 17 November has no times for Haircut.'"""
    on = f"{ENGLISH.weekdays[day.on.weekday()]} {day.on.day} {ENGLISH.months[day.on.month - 1]}"
    return f"{on} has {'' if day.has_times else 'no '}times for {day.service.name}."


def resource_sentences(rules: BookingRules, day: DayExplanation, one: ResourceDay) -> Iterator[str]:
    for line, periods in groupby(one.works, lambda period: period.line):
        hours = [f"{clock(period.start)}–{clock(period.end)}" for period in periods]
        yield f"{one.name} works {join_names(hours)}{in_line(line)}."
    for removed in one.removed:
        yield sentence(rules, removed, day.service)
    if one.times:
        clocks = [f"{to_wall(at, zone(day.zone)):%H:%M}" for at in one.times]
        more = f" and {len(clocks) - _MOST_TIMES} more" if len(clocks) > _MOST_TIMES else ""
        yield f"{one.name} can be booked at {', '.join(clocks[:_MOST_TIMES])}{more}."


def ranking_sentences(rules: BookingRules, day: DayExplanation) -> Iterator[str]:
    """'Proposed first: 10:00 with Mira (next to another booking).'"""
    for one, order in zip(day.best, ("first", "second", "third"), strict=False):
        resource, at = rules.resource(one.resource), to_wall(one.starts_at, zone(day.zone))
        name = resource.name if resource else one.resource
        yield f"Proposed {order}: {at:%H:%M} with {name} ({why_proposed(one)})."


_LEFT: Final = {
    Filter.CALENDAR: "free in the calendar",
    Filter.HOURS: "of it in working hours",
    Filter.DURATION: "long enough, with buffers",
    Filter.LIMITS: "within notice and limits",
    Filter.RANKING: "proposed",
}


def stage_in_words(stage: Stage) -> tuple[str, str]:
    """The name of what a filter leaves, and how much: ('of it in working hours', '1 hour')."""
    match stage.filter:
        case Filter.CALENDAR | Filter.HOURS:
            length = timedelta(minutes=stage.minutes)
            left = how_long(length) if stage.minutes else "nothing"
        case Filter.DURATION | Filter.LIMITS | Filter.RANKING:
            left = count(stage.starts, "time") if stage.starts else "no time"
        case _:
            assert_never(stage.filter)
    return _LEFT[stage.filter], left


def sentence(rules: BookingRules, removed: Removed, service: ServiceRules | None = None) -> str:
    """One reason as a sentence that ends with its line."""
    return f"{_clause(rules, removed, service)}{in_line(removed.line)}."


def _clause(rules: BookingRules, removed: Removed, service: ServiceRules | None) -> str:
    resource = rules.resource(removed.resource)
    name = resource.name if resource else removed.resource
    note = f": {removed.note}" if removed.note else ""
    times = _times(rules, removed.spans)
    match removed.cause:
        case Cause.UNREADABLE:
            return f"{name} offers no times, because a calendar could not be read{note}"
        case Cause.BUSY:
            return f"{name}'s calendar is busy {times}"
        case Cause.TAKEN:
            return f"{name}'s time is taken {times}"
        case Cause.TOO_FEW_PLACES:
            return f"{name} has {removed.limit} places, and the party needs {removed.used}"
        case Cause.NOT_WORKING:
            return f"{name} does not work {times.replace('all day', 'on this day')}"
        case Cause.AWAY:
            return f"{name} is away {times}{note}"
        case Cause.CLOSED:
            return f"The business is closed {times}{note}"
        case Cause.TOO_SHORT:
            needs = f"{_name(service)} needs {_length(service, removed.limit)}"
            return f"{needs}, and the longest free time is {removed.used} minutes"
        case Cause.OFF_GRID:
            every = f" every {removed.limit} minutes" if removed.limit else ""
            return f"{_name(service)} starts{every} from the start of a working period"
        case Cause.NEED:
            return f"{_name(service)} also needs one of these, and none is free then{note}"
        case Cause.BLACKOUT:
            return f"No bookings are taken {times}{note}"
        case Cause.CAP:
            scope = _scope(rules, removed.scope)
            return f"{scope} takes at most {removed.limit} {removed.unit}, and has {removed.used}"
        case Cause.NOTICE:
            ahead = how_long(timedelta(minutes=removed.limit))
            if not removed.limit:
                return "This time is over"
            return f"{_name(service)} is booked {ahead} ahead or earlier"
        case Cause.HORIZON:
            return f"{_name(service)} is booked at most {removed.limit} days ahead"
        case Cause.PARTY:
            return f"The party has {removed.used} people; {removed.limit} is the most"
        case Cause.NOT_QUALIFIED:
            who = f"{name} does not offer" if name else "Nobody offers"
            return f"{who} {service.name if service else 'this service'}"
        case Cause.UNKNOWN_SERVICE:
            return f"There is no service '{removed.note}'"
        case _:
            assert_never(removed.cause)


def _name(service: ServiceRules | None) -> str:
    return service.name if service else "This service"


def _length(service: ServiceRules | None, minutes: int) -> str:
    """'45 + 10 minutes'"""
    if service is None:
        return f"{minutes} minutes"
    parts = (service.buffer_before, service.duration, service.buffer_after)
    return " + ".join(str(each // _MINUTE) for each in parts if each) + " minutes"


def _scope(rules: BookingRules, scope: str) -> str:
    kind, _, key = scope.partition(":")
    if kind == "resource":
        resource = rules.resource(key)
        return resource.name if resource else key
    return key if kind == "service" else "The business"


def _times(rules: BookingRules, spans: Sequence[tuple[datetime, datetime]]) -> str:
    """'10:00–12:00 and 13:00–17:30', or 'all day'."""
    tz = zone(rules.zone)
    shown = [
        f"{to_wall(start, tz):%H:%M}–{clock_of_end(to_wall(start, tz).date(), to_wall(end, tz))}"
        for start, end in spans[:_MOST_TIMES]
    ]
    if len(spans) > _MOST_TIMES:
        shown.append("more")
    if shown == ["00:00–24:00"]:
        return "all day"
    return join_names(shown)


def clock_of_end(on: date, end: datetime) -> str:
    """The wall time of an end; midnight of the next day is 24:00."""
    return "24:00" if end.date() > on and not (end.hour or end.minute) else f"{end:%H:%M}"


def clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def in_line(line: int) -> str:
    return f" (line {line})" if line else ""


_WHY_PROPOSED: Final = {
    Preference.WISHED: "nearest to the wish",
    Preference.NO_SMALL_GAPS: "leaves no small gap",
    Preference.TOUCHING: "next to another booking",
    Preference.SPREAD: "on another day or part of the day",
    Preference.EARLIEST: "the earliest",
}


def why_proposed(proposal: RankedTime) -> str:
    """'nearest to the wish, next to another booking'"""
    return ", ".join(_WHY_PROPOSED[each] for each in proposal.reasons)
