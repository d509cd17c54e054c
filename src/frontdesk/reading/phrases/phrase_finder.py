"""Finds days and times of day in a text, in four languages."""

import re
from datetime import date
from itertools import pairwise
from typing import Final

from frontdesk.reading.day_parts import DayPart, find_parts
from frontdesk.reading.holidays import find_holidays
from frontdesk.reading.periods import DatePeriod
from frontdesk.reading.phrases import (
    clock_rules,
    composed_rules,
    date_rules,
    hour_rules,
    length_rules,
    lone_day_rules,
    numeric_rules,
    relative_rules,
    span_rules,
)
from frontdesk.reading.phrases.day_values import to_period
from frontdesk.reading.phrases.grammar import Grammar, Item, RoleSymbols, TextContext
from frontdesk.reading.phrases.hours import DAY, ClockAtom, Hour
from frontdesk.reading.phrases.lexer import ROLE_SETS, lexed
from frontdesk.reading.phrases.vocabulary import is_count, role_sets
from frontdesk.reading.recurring_days import Recurring, find_recurring
from frontdesk.reading.when_model import PartsOfDay
from frontdesk.reading.words import folded
from frontdesk.values import Frozen

MOST_PERIODS: Final = 40
MOST_TIMES: Final = 80
MOST_PARTS: Final = 60
MOST_KNOWN: Final = 150

#: Roles of items that rules make.
_MADE: Final = ("days", "span", "spans", "window", "moment", "gone_by")
_SYMBOLS: Final = RoleSymbols((*role_sets(), *ROLE_SETS, *(frozenset((role,)) for role in _MADE)))
_GRAMMAR: Final = Grammar(
    _SYMBOLS,
    (
        *date_rules.FIRST_RULES,
        *clock_rules.MARKED_RULES,
        *span_rules.COUNTED_RULES,
        *length_rules.RULES,
        *clock_rules.RULES,
        *relative_rules.RULES,
        *composed_rules.EARLY_RULES,
        *numeric_rules.RULES,
        *date_rules.RULES,
        *composed_rules.RULES,
        *span_rules.RULES,
        *hour_rules.RULES,
        *lone_day_rules.RULES,
        *composed_rules.RULES,
        *span_rules.RULES,
        *relative_rules.LATE_RULES,
        *span_rules.LATE_RULES,
    ),
)
#: Kinds of words for days. If such a word is left over, not all days were read.
_OF_DAYS: Final = frozenset(
    ("weekday", "shortday", "holiday", "month", "fulldate", "dotdate", "unread")
)
#: Kinds of words that change the days beside them. One that is left over was not understood.
_CHANGING: Final = frozenset(
    ("next", "after_next", "piece", "last", "gone", "rest", "halves", "quarter", "offset", "eve",
     "int", "span", "few", "ord", "dotted", "slashed", "quarter_number", "pieceunit", "season",
     "noon", "midnight", "hhmm")
)  # fmt: skip
_BETWEEN: Final = frozenset(("the", "of", "in", "on", "onthe", "comma"))
_FOUND: Final = frozenset(("days", "clock", "part"))


class LaterTime(Frozen):
    """'in two hours', or 'in the next two hours'."""

    minutes: int
    is_window: bool
    start: int
    end: int


class Phrases(Frozen):
    """All days and times in a text, in its order."""

    periods: list[DatePeriod]
    clocks: list[ClockAtom]
    parts: list[DayPart]
    recurring: list[Recurring]
    moments: list[LaterTime]
    unread: list[Item]
    """Words for days that have no date."""
    is_complete: bool
    """False if there are words for days that have no date, or a word was misspelt."""


def find_phrases(text: str, today: date, parts: PartsOfDay, *, month_first: bool) -> Phrases:
    """Finds days and times in a text."""
    plain = folded(text)
    place = TextContext(text, plain, today, month_first, parts)
    recurring = [each for each in find_recurring(plain) if not _is_counted(plain, each)]
    found_parts = list(find_parts(plain, parts))[:MOST_PARTS]
    known = _known(text, plain, recurring, found_parts)
    words = lexed(plain, known)
    items = _GRAMMAR.joined(words.items, place)
    return Phrases(
        [
            to_period(item.roles["days"], today, item.start, _end_of_days(plain, item))
            for item in items
            if "days" in item.roles
        ][:MOST_PERIODS],
        [_atom(item) for item in items if _is_clock(plain, item)][:MOST_TIMES],
        [item.roles["part"] for item in items if "part" in item.roles],
        [each for each in recurring if _is_kept(each, items)],
        [_moment(item) for item in items if {"moment", "window"} & item.roles.keys()],
        _unread(items),
        is_complete=_is_all_read(items) and not words.is_corrected,
    )


def _end_of_days(plain: str, item: Item) -> int:
    """Leaves out the end of a sentence behind a year, or a day behind its month: 'May 30.'"""
    return item.end - bool(_SENTENCE_END.search(plain, item.start, item.end))


_SENTENCE_END: Final = re.compile(r"(?:\d{4}|[^\W\d_]\.? ?\d{1,2})\.\Z")


def _is_all_read(items: list[Item]) -> bool:
    """Returns whether no word for days is left over."""
    if any(_OF_DAYS & item.roles.keys() for item in items):
        return False
    linked = [item.roles.keys() for item in items if not _BETWEEN & item.roles.keys()]
    return not any(
        (_CHANGING & one and _FOUND & other and not _FOUND & one)
        or (_FOUND & one and _CHANGING & other and not _FOUND & other)
        for one, other in pairwise(linked)
    )


def _unread(items: list[Item]) -> list[Item]:
    """Returns the words for days that are left over; 'Fr' in 'Fr. Albers' is none."""
    names = [
        one for one, behind in pairwise(items) if "shortday" in one.roles and "x" in behind.roles
    ]
    return [each for each in items if _OF_DAYS & each.roles.keys() and each not in names]


def _is_counted(plain: str, found: Recurring) -> bool:
    """Returns whether days are counted: 'two business days', 'the next 5 working days'."""
    words = plain[max(0, found.start - 24) : found.start].split()
    return bool(words) and is_count(words[-1])


def _known(text: str, plain: str, recurring: list[Recurring], parts: list[DayPart]) -> list[Item]:
    """Returns the items that regular expressions find, without overlaps: holidays first."""
    found = [
        *(
            Item({"holiday": name}, start, end)
            for name, start, end in find_holidays(plain)
            if text[start:end] != "Nye"  # a name
        ),
        *(Item({"unread": 0}, *each.span()) for each in _SCHOOL_HOLIDAYS.finditer(plain)),
        *(Item({"recurring": 0}, each.start, each.end) for each in recurring),
        *(Item({"part": each}, each.start, each.end) for each in parts),
    ][:MOST_KNOWN]
    taken = bytearray(len(plain))
    kept = []
    for item in found:
        if not any(taken[item.start : item.end]):
            taken[item.start : item.end] = b"\x01" * (item.end - item.start)
            kept.append(item)
    return sorted(kept, key=lambda item: item.start)


#: They differ by region, so that they have no dates.
_SCHOOL_HOLIDAYS: Final = re.compile(
    r"\b(?:(?:christmas|easter|summer|autumn|winter|spring|school|february|october)"
    r" (?:holidays?|break|vacations?)|half[ -]?term|spring break"
    r"|(?:weihnachts|oster|sommer|herbst|winter|pfingst|faschings|schul)ferien"
    r"|vacances (?:d'|de (?:la )?)?(?:noel|paques|ete|fevrier|printemps|toussaint|scolaires)"
    r"|vacaciones (?:de(?:l)? )?(?:navidad|verano|semana santa|pascua|escolares))\b"
)


def _is_kept(found: Recurring, items: list[Item]) -> bool:
    """Returns whether no longer item has used the words."""
    return any(item.start == found.start and item.end == found.end for item in items)


def _is_clock(plain: str, item: Item) -> bool:
    """Returns False for a length of time: '2h' is one, unless a preposition says otherwise."""
    if "clock" not in item.roles:
        return False
    hour: Hour = item.roles["clock"]
    if "span" not in item.roles or not hour.takes_minutes:
        return True
    before = plain[max(0, item.start - 14) : item.start]
    is_time = hour.minutes >= 7 * 60 and not _FOR.search(before)
    return bool(is_time or _PART_BEHIND.match(plain, item.end) or _AT.search(before))


_FOR: Final = re.compile(
    r"\b(?:for|in|of|pour|dans|durant|pendant|por|duree(?: de)?|massage de|en)\s$"
)
_PART_BEHIND: Final = re.compile(r"\s(?:du (?:mat|soir)|de l'apres|de la (?:man|tar|noc))")
_AT: Final = re.compile(
    r"(?:\b(?:las|les|a|vers|des|avant|apres|jusqu'a|entre|et|environ|partir de|at|que|um|gegen|ab"
    r"|bis|von|nach|vor)\s|-\s?)$"
)


def _atom(item: Item) -> ClockAtom:
    hour: Hour = item.roles["clock"]
    return ClockAtom(
        hour.minutes % DAY, item.start, item.end, hour.is_marked, hour.is_clear, hour.is_bare
    )


def _moment(item: Item) -> LaterTime:
    is_window = "window" in item.roles
    minutes = item.roles["window" if is_window else "moment"]
    return LaterTime(minutes, is_window, item.start, item.end)
