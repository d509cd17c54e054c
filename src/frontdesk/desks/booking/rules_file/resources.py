"""Builds resources and dated hours from the groups of `rules.yml`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from frontdesk.desks.booking.rules import (
    AllDay,
    CalendarRef,
    Cap,
    CapOf,
    DatedHours,
    Period,
    Resource,
    ResourceId,
    ResourceKind,
    WeekHours,
    minus,
)
from frontdesk.desks.booking.rules_file.groups import Group
from frontdesk.desks.booking.rules_file.problems import Problems
from frontdesk.values import replace

#: A limit, because each of these days gets hours of its own.
MOST_DAYS_WITH_HOURS: Final = 92
_DAY = timedelta(days=1)


def resource_of(
    resource_id: ResourceId, group: Group, kind: ResourceKind, hours: WeekHours, problems: Problems
) -> Resource:
    """Builds a resource. `hours` are those of the business."""
    own: WeekHours | None = group.get("hours")
    if (breaks := group.get("breaks")) is not None:
        own = without_breaks(own or hours, breaks)
    return Resource(
        id=resource_id,
        name=group.get("name") or resource_id,
        kind=kind,
        capacity=group.get("capacity", 1),
        hours=own,
        breaks=breaks if breaks is not None and group.get("hours") is None else (),
        exceptions=tuple(_exceptions(group, own or hours, problems)),
        caps=caps_of(group),
        calendars=_calendars(group, problems),
        line=group.line,
    )


def without_breaks(week: WeekHours, breaks: WeekHours) -> WeekHours:
    return tuple(minus(periods, breaks[day]) for day, periods in enumerate(week))


def caps_of(group: Group) -> tuple[Cap, ...]:
    limits = group.get("caps")
    if limits is None:
        return ()
    return tuple(
        Cap(CapOf(per), bookings, minutes, limits.line_of(per))
        for per, (bookings, minutes) in limits.values.items()
    )


def business_dates(group: Group) -> tuple[DatedHours, ...]:
    closed = (_dated(one, ()) for one in group.get("closed", ()) if one.get("on"))
    return (*closed, *_other_hours(group))


def _exceptions(group: Group, week: WeekHours, problems: Problems) -> Iterator[DatedHours]:
    """Yields the dated hours of a resource. Subtracts hours off from the hours of that day, unless
    the whole day is off."""
    yield from _other_hours(group)
    left = {
        day: one.get("hours")
        for one in group.get("special_hours", ())
        if one.get("on") and one.get("hours") is not None
        for day in _days(one)
    }
    away = [one for one in group.get("away", ()) if one.get("on") is not None]
    whole = [one for one in away if one.get("hours") is None]
    yield from (_dated(one, ()) for one in whole)
    for one in away:
        if (hours := one.get("hours")) is None:
            continue
        if (one.get("on").last_on - one.get("on").first_on).days > MOST_DAYS_WITH_HOURS:
            why = f"hours off are for at most {MOST_DAYS_WITH_HOURS} days; write a shorter range"
            problems.add(one.node, why)
            continue
        for day in _days(one):
            if not any(off.get("on").first_on <= day <= off.get("on").last_on for off in whole):
                left[day] = minus(left.get(day, week[day.weekday()]), hours)
                yield DatedHours(day, day, left[day], note=one.get("note", ""), line=one.line)


def _other_hours(group: Group) -> Iterator[DatedHours]:
    for part in ("special_hours", "extra_hours"):
        for one in group.get(part, ()):
            if one.get("on") and one.get("hours") is not None:
                yield replace(_dated(one, one.get("hours")), extra=part == "extra_hours")


def _dated(group: Group, periods: tuple[Period, ...]) -> DatedHours:
    dates = group.get("on")
    return DatedHours(
        dates.first_on, dates.last_on, periods, note=group.get("note", ""), line=group.line
    )


def _days(group: Group) -> Iterator[date]:
    dates = group.get("on")
    for number in range((dates.last_on - dates.first_on).days + 1):
        yield dates.first_on + number * _DAY


def _calendars(group: Group, problems: Problems) -> tuple[CalendarRef, ...]:
    found: dict[str, CalendarRef] = {}
    for one in group.get("calendars", ()):
        name = one.get("name")
        if name is None:
            continue
        if name in found:
            problems.add(one.node, f'"{name}" is there twice; write each calendar once')
        all_day = AllDay(one.get("all_day", AllDay.AS_MARKED).replace(" ", "_"))
        found[name] = CalendarRef(name, one.get("write", True), all_day, one.line)
    return tuple(found.values())
