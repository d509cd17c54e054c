"""Periods of days in a text, and the arithmetic of weeks and months."""

from calendar import monthrange
from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence
from frontdesk.values import Frozen

#: A date without a year that has just passed is more likely an error than next year's.
DAYS_JUST_PASSED: Final = 60


class DatePeriod(Frozen):
    """The days that some words name. `weekday` is set if the words leave its week open."""

    first: date
    last: date
    confidence: Confidence
    start: int
    end: int
    weekday: int | None = None
    is_week: bool = False
    is_range: bool = False
    is_end: bool = False
    """'the end of the month': 'before' it means up to its last day."""
    is_far: bool = False
    """Years away, or long ago: not a wish for an appointment."""
    is_loose: bool = False
    """'the month', 'all week', 'now': no particular days that somebody chose."""
    others: tuple[tuple[date, date], ...] = ()
    """Other readings of the same words, on which people differ."""


def day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def plus(day: date, days: int) -> date:
    """Adds days, within the range of dates."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def next_day_of_month(today: date, day: int) -> date | None:
    """Returns the next 15th: this month's if it is still to come."""
    for ahead in range(13):
        year, month = _month(today, ahead)
        found = day_of(year, month, day)
        if found and found >= today:
            return found
    return None


def month_of(today: date, ahead: int) -> tuple[date, date]:
    return whole_month(*_month(today, ahead))


def _month(today: date, ahead: int) -> tuple[int, int]:
    months = min(max(today.year * 12 + today.month - 1 + ahead, 12), 9999 * 12 + 11)
    return months // 12, months % 12 + 1


def whole_month(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def week_of(today: date, ahead: int) -> tuple[date, date]:
    """Returns Monday and Sunday of a week."""
    monday = plus(today, 7 * ahead - today.weekday())
    return monday, plus(monday, 6)
