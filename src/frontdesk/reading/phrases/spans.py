"""A length of time: 'two weeks', 'half an hour'."""

from datetime import date

from frontdesk.reading.periods import month_of, plus
from frontdesk.values import Frozen


class TimeSpan(Frozen):
    """A count of units: minute, day, workday, week, month or year."""

    unit: str
    count: int
    days: int = 0
    """Days more: 'a month and a half'."""

    @property
    def is_short(self) -> bool:
        return self.unit == "minute"


def later(day: date, span: TimeSpan, times: int = 1) -> date:
    """Returns the day so much later, or earlier if `times` is -1."""
    count = span.count * times
    day = plus(day, span.days * times)
    match span.unit:
        case "day":
            return plus(day, count)
        case "workday":
            return _workdays_later(day, count)
        case "week":
            return plus(day, 7 * count)
        case "month":
            return _months_later(day, count)
        case "year":
            return _months_later(day, 12 * count)
        case _:
            return day


def _months_later(day: date, months: int) -> date:
    first, last = month_of(day, months)
    return min(plus(first, day.day - 1), last)


def _workdays_later(day: date, count: int) -> date:
    step = 1 if count > 0 else -1
    for _ in range(min(abs(count), 300)):
        day = plus(day, step)
        while day.weekday() > 4:
            day = plus(day, step)
    return day
