"""Rules for days of other days: 'the last Friday of May', 'early December', 'the week of …'."""

from datetime import date
from typing import Final

from frontdesk.reading.day_parts import begin_of_day, end_of_day
from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import month_of, plus, week_of
from frontdesk.reading.phrases.anchors import ANCHOR, days_of, days_or_next, surely_ahead
from frontdesk.reading.phrases.day_values import (
    DayReadings,
    Range,
    Series,
    either,
    in_year,
    mapped,
    ranges_of,
    unit_days,
)
from frontdesk.reading.phrases.grammar import Roles, Rule, RuleMatch, TextContext
from frontdesk.reading.phrases.relative_rules import WEEKDAY, found, is_plural
from frontdesk.reading.phrases.spans import TimeSpan, later
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence


def _nth_weekday(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the last Friday of November', 'le premier lundi du mois prochain'."""
    days = days_or_next(m.item("p").roles, place)
    if days is None or days.grain in ("day", "week", "weekend"):
        return None
    weekday, nth = m.get("w", "weekday", "shortday"), _nth(m)

    def change(first: date, last: date) -> list[Range]:
        return [(day, day) for day in _nth_weekdays(first, last, weekday, nth)]

    named = mapped(days, change, "day", CONFIDENT)
    return found(surely_ahead(named, m.item("p").roles, place.today))


def _nth_weekdays(first: date, last: date, weekday: int, nth: int) -> list[date]:
    if nth < 0:
        day = plus(last, -((last.weekday() - weekday) % 7) + 7 * (nth + 1))
    else:
        day = plus(first, (weekday - first.weekday()) % 7 + 7 * (nth - 1))
    return [day] if first <= day <= last else []


def _nth(m: RuleMatch) -> int:
    """Returns -1 for 'last', and -3 for 'third last'."""
    number = m.get("n", "last", "ord", "int")
    return -int(number) if "l" in m else int(number)


def _nth_unit(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the third week of January', 'der letzte Tag im Februar', 'the first weekend of …'."""
    unit, nth = m.get("u", "unit"), _nth(m)
    days = days_or_next(m.item("p").roles, place)
    if days is None or unit in ("hour", "minute", "second"):
        return None

    def change(first: date, last: date) -> list[Range]:
        return list(_nth_units(first, last, unit, nth, is_year=days.grain == "year"))

    if unit in ("day", "week") and abs(nth) == 1 and is_plural(m, place):
        return found(mapped(days, lambda first, last: _first_few(first, last, unit, nth), "range"))
    if unit in ("day", "workday"):
        named = mapped(days, change, "day", CONFIDENT if unit == "day" else LIKELY)
        return found(surely_ahead(named, m.item("p").roles, place.today))
    grain = unit if unit in ("week", "weekend", "month", "quarter", "halfyear") else "range"
    return found(mapped(days, change, grain))


#: 'The first days of May' are so many days to different people.
_FEW_DAYS: Final = {"day": (3, 5, 7, 10), "week": (14, 21)}


def _first_few(first: date, last: date, unit: str, nth: int) -> list[Range]:
    """Returns 'the first days', 'the last weeks' of a period."""
    counts = _FEW_DAYS[unit]
    if nth > 0:
        return [(first, min(plus(first, count - 1), last)) for count in counts]
    return [(max(plus(last, 1 - count), first), last) for count in counts]


def _last_day(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'am Letzten des nächsten Monats'."""
    days: DayReadings = m.get("p", "days")
    is_month = days.grain == "month" and m.get("n", "last") == -1
    return found(mapped(days, lambda _, last: [(last, last)], "day")) if is_month else None


def _nth_units(first: date, last: date, unit: str, nth: int, *, is_year: bool) -> list[Range]:
    if unit == "day":
        day = plus(first, nth - 1) if nth > 0 else plus(last, nth + 1)
        return [(day, day)] if first <= day <= last else []
    if unit == "workday":
        start = plus(first, -1) if nth > 0 else plus(last, 1)
        day = later(start, TimeSpan("workday", nth))
        return [(day, day)] if first <= day <= last else []
    if unit == "week":
        return _nth_weeks(first, last, nth, is_year=is_year)
    if unit == "weekend":
        saturdays = _nth_weekdays(first, last, 5, nth)
        return [(plus(day, -early), plus(day, 1)) for day in saturdays for early in (0, 1)]
    months = {"month": 1, "quarter": 3, "halfyear": 6}.get(unit, 0)
    ahead = months * (nth - 1 if nth > 0 else 0)
    start = (
        month_of(first, ahead)[0] if nth > 0 else month_of(last, months * (nth + 1) - months + 1)[0]
    )
    end = month_of(start, months - 1)[1]
    return [(start, end)] if months and first <= start and end <= last else []


def _nth_weeks(first: date, last: date, nth: int, *, is_year: bool) -> list[Range]:
    """Returns both readings: the first week of a month begins in it, or contains the 1st."""
    if nth < 0:
        sunday = plus(last, -((last.weekday() + 1) % 7) + 7 * (nth + 1))
        mondays = [plus(sunday, -6), plus(last, -last.weekday() + 7 * (nth + 1))]
    else:
        monday = plus(first, -first.weekday() % 7 + 7 * (nth - 1))
        mondays = [monday, plus(week_of(first, 0)[0], 7 * (nth - 1))]
        if is_year:
            mondays.insert(0, plus(week_of(date(first.year, 1, 4), 0)[0], 7 * (nth - 1)))
    ranges = ((monday, plus(monday, 6)) for monday in mondays)
    return [each for each in dict.fromkeys(ranges) if each[0] <= last and each[1] >= first]


def _first_units(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the last 3 weeks of this year', 'les 3 premiers jours de mars'."""
    days = days_of(m.item("p").roles, place)
    span = m.get("s", "span") or _span(m)
    if days is None or span is None or span.unit not in ("day", "week", "month"):
        return None
    is_last = "last" in m.item("n").roles
    if not is_last and m.get("n", "ord") != 1:
        return None

    def change(first: date, last: date) -> list[Range]:
        if not is_last:
            return [
                (first, min(last, plus(later(first, span), -1))),
                *_whole_weeks(first, last, span),
            ]
        after = plus(last, 1)
        start = max(first, later(after, span, -1))
        return [*_whole_weeks(first, last, span, is_last=True), (start, last)]

    return found(mapped(days, change, "range"))


def _span(m: RuleMatch) -> TimeSpan | None:
    return TimeSpan(m.get("u", "unit"), m.get("c", "int", "few")) if "c" in m else None


def _whole_weeks(first: date, last: date, span: TimeSpan, *, is_last: bool = False) -> list[Range]:
    if span.unit != "week":
        return []
    if is_last:
        sunday = plus(last, -((last.weekday() + 1) % 7))
        return [(plus(sunday, 1 - 7 * span.count), sunday)]
    monday = plus(first, -first.weekday() % 7)
    return [(monday, plus(monday, 7 * span.count - 1))]


def _piece(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'early December', 'Ende nächster Woche', 'a mediados de marzo'."""
    piece = m.get("b", "piece")
    is_behind = m.item("p").end < m.item("b").start  # 'Dezemberanfang', but 'octobre, début …'
    days = None if is_behind else days_of(m.item("p").roles, place)
    if days is None or (days.grain == "day" and "from" in m.item("b").roles):
        return None
    if "unit" in m.item("p").roles:
        days = _with_next(days, m.get("p", "unit"), piece, place.today)
    return found(_piece_of(days, piece, place.today))


def _with_next(days: DayReadings, unit: str, piece: str, today: date) -> DayReadings:
    """Adds the next unit if that piece of this one is over: 'a primeros de mes' on the 20th."""
    own = _piece_of(days, piece, today)
    after = unit_days(today, unit, 1)
    if own is None or after is None or own.readings[0][-1][1] >= today:
        return days
    return after


def _piece_of(days: DayReadings, piece: str, today: date) -> DayReadings | None:
    if days.grain == "day":
        return days if piece in ("end", "begin", "later") else None

    def change(first: date, last: date) -> list[Range]:
        return list(_pieces(first, last, piece, days.grain, today))

    changed = mapped(days, change, "range")
    if changed is None:
        return None
    (first, last), *_ = ranges_of(days, today)
    rest = (max(first, today), last)
    best, *others = changed.readings
    kept = [each for each in others if _clipped(each, today) != rest]
    return replace(changed, readings=(best, *kept), is_end=piece == "end")


def _clipped(series: Series, today: date) -> Range:
    first, last = next((each for each in series if each[1] >= today), series[-1])
    return max(first, today), last


#: First and last day of a piece, counted from the start, by grain and piece; the best first.
_WEEK_PIECES: Final = {"begin": ((0, 2),), "middle": ((1, 3),), "end": ((3, 6), (4, 6))}
_MONTH_PIECES: Final = {
    "begin": ((0, 9), (0, 14)),
    "middle": ((10, 19), (9, 19)),
    "end": ((20, 30), (15, 30)),
}
_YEAR_PIECES: Final = {
    "begin": ((1, 3), (1, 6), (1, 2)),
    "middle": ((5, 8), (4, 9), (6, 7)),
    "end": ((12, 12), (9, 12), (7, 12), (10, 12)),
}


def _pieces(first: date, last: date, piece: str, grain: str, today: date) -> list[Range]:
    if piece == "later" and first > today:
        piece = "end"  # 'later next week'
    if piece == "later":
        return [(today, last), (min(plus(today, 1), last), last)]
    if grain == "year":
        months = _YEAR_PIECES[piece]
        return [
            (date(first.year, one, 1), month_of(date(first.year, two, 1), 0)[1])
            for one, two in months
        ]
    if grain in ("week", "month"):
        pieces = (_WEEK_PIECES if grain == "week" else _MONTH_PIECES)[piece]
        return [(plus(first, one), min(plus(first, two), last)) for one, two in pieces]
    third = ((last - first).days + 1) // 3
    at = {"begin": 0, "middle": third, "end": 2 * third}[piece]
    return [(plus(first, at), last if piece == "end" else plus(first, at + third - 1))]


def _named_month(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'le mois de juin' before 'le premier lundi du mois' is read."""
    return found(days_of(m.item("p").roles, place)) if m.get("u", "unit") == "month" else None


def _in_that_year(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'May of next year', 'am 5. Mai nächsten Jahres', 'Navidad del año que viene'."""
    days, year = days_of(m.item("p").roles, place), days_of(m.item("y").roles, place)
    if days is None or year is None or days.has_year or year.grain != "year":
        return None
    return found(in_year(days, year.readings[0][0][0].year))


def _end_of_day(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the end of' in 'the end of tomorrow', 'early' in 'early on Friday', as a part of
    that day."""
    days: DayReadings | None = m.behind.get("days")
    if days is not None and days.grain != "day":
        return None
    if m.get("b", "piece") == "end":
        return {"part": end_of_day(place.parts, m.start, m.end)}
    is_early = m.get("b", "piece") == "begin" and "from" not in m.item("b").roles
    return {"part": begin_of_day(place.parts, m.start, m.end)} if is_early else None


def _piece_of_unit(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'Monatsende', 'EOY'."""
    piece, unit = m.get("p", "pieceunit")
    days = unit_days(place.today, unit, 0)
    return found(_piece_of(days, piece, place.today)) if days else None


def _rest(m: RuleMatch, place: TextContext) -> Roles | None:
    days = days_of(m.item("p").roles, place)
    if days is None:
        return None
    today = place.today
    (_, last), *_ = ranges_of(days, today)
    return found(either("range", (today, last), (min(plus(today, 1), last), last)))


def _half(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the second half of January', 'la première quinzaine de mars'."""
    is_half = "halves" in m.item("h").roles or m.get("h", "unit") == "halfmonth"
    days = days_or_next(m.item("p").roles if "p" in m else {"unit": "month"}, place)
    nth = m.get("n", "last", "ord")
    if days is None or not is_half or nth not in (1, 2, -1) or days.grain == "day":
        return None

    def change(first: date, last: date) -> list[Range]:
        if days.grain == "year":
            june = date(first.year, 6, 30)
            return [(first, june) if nth == 1 else (plus(june, 1), last)]
        middle = plus(first, 14 if days.grain == "month" else (last - first).days // 2)
        return [(first, middle) if nth == 1 else (plus(middle, 1), last)]

    return found(mapped(days, change, "halfyear"))


def _unit_of(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the week of 7 December', 'le week-end du 12', 'the month of May', 'the year 2027'."""
    unit = m.get("u", "unit")
    days = days_of(m.item("p").roles, place)
    if days is None or unit == "day" or ("f" in m and unit != "week"):
        return None
    if unit == days.grain:
        return found(days)
    if "holiday" in m.item("p").roles and unit == "weekend":
        return found(mapped(days, _long_weekend, "weekend"))
    (first, last), *_ = ranges_of(days, place.today)
    if unit == "weekend" and days.is_range and (last - first).days < 4:
        return found(days)
    if days.grain != "day":
        return None

    def change(first: date, last: date) -> list[Range]:
        around = unit_days(first, unit, 0)
        return list(ranges_of(around, first)) if around else []

    grain = unit if unit in ("week", "weekend", "month", "year") else "range"
    confidence = CONFIDENT if unit == "week" and days.confidence is CONFIDENT else LIKELY
    return found(mapped(days, change, grain, confidence))


def _long_weekend(first: date, last: date) -> list[Range]:
    """Returns the weekend of a holiday, with the holiday: it begins on Saturday or on Friday."""
    saturday = plus(first, 5 - first.weekday() - (7 if first.weekday() < 3 else 0))
    return [(min(plus(saturday, -early), first), max(plus(saturday, 1), last)) for early in (0, 1)]


#: Before '3 de enero' is a date.
EARLY_RULES: Final[tuple[Rule, ...]] = (
    ("u=unit n=int of the? p=month|shortmonth", _nth_unit),
    ("u=unit of p=month|shortmonth !year !of+year !of+the+days|unit|year !of+days", _named_month),
    (
        (
            f"n=ord|last l=last? w={WEEKDAY} of the? p=month|shortmonth"
            " !year !of+year|days !of+the+days !comma+year !next|days"
        ),
        _nth_weekday,
    ),
)
RULES: Final[tuple[Rule, ...]] = (
    ("u=unit p=month|shortmonth|year", _unit_of),
    (f"n=ord|last l=last? w={WEEKDAY} of the? p={ANCHOR}", _nth_weekday),
    (f"n=ord|last l=last? w={WEEKDAY} p=month|shortmonth|days", _nth_weekday),
    (f"p=month|shortmonth|days comma? (on|onthe)? (the)? n=ord|last w={WEEKDAY}", _nth_weekday),
    (f"n=ord|last s=span of the? p={ANCHOR}", _first_units),
    ("<the|onthe n=last of the? p=days", _last_day),
    (f"c=int|few n=ord|last u=unit of the? p={ANCHOR}", _first_units),
    ("n=ord|last c=int|few p=month u=unit", _first_units),
    (f"n=ord|last h=halves|unit of? the? p={ANCHOR}", _half),
    ("n=ord|last p=month h=halves", _half),
    ("n=ord|last h=unit !of", _half),
    ("p=days|month|shortmonth|season|holiday comma? of? the? y=days", _in_that_year),
    (f"n=ord|last l=last? u=unit of the? p={ANCHOR}", _nth_unit),
    ("n=ord|last u=unit p=days", _nth_unit),
    ("n=ord|last p=month u=unit", _nth_unit),
    ("u=unit f=piece|from the? p=days", _unit_of),
    ("p=month b=piece", _piece),
    (f"b=piece (of|on|onthe)? the? >relday|days|{WEEKDAY}", _end_of_day),
    (f"b=piece of? the? p={ANCHOR}", _piece),
    ("p=pieceunit", _piece_of_unit),
    (f"rest of? the? p={ANCHOR}", _rest),
    (f"u=unit of the? p={ANCHOR}", _unit_of),
    ("p=holiday u=unit", _unit_of),
)
