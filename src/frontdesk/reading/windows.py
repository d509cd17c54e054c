"""Joins the wished days of a text into one window, for lists that keep a first and a last day.

'After the 15th' opens a window, 'until Friday' closes it, 'except Wednesday' is left to staff.
"""

import re
from datetime import date
from itertools import groupby
from typing import Final, Literal

from frontdesk.core.localtime import is_month_first
from frontdesk.reading.clauses import is_moved
from frontdesk.reading.model import Confidence, Field, Words, in_order, least
from frontdesk.reading.periods import DatePeriod
from frontdesk.reading.phrases.grammar import Item
from frontdesk.reading.phrases.phrase_finder import Phrases, find_phrases
from frontdesk.reading.recurring_days import Recurring
from frontdesk.reading.sentences import MOST_READ, joined_lines, without_addresses
from frontdesk.reading.when_model import PartsOfDay
from frontdesk.reading.wished_days import WishedDays, wished_days
from frontdesk.values import Frozen, replace

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_CHARACTERS_OF_ONE_THOUGHT: Final = 12
#: A longer period without ends, such as a season, is no wish.
MOST_DAYS: Final = 62


class WishedWindow(Frozen):
    """The days in a text; `also` has the words that a window cannot express."""

    earliest_on: Field[date] | None
    latest_on: Field[date] | None
    also: tuple[Words, ...]


class _Bound(Frozen):
    """The days of one list or range; either end may be open."""

    first: date | None
    last: date | None
    confidence: Confidence
    words: Words
    is_doubted: bool = False
    """It may be the date of something else."""


def window(text: str, folded: str, *, today: date, written_on: date, country: str) -> WishedWindow:
    """Reads the window. Words like 'tomorrow' count from `written_on`."""
    days = _find_days(text, folded, written_on, country)
    bounds: list[_Bound] = []
    also = list(days.undated)
    # Days that have passed stay past: a person looks at them.
    wished = wished_days(folded, list(days.periods), date.min)
    for _, group in groupby(wished, key=lambda each: each.group):
        one, *others = group
        bound = _bound(text, [one, *others])
        if one.is_excluded:
            also.append(bound.words)
        else:
            bounds.append(bound)
    bounds = [each for each in bounds if not (each.is_doubted and _is_past(each, today))]
    ahead = _ahead_of([each for each in bounds if not each.is_doubted] or bounds, today)
    is_all = len(ahead) == len(_ahead_of(bounds, today)) and not also
    most = CONFIDENT if is_all else LIKELY
    if is_moved(folded):
        most = LIKELY if len(ahead) == 1 and not is_all else UNSURE
    earliest, latest = _joined(folded, ahead, most=most)
    return WishedWindow(_checked(earliest, today), _checked(latest, today), in_order(also))


class _Days(Frozen):
    """The periods in the order of the text, and words that name days without a date."""

    periods: tuple[DatePeriod, ...]
    undated: tuple[Words, ...]


def _find_days(text: str, folded: str, today: date, country: str) -> _Days:
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
    return _Days(
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
    """Limits the confidence of a period: 'the 20th' without a month is at most likely.

    It is unsure if its readings differ much: 'in two weeks' is a day or a week, and 'the first week
    of May' may begin in April.
    """
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


def _bound(text: str, group: list[WishedDays]) -> _Bound:
    """Returns the bound of the days of one list or range, by their best readings."""
    firsts, lasts = zip(*(each.readings[0] for each in group), strict=True)
    start, end = group[0].start, group[-1].end
    return _Bound(
        None if None in firsts else min(firsts),
        None if None in lasts else max(lasts),
        least(*(each.confidence for each in group), LIKELY if len(group) > 1 else CONFIDENT),
        Words(text[start:end], start),
        any(each.is_doubted for each in group),
    )


def _ahead_of(bounds: list[_Bound], today: date) -> list[_Bound]:
    """Drops past periods, if there are others."""
    return [each for each in bounds if not _is_past(each, today)] or bounds


def _is_past(bound: _Bound, today: date) -> bool:
    return (bound.last or bound.first or today) < today


def _joined(
    folded: str, bounds: list[_Bound], *, most: Confidence
) -> tuple[Field[date] | None, Field[date] | None]:
    closed = [each for each in bounds if each.first and each.last]
    firsts = _ends([each for each in bounds if not each.last], "first")
    lasts = _ends([each for each in bounds if not each.first], "last")
    most = least(most, LIKELY if len(closed) > 1 else CONFIDENT)
    earliest = min(_ends(closed, "first"), key=_value, default=None)
    latest = max(_ends(closed, "last"), key=_value, default=None)
    earliest, latest = _narrowed(folded, earliest, latest, firsts, lasts)
    if earliest and latest and earliest.value > latest.value:
        most = UNSURE
    return _at_most(earliest, most), _at_most(latest, most)


def _narrowed(
    folded: str,
    earliest: Field[date] | None,
    latest: Field[date] | None,
    firsts: list[Field[date]],
    lasts: list[Field[date]],
) -> tuple[Field[date] | None, Field[date] | None]:
    """Narrows a closed window by open ends: 'next week, after Wednesday'."""
    if not earliest or not latest:
        earliest = min(firsts, key=_value, default=None)
        latest = max(lasts, key=_value, default=None)
        is_apart = earliest and latest and not _are_near(folded, earliest, latest)
        most = LIKELY if is_apart else CONFIDENT
        most = UNSURE if max(len(firsts), len(lasts)) > 1 else most
        return _at_most(earliest, most), _at_most(latest, most)
    low, high = earliest.value, latest.value
    later = max((each for each in firsts if low <= each.value <= high), key=_value, default=None)
    sooner = min((each for each in lasts if low <= each.value <= high), key=_value, default=None)
    outside = len(firsts) + len(lasts) - bool(later) - bool(sooner)
    most = UNSURE if outside else CONFIDENT
    return _at_most(later or earliest, most), _at_most(sooner or latest, most)


def _are_near(folded: str, one: Field[date], other: Field[date]) -> bool:
    """Returns whether two ends belong together: 'after the 15th, but before the 20th'."""
    first, last = sorted((one.words, other.words), key=lambda words: words.start)
    between = folded[first.end : last.start].strip(" |\n")
    return len(between) <= MOST_CHARACTERS_OF_ONE_THOUGHT


def _ends(bounds: list[_Bound], end: Literal["first", "last"]) -> list[Field[date]]:
    values = ((each.first if end == "first" else each.last, each) for each in bounds)
    return [Field(value, each.confidence, each.words) for value, each in values if value]


def _value(field: Field[date]) -> date:
    return field.value


def _at_most(field: Field[date] | None, most: Confidence) -> Field[date] | None:
    return replace(field, confidence=least(field.confidence, most)) if field else None


def _checked(field: Field[date] | None, today: date) -> Field[date] | None:
    """Makes a past day unsure."""
    return _at_most(field, UNSURE if field and field.value < today else CONFIDENT)
