"""Rules for days relative to today: 'next week', 'mardi prochain', 'week 50', 'Q1 2027'."""

import re
from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import month_of, plus, week_of
from frontdesk.reading.phrases.anchors import (
    days_of,
    holiday_days,
    season_days,
    weekday_days,
)
from frontdesk.reading.phrases.day_values import (
    DayReadings,
    Range,
    either,
    every_year,
    in_year,
    month_days,
    one_day,
    ranges_of,
    unit_days,
    whole,
)
from frontdesk.reading.phrases.grammar import Roles, Rule, RuleMatch, TextContext
from frontdesk.reading.phrases.spans import TimeSpan, later
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence
WEEKDAY: Final = "weekday|shortday"
MONTH: Final = "month|shortmonth"


def found(days: DayReadings | None) -> Roles | None:
    return {"days": days} if days else None


def _kind(m: RuleMatch) -> str:
    if "t" in m and "after_next" in m.item("t").roles:
        return "after_next"
    return "this" if "t" in m and "this" in m.item("t").roles else str(m.get("t", "next"))


_AHEAD: Final = {"this": 0, "after_next": 2}


def _modified_unit(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'this week', 'nächsten Monat', 'la semaine prochaine', 'the week after next'."""
    unit, kind = m.get("u", "unit"), _kind(m)
    ahead = _AHEAD.get(kind, 1)
    today = place.today
    if unit == "weekend":
        return found(_weekend(today, kind))
    if unit == "workday":
        return found(one_day(later(today, TimeSpan("workday", 1)), LIKELY)) if ahead else None
    if ahead == 1 and unit in ("day", "week", "month") and is_plural(m, place):
        return found(_some(place.today, unit))
    if unit in ("fortnight", "halfmonth") and ahead == 1:
        last = later(today, TimeSpan("week", 2))
        return found(either("range", (plus(today, 1), last), (today, last)))
    if unit in ("hour", "minute") and ahead == 1:
        return {"window": 60 if unit == "hour" else 1}
    days = unit_days(today, unit, ahead)
    if (days and kind in ("following", "coming")) or unit == "day":
        days = replace(days, confidence=LIKELY) if days else None
    if days and unit == "month" and not ahead:
        days = replace(days, confidence=LIKELY)
    return found(days)


def is_plural(m: RuleMatch, place: TextContext) -> bool:
    word = place.plain[m.item("u").start : m.item("u").end]
    return word in _PLURALS


_PLURALS: Final = frozenset(
    (
        *("days", "weeks", "months", "tage", "tagen", "wochen", "monate", "monaten", "jours"),
        *("semaines", "dias", "semanas", "meses"),
    )
)


def _some(today: date, unit: str) -> DayReadings:
    """Returns the next few of these: 'in the coming days', 'les prochaines semaines'."""
    last = later(today, TimeSpan(unit, 3))
    tomorrow = plus(today, 1)
    return either("range", (tomorrow, last), (today, last))


def _weekend(today: date, kind: str) -> DayReadings:
    """Returns a weekend: to some it begins on Friday, and 'next' may mean the coming one."""
    ahead = _AHEAD.get(kind, 1)
    if kind == "coming":
        ahead = 0
    monday, sunday = week_of(today, ahead)
    ranges = [(plus(monday, 5), sunday), (plus(monday, 4), sunday)]
    if (ahead == 1 and today.weekday() < 5) or ahead == 2:
        ranges.append((plus(monday, -2), plus(sunday, -7)))
    if ahead == 2:
        ranges = [ranges[0], ranges[2]]
    return either("weekend", *ranges)


def _modified_weekday(m: RuleMatch, place: TextContext) -> Roles | None:
    weekday, kind = m.get("w", "weekday", "shortday"), _kind(m)
    if kind == "after_next":
        return found(_weekday_after_next(place.today, weekday))
    return found(replace(weekday_days(place.today, weekday, kind), weekday=None))


def _weekday_after_next(today: date, weekday: int) -> DayReadings:
    ahead = (weekday - today.weekday()) % 7
    days = [plus(today, ahead + 7 * weeks) for weeks in (1, 2)]
    return either("day", *((day, day) for day in days))


def _after_next(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the week after next', 'la semana después de la próxima', 'Monday after next'."""
    if m.get("k", "beside", "shift") < 0:
        return None
    if "w" in m:
        return found(_weekday_after_next(place.today, m.get("w", "weekday", "shortday")))
    if m.get("u", "unit") == "weekend":
        return found(_weekend(place.today, "after_next"))
    return found(unit_days(place.today, m.get("u", "unit"), _AHEAD["after_next"]))


def _modified_month(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'next March': the next one, or that of next year."""
    month = m.get("x", "month", "shortmonth")
    days = month_days(place.today, month, None)
    if days is None:
        return None
    (first, last), *_ = ranges_of(days, place.today)
    if _kind(m) == "this" or first.year > place.today.year:
        return found(replace(days, confidence=LIKELY))
    return found(either("month", (first, last), month_of(first, 12)))


def _modified_season(m: RuleMatch, place: TextContext) -> Roles | None:
    if "season" not in m.item("x").roles:
        return found(holiday_days(place.today, m.get("x", "holiday")))
    days = season_days(place.today, m.get("x", "season"))
    if days is None or _kind(m) == "this":
        return found(days)
    ahead = tuple(
        tuple(each for each in series if each[0] > place.today) for series in days.readings
    )
    return found(replace(days, readings=ahead)) if all(ahead) else None


def _ordinal(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '3 rd'."""
    return {"ord": m.get("n", "int")}


def _this_weekday_or_next(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'this Friday or next': both."""
    day, *_ = ranges_of(weekday_days(place.today, m.get("w", "weekday", "shortday")), place.today)
    return found(either("day", day, (plus(day[0], 7), plus(day[1], 7))))


def _other(m: RuleMatch, place: TextContext) -> Roles:
    """Marks words that name no day: 'room 3', 'Mr April', '20 to 40 euros'."""
    return {"x": 0}


def _this_or_next(m: RuleMatch, place: TextContext) -> Roles | None:
    unit = m.get("u", "unit")
    one, other = (unit_days(place.today, unit, ahead) for ahead in (0, 1))
    if one is None or other is None:
        return None
    today = place.today
    ranges = [(max(first, today), last) for first, last in ranges_of(one, today)[:1]]
    return found(either(one.grain, *ranges, *ranges_of(other, today)[:1]))


def _with_year(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'Pfingsten 2027', 'summer of 2027'."""
    days, year = days_of(m.item("p").roles, place), m.get("y", "year")
    if days is None or days.has_year or abs(year - place.today.year) > 5:
        return None
    return found(in_year(days, year))


def _quarter(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'Q1 2027', 'the third quarter', 'segundo trimestre de 2027'."""
    number = m.get("q", "quarter_number") or m.get("n", "ord", "last")
    unit = m.get("u", "unit") or "quarter"
    months = {"quarter": 3, "halfyear": 6}.get(unit, 0)
    number = number if number > 0 else 12 // (months or 12) + 1 + number
    if not months or not 0 < number * months <= 12:
        return None

    def in_that(year: int) -> Range:
        first = date(year, months * (number - 1) + 1, 1)
        return first, month_of(first, months - 1)[1]

    if "y" in m:
        return found(replace(whole(*in_that(m.get("y", "year")), "quarter"), has_year=True))
    return found(every_year(place.today, "quarter", in_that))


def _week_number(m: RuleMatch, place: TextContext) -> Roles | None:
    number = m.get("n", "int", "ord")
    if not 1 <= number <= 53:
        return None

    def in_that(year: int) -> Range | None:
        try:
            monday = date.fromisocalendar(year, number, 1)
        except ValueError:
            return None
        return monday, plus(monday, 6)

    if "y" in m:
        week = in_that(m.get("y", "year"))
        return found(whole(*week, "week") if week else None)
    return found(every_year(place.today, "week", in_that))


def _any_weekend(m: RuleMatch, place: TextContext) -> Roles | None:
    is_wished_well = _WISHED_WELL.search(place.plain, max(0, m.start - 12), m.start)
    is_weekend = m.get("u", "unit") == "weekend" and not is_wished_well
    return _this_unit(m, place) if is_weekend else None


#: 'Have a nice weekend!'
_WISHED_WELL: Final = re.compile(r"\b(?:nice|good|great|lovely|schone[ns]|bon|buen|feliz)\s{1,3}$")


def _this_unit(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the weekend', 'all week'."""
    unit = m.get("u", "unit")
    if unit == "weekend":
        return found(_weekend(place.today, "this"))
    days = unit_days(place.today, unit, 0) if unit != "day" else None
    return found(replace(days, is_loose=True) if days else None)


def _unit_after(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the week after' as the next one."""
    unit = m.get("u", "unit")
    if m.get("k", "beside") < 0 or unit not in ("week", "weekend", "month", "year"):
        return None
    days = unit_days(place.today, unit, 1)
    return found(replace(days, confidence=LIKELY, is_loose=True)) if days else None


#: The first rules for these words.
RULES: Final[tuple[Rule, ...]] = (
    ("n=int st", _ordinal),
    ("label int|ord|slashed|dotted", _other),
    ("title stop? month|shortmonth|season", _other),
    ("int to|dash|or int noun", _other),
    ("t=this u=unit|x? or|and the? next u2=unit", _this_or_next),
    ("t=this or|and the? next u=unit", _this_or_next),
    ("t=this u=unit or|and the? next", _this_or_next),
    (f"t=this w={WEEKDAY} or|and the? next !unit|{WEEKDAY}", _this_weekday_or_next),
    ("t=this|next|after_next u=unit", _modified_unit),
    ("u=unit k=beside|shift the? next !unit|weekday|shortday|month|shortmonth", _after_next),
    (f"w={WEEKDAY} k=beside|shift the? next !unit|weekday|shortday|month|shortmonth", _after_next),
    ("u=unit t=next|after_next", _modified_unit),
    ("t=next|this u=unit t2=next|this", _modified_unit),
    (f"t=this|next|after_next w={WEEKDAY}", _modified_weekday),
    (f"w={WEEKDAY} t=next|after_next", _modified_weekday),
    (f"t=this|next x={MONTH} !int|ord", _modified_month),
    (f"x={MONTH} t=next !int|ord", _modified_month),
    ("t=this|next x=season|holiday", _modified_season),
    ("x=season|holiday t=next", _modified_season),
    ("q=quarter_number (of? y=year)?", _quarter),
    ("n=ord|last u=unit of? y=year", _quarter),
    (
        (
            f"w=week_number n=int|ord !unit|noun|ish|am|pm|oclock|{MONTH} !of+{MONTH}"
            " ((of|or|comma)? the? y=year)?"
        ),
        _week_number,
    ),
    (f"n=ord w=week_number !of|int|ord|year|{MONTH}", _week_number),
    ("p=season|holiday of? y=year", _with_year),
)
#: Applied after rules for longer phrases.
LATE_RULES: Final[tuple[Rule, ...]] = (
    ("n=ord u=unit", _quarter),
    ("<the u=unit k=beside $", _unit_after),
    ("<the u=unit k=beside >stop|comma|or|and|at|clock|part", _unit_after),
    ("<the|all|during|of|at u=unit", _this_unit),
    ("^ u=unit $", _this_unit),
    ("u=unit", _any_weekend),
)
