"""Rules for days that stand alone: 'the 20th', 'Friday', 'March', 'Christmas', 'today'."""

import re
from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import next_day_of_month, plus
from frontdesk.reading.phrases.anchors import days_of, weekday_days
from frontdesk.reading.phrases.day_values import Range, mapped, one_day, year_days
from frontdesk.reading.phrases.grammar import Roles, Rule, RuleMatch, TextContext
from frontdesk.reading.phrases.numeric_rules import DAY, fits, fitting_days, number
from frontdesk.reading.phrases.relative_rules import MONTH, WEEKDAY, found
from frontdesk.reading.words import WEEKDAYS, one_of
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence


def _day_alone(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'the 20th': certain if that day is still to come this month."""
    wanted = number(m, "d")
    if not 1 <= wanted <= 31 or not _is_day_alone(m, place) or _is_party(m, place):
        return None
    day = next_day_of_month(place.today, wanted)
    if day is None:
        return None
    is_right = fits(m, day) if "w" in m else None
    if is_right is False:
        return found(fitting_days(m, day))
    is_near = (day.year, day.month) == (place.today.year, place.today.month)
    return found(one_day(day, CONFIDENT if is_near or is_right else LIKELY))


def _is_party(m: RuleMatch, place: TextContext) -> bool:
    """Returns whether a number may count people: 'a table for 2 at 7pm'."""
    is_counting = place.plain[: m.start].rstrip().endswith((" for", "fur", "pour", "para"))
    return "w" not in m and "ord" not in m.item("d").roles and is_counting


#: Words behind a number that make it something else than a day.
_NO_DAY: Final = frozenset(
    ("unit", "noun", "oclock", "am", "pm", "month", "shortmonth", "street", "half", "int", "zero",
     "year", "minus", "offset", "dash", "hhmm", "quarter")
)  # fmt: skip
#: Roles that may stand behind 'the second' as a day.
_ENDS: Final = frozenset(("stop", "comma", "at", "clock", "part", "to", "about", "or"))


def _is_day_alone(m: RuleMatch, place: TextContext) -> bool:
    """Returns whether a number is a day; 'the second one' is none."""
    item, behind = m.item("d"), m.behind.keys()
    text = place.plain[item.start : item.end]
    if behind & _NO_DAY:
        return False
    if not text[0].isdigit():
        is_rank = number(m, "d") <= 3 or text.endswith(("te", "ter", "tes"))
        return not behind or bool(_ENDS & behind) if is_rank else "x" not in behind
    if "part" in behind and "ord" not in item.roles and "w" in m:
        return bool(_ROMANCE.search(place.plain, max(0, m.start), item.start))
    return "x" not in behind or "ord" in item.roles or "on" in m.before


#: 'mardi 5 au matin', but not 'Tuesday 5 in the afternoon'.
_ROMANCE: Final = re.compile(one_of(day for day in WEEKDAYS if day.endswith(("di", "es", "o"))))


def _named(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads a month, a season, a holiday or a day by itself."""
    days = days_of(m.item("p").roles, place)
    if days is None or days.grain != "month":
        return found(days)
    if _has_impossible_day(m):
        return None
    return found(replace(days, is_loose=not m.before.keys() & _BEFORE_MONTH))


def _has_impossible_day(m: RuleMatch) -> bool:
    """Returns whether a number beside a month would be its day: '30 February', 'November 31'."""
    numbers = (each.get("ord", each.get("int", 0)) for each in (m.before, m.behind))
    return any(28 < number <= 31 for number in numbers)


#: Roles of words before the name of a month. Without them it may be a person's, or a verb.
_BEFORE_MONTH: Final = frozenset(
    ("during", "from", "to", "piece", "of", "in", "on", "onthe", "between", "or", "and", "bound",
     "this", "for", "comma")
)  # fmt: skip


def _or_thereafter(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '3 October or the day after', 'le 3 ou le lendemain'."""
    days, later = days_of(m.item("p").roles, place), m.get("k", "thereafter")
    if days is None or days.grain != "day":
        return None

    def change(first: date, last: date) -> list[Range]:
        return [(first, last), (plus(first, later), plus(last, later))]

    return found(mapped(days, change, "day"))


def _now(m: RuleMatch, place: TextContext) -> Roles | None:
    return found(replace(one_day(place.today, LIKELY), is_loose=True))


def _weekday(m: RuleMatch, place: TextContext) -> Roles | None:
    return found(weekday_days(place.today, m.get("w", "weekday", "shortday")))


def _weekday_before_clock(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'Di 17:45', but not 'so um 17 Uhr', which means about five; 'So. um 17 Uhr' is one."""
    item = m.item("w")
    is_other = place.plain[item.start : item.end] in ("so", "do")
    is_other = is_other and not place.plain.startswith(".", item.end)
    return None if is_other else _weekday(m, place)


def _year(m: RuleMatch, place: TextContext) -> Roles | None:
    year = m.get("y", "year")
    return found(year_days(year)) if abs(year - place.today.year) < 20 else None


#: After times of day and lengths of time.
RULES: Final[tuple[Rule, ...]] = (
    (f"w={WEEKDAY} comma? (the|on|onthe)? (the)? d={DAY}", _day_alone),
    ("<the d=ord", _day_alone),
    ("<on+the d=int|ord", _day_alone),
    ("<days+or|and|comma d=ord", _day_alone),
    ("<days+or|and|comma+the d=ord", _day_alone),
    ("<onthe|day_number d=int|ord", _day_alone),
    ("<on d=int >at|clock", _day_alone),
    ("w=shortday >clock", _weekday_before_clock),
    ("w=shortday >at|about|bound|from|between+clock", _weekday_before_clock),
    ("w=shortday >part", _weekday_before_clock),
    ("w=shortday >comma+clock|part", _weekday_before_clock),
    ("<clock|part w=shortday >comma|stop", _weekday_before_clock),
    ("<clock|part w=shortday $", _weekday_before_clock),
    (f"<during|from|to|the|piece p={MONTH}", _named),
    (f"^ p={MONTH} $", _named),
    ("p=month", _named),
    ("<the|in|during|of|this|all p=season", _named),
    ("^ p=season $", _named),
    ("p=holiday", _named),
    ("n=now", _now),
    ("^ n=weaknow $", _now),
    ("<between|from n=weaknow", _now),
    (f"p=days|holiday|{WEEKDAY} comma? or|and the? k=thereafter", _or_thereafter),
    ("p=relday", _named),
    ("<during|of|onthe y=year !unit", _year),
    ("^ y=year $", _year),
    ("<in|of|during|the p=newyear", _named),
    ("w=weekday", _weekday),
    ("<on|onthe|or|this|to|dash|from w=shortday", _weekday),
    ("^ w=shortday $", _weekday),
    ("w=shortday >or|and|dash|to+weekday|shortday", _weekday),
    ("w=shortday >comma+shortday|days", _weekday_before_clock),
    ("w=shortday >or|and|dash+days", _weekday),
    ("<days+or|and|dash w=shortday", _weekday),
)
