"""Days of the calendar that other words refer to: months, seasons, holidays, weekdays, units."""

from datetime import date
from typing import Final

from frontdesk.reading.holidays import holiday_in
from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import day_of, month_of, plus
from frontdesk.reading.phrases.day_values import (
    DayReadings,
    Range,
    every_year,
    month_days,
    one_day,
    unit_days,
    year_days,
)
from frontdesk.reading.phrases.grammar import Roles, TextContext
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence
#: Roles of words that name days, as a pattern.
ANCHOR: Final = "days|month|shortmonth|unit|year|newyear|season|holiday|relday"
_ROLES: Final = (
    *("days", "month", "shortmonth", "year", "season", "holiday", "relday", "unit", "weekday"),
    "shortday",
    "newyear",
)
#: First and last day by the sun, and the first month by the calendar.
_SEASONS: Final = {
    "spring": ((3, 20), (6, 21), 3),
    "summer": ((6, 21), (9, 23), 6),
    "autumn": ((9, 23), (12, 21), 9),
    "winter": ((12, 21), (3, 20), 12),
}


def days_of(roles: Roles, place: TextContext) -> DayReadings | None:
    """Returns the days that a word names by itself."""
    today = place.today
    for role in _ROLES:
        if role not in roles:
            continue
        value = roles[role]
        match role:
            case "weekday" | "shortday":
                return weekday_days(today, value)
            case "days":
                return value  # type: ignore[no-any-return]
            case "month" | "shortmonth":
                return month_days(today, value, None)
            case "year":
                return year_days(value)
            case "newyear":
                return year_days(today.year + 1)
            case "season":
                return season_days(today, value)
            case "holiday":
                return holiday_days(today, value)
            case "relday":
                return one_day(plus(today, value))
            case _:
                return unit_days(today, value, 0)
    return None


def days_or_next(roles: Roles, place: TextContext) -> DayReadings | None:
    """Returns the days that a word names. 'The month' may also be the next one."""
    days = days_of(roles, place)
    ahead = unit_days(place.today, roles["unit"], 1) if "unit" in roles else None
    if days is None or ahead is None or "days" in roles:
        return days
    readings = tuple(
        (*own, *following) for own, following in zip(days.readings, ahead.readings, strict=True)
    )
    return replace(days, readings=readings, has_year=False)


def surely_ahead(days: DayReadings | None, roles: Roles, today: date) -> DayReadings | None:
    """Limits a day of 'the month' to LIKELY if it has passed in the current one."""
    if days is None or "unit" not in roles or "days" in roles:
        return days
    is_ahead = days.readings[0][0][0] >= today
    return replace(days, confidence=days.confidence if is_ahead else LIKELY)


def season_days(today: date, season: str) -> DayReadings | None:
    start, end, first_month = _SEASONS[season]

    def by_sun(year: int) -> Range | None:
        first, last = day_of(year, *start), day_of(year + (end < start), *end)
        return (first, last) if first and last else None

    def by_months(year: int) -> Range:
        first = date(year, first_month, 1)
        return first, month_of(first, 2)[1]

    one, other = (every_year(today, "season", each) for each in (by_sun, by_months))
    if one is None or other is None:
        return one or other
    return replace(one, readings=(*one.readings, *other.readings))


def holiday_days(today: date, name: str) -> DayReadings | None:
    def in_year(year: int) -> Range | None:
        return holiday_in(name, year)

    days = every_year(today, "day", in_year)
    is_long = days is not None and days.readings[0][0][0] < days.readings[0][0][1]
    return replace(days, grain="range") if days and is_long else days


def weekday_days(today: date, weekday: int, kind: str = "") -> DayReadings:
    """Returns a weekday: 'Tuesday', 'this Tuesday', 'next Tuesday', 'mardi prochain'.

    'next Tuesday', said on a Monday, is tomorrow to some and next week to others.
    """
    ahead = (weekday - today.weekday()) % 7
    is_this_week = weekday > today.weekday()
    confidence, other = CONFIDENT, ahead
    if ahead == 0:
        ahead, other, confidence = (0, 7, UNSURE) if kind == "this" else (7, 0, LIKELY)
    elif kind == "next" and is_this_week:
        ahead, confidence = ahead + 7, UNSURE
    elif kind in ("soon", "following") and is_this_week:
        other, confidence = ahead + 7, LIKELY
    days = dict.fromkeys(plus(today, each) for each in (ahead, other))
    return DayReadings(
        tuple(((day, day),) for day in days), "day", confidence, weekday=None if kind else weekday
    )
