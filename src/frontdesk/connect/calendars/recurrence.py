"""Expands repeating events (RFC 5545, RRULE) inside a window, without visiting the time before it.

Times are wall times in the zone of the event, so clock changes do not shift a rule.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from enum import IntEnum
from typing import Final

from frontdesk.values import Frozen, replace

_DAY: Final = timedelta(days=1)
_WEEKDAYS: Final = {"MO": 0, "TU": 1, "WE": 2, "TH": 3, "FR": 4, "SA": 5, "SU": 6}
_BY_DAY: Final = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)", re.ASCII)
_UNTIL: Final = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?\d{1,10}", re.ASCII)
_MOST_CHARACTERS: Final = 2_000
_MOST_IN_LIST: Final = 400


class BadRule(ValueError):
    """The rule cannot be understood."""


class TooManyRepeats(Exception):
    """Expanding it takes more work than the budget allows."""


class Frequency(IntEnum):
    DAILY = 1
    WEEKLY = 2
    MONTHLY = 3
    YEARLY = 4


class RecurrenceRule(Frozen, kw_only=True):
    """A rule as written. An empty list of days, months or times means 'as the first event'."""

    frequency: Frequency
    interval: int = 1
    count: int = 0
    """The number of occurrences; 0 is no limit."""
    until: datetime | None = None
    """The last wall time that belongs to it."""
    months: tuple[int, ...] = ()
    year_days: tuple[int, ...] = ()
    month_days: tuple[int, ...] = ()
    week_days: tuple[tuple[int, int], ...] = ()
    """Which one (0: each, -1: the last) and the weekday from 0 for Monday."""
    hours: tuple[int, ...] = ()
    minutes: tuple[int, ...] = ()
    seconds: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    week_start: int = 0


class Budget:
    """The work that is left for one calendar; a step is one day or one occurrence."""

    def __init__(self, steps: int) -> None:
        self._steps = steps

    def spend(self, steps: int = 1) -> None:
        self._steps -= steps
        if self._steps < 0:
            raise TooManyRepeats


# --- reading a rule ---------------------------------------------------------------------------


def parse_rule(text: str, wall_of: Callable[[datetime], datetime]) -> RecurrenceRule:
    """Parses the value of an RRULE. `wall_of` converts an UNTIL in UTC (given without a zone).

    Raises `BadRule` for every unknown part: a rule that is only partly understood would show a
    taken time as free.
    """
    if len(text) > _MOST_CHARACTERS:
        raise BadRule("it is too long")
    parts: dict[str, str] = {}
    for part in text.strip().rstrip(";").split(";"):
        name, equals, value = part.upper().partition("=")
        if not equals or name in parts or (name not in _PARTS and not name.startswith("X-")):
            raise BadRule(f"the part {name[:20]!r}")
        parts[name] = value.strip()
    rule = RecurrenceRule(
        frequency=_frequency(parts.get("FREQ", "")),
        interval=_one(parts, "INTERVAL", 1),
        count=_one(parts, "COUNT", 0),
        until=_until(parts["UNTIL"], wall_of) if "UNTIL" in parts else None,
        months=_list(parts, "BYMONTH", 12),
        year_days=_list(parts, "BYYEARDAY", 366, signed=True),
        month_days=_list(parts, "BYMONTHDAY", 31, signed=True),
        week_days=_week_days(parts.get("BYDAY", "")),
        hours=_list(parts, "BYHOUR", 23, least=0),
        minutes=_list(parts, "BYMINUTE", 59, least=0),
        seconds=_list(parts, "BYSECOND", 59, least=0),
        positions=_list(parts, "BYSETPOS", 366, signed=True),
        week_start=_weekday(parts.get("WKST", "MO")),
    )
    _check(rule)
    return rule


_PARTS: Final = frozenset(
    (
        *("FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYSETPOS", "BYMONTH", "BYYEARDAY"),
        *("BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"),
    )
)


def _check(rule: RecurrenceRule) -> None:
    """Rejects combinations that the standard forbids: programs read them differently."""
    yearly, monthly = Frequency.YEARLY, Frequency.MONTHLY
    numbered = any(which for which, _ in rule.week_days)
    if numbered and (rule.frequency < monthly or rule.year_days):
        raise BadRule("a numbered weekday")
    if rule.year_days and rule.frequency is not yearly:
        raise BadRule("BYYEARDAY")
    if rule.month_days and rule.frequency is Frequency.WEEKLY:
        raise BadRule("BYMONTHDAY")


def _frequency(text: str) -> Frequency:
    try:
        return Frequency[text]
    except KeyError:
        raise BadRule("FREQ") from None


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise BadRule("a number")
    return int(text)


def _one(parts: dict[str, str], name: str, default: int) -> int:
    if name not in parts:
        return default
    if (number := _number(parts[name])) < 1:
        raise BadRule(name)
    return number


def _list(
    parts: dict[str, str], name: str, most: int, *, least: int = 1, signed: bool = False
) -> tuple[int, ...]:
    if name not in parts:
        return ()
    numbers = tuple(sorted({_number(each) for each in _split(parts[name])}))
    for number in numbers:
        if not least <= (abs(number) if signed else number) <= most:
            raise BadRule(name)
    return numbers


def _week_days(text: str) -> tuple[tuple[int, int], ...]:
    found = [_BY_DAY.fullmatch(each) for each in _split(text)] if text else []
    days = {(int(each[1] or 0), _WEEKDAYS[each[2]]) for each in found if each}
    if None in found or any(abs(which) > 53 for which, _ in days):
        raise BadRule("BYDAY")
    return tuple(sorted(days))


def _weekday(text: str) -> int:
    if text not in _WEEKDAYS:
        raise BadRule("WKST")
    return _WEEKDAYS[text]


def _split(text: str) -> list[str]:
    each = [part.strip() for part in text.split(",")]
    if len(each) > _MOST_IN_LIST:
        raise BadRule("a list that is too long")
    return each


def _until(text: str, wall_of: Callable[[datetime], datetime]) -> datetime:
    """Parses an UNTIL. A day without a time means the end of that day."""
    found = _UNTIL.fullmatch(text)
    try:
        if found is None:
            raise ValueError
        if found[2] is None:
            return datetime.combine(date.fromisoformat(found[1]), time.max)
        at = datetime.fromisoformat(f"{found[1]}T{found[2]}")
        return wall_of(at) if found[3] else at
    except (ValueError, OverflowError):
        raise BadRule("UNTIL") from None


# --- expanding it -----------------------------------------------------------------------------


def occurrences(
    rule: RecurrenceRule, starts: datetime, *, after: datetime, before: datetime, budget: Budget
) -> Iterator[datetime]:
    """Yields the wall times of the rule from `after` to before `before`, in order.

    `starts` is the first event. It is yielded only if it follows the rule.
    """
    rule = _completed(rule, starts)
    last = min(before, rule.until) if rule.until else before
    if starts > last:
        return
    times = _times(rule, starts)
    possible = ((last - starts).days + 2) * len(times)
    left = rule.count if rule.count and rule.count < possible else 0
    number = 0 if left else _first_period(rule, starts, after)
    while (days := _period(rule, starts, number, last, budget)) is not None:
        number += 1
        for at in _chosen(days, times, rule.positions, budget):
            if at < starts or at >= before or (rule.until and at > rule.until):
                continue
            if at >= after:
                yield at
            if left:
                left -= 1
                if not left:
                    return


def _completed(rule: RecurrenceRule, starts: datetime) -> RecurrenceRule:
    """Takes the missing days from the first event."""
    if rule.week_days or rule.month_days or rule.year_days or rule.frequency is Frequency.DAILY:
        return rule
    if rule.frequency is Frequency.WEEKLY:
        return replace(rule, week_days=((0, starts.weekday()),))
    months = rule.months
    if rule.frequency is Frequency.YEARLY:
        months = months or (starts.month,)
    return replace(rule, months=months, month_days=(starts.day,))


def _times(rule: RecurrenceRule, starts: datetime) -> list[time]:
    return [
        time(hour, minute, second)
        for hour in rule.hours or (starts.hour,)
        for minute in rule.minutes or (starts.minute,)
        for second in rule.seconds or (starts.second,)
    ]


def _chosen(
    days: list[date], times: list[time], positions: tuple[int, ...], budget: Budget
) -> list[datetime]:
    budget.spend(len(days) * len(times))
    found = [datetime.combine(day, at) for day in days for at in times]
    if not positions:
        return found
    size = len(found)
    at = {each - 1 if each > 0 else size + each for each in positions}
    return [found[each] for each in sorted(at) if 0 <= each < size]


def _first_period(rule: RecurrenceRule, starts: datetime, after: datetime) -> int:
    """The number of a period that is not later than the one with `after`."""
    match rule.frequency:
        case Frequency.YEARLY:
            passed = after.year - starts.year
        case Frequency.MONTHLY:
            passed = (after.year - starts.year) * 12 + after.month - starts.month
        case Frequency.WEEKLY:
            passed = (after - starts).days // 7 - 1
        case Frequency.DAILY:
            passed = (after - starts).days - 1
    return max(0, passed // rule.interval)


def _period(
    rule: RecurrenceRule, starts: datetime, number: int, last: datetime, budget: Budget
) -> list[date] | None:
    """The days of the rule in one day, week, month or year; None if it begins after the last."""
    steps = number * rule.interval
    match rule.frequency:
        case Frequency.YEARLY:
            year, month = starts.year + steps, 1
        case Frequency.MONTHLY:
            year, month = divmod(starts.year * 12 + starts.month - 1 + steps, 12)
            month += 1
        case Frequency.WEEKLY | Frequency.DAILY:
            return _short_period(rule, starts.date(), steps, last.date(), budget)
    if (year, month) > (last.year, last.month):
        return None
    if rule.frequency is Frequency.MONTHLY:
        budget.spend()
        return _month(rule, year, month, budget) if _has(rule.months, month) else []
    months = rule.months or range(1, 13)
    return [day for month in months for day in _month(rule, year, month, budget)]


def _short_period(
    rule: RecurrenceRule, first: date, steps: int, last: date, budget: Budget
) -> list[date] | None:
    if rule.frequency is Frequency.WEEKLY:
        before = (first.weekday() - rule.week_start) % 7
        offset, length = 7 * steps - before, 7
    else:
        offset, length = steps, 1
    budget.spend(length)
    if offset > (last - first).days:
        return None
    days = (first + (offset + each) * _DAY for each in range(length))
    return [day for day in days if _has(rule.months, day.month) and _fits(rule, day)]


def _month(rule: RecurrenceRule, year: int, month: int, budget: Budget) -> list[date]:
    length = calendar.monthrange(year, month)[1]
    if rule.month_days:
        numbers = {each if each > 0 else length + 1 + each for each in rule.month_days}
        candidates = sorted(each for each in numbers if 0 < each <= length)
    else:
        candidates = list(range(1, length + 1))
    budget.spend(len(candidates) + 1)
    return [day for each in candidates if _fits(rule, day := date(year, month, each))]


def _fits(rule: RecurrenceRule, day: date) -> bool:
    """Whether the day fits all lists except the months."""
    length = calendar.monthrange(day.year, day.month)[1]
    if rule.month_days and not {day.day, day.day - length - 1} & set(rule.month_days):
        return False
    in_year, year = day.timetuple().tm_yday, 366 if calendar.isleap(day.year) else 365
    if rule.year_days and not {in_year, in_year - year - 1} & set(rule.year_days):
        return False
    if not rule.week_days:
        return True
    place, size = day.day, length
    if rule.frequency is Frequency.YEARLY and not rule.months:
        place, size = in_year, year
    which = (0, (place - 1) // 7 + 1, -((size - place) // 7) - 1)
    return any((each, day.weekday()) in rule.week_days for each in which)


def _has(numbers: tuple[int, ...], number: int) -> bool:
    return not numbers or number in numbers
