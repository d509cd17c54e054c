"""Makes one window of days from the periods in a text and the words between them.

'after the 15th' opens a window, 'until Friday' closes it, 'except Wednesday' is left to staff.
"""

from datetime import date
from itertools import groupby
from typing import Final, Literal

from frontdesk.reading.clauses import is_moved
from frontdesk.reading.days import find_days
from frontdesk.reading.model import Confidence, Field, Words, in_order, least
from frontdesk.reading.wished_days import WishedDays, wished_days
from frontdesk.values import Frozen, replace

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_CHARACTERS_OF_ONE_THOUGHT: Final = 12


class WishedWindow(Frozen):
    """The days in a text; `also` has the words that a window cannot express."""

    earliest_on: Field[date] | None
    latest_on: Field[date] | None
    also: tuple[Words, ...]


class _Bound(Frozen):
    """One period; either end may be open."""

    first: date | None
    last: date | None
    confidence: Confidence
    words: Words
    is_doubted: bool = False
    """It may be the date of something else."""


def window(text: str, folded: str, *, today: date, written_on: date, country: str) -> WishedWindow:
    """Words like 'tomorrow' count from `written_on`."""
    days = find_days(text, folded, written_on, country)
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
    """'next week, after Wednesday': an open end narrows a closed window."""
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
    """'after the 15th, but before the 20th' belong together; so do two rows of a table."""
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
    """A past day is never certain."""
    return _at_most(field, UNSURE if field and field.value < today else CONFIDENT)
