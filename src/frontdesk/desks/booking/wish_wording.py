"""Puts wishes into words, and says what customers can choose for a service."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from frontdesk.core.localtime import ENGLISH, to_wall, zone
from frontdesk.core.words import join_names
from frontdesk.desks.booking.rules import BookingRules, Resource, ResourceKind, ServiceRules
from frontdesk.desks.booking.search.query import TimeWish
from frontdesk.desks.booking.search.ranking import day_distance
from frontdesk.reading.when_model import ClockRange, PartsOfDay, When, WhenOption

#: A wish without an end, like 'from Friday', ends after this time.
_FAR: Final = timedelta(days=400)
_DAY_ENDS: Final = 24 * 60


def choosable(rules: BookingRules, service: ServiceRules) -> list[Resource]:
    """The staff of the service's first need. Customers do not choose rooms or devices."""
    found = (rules.resource(one) for one in service.needs[0].anyone_of) if service.needs else ()
    return [one for one in found if one and one.kind is ResourceKind.STAFF]


def parts_of_day(rules: BookingRules) -> PartsOfDay:
    """The business's own meaning of 'morning' or 'after work'."""
    named = {one.name.replace(" ", "_"): one.period for one in rules.parts_of_day}
    return PartsOfDay(
        **{
            name: ClockRange(period.start, min(period.end, _DAY_ENDS))
            for name, period in named.items()
            if name in PartsOfDay.__struct_fields__
        }
    )


def suits(wish: TimeWish, starts_at: datetime, rules: BookingRules) -> bool:
    """Whether a time is as wished. Ignores exclusions, which the search respects."""
    wall = to_wall(starts_at, zone(rules.zone))
    minute = wall.hour * 60 + wall.minute
    return not wish.options or any(
        day_distance(option, wall.date()) == 0
        and (not option.clocks or any(first <= minute <= last for first, last in option.clocks))
        for option in wish.options
    )


# --- in our words -------------------------------------------------------------------------------


def wish_text(when: When, today: date) -> str:
    """'Thursday 26 November, from 17:00'; alternatives by date, joined by 'or'. Never empty."""
    by_days: dict[str, list[str]] = {}
    for option in sorted(when.options, key=lambda one: one.first_on or date.min):
        clocks = by_days.setdefault(_days_text(option, today), [])
        clocks += [text for text in map(_clock_text, option.clocks) if text not in clocks]
    wished = " or ".join(_joined(days, clocks) for days, clocks in by_days.items())
    text = ", ".join(filter(None, (wished, _exclusions(when, today))))
    return text[:1].upper() + text[1:] or "Any time"


def _joined(days: str, clocks: list[str]) -> str:
    return ", ".join(filter(None, (days, " or ".join(clocks))))


def _exclusions(when: When, today: date) -> str:
    """'not on Mondays or Tuesday 24 November'."""
    weekdays = [f"{ENGLISH.weekdays[one]}s" for one in sorted(when.not_weekdays)]
    spans = [_span_text(first, last, today) for first, last in when.not_on]
    excluded = " or ".join((*weekdays, *spans))
    return f"not on {excluded}" if excluded else ""


def _days_text(option: WhenOption, today: date) -> str:
    first, last = option.first_on, option.last_on
    weekdays = join_names([f"{ENGLISH.weekdays[one]}s" for one in sorted(option.weekdays)])
    if first is None:
        return weekdays
    if last is None or last - first > _FAR:
        days = f"from {day_text(first, today)}"
    else:
        days = _span_text(first, last, today)
    return f"{weekdays}, {days}" if weekdays else days


def _span_text(first: date, last: date, today: date) -> str:
    if first == last:
        return day_text(first, today)
    return f"{day_text(first, today)} to {day_text(last, today)}"


def _clock_text(clock: ClockRange) -> str:
    first, last = _minute_text(clock.earliest), _minute_text(clock.latest)
    if clock.earliest == clock.latest:
        return f"at {first}"
    if clock.latest >= _DAY_ENDS:
        return f"from {first}"
    return f"until {last}" if clock.earliest == 0 else f"{first} to {last}"


def _minute_text(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def day_text(on: date, today: date, *, short: bool = False) -> str:
    """'Tuesday 24 November', or 'Tue 24 November'; with the year if it is another one."""
    weekday = ENGLISH.weekdays[on.weekday()]
    return f"{weekday[:3] if short else weekday} {date_text(on, today)}"


def date_text(on: date, today: date) -> str:
    year = f" {on.year}" if on.year != today.year else ""
    return f"{on.day} {ENGLISH.months[on.month - 1]}{year}"
