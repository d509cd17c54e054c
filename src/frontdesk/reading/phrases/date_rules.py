"""Rules for dates: '3 March', 'between 3 and 7 March', 'from March to May', 'Tuesday 24 at 9'."""

import re
from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import day_of, month_of, next_day_of_month, plus
from frontdesk.reading.phrases.anchors import days_of, days_or_next, surely_ahead
from frontdesk.reading.phrases.day_values import (
    DayReadings,
    Range,
    day_in_month,
    every_year,
    mapped,
    month_days,
    one_day,
    ranges_of,
)
from frontdesk.reading.phrases.grammar import Roles, Rule, RuleMatch, TextContext
from frontdesk.reading.phrases.numeric_rules import (
    DAY,
    NAMED_DAY,
    checked,
    fits,
    fitting_days,
    month_in,
    number,
)
from frontdesk.reading.phrases.relative_rules import MONTH, WEEKDAY, found
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence


def _day_in_month(m: RuleMatch, place: TextContext) -> Roles | None:
    is_compound = place.plain[m.end : m.end + 1].isalpha()  # 'ersten Aprilwoche'
    is_hour = bool(_HOURLY & m.before.keys() and {"int", "ord"} & m.behind.keys())
    is_hour = is_hour or _is_begin_of_hours(m)  # 'at 3 March 20'
    is_other = "street" in m.behind or is_compound or is_hour or not _is_genitive(m, place)
    if is_other or not 1 <= number(m, "d") <= 31:
        return None
    days = day_in_month(place.today, month_in(m), number(m, "d"), m.get("y", "year"))
    return checked(m, days, place)


def _day_before_its_weekday(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '5 Dec Sat', if that is a Saturday."""
    roles = _day_in_month(m, place)
    is_right = roles and fits(m, ranges_of(roles["days"], place.today)[0][0])
    return roles if is_right else None


def _is_begin_of_hours(m: RuleMatch) -> bool:
    """Returns whether the number behind a month is an hour: 'im September, 9-11 Uhr'."""
    is_range = _RANGE & m.behind.keys() and "at" not in m.behind and "clock" in m.next_behind
    return bool(is_range) and m.item("m").start < m.item("d").start


_RANGE: Final = frozenset(("to", "dash"))


def _is_genitive(m: RuleMatch, place: TextContext, name: str = "d") -> bool:
    """Returns whether a day and its month belong together, unlike '4 in December'."""
    between = place.plain[m.item(name).end : m.item("m").start]
    return not _APART.search(between)


_APART: Final = re.compile(
    r"\b(?:in|von|from|for|during|im|fur|en|au|dans|pour|pendant|para|por)\b"
)
_HOURLY: Final = frozenset(("at", "about", "bound", "to", "dash", "and"))


def _days_in_month(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '3 to 7 March', 'March 3-7', '3, 4 or 5 December'."""
    one, two, month = number(m, "a"), number(m, "b"), month_in(m)
    is_hours = {"ord", "int"} & m.before.keys()  # '20 March 9-11'
    if one >= two or two > 31 or is_hours or not _is_genitive(m, place, "b"):
        return None

    def in_year(year: int) -> Range | None:
        first, last = day_of(year, month, one), day_of(year, month, two)
        return (first, last) if first and last else None

    is_between = _BETWEEN.search(place.plain, max(0, m.start - 20), m.start)
    is_list = "or" in m.item("l").roles or ("and" in m.item("l").roles and not is_between)
    confidence = LIKELY if is_list else CONFIDENT
    if "y" in m:
        days = in_year(m.get("y", "year"))
        return found(DayReadings(((days,),), "range", confidence, is_range=True) if days else None)
    days_of_years = every_year(place.today, "range", in_year, confidence)
    return found(replace(days_of_years, is_range=True) if days_of_years else None)


_BETWEEN: Final = re.compile(r"\b(?:between|zwischen|entre|from)\s{1,3}(?:the |dem |le |el )?$")


def _days_of_that_month(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'from 4 to 22 this month', 'nächsten Monat vom 4. bis zum 23.'"""
    days = days_of(m.item("p").roles, place)
    one, two = number(m, "a"), number(m, "b")
    if days is None or days.grain != "month" or one >= two:
        return None

    def change(first: date, last: date) -> list[Range]:
        start, end = plus(first, one - 1), plus(first, two - 1)
        return [(start, end)] if end <= last else []

    changed = mapped(days, change, "range")
    return found(replace(changed, is_range=True) if changed else None)


def _day_of_that_month(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the 10th of next month', 'el 30 de este mes', 'le 1er du mois'."""
    days = days_or_next(m.item("p").roles, place)
    wanted = number(m, "d")
    if days is None or days.grain != "month" or m.get("u", "unit") not in (None, "day"):
        return None
    if "ord" not in m.item("d").roles and _is_hour(m, place):
        return None
    words = place.plain[m.item("d").start : m.item("p").end]
    is_hour = "at" in m.before and not words[0].isdigit()  # 'um acht im nächsten Monat'
    if is_hour and _APART.search(words):
        return None

    def change(first: date, last: date) -> list[Range]:
        day = plus(first, wanted - 1)
        return [(day, day)] if wanted >= 1 and day <= last else []

    named = mapped(days, change, "day", CONFIDENT)
    return checked(m, surely_ahead(named, m.item("p").roles, place.today), place)


def _is_hour(m: RuleMatch, place: TextContext) -> bool:
    """Returns whether a number may be an hour: 'next month after 5', 'el mes que viene 5 de la
    tarde'."""
    before = place.plain[: m.item("d").start].rstrip()
    return "part" in m.behind or before.endswith(_BOUNDS)


_BOUNDS: Final = ("after", "before", "until", "till", "by", "from", "since", " las", " la")


def _days_alone(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'vom 3. bis zum 9.' without a month."""
    if "at" in m.item("l").roles:
        return None  # 'el día 1 a las 9'
    first = next_day_of_month(place.today, number(m, "a"))
    last = next_day_of_month(first, number(m, "b")) if first else None
    if first is None or last is None or last == first:
        return None
    return found(DayReadings((((first, last),),), "range", LIKELY, is_range=True))


def _next_numbered(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'el próximo día 20', 'este 20'."""
    item = m.item("d")
    if not place.plain[item.start].isdigit() or not 1 <= number(m, "d") <= 31 or "x" in m.behind:
        return None
    day = next_day_of_month(place.today, number(m, "d"))
    return found(one_day(day, LIKELY)) if day else None


def _day_before_clock(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'vendredi 15 à 16 heures': a date if the weekday fits, or if it is no range."""
    day = next_day_of_month(place.today, number(m, "d")) if 1 <= number(m, "d") <= 31 else None
    if day is None or not (fits(m, day) or number(m, "d") > 12):
        return None
    return found(one_day(day, LIKELY) if fits(m, day) else fitting_days(m, day))


def _fitting_day(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'vendredi 20 avant 11h', if that is a Friday. A number up to 12 may be an hour."""
    is_day = 12 < number(m, "d") <= 31 and place.plain[m.item("d").start].isdigit()
    if "to" in m.behind and "at" not in m.behind:
        return None
    day = next_day_of_month(place.today, number(m, "d")) if is_day else None
    confidence = LIKELY if "to" in m.behind else CONFIDENT
    return found(one_day(day, confidence)) if day and fits(m, day) else None


def _fitting_day_before_clock(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'lunes 16 a las 10', if that is a Monday; 'lunes 16 a 18' is a range."""
    is_day = 1 <= number(m, "d") <= 31
    day = next_day_of_month(place.today, number(m, "d")) if is_day else None
    return found(one_day(day, LIKELY)) if day and fits(m, day) else None


def _month_of_year(m: RuleMatch, place: TextContext) -> Roles | None:
    return found(month_days(place.today, month_in(m), m.get("y", "year")))


def _month_range(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'from March to May': to the end of May, or to its beginning."""
    one, two = month_in(m, "a"), month_in(m, "b")
    if "and" in m.item("l").roles and "between" not in m.before:
        return None

    def in_year(year: int) -> Range:
        return date(year, one, 1), month_of(date(year, two, 1), 12 * (two < one))[1]

    def in_year_short(year: int) -> Range:
        return date(year, one, 1), plus(month_of(date(year, two, 1), 12 * (two < one))[0], -1)

    long, short = (every_year(place.today, "range", each) for each in (in_year, in_year_short))
    if one == two or long is None or short is None:
        return None
    days = replace(long, readings=(*long.readings, *short.readings), is_range=True)
    if "y" in m:
        readings = tuple(
            tuple(each for each in series if each[1].year == m.get("y", "year"))
            for series in days.readings
        )
        days = replace(days, readings=tuple(each for each in readings if each))
    return found(days) if days.readings else None


def _in_a_far_year(m: RuleMatch, place: TextContext) -> Roles | None:
    """Marks '31 December 9999' as no day: without its year it would be the next such day."""
    return {"x": 0}


_LINK: Final = f"l=to|dash|and|or the? ({WEEKDAY} comma? the?)?"

#: Before '20 after 5' is a time.
FIRST_RULES: Final[tuple[Rule, ...]] = (
    (
        (
            f"w={WEEKDAY} (the|onthe)? (the)? d=int !oclock|am|pm|unit|noun|{MONTH}|of|dash|and|or"
            "|int|ord|half|offset|dotted|slashed|zero|plus|minus !comma+int|ord"
        ),
        _fitting_day,
    ),
)
RULES: Final[tuple[Rule, ...]] = (
    (f"({WEEKDAY} comma? the?)? {DAY} of? the? {MONTH} (comma|of)? far_year", _in_a_far_year),
    (f"({WEEKDAY} comma? the?)? {MONTH} the? ({DAY} comma?)? of? far_year", _in_a_far_year),
    (
        (
            f"({WEEKDAY} comma? the?)? a={DAY} (comma {DAY})? (comma {DAY})? comma? {_LINK} b={DAY}"
            f" of? the? m={MONTH} !{DAY} ((comma|of)? y=year)?"
        ),
        _days_in_month,
    ),
    (f"{NAMED_DAY} d={DAY} of? the? m={MONTH} comma? >{DAY}+to|dash+{DAY}", _day_in_month),
    (
        (
            f"m={MONTH} the? a={DAY} (comma {DAY})? (comma {DAY})? comma? {_LINK} b={DAY}"
            f" !oclock|noun|unit|am|pm|{MONTH} (comma? y=year)?"
        ),
        _days_in_month,
    ),
    (
        f"{NAMED_DAY} d={DAY} of? the? m={MONTH} (comma|of)? y=year (comma v={WEEKDAY} comma?)?",
        _day_in_month,
    ),
    (f"d={DAY} of? the? m={MONTH} v={WEEKDAY} !{DAY}", _day_before_its_weekday),
    (f"{NAMED_DAY} d={DAY} of? the? m={MONTH} (comma v={WEEKDAY} comma)?", _day_in_month),
    (
        (
            f"{NAMED_DAY} m={MONTH} comma? the? d={DAY} !oclock|noun|unit|am|pm|{MONTH}"
            f" ((comma|of)? y=year)? (comma v={WEEKDAY} comma)?"
        ),
        _day_in_month,
    ),
    (f"a={MONTH} l=to|dash|and b={MONTH} !{DAY} (of? y=year)?", _month_range),
    (f"m={MONTH} (comma|of)? y=year", _month_of_year),
    (f"a={DAY} l=to|dash|and the? b={DAY} of? the? p=days", _days_of_that_month),
    (f"p=days comma? (from|onthe)? the? a={DAY} l=to|dash the? b={DAY}", _days_of_that_month),
    (
        "<between|from+the a=int|ord l=to|dash|and the? b=int|ord !oclock|unit|noun|am|pm",
        _days_alone,
    ),
    ("<between a=int|ord l=and the|onthe b=int|ord !oclock|unit|noun|am|pm", _days_alone),
    ("<from a=ord l=to|dash the? b=ord", _days_alone),
    ("<onthe a=int|ord l=to|dash the? b=int|ord !oclock|unit|noun|am|pm", _days_alone),
    ("<day_number a=int (comma int)? (comma int)? l=and|or b=int !oclock|unit|noun", _days_alone),
    ("(this|next) day_number? d=int|ord !unit|noun|oclock|int|and|or|dash|to|of", _next_numbered),
    (f"{NAMED_DAY} d={DAY} u=unit? of the? p=days|unit", _day_of_that_month),
    ("d=ord p=days", _day_of_that_month),
    (
        f"p=days comma? (the|on|onthe)? (the)? d={DAY} !unit|oclock|noun|to|dash|weekday",
        _day_of_that_month,
    ),
    (f"w={WEEKDAY} d=int >at+clock", _day_before_clock),
    (f"w={WEEKDAY} d=int >at+int", _fitting_day_before_clock),
)
