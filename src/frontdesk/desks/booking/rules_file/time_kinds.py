"""Kinds of values about time in `rules.yml`: ranges of hours, weeks and dates."""

from __future__ import annotations

import re
from datetime import date, time
from itertools import pairwise
from typing import Final

from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.yaml_tree import YamlList, YamlMap, YamlNode, YamlText
from frontdesk.desks.booking.rules import DAY_MINUTES, Period
from frontdesk.desks.booking.rules_file.kinds import Kind, scalar_text
from frontdesk.desks.booking.rules_file.problems import Problems, quoted
from frontdesk.values import Frozen

MOST_DATED_DAYS: Final = 1_100


_RANGE: Final = re.compile(r"(\d{1,2})(?::(\d\d))? ?[-–] ?(\d{1,2})(?::(\d\d))?", re.ASCII)
#: A time as people also write it. Only hints use it.
_LOOSE: Final = re.compile(
    r"(\d{1,2})(?:[:.h]?(\d\d))? ?([ap]m)? ?(?:-|–|to|until) ?"
    r"(\d{1,2})(?:[:.h]?(\d\d))? ?([ap]m)?",
    re.ASCII,
)


def clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}"


def range_text(period: Period) -> str:
    """'9:00-17:00'. A range over midnight is written as '22:00-2:00'."""
    end = period.end if period.end <= DAY_MINUTES else period.end - DAY_MINUTES
    return f"{clock(period.start)}-{clock(end)}"


def read_range(text: str, line: int = 0) -> Period | str:
    """Reads '9:00-17:00', or returns a sentence that says what is wrong."""
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        return f"{quoted(text)} is not a time range; write {_better(text)}"
    start, end = (int(found[i]) * 60 + int(found[i + 1] or 0) for i in (1, 3))
    if (
        int(found[2] or 0) > 59
        or int(found[4] or 0) > 59
        or start >= DAY_MINUTES
        or end > DAY_MINUTES
    ):
        return f"{quoted(text)} is not a time range; there is no such time"
    if start % 5 or end % 5:
        near = range_text(Period(start - start % 5, end - end % 5))
        return f"{quoted(text)} is not on 5 minutes; write one like {quoted(near)}"
    if start == end:
        return f'{quoted(text)} has no length; write a range like "9:00-17:00", or 0:00-24:00'
    return Period(start, end if end > start else end + DAY_MINUTES, line)


def _better(text: str) -> str:
    """A valid range that people may have meant, for the hint."""
    found = _LOOSE.fullmatch(text.strip().casefold())
    if found is None:
        return 'one like "9:00-17:00"'
    times = []
    for hour, minute, half in (found.group(1, 2, 3), found.group(4, 5, 6)):
        hours = int(hour) % 12 + 12 * (half == "pm") if half else int(hour)
        times.append(hours * 60 + int(minute or 0))
    if any(each > DAY_MINUTES for each in times):
        return 'one like "9:00-17:00"'
    return quoted("-".join(clock(each) for each in times))


def read_ranges(node: YamlNode, problems: Problems) -> tuple[Period, ...] | None:
    """Reads '9:00-12:30 13:30-18:00', or a list of ranges; 'closed' and [] are no hours."""
    nodes = node.items if isinstance(node, YamlList) else (node,)
    periods: list[Period] = []
    for each in nodes:
        text = scalar_text(each, problems, "a time range", '"9:00-17:00", or closed')
        if text is None:
            return None
        if text.casefold() in ("closed", "none", "off", "away"):
            continue
        for part in _split_ranges(text):
            period = read_range(part, each.line)
            if isinstance(period, str):
                problems.add(each, period)
                return None
            periods.append(period)
    periods.sort(key=lambda one: one.start)
    for one, following in pairwise(periods):
        if following.start < one.end:
            said = f"{quoted(range_text(one))} and {quoted(range_text(following))}"
            problems.add(node, f"{said} overlap; write ranges that do not")
            return None
    return tuple(periods)


def _split_ranges(text: str) -> list[str]:
    """Splits '9:00-12:30 13:30-18:00'. Does not split a text in which a part is not a range."""
    joined = re.sub(r"\s*[-–]\s*", "-", text)
    parts = [part for part in re.split(r"[,;\s]+", joined) if part]
    is_split = all(re.search(r"\d[ap]?m?-\d", part, re.ASCII) for part in parts)
    return parts[:20] if is_split else [text]


RANGES: Final = Kind(
    'times like "9:00-12:30 13:30-18:00", or closed', read_ranges, {"type": ["string", "array"]}
)


def _one_range(node: YamlNode, problems: Problems) -> Period | None:
    text = scalar_text(node, problems, "a time range", '"9:00-12:00"')
    period = None if text is None else read_range(text, node.line)
    if isinstance(period, str):
        problems.add(node, period)
        return None
    return period


RANGE: Final = Kind('a time range like "9:00-12:00"', _one_range)


def _quiet(node: YamlNode, problems: Problems) -> QuietHours | None:
    if isinstance(node, YamlText) and node.text.casefold() in ("none", "no"):
        return QuietHours(time(), time())
    period = _one_range(node, problems)
    if period is None:
        return None
    start, end = (divmod(each % DAY_MINUTES, 60) for each in (period.start, period.end))
    return QuietHours(time(*start), time(*end))


QUIET: Final = Kind('a time range like "21:00-8:00", or none', _quiet)

# --- days -------------------------------------------------------------------------------------

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_GROUPS: Final = {"daily": range(7), "every day": range(7), "weekdays": range(5), "weekend": (5, 6)}


def read_days(text: str) -> tuple[int, ...] | None:
    """Reads 'mon-fri', 'mon, wed' or 'daily' as numbers of weekdays; None for any other text."""
    words = " ".join(text.casefold().split())
    if words in _GROUPS:
        return tuple(_GROUPS[words])
    found: set[int] = set()
    for part in re.split(r"\s*[,+]\s*", words):
        first, dash, last = (each.strip() for each in part.replace("–", "-").partition("-"))
        start, end = _day(first), _day(last if dash else first)
        if start is None or end is None:
            return None
        found.update((start + i) % 7 for i in range((end - start) % 7 + 1))
    return tuple(sorted(found))


def _day(word: str) -> int | None:
    for names in (DAYS, _FULL):
        if word in names:
            return names.index(word)
    return None


def read_week(node: YamlNode, problems: Problems) -> tuple[tuple[Period, ...], ...] | None:
    """Reads hours by weekday. Missing days have no hours."""
    if not isinstance(node, YamlMap):
        problems.add(node, "hours need weekdays; write {mon-fri: 9:00-17:00}")
        return None
    week: list[tuple[Period, ...]] = [()] * 7
    seen: set[int] = set()
    is_good = True
    for pair in node.pairs:
        days, periods = read_days(pair.key.text), read_ranges(pair.value, problems)
        if days is None:
            problems.add(
                pair.key, f"{quoted(pair.key.text)} is not a weekday; write mon, mon-fri, or daily"
            )
        elif twice := seen.intersection(days):
            problems.add(pair.key, f"{DAYS[min(twice)]} is there twice; write each day once")
            days = None
        is_good = is_good and days is not None and periods is not None
        for day in days or ():
            seen.add(day)
            week[day] = periods or ()
    return tuple(week) if is_good and _is_apart(node, week, problems) else None


def _is_apart(node: YamlMap, week: list[tuple[Period, ...]], problems: Problems) -> bool:
    """Whether hours after midnight end before those of the next day begin."""
    for day, periods in enumerate(week):
        following = week[(day + 1) % 7]
        if periods and following and periods[-1].end - DAY_MINUTES > following[0].start:
            said = f"{DAYS[day]} ends after {DAYS[(day + 1) % 7]} has begun"
            problems.add_line(
                periods[-1].line, node.column, f"{said}; write hours that do not overlap"
            )
            return False
    return True


WEEK: Final = Kind("hours by weekday, like {mon-fri: 9:00-17:00}", read_week, {"type": "object"})


class Dates(Frozen):
    first_on: date
    last_on: date


_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_OTHER_DATE: Final = re.compile(
    r"(\d{1,2})[./ ](\d{1,2})[./ ](\d{4})|(\d{4})[./](\d{1,2})[./](\d{1,2})", re.ASCII
)


def read_dates(node: YamlNode, problems: Problems) -> Dates | None:
    text = scalar_text(node, problems, "a date", "2026-12-24 or 2026-12-24..2026-12-26")
    if text is None:
        return None
    first, dots, last = (each.strip() for each in text.replace(" to ", "..").partition(".."))
    days = [read_date(each) for each in ((first, last) if dots else (first,))]
    for day in days:
        if isinstance(day, str):
            problems.add(node, day)
            return None
    dates = [day for day in days if isinstance(day, date)]
    if not 0 <= (dates[-1] - dates[0]).days < MOST_DATED_DAYS:
        why = "ends before it begins" if dates[-1] < dates[0] else "is longer than three years"
        problems.add(node, f"{quoted(text)} {why}")
        return None
    return Dates(dates[0], dates[-1])


def read_date(text: str) -> date | str:
    """Reads '2026-12-24', or returns a sentence that says what is wrong."""
    try:
        day = date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return f"there is no {quoted(text)} in the calendar"
    if day is not None and 2000 <= day.year <= 2200:
        return day
    better = "a date like 2026-12-24"
    if other := _OTHER_DATE.fullmatch(text):
        numbers = [int(each) for each in other.groups() if each]
        year, month, on = numbers if other[4] else reversed(numbers)
        better = f"{year}-{month:02d}-{on:02d}" if 1 <= month <= 12 else better
    return f"{quoted(text)} is not a date; write {better}"


DATES: Final = Kind("a date like 2026-12-24, or 2026-12-24..2026-12-26", read_dates)
