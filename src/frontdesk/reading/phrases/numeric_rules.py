"""Rules for dates in numbers: '24/12/2026', '24.12.', '2027-03-05', '5-Mar', 'am 7. 4.'"""

import re
from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence, least
from frontdesk.reading.periods import day_of, month_of
from frontdesk.reading.phrases.day_values import (
    DayReadings,
    Range,
    day_in_month,
    every_year,
    just_passed,
    mapped,
    month_days,
    one_day,
    ranges_of,
)
from frontdesk.reading.phrases.grammar import Roles, Rule, RuleMatch, TextContext
from frontdesk.reading.phrases.relative_rules import MONTH, WEEKDAY, found
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence
DAY: Final = "int|ord"
MOST_MONTHS_AHEAD: Final = 13
NAMED_DAY: Final = f"(w={WEEKDAY} comma? !beside|to (the|on|onthe)?)?"


def month_in(m: RuleMatch, name: str = "m") -> int:
    return int(m.get(name, "month", "shortmonth"))


def number(m: RuleMatch, name: str) -> int:
    return int(m.get(name, "ord", "int"))


def fits(m: RuleMatch, day: date) -> bool | None:
    """Returns whether the weekday beside a date is right; None without one."""
    name = "w" if "w" in m else "v"
    weekday = m.get(name, "weekday", "shortday")
    return None if weekday is None else weekday == day.weekday()


def fitting_days(m: RuleMatch, day: date) -> DayReadings:
    """Finds the next month in which that day falls on the named weekday."""
    months = (month_of(day, ahead)[0] for ahead in range(1, MOST_MONTHS_AHEAD))
    days = (day_of(first.year, first.month, day.day) for first in months)
    fitting = next((each for each in days if each and fits(m, each)), None)
    ranges = [(each, each) for each in (day, fitting) if each]
    return DayReadings(tuple((each,) for each in ranges), "day", UNSURE)


def checked(m: RuleMatch, days: DayReadings | None, place: TextContext) -> Roles | None:
    """Compares the weekday that stands beside a date."""
    if days is None:
        return None
    is_right = fits(m, ranges_of(days, place.today)[0][0])
    if is_right is not False or _is_other_word(m, place):
        return found(days)
    passed = just_passed(days, place.today)
    if passed and fits(m, passed[0]):
        return found(one_day(passed[0], UNSURE))
    return found(replace(days, confidence=UNSURE))


def _is_other_word(m: RuleMatch, place: TextContext) -> bool:
    """Returns whether the short name of a weekday is also another word: 'so 24 November'."""
    item = m.item("w" if "w" in m else "v")
    return place.plain[item.start : item.end] in ("so", "do", "di", "mi")


def _numeric(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '24.12.2026', '3/4/27'. If day and month could be swapped, only a weekday decides."""
    text = m.get("f", "fulldate", "isodate")
    mark = next(each for each in "./-" if each in text)
    numbers = [int(each) for each in text.split(mark)]
    if numbers[0] > 31 or "isodate" in m.item("f").roles:
        year, month, day = numbers
        return checked(m, day_in_month(place.today, month, day, year), place)
    one, two, year = numbers
    return found(_swapped(m, place, one, two, year + 2000 if year < 100 else year, mark))


def _swapped(
    m: RuleMatch, place: TextContext, one: int, two: int, year: int | None, mark: str
) -> DayReadings | None:
    orders = list(dict.fromkeys([(one, two), (two, one)]))
    if place.month_first:
        orders.reverse()
    elif mark == ".":
        orders = orders[:1]
    all_days = [
        days for day, month in orders if (days := day_in_month(place.today, month, day, year))
    ]
    if not all_days:
        return None
    firsts = [ranges_of(days, place.today)[0] for days in all_days]
    fitting = [days for days, (day, _) in zip(all_days, firsts, strict=True) if fits(m, day)]
    ahead = [days for days, (day, _) in zip(all_days, firsts, strict=True) if day >= place.today]
    best = (fitting or ahead or all_days)[0]
    confidence = best.confidence
    if fits(m, ranges_of(best, place.today)[0][0]) is False:
        confidence = UNSURE
    elif len(all_days) > 1:
        confidence = least(confidence, LIKELY if len(fitting) == 1 else UNSURE)
    others = [] if fitting else [days for days in all_days if days is not best]
    readings = (*best.readings, *(each for days in others for each in days.readings))
    return replace(best, readings=readings, confidence=confidence)


def _partly_numeric(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '24/12', '24.12.', '5.12' without a year."""
    role = next(each for each in ("slashed", "dotdate", "dotted") if each in m.item("f").roles)
    text = m.get("f", role).rstrip(".")
    mark = "/" if role == "slashed" else "." if "." in text else ","
    one, two = (int(each) for each in text.split(mark))
    is_clear = one > 12 or two > 12 or role == "dotdate"
    is_behind_word = not _LINKED & m.behind.keys() and bool({"x", "noun"} & m.before.keys())
    if (one, two) == (24, 7) or mark == ",":
        return None
    if {"unit", "noun", "x"} & m.behind.keys() and not is_clear and "w" not in m:
        return None
    if is_behind_word and not is_clear and "w" not in m:
        return None
    days = _swapped(m, place, one, two, None, mark)
    if days and is_behind_word and role == "slashed":
        days = replace(days, confidence=least(days.confidence, LIKELY))
    return found(days)


#: '12/3-12/5' is a range of dates after any word, '12/3, at 5pm' has a time.
_LINKED: Final = frozenset(("dash", "to", "at", "clock", "part"))


def _days_before_date(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '20.-25.3.', 'del 20 al 25/3', '20., 21. und 22.6.': days of that month."""
    roles = _numeric(m, place) if "fulldate" in m.item("f").roles else _partly_numeric(m, place)
    if roles is None or "at" in m.before or not 1 <= number(m, "d") <= 31:
        return None
    days: DayReadings = roles["days"]
    is_list = {"and", "or"} & m.item("l").roles.keys()

    def change(first: date, last: date) -> list[Range]:
        start = day_of(first.year, first.month, number(m, "d"))
        return [(start, last)] if start and start < last else []

    confidence = least(days.confidence, LIKELY if is_list else CONFIDENT)
    changed = mapped(days, change, "range", confidence)
    return found(replace(changed, is_range=True) if changed else None)


def _two_days(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '20./21.11.'"""
    one, two, month = (int(each) for each in m.get("f", "two_days").replace("/", "").split(".")[:3])

    def in_year(year: int) -> Range | None:
        first, last = day_of(year, month, one), day_of(year, month, two)
        return (first, last) if first and last and first < last else None

    days = every_year(place.today, "range", in_year)
    return found(replace(days, is_range=True) if days else None)


def _spaced(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'am 7. 4.', 'le 24 03', '24 03 2027'."""
    if {"month", "shortmonth"} & m.item("m").roles.keys():
        return None  # '30 sept. 2026' has a month; 'sept' is also seven
    pieces = [place.plain[m.item(name).start : m.item(name).end] for name in ("d", "m")]
    if not all(len(each) == 2 or each.endswith(".") or each.isalpha() for each in pieces):
        return None
    day, month = number(m, "d"), number(m, "m")
    if not 1 <= month <= 12:
        return None
    days = day_in_month(place.today, month, day, m.get("y", "year"))
    return found(days)


def _hyphened(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '20-06', '25-6', but '08-10' are hours."""
    one, two = place.plain[m.start : m.end].partition("-")[::2]
    day, month = number(m, "d"), number(m, "m")
    is_date = two.startswith("0") or day > 24 or month > 24 or (day > 12 >= month)
    if not (one + two).isdigit() or not is_date or not day * month:
        return None
    days = _swapped(m, place, day, month, None, "-")
    return found(replace(days, confidence=least(days.confidence, LIKELY)) if days else None)


def _slashed_month(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'Mar/5', '5-Mar-2027'."""
    if place.plain[m.item("s").start] not in "/-" or " " in place.plain[m.start : m.end]:
        return None
    days = day_in_month(place.today, month_in(m), number(m, "d"), m.get("y", "year"))
    return found(replace(days, confidence=least(days.confidence, LIKELY)) if days else None)


def _numbered_month(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '3/2027', '2027-03'."""
    one, two = (int(each) for each in re.split("[/.-]", m.get("f", "monthyear")))
    month, year = (one, two) if one < two else (two, one)
    return found(month_days(place.today, month, year))


RULES: Final[tuple[Rule, ...]] = (
    (
        (
            f"d={DAY} (comma {DAY})? comma? l=to|dash|and|or (the|onthe)? (the)?"
            " f=fulldate|dotdate|slashed"
        ),
        _days_before_date,
    ),
    (f"{NAMED_DAY} f=fulldate|isodate (comma v={WEEKDAY} comma?)?", _numeric),
    ("f=two_days", _two_days),
    (f"d={DAY} s=or|dash m={MONTH} (or|dash y=year)?", _slashed_month),
    (f"m={MONTH} s=or|dash d={DAY}", _slashed_month),
    ("f=monthyear", _numbered_month),
    ("d=int m=int y=year", _spaced),
    ("<onthe d=int m=int !unit|oclock", _spaced),
    ("d=ord m=ord", _spaced),
    (f"{NAMED_DAY} d=int dash m=int !dash|int|hhmm|oclock|unit", _hyphened),
    (f"{NAMED_DAY} f=slashed|dotdate", _partly_numeric),
    (f"<on|onthe|{WEEKDAY} f=dotted !oclock|am|pm|unit", _partly_numeric),
    ("^ f=dotted $", _partly_numeric),
)
