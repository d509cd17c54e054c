"""Finds the days in a text that may be the ends of a window."""

import re
from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence, Words, is_month_first, least
from frontdesk.reading.periods import DatePeriod
from frontdesk.reading.phrases.grammar import Item
from frontdesk.reading.phrases.phrase_finder import Phrases, find_phrases
from frontdesk.reading.recurring_days import Recurring
from frontdesk.reading.sentences import MOST_READ, joined_lines, without_addresses
from frontdesk.reading.when_model import PartsOfDay
from frontdesk.values import Frozen, replace

CONFIDENT, LIKELY, UNSURE = Confidence
#: A longer period without ends, such as a season, is no wish.
MOST_DAYS: Final = 62


class Days(Frozen):
    """The periods in the order of the text, and words that name days without a date."""

    periods: tuple[DatePeriod, ...]
    undated: tuple[Words, ...]


def find_days(text: str, folded: str, today: date, country: str) -> Days:
    """Reads one value for each period. Words like 'tomorrow' count from `today`."""
    found = find_phrases(
        joined_lines(without_addresses(text[:MOST_READ])),
        today,
        PartsOfDay(),
        month_first=is_month_first(country),
    )
    periods = [each for each in found.periods if _may_be_wished(folded, each)]
    periods += _tonight(found, today)
    of_another = [each for each in periods if _is_of_another_day(folded, each)]
    undated: list[Recurring | Item | DatePeriod] = [*found.recurring, *found.unread, *of_another]
    return Days(
        tuple(
            _less_sure(folded, _with_others(folded, each, today))
            for each in sorted(periods, key=lambda each: each.start)
            if each not in of_another
        ),
        tuple(Words(text[each.start : each.end], each.start) for each in undated),
    )


def _may_be_wished(folded: str, period: DatePeriod) -> bool:
    """Returns whether it can be a wish; 'after six months' counts from something else."""
    is_short = (period.last - period.first).days <= MOST_DAYS
    is_wish = is_short or period.is_range
    return is_wish and not period.is_loose and not _AFTER.match(folded, period.start)


_AFTER: Final = re.compile(r"(?:after|nach|apres|despues de)\s")


def _tonight(found: Phrases, today: date) -> list[DatePeriod]:
    return [
        DatePeriod(today, today, LIKELY, each.start, each.end)
        for each in found.parts
        if each.is_today
    ]


def _is_of_another_day(folded: str, period: DatePeriod) -> bool:
    """Returns whether the words count from another day: 'the Monday after', 'die Woche darauf'."""
    is_range = period.is_week or period.weekday is not None
    is_behind = is_range and _ANOTHER_BEHIND.match(folded, period.end)
    return bool(is_behind or _ANOTHER.search(folded, period.start, period.end))


_ANOTHER: Final = re.compile(
    r"\b(?:following|darauf|danach|suivante?|d'apres|siguiente)\b(?! \w{1,12}day)"
)
_ANOTHER_BEHIND: Final = re.compile(
    r"\s(?:before|after|darauf|danach|davor|suivant|d'apres|siguiente)"
    r"(?=\s{0,3}(?:[.,;!?)\n]|\Z|(?:is|works|would|please|at|or)\b))"
)


def _less_sure(folded: str, period: DatePeriod) -> DatePeriod:
    """'the 20th' without a month is never certain. Days that not all readings have are unsure: 'in
    two weeks' is a day or a week, and 'the first week of May' may begin in April."""
    is_one_day = period.first == period.last
    most = LIKELY if _NUMBER.fullmatch(folded, period.start, period.end) else CONFIDENT
    if any(
        first < last if is_one_day else last < period.first or first > period.last
        for first, last in period.others
    ):
        most = UNSURE
    return replace(period, confidence=least(period.confidence, most))


_NUMBER: Final = re.compile(r"\d{1,2}\D{0,3}")


def _with_others(folded: str, period: DatePeriod, today: date) -> DatePeriod:
    """Extends a period by readings that are wished for as well: 'this week or next'.

    'Within the next two weeks' may begin today or tomorrow: the window takes both.
    """
    if _OR.search(folded, period.start, period.end):
        last = max((period.last, *(other for _, other in period.others)))
        return replace(period, last=last, others=())
    has_today = (today, period.last) in period.others
    return replace(period, first=today) if has_today else period


_OR: Final = re.compile(r"\s(?:or|oder|ou|o)\s")
