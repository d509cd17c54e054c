"""Rules for times on the clock: '3pm', 'half past two', 'halb drei', 'las 4 y media', '16 Uhr'."""

from typing import Final

from frontdesk.reading.phrases.grammar import Roles, Rule, RuleMatch, TextContext
from frontdesk.reading.phrases.hours import DAY, NOON, Hour
from frontdesk.reading.phrases.spans import TimeSpan
from frontdesk.values import replace

#: Minutes that people say without the word: 'twenty past three'.
_SPOKEN: Final = (5, 10, 15, 20, 25)
#: From nine on, '9 Uhr' is in the morning.
_FIRST_CLEAR: Final = 9


def _found(clock: Hour | None) -> Roles | None:
    return {"clock": clock} if clock else None


def _hour(
    hour: int,
    minute: int = 0,
    *,
    by: int = 0,
    half: str = "",
    is_exact: bool = False,
    is_continental: bool = False,
) -> Hour | None:
    """Makes a time of day; `half` is 'am' or 'pm', `by` moves it by so many minutes."""
    if hour > 24 or not 0 <= minute < 60:
        return None
    if half and 0 < hour <= 12:
        minutes = hour % 12 * 60 + (NOON if half == "pm" else 0) + minute + by
        return Hour(minutes % DAY, is_marked=True)
    minutes = hour * 60 + minute + by
    if hour > 0 and minutes < 60:
        minutes += NOON
    is_marked = is_exact or hour == 0 or hour > 12
    return Hour(minutes % DAY, is_marked, is_clear=is_continental and hour >= _FIRST_CLEAR)


def _starts_with_zero(m: RuleMatch, name: str, place: TextContext) -> bool:
    return place.plain[m.item(name).start] == "0"


def _half_of(m: RuleMatch) -> str:
    return "am" if "am" in m.item("a").roles else "pm"


#: Words behind the German 'am' in 'um 10 am Dienstag'.
_BEHIND_AM: Final = frozenset(
    ("weekday", "shortday", "ord", "part", "relday", "next", "int", "unit", "dotted", "dotdate",
     "fulldate", "slashed", "days", "month", "last")
)  # fmt: skip


def _is_german_am(m: RuleMatch) -> bool:
    return "onthe" in m.item("a").roles and bool(_BEHIND_AM & m.behind.keys())


def _marked(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '3pm', 'seven thirty am', '340pm'."""
    if _is_german_am(m):
        return None
    if "c" in m:
        clock: Hour = m.get("c", "clock")
        return _found(_hour(clock.minutes // 60, clock.minutes % 60, half=_half_of(m)))
    if "m" in m:
        hour, minute = m.get("n", "int"), m.get("m", "int")
        is_minute = "z" in m or minute >= 10
        return _found(_hour(hour, minute, half=_half_of(m))) if is_minute and hour <= 12 else None
    if "hhmm" in m.item("n").roles:
        value = m.get("n", "hhmm")
        return _found(_hour(value // 100, value % 100, half=_half_of(m)))
    number = m.get("n", "int")
    return _found(_hour(number, half=_half_of(m))) if 0 < number <= 12 else None


def _dotted_marked(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '9.30 Uhr', '9.30 pm'."""
    text = m.get("n", "dotted")
    hour, minute = (int(each) for each in text.replace(",", ".").split("."))
    if len(text.replace(",", ".").split(".")[1]) != 2 or ("a" in m and _is_german_am(m)):
        return None
    half = _half_of(m) if "a" in m else ""
    return _found(_hour(hour, minute, half=half, is_continental=not half))


def dotted(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '10.30' behind 'at', or if it cannot be a date."""
    hour, minute = (int(each) for each in m.get("n", "dotted").replace(",", ".").split("."))
    is_time = len(m.get("n", "dotted")) >= 4 and m.get("n", "dotted")[-3] == "."
    return _found(_hour(hour, minute)) if is_time else None


def dotted_alone(m: RuleMatch, place: TextContext) -> Roles | None:
    is_date = int(m.get("n", "dotted").replace(",", ".").split(".")[1]) <= 12
    return None if is_date else dotted(m, place)


def _oclock(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '16 Uhr', '15 Uhr 20', "eight o'clock"."""
    number = m.get("n", "int")
    if "hhmm" in m.item("n").roles:
        number = m.get("n", "hhmm")
        return _found(_hour(number // 100, number % 100, is_exact=True))
    is_exact = _starts_with_zero(m, "n", place)
    clock = _hour(number, is_exact=is_exact, is_continental=True)
    return _found(replace(clock, takes_minutes=True)) if clock else None


def _german_one(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'ein Uhr'; 'une heure' may be a length of time."""
    is_clock = place.plain[m.item("o").start : m.item("o").end] == "uhr"
    return _found(Hour(60, takes_minutes=True)) if is_clock else None


def _digital_oclock(m: RuleMatch, place: TextContext) -> Roles | None:
    clock: Hour = m.get("c", "clock")
    is_clear = clock.is_clear or clock.minutes >= _FIRST_CLEAR * 60
    return _found(replace(clock, is_clear=is_clear, takes_minutes=False))


def _with_minutes(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '15 Uhr 20', 'sept heures et dix'."""
    clock: Hour = m.get("c", "clock")
    minutes = m.get("m", "int")
    is_two_digits = m.item("m").end - m.item("m").start >= 2
    if "ord" in m.item("m").roles:
        return None  # '15 Uhr 5. und 6. November'
    if not clock.takes_minutes or not 0 < minutes < 60 or not (is_two_digits or "p" in m):
        return None
    return _found(replace(clock, minutes=clock.minutes + minutes, takes_minutes=False))


def _with_spoken_minutes(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'las trece horas quince minutos'."""
    return _with_minutes(m, place) if m.get("u", "unit") == "minute" else None


def _base(m: RuleMatch, by: int) -> Hour | None:
    """Moves the hour of 'quarter past three', 'ten to noon'."""
    if "noon" in m.item("n").roles or "midnight" in m.item("n").roles:
        return Hour((m.get("n", "noon", "midnight") + by) % DAY, is_marked=True)
    clock: Hour | None = m.get("n", "clock")
    if clock is None:
        return _hour(m.get("n", "int"), by=by)
    minutes = (clock.minutes + by) % DAY
    return Hour(minutes, clock.is_marked, clock.is_clear)


def _before_or_after(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'quarter past 2', '20 minutes to 3', 'viertel vor 12', 'cuarto para las 3'."""
    span: TimeSpan | None = m.get("q", "span")
    is_to = "minutes_to" in m.item("k").roles
    minutes = m.get("q", "half", "quarter", "int")
    if span is not None:
        minutes = span.count if span.is_short and span.count <= NOON else None
    if minutes is None or minutes <= 0 or (is_to and "half" in m.item("q").roles):
        return None
    if (
        span is None
        and "int" in m.item("q").roles
        and not _is_spoken(m, minutes, place, is_to=is_to)
    ):
        return None
    if _is_day(m, place):
        return None
    return _found(_base(m, -minutes if is_to else minutes))


_DATED: Final = frozenset(
    ("onthe", "day_number", "month", "shortmonth", "weekday", "shortday", "days")
)


_LISTED: Final = frozenset(("dash", "to", "and", "or"))


def _is_day(m: RuleMatch, place: TextContext) -> bool:
    """Returns whether a number in digits is a day: 'March 20 after 5', 'le 20 avant 11h',
    'March 20-25 before 5'."""
    item = m.item("q")
    is_digits = "int" in item.roles and place.plain[item.start].isdigit()
    return is_digits and bool((_DATED | _LISTED) & m.before.keys() or "ord" in item.roles)


def _is_spoken(m: RuleMatch, minutes: int, place: TextContext, *, is_to: bool) -> bool:
    """Returns False for a range: 'from 2 to 5'."""
    if {"from", "between"} & m.before.keys() - {"at"}:
        return False
    if place.plain[m.item("k").start : m.item("k").end] == "past":
        return True  # 'four past six'
    is_range = "to" in m.item("k").roles
    is_clear = "noon" in m.item("n").roles or "midnight" in m.item("n").roles
    if is_range and not is_clear:
        return minutes in (20, 25)
    return minutes in _SPOKEN or (not is_to and 0 < minutes < 60 and "clock" in m.item("n").roles)


def _offset(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'halb drei' as 2:30, 'dreiviertel drei' as 2:45, 'half three' as 3:30."""
    by = m.get("o", "offset")
    if "q" in m:
        span: TimeSpan | None = m.get("q", "span")
        minutes = span.count if span else m.get("q", "quarter", "int")
        by += minutes if "minutes_past" in m.item("k").roles else -minutes
    return _found(_base(m, by))


def _plus(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'las 4 y media', '3 heures et quart', 'midi et demi'."""
    part = m.get("q", "half", "quarter")
    minutes = part or m.get("q", "int")
    if part is None and ("between" in m.before or _DATED & m.before.keys()):
        return None
    if part is None and "clock" not in m.item("n").roles:
        is_hour = "at" in m.before
        is_clear = minutes > 12 and ("clock" in m.item("n").roles or m.get("n", "int") <= 12)
        if not 0 < minutes < 60 or not (is_hour or is_clear):
            return None
    if "int" in m.item("n").roles and not 0 < m.get("n", "int") <= 24:
        return None
    return _found(_base(m, minutes))


def _minus(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'las 5 menos diez', '16 heures moins le quart'."""
    minutes = m.get("q", "quarter", "int", "half")
    return _found(_base(m, -minutes)) if 0 < minutes < 60 else None


def two_numbers(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'seven twenty-seven', 'ocho treinta', 'three oh five'."""
    hour, minute = m.get("n", "int"), m.get("m", "int")
    is_minute = ("z" in m and minute < 10) or (10 <= minute < 60 and "z" not in m)
    is_day = {"month", "shortmonth", "unit", "noun", "year"} & m.behind.keys()
    return _found(_hour(hour, minute)) if is_minute and 0 < hour < 25 and not is_day else None


def four_digits(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '0930', 'at 1430'."""
    value = m.get("n", "hhmm")
    is_exact = _starts_with_zero(m, "n", place) or value >= 1300
    if "year" in m.item("n").roles and "at" not in m.before:
        return None
    return _found(_hour(value // 100, value % 100, is_exact=is_exact))


def _zero_first(m: RuleMatch, place: TextContext) -> Roles | None:
    return four_digits(m, place) if _starts_with_zero(m, "n", place) else None


def _of_noon(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'las doce y media del mediodía'."""
    clock: Hour = m.get("c", "clock")
    if not clock.is_marked and 60 <= clock.minutes < 5 * 60:
        clock = replace(clock, minutes=clock.minutes + NOON)
    return _found(replace(clock, is_marked=True))


def _noon_and_minutes(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'midi trente'."""
    minutes = m.get("m", "int")
    return _found(_base(m, minutes)) if 10 <= minutes < 60 else None


def _named(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'noon', '12 noon'; 'el 20 a mediodía' has a day."""
    allowed = (12,) if "noon" in m.item("n").roles else (0, 12, 24)
    if "h" in m and m.get("h", "int") not in allowed:
        return None
    return _found(Hour(m.get("n", "noon", "midnight"), is_marked=True))


_HOUR: Final = "int|clock|noon|midnight"
_PART: Final = "half|quarter"

#: Before '3 heures' may be a length of time.
MARKED_RULES: Final[tuple[Rule, ...]] = (
    ("n=int z=zero m=int a=am|pm", _marked),
    ("n=int m=int a=am|pm", _marked),
    ("c=clock a=am|pm", _marked),
    ("n=int|hhmm ish? a=am|pm", _marked),
    ("n=dotted o=oclock", _dotted_marked),
    ("n=dotted a=am|pm", _dotted_marked),
    ("q=int|quarter k=minutes_past|minutes_to o=offset n=int|clock", _offset),
    (f"one? q={_PART} k=minutes_past|minutes_to the? n={_HOUR}", _before_or_after),
)
RULES: Final[tuple[Rule, ...]] = (
    ("n=int|hhmm o=oclock", _oclock),
    ("one o=oclock", _german_one),
    ("c=clock o=oclock !int", _digital_oclock),
    ("c=clock p=plus m=int", _with_minutes),
    ("c=clock p=plus? m=int u=unit", _with_spoken_minutes),
    (
        "c=clock m=int !oclock|unit|month|shortmonth|to|dash !of+month|shortmonth",
        _with_minutes,
    ),
    ("q=span k=minutes_past|minutes_to o=offset n=int|clock", _offset),
    (f"q=span|int k=minutes_past|minutes_to the? n={_HOUR}", _before_or_after),
    ("o=offset n=int|clock !unit|noun|month|shortmonth", _offset),
    (f"the? n={_HOUR} plus the? q={_PART} !unit", _plus),
    ("n=int plus_minutes q=int !unit|noun|month|shortmonth|oclock|am|pm !of+month", _plus),
    (f"n={_HOUR} minus the? q={_PART}|int", _minus),
    ("c=clock of the? noon", _of_noon),
    ("n=noon|midnight m=int !unit|noun|oclock|month|shortmonth|of|to|dash|year", _noon_and_minutes),
    ("h=int? n=noon|midnight", _named),
    ("n=hhmm", _zero_first),
)
