"""Rules for bare numbers that are hours: 'at 3', 'between 2 and 5', '9-11am', 'a las 4'."""

import re
from typing import Final

from frontdesk.reading.phrases.anchors import weekday_days
from frontdesk.reading.phrases.clock_rules import dotted, dotted_alone, four_digits, two_numbers
from frontdesk.reading.phrases.grammar import Roles, Rule, RuleMatch, TextContext
from frontdesk.reading.phrases.hours import DAY, NOON, Hour
from frontdesk.reading.phrases.relative_rules import found

#: Words behind a number that make it something else than an hour.
_NO_HOUR: Final = frozenset(
    ("unit", "noun", "month", "shortmonth", "ord", "year", "street", "few", "int", "season")
)
#: 'at 3 Main Street'
_STREET: Final = re.compile(
    r"\s[a-z]{2,20}(?: [a-z]{2,20})? (?:street|st|road|rd|avenue|ave|lane|square|drive|place)\b"
)


def _bare(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads an hour behind a word that is only said of times: 'at 3', 'um 3'."""
    number = m.get("n", "int")
    if not 0 <= number <= 24 or _NO_HOUR & m.behind.keys():
        return None
    if _STREET.match(place.plain, m.end):
        return None
    text = place.plain[m.item("n").start : m.item("n").end]
    is_marked = number > 12 or number == 0 or text.startswith("0")
    return {"clock": Hour(number * 60 % DAY, is_marked, is_bare=True)}


def _behind_other(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads an hour behind a word that may also precede other numbers: 'after 5', 'about 5'."""
    is_one = "part" in m.before and "one" in m.item("n").roles
    return None if "x" in m.behind or is_one else _bare(m, place)


def _behind_article(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'a las 4', 'a la una', 'à 15'; not 'la 4'."""
    words = place.plain[max(0, m.start - 12) : m.start].split()
    number = m.get("n", "int")
    if words and words[-1] == "la" and number != 1:
        return None
    if words and words[-1] == "a" and (number < 6 or "x" in m.behind):
        return None
    return _bare(m, place)


_DATED: Final = frozenset(("the", "onthe", "month", "shortmonth", "day_number", "dash", "int"))


def _before_part(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '8 this evening', but not 'the 8 in the evening'."""
    is_dated = _DATED & m.before.keys() and "at" not in m.before
    is_day = is_dated or _is_day(m) or "ord" in m.item("n").roles
    return None if is_day or not 0 < m.get("n", "int") <= 24 else _bare(m, place)


def _is_day(m: RuleMatch) -> bool:
    """Returns whether a number beside a weekday is a day: 'samedi vingt, dans l'après-midi'."""
    is_dated = {"weekday", "shortday"} & m.before.keys()
    return bool(is_dated) and m.get("n", "int") > NOON // 60


_NAMED: Final = frozenset(("the", "onthe", "day_number"))


def _in_range(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads the bare end of '9-11am', 'between 2 and 5pm'."""
    is_dated = _NAMED & m.before.keys() and "at" not in m.before
    last: Hour | None = m.next_behind.get("clock")
    if last and last.minutes < m.get("n", "int") * 60 and _is_day(m):
        return None  # 'lunes 22 a mediodía'
    return None if is_dated else _bare(m, place)


def _digits_beside_day(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'Friday 1430', but not 'Friday 2027': that may be a year."""
    item = m.item("n")
    return None if "year" in item.roles or m.get("n", "hhmm") % 5 else four_digits(m, place)


def _behind_range(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads the first hour of 'from 2 to 5'; the other follows."""
    number = m.get("n", "int")
    is_digits = place.plain[m.item("n").start].isdigit()
    return (
        {"clock": Hour(number * 60 % DAY, number > 12 or number == 0, is_bare=is_digits)}
        if number <= 24
        else None
    )


def _short_day(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'Sat, 9 to 11', '15 Uhr Sa', 'do nachmittag', but not 'so um 17 Uhr'."""
    word = place.plain[m.item("w").start : m.item("w").end]
    return (
        None
        if word in _OTHER_WORDS and "part" not in m.behind
        else found(weekday_days(place.today, m.get("w", "shortday")))
    )


_OTHER_WORDS: Final = frozenset(("so", "do", "mi"))
_TO: Final = "to|dash"
RULES: Final[tuple[Rule, ...]] = (
    ("^ w=shortday >clock|part|at|about|from|between|bound|hhmm|dotted", _short_day),
    ("^ w=shortday comma >clock|part|at|about|from|between|bound|hhmm|dotted", _short_day),
    (f"^ w=shortday comma? >int+{_TO}+int|clock", _short_day),
    (f"<at|about|and|{_TO}+int w=shortday $", _short_day),
    ("<clock|part|am|pm w=shortday $", _short_day),
    ("<clock|part|am|pm w=shortday >stop|comma|or|and", _short_day),
    ("<at|about n=dotted !unit|noun", dotted),
    ("<bound|weekday|relday|days n=dotted !unit|noun", dotted_alone),
    ("^ n=dotted $", dotted_alone),
    ("n=dotted comma? >on|onthe|part|weekday|relday", dotted_alone),
    (f"n=dotted >{_TO}|oclock", dotted_alone),
    (f"<at|about|bound|{_TO} n=hhmm", four_digits),
    (f"n=hhmm >{_TO}", four_digits),
    ("^ n=hhmm $", four_digits),
    ("<weekday|relday|days n=hhmm", _digits_beside_day),
    ("n=hhmm >part", _digits_beside_day),
    ("^ n=hhmm comma? >on|onthe|weekday|relday|days", _digits_beside_day),
    ("<at|about n=int z=zero? m=int", two_numbers),
    ("n=int z=zero? m=int >part|ish|stop", two_numbers),
    ("^ n=int z=zero? m=int $", two_numbers),
    ("<comma|days|weekday|relday n=int z=zero? m=int $", two_numbers),
    ("<from n=int >onward", _bare),
    ("n=int >onward", _behind_other),
    ("<at n=int !oclock|am|pm", _behind_article),
    ("<from|between n=int z=zero? m=int >to|dash|and", two_numbers),
    (f"^ n=int >{_TO}+int+$", _behind_range),
    ("<about n=int", _behind_other),
    ("<!onthe|the|month|shortmonth|day_number n=int ish", _bare),
    ("^ n=int >relday|weekday+$", _bare),
    ("n=int comma? >part", _before_part),
    ("<part n=int", _behind_other),
    ("n=int >relday|weekday|days+part", _before_part),
    (f"n=int >{_TO}+clock", _in_range),
    (f"n=int >{_TO}+at+clock", _in_range),
    ("<between n=int >and+clock", _bare),
    ("<between n=int >and+at+clock", _bare),
    (f"<from|between n=int >{_TO}|and+int", _behind_range),
    (f"<from|between n=int >{_TO}|and+at+int", _behind_range),
    (f"<weekday|relday|days|recurring|holiday n=int >{_TO}+int", _behind_range),
    (f"<ord n=int >{_TO}+int", _behind_range),
    (f"<ord+comma n=int >{_TO}+int", _behind_range),
    (f"n=int >{_TO}+int+the|comma+ord|days|weekday|relday", _behind_range),
    (f"<weekday|relday|days|holiday+comma n=int >{_TO}+int", _behind_range),
    (f"n=int >{_TO}+int+weekday|relday|days|part|on|onthe|holiday", _behind_range),
    (f"<clock+{_TO} n=int", _in_range),
    (f"<clock+{_TO}+at n=int", _in_range),
    ("<between+clock+and n=int", _bare),
    ("<between+clock+and+at n=int", _bare),
    ("n=int >or+clock", _in_range),
    ("<bound n=int", _behind_other),
    ("<clock+or n=int", _behind_other),
)
