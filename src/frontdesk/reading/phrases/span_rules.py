"""Rules for days at a distance: 'in two weeks', 'the next 3 days', 'two days after Christmas'."""

import re
from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import month_of, plus, week_of
from frontdesk.reading.phrases.anchors import ANCHOR, days_of
from frontdesk.reading.phrases.day_values import (
    DayReadings,
    Range,
    either,
    mapped,
    one_day,
    ranges_of,
    unit_days,
    upcoming,
)
from frontdesk.reading.phrases.grammar import Roles, Rule, RuleMatch, TextContext
from frontdesk.reading.phrases.hours import DAY
from frontdesk.reading.phrases.length_rules import span_of
from frontdesk.reading.phrases.relative_rules import WEEKDAY, found
from frontdesk.reading.phrases.spans import TimeSpan, later
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence


def _in(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'in two weeks', '3 days from now': that very day, or any day of that week."""
    span: TimeSpan = m.get("s", "span")
    if span.is_short:
        return {"moment": span.count}
    days = _ahead(span, place.today, place.plain[m.item("s").start : m.item("s").end])
    return found(replace(days, is_counted=True))


def _in_some(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'in two or three weeks': any day from the first to the last of these."""
    one, other = m.get("s", "spans")
    first, last = later(place.today, one), later(place.today, other)
    if "n" in m:
        return found(either("range", (place.today, last), (plus(place.today, 1), last)))
    ranges = [(first, last)]
    if one.unit == "week":
        ranges.append((week_of(place.today, one.count)[0], week_of(place.today, other.count)[1]))
    return found(either("range", *ranges))


def _in_after(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'after 5 days', but not 'après 18 heures'."""
    return None if "clock" in m.item("s").roles else _in(m, place)


def _ahead(span: TimeSpan, today: date, words: str) -> DayReadings:
    day = later(today, span)
    if span.days:
        return one_day(day, LIKELY)
    match span.unit:
        case "week":
            return either("day", (day, day), week_of(today, span.count))
        case "month":
            return either("day", (day, day), month_of(today, span.count))
        case "year":
            return either("day", (day, day), month_of(today, 12 * span.count))
        case _ if (
            span.count in (8, 15)
            and span.unit == "day"
            and "day" not in words
            and "dia" not in words
        ):
            # 'Dans quinze jours', 'in acht Tagen': whole weeks, with both of their ends counted.
            earlier = plus(day, -1)
            return either("day", (earlier, earlier), (day, day))
        case _:
            return one_day(day, LIKELY)


def _weekday_in(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'Friday in two weeks', 'in 3 weeks on Tuesday', 'Friday week', 'a week on Friday'."""
    weekday = m.get("w", "weekday", "shortday")
    span: TimeSpan = m.get("s", "span") or TimeSpan(
        "week", 2 if m.get("u", "unit") == "fortnight" else 1
    )
    if span.unit != "week" or weekday is None:
        return None
    ahead = (weekday - place.today.weekday()) % 7
    day = plus(place.today, ahead + 7 * span.count)
    in_week = plus(week_of(place.today, span.count)[0], weekday)
    return found(either("day", (day, day), (in_week, in_week)))


def _weekday_week(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'Tuesday week', but not 'Tuesday week of the fair'."""
    return None if place.plain.startswith(" of ", m.end) else _weekday_in(m, place)


def _day_week(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'heute in einer Woche', 'tomorrow week', 'tomorrow fortnight'."""
    span: TimeSpan | None = m.get("s", "span") or span_of(m.get("u", "unit"), 1)
    if span is None:
        return None
    origin = plus(place.today, m.get("d", "relday"))
    if span.is_short:
        return None
    day = later(origin, span)
    ranges = [(day, day)]
    if span.unit == "week" and not m.get("d", "relday"):
        ranges.append(week_of(place.today, span.count))
    return found(either("day", *ranges))


def _weekdays_ahead(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'two Fridays from now', 'dentro de dos lunes'."""
    count, weekday = m.get("c", "int", "few"), m.get("w", "weekday", "shortday")
    ahead = (weekday - place.today.weekday() - 1) % 7 + 1
    day = plus(place.today, ahead + 7 * (min(count, 60) - 1))
    return found(one_day(day, LIKELY)) if count > 0 else None


def _day_to_days(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'de hoy a ocho días'."""
    is_spanish = place.plain[m.item("e").start : m.item("e").end] == "a"
    return _day_week(m, place) if is_spanish else None


def _weeks_beside_day(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'a week tomorrow', 'two weeks today'."""
    return _day_week(m, place) if m.get("s", "span").unit == "week" else None


def _day_in_eight(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'de hoy en ocho': in a week."""
    weeks = {8: 1, 15: 2}.get(m.get("n", "int"), 0)
    if not weeks or place.plain[m.item("e").start : m.item("e").end] != "en":
        return None
    return found(one_day(plus(place.today, m.get("d", "relday") + 7 * weeks), LIKELY))


def _idiom(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'jeudi en huit', 'lundi en quinze'."""
    weeks = {8: 1, 15: 2}.get(m.get("n", "int"), 0)
    if not weeks or place.plain[m.item("e").start : m.item("e").end] != "en":
        return None
    ahead = (m.get("w", "weekday") - place.today.weekday()) % 7
    day = plus(place.today, ahead + 7 * weeks)
    in_week = plus(week_of(place.today, weeks)[0], m.get("w", "weekday"))
    return found(either("day", (day, day), (in_week, in_week)))


def _next(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the next 3 days': today may count, and weeks may be those of the calendar."""
    span: TimeSpan | None = m.get("s", "span")
    if "c" in m and {"dash", "to", "and"} & m.before.keys():
        return None  # 'from 5 to 20 next month'
    if "u" in m:
        if "ord" in m.item("c").roles:
            return None  # 'am 12. nächsten Monats'
        count = m.get("c", "int", "few")
        if place.plain[m.item("u").start : m.item("u").end] in _SINGULAR:
            return None  # 'at 3 next week'
        span = span_of(m.get("u", "unit"), count)
    if span is None:
        return None
    today, tomorrow = place.today, plus(place.today, 1)
    if span.is_short and span.count < DAY:
        return {"window": span.count}
    if span.is_short:
        return found(either("range", (today, plus(today, span.count // DAY))))
    last = later(today, span)
    ranges = [(tomorrow, last), (today, last)]
    if span.unit == "week":
        ranges.insert(1, (week_of(today, 1)[0], week_of(today, span.count)[1]))
    if span.unit == "month":
        ranges.insert(1, (month_of(today, 1)[0], month_of(today, span.count)[1]))
    if span.unit == "year" and today.year + span.count < 9999:
        whole = date(today.year + 1, 1, 1), date(today.year + span.count, 12, 31)
        ranges.insert(1, whole)
    return found(either("range", *ranges))


_SINGULAR: Final = frozenset(
    (
        *("day", "week", "month", "year", "weekend", "quarter", "tag", "woche", "monat", "jahr"),
        *("wochenende", "jour", "semaine", "an", "annee", "dia", "semana", "mes", "ano"),
        *("hour", "business day", "working day", "workday", "werktag", "arbeitstag", "stunde"),
        *("quartal", "heure", "jour ouvre", "trimestre", "hora", "dia habil", "dia laborable"),
    )
)


def _within_unit(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'within the week', 'sous quinzaine', 'within the hour'."""
    unit = m.get("u", "unit")
    span = span_of(unit, 1)
    if span is None or span.is_short:
        return {"window": span.count} if span else None
    days = unit_days(place.today, unit, 0)
    ranges = [(place.today, later(place.today, span))]
    ranges += [(place.today, last) for _, last in ranges_of(days, place.today)] if days else []
    return found(either("range", *ranges))


def _shifted(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'two days after Christmas', 'a week from tomorrow', 'drei Wochen vor Ostern'."""
    span: TimeSpan | None = m.get("s", "span")
    if "u" in m:
        span = span_of(m.get("u", "unit"), 1)
    days = days_of(m.item("p").roles, place)
    if days is None or span is None or span.is_short:
        return None
    times = m.get("k", "shift")

    def change(first: date, last: date) -> list[Range]:
        day = later(last if times > 0 or days.is_end else first, span, times)
        readings = [(day, day)]
        if span.unit == "week" and "relday" in m.item("p").roles:
            readings.append(week_of(place.today, span.count))
        is_date = days.grain == "day" and "days" in m.item("p").roles
        if times > 0 and "from" in m.item("k").roles and is_date:
            readings += _lasting_from(first, span)
        return readings

    changed = mapped(upcoming(days, place.today), change, "day")
    return found(replace(changed, is_counted=True) if changed else None)


def _beside(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the day before Christmas', 'the Friday after Thanksgiving', 'la veille de Noël'."""
    days = days_of(m.item("p").roles, place)
    if days is None:
        return None
    weekday = m.get("w", "weekday", "shortday") if "w" in m else None
    times = m.get("k", "eve", "beside")

    def change(first: date, last: date) -> list[Range]:
        day = plus(last if times > 0 else first, times)
        while weekday is not None and day.weekday() != weekday:
            day = plus(day, times)
        return [(day, day)]

    return found(mapped(upcoming(days, place.today), change, "day"))


def _unit_beside(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the week before Christmas', 'the weekend after the 5th'."""
    days, unit = days_of(m.item("p").roles, place), m.get("u", "unit")
    times = m.get("k", "beside")
    if days is None or unit not in ("week", "weekend", "month", "year"):
        return None

    def change(first: date, last: date) -> list[Range]:
        calendar = unit_days(last if times > 0 else first, unit, times)
        ranges = list(ranges_of(calendar, date.min))[:2] if calendar else []
        if unit == "weekend" and times < 0 and first.weekday() < 5:
            return ranges
        if unit == "weekend" and last.weekday() < 5:
            return list(ranges_of(unit_days(last, unit, 0) or days, date.min))[:2]
        if unit == "week":
            near = (
                (plus(last, 1), plus(last, 7)) if times > 0 else (plus(first, -7), plus(first, -1))
            )
            ranges.append(near)
        return ranges

    return found(mapped(upcoming(days, place.today), change, unit))


def _closest(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the Monday closest to 7 October', 'le lundi le plus proche du 7 octobre'."""
    days = days_of(m.item("p").roles, place)
    weekday = m.get("w", "weekday", "shortday")
    if days is None or days.grain != "day":
        return None

    def change(first: date, last: date) -> list[Range]:
        day = plus(first, (weekday - first.weekday() + 3) % 7 - 3)
        return [(day, day)]

    return found(mapped(upcoming(days, place.today), change, "day"))


def _weekday_of_week(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'Friday three weeks after Christmas': that weekday in its week, which some begin on
    Sunday."""
    days: DayReadings = m.get("p", "days")
    weekday = m.get("w", "weekday", "shortday")
    if not days.is_counted or weekday is None:
        return None

    def change(first: date, last: date) -> list[Range]:
        day = plus(week_of(first, 0)[0], weekday)
        sunday = plus(first, -((first.weekday() + 1) % 7))
        other = plus(sunday, (weekday + 1) % 7)
        return [(day, day), (other, other)]

    first = days.readings[0]
    return found(mapped(replace(days, readings=(first,)), change, "day"))


def _lasting(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'for 10 days from 18 December', 'from Monday for two weeks'."""
    days, span = days_of(m.item("p").roles, place), m.get("s", "span")
    is_rate = _OFTEN.search(place.plain, max(0, m.start - 12), m.start)
    if days is None or span.is_short or days.grain != "day" or is_rate:
        return None

    changed = mapped(days, lambda first, _: _lasting_from(first, span), "range")
    return found(replace(changed, is_range=True) if changed else None)


#: 'twice a week from Monday'
_OFTEN: Final = re.compile(r"\b(?:once|twice|times|mal|fois|ve(?:z|ces)(?: a| por)?)\s$")


def _lasting_from(first: date, span: TimeSpan) -> list[Range]:
    """Returns a period from a day on; to some, its last day counts too."""
    end = later(first, span)
    return [(first, plus(end, -1)), (first, end)]


def _gone(m: RuleMatch, place: TextContext) -> Roles:
    return {"gone_by": 0}


_A: Final = f"{ANCHOR}|weekday"

#: Before '3 weeks' is a length of time.
COUNTED_RULES: Final[tuple[Rule, ...]] = (
    ("c=int|few n=next u=unit", _next),
    ("c=int|few last|gone u=unit !of", _gone),
)
RULES: Final[tuple[Rule, ...]] = (
    ("for s=span from p=" + _A, _lasting),
    (f"w={WEEKDAY} e=of n=int !unit|oclock", _idiom),
    (f"w={WEEKDAY} in s=span", _weekday_in),
    (f"in s=span hence? (on|onthe)? (the)? w={WEEKDAY}", _weekday_in),
    (f"w={WEEKDAY} u=unit", _weekday_week),
    (f"s=span shift w={WEEKDAY}", _weekday_in),
    ("d=relday in s=span", _day_week),
    ("d=relday e=to s=span", _day_to_days),
    ("d=relday u=unit", _day_week),
    ("d=relday e=of|in n=int !unit|oclock", _day_in_eight),
    ("s=span of d=relday", _day_week),
    ("<!for s=span d=relday", _weeks_beside_day),
    ("s=span k=shift the? p=" + ANCHOR, _shifted),
    (f"<!the|next|this u=unit k=shift p=relday|{WEEKDAY}", _shifted),
    ("k=eve of? the? p=" + ANCHOR, _beside),
    ("u=unit k=beside the? p=days|holiday", _unit_beside),
    (f"w={WEEKDAY} k=beside the? p=days|holiday|month|shortmonth", _beside),
    (f"closest w={WEEKDAY} to|of|onthe the? p=days|holiday", _closest),
    (f"w={WEEKDAY} the? closest to|of|onthe the? p=days|holiday", _closest),
    ("ago_before about? s=span !shift|hence", _gone),
    ("s=span ago", _gone),
    ("in? the? (within|of)? the? n=next s=span", _next),
    ("within the? s=span", _next),
    ("within the? u=unit !of", _within_unit),
    ("in? the? (within|of)? the? s=span n=next", _next),
    ("in? the? n=next s=spans", _in_some),
    ("n=within the? s=spans", _in_some),
    ("in|in_after about|few? s=spans hence?", _in_some),
    (f"c=int|few w={WEEKDAY} shift now|weaknow", _weekdays_ahead),
    (f"in c=int|few w={WEEKDAY}", _weekdays_ahead),
    ("in about|few? s=span hence?", _in),
    ("in_after about? s=span", _in_after),
    ("s=span hence", _in),
    ("s=span shift now|weaknow", _in),
    ("(last|gone) (span|unit|weekday|shortday|month|shortmonth|season|holiday)", _gone),
    ("(span|unit|weekday|month|season) gone !clock|int|hhmm|noon|midnight", _gone),
    ("gone_by of? the? unit|days?", _gone),
    (f"w={WEEKDAY} comma? (on|onthe)? p=days", _weekday_of_week),
    (f"p=days comma? (on|onthe)? (the)? w={WEEKDAY}", _weekday_of_week),
)
LATE_RULES: Final[tuple[Rule, ...]] = (
    ("<from p=days for s=span", _lasting),
    ("s=span from the? p=days", _lasting),
)
