"""Groups dates: a weekday with its week, the items of a list, the ends of a range."""

import re
from itertools import pairwise
from typing import Final

from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import DatePeriod, plus, week_of
from frontdesk.values import replace

MOST_CHARACTERS_BEFORE: Final = 20


def in_their_weeks(folded: str, periods: list[DatePeriod]) -> list[DatePeriod]:
    """Joins 'Tuesday next week', 'nächste Woche Dienstag', 'Tuesday or Thursday next week'."""
    found: list[DatePeriod] = []
    week: DatePeriod | None = None
    for period in periods:
        before = found[-1] if found else None
        gap = folded[before.end : period.start] if before else ""
        if before and before.is_week and period.weekday is not None and _BESIDE.fullmatch(gap):
            wished = _weekday_of(period, before)
            found[-1] = replace(wished, confidence=Confidence.LIKELY) if "," in gap else wished
            week = before
        elif week and before and period.weekday is not None and _LISTED.fullmatch(gap):
            found.append(replace(_weekday_of(period, week), start=period.start, end=period.end))
        elif before and before.is_week and period.weekday is not None and _FROM.fullmatch(gap):
            found[-1] = replace(
                _weekday_of(period, before), last=before.last, confidence=Confidence.LIKELY
            )
        elif before and period.is_week and before.weekday is not None and _BESIDE.fullmatch(gap):
            found[-1] = _weekday_of(before, period)
            _list_in_week(folded, found, period)
        else:
            found.append(period)
            week = None
    return found


_BESIDE: Final = re.compile(
    r"\s{0,3},?\s{0,3}(?:(?:preferably|ideally|am liebsten|de preference|mejor)\s{1,3})?"
    r"(?:\(?(?:of|in|on|of the|in the|in der|die|der|de|de la|am|le|la|el|the)\s{1,3})?"
)
_FROM: Final = re.compile(
    r",?\s{1,3}(?:from|starting|ab|a partir du|a partir del?|desde)\s{1,3}(?:el )?"
)


def _weekday_of(day: DatePeriod, week: DatePeriod) -> DatePeriod:
    assert day.weekday is not None
    on = plus(week_of(week.last, 0)[0], day.weekday)
    return DatePeriod(
        on, on, week.confidence if on >= week.first else Confidence.UNSURE,
        min(day.start, week.start), max(day.end, week.end),
    )  # fmt: skip


def _list_in_week(folded: str, found: list[DatePeriod], week: DatePeriod) -> None:
    """Puts the weekdays that are listed before one with a week into the same week."""
    for at in range(len(found) - 2, -1, -1):
        day, after = found[at], found[at + 1]
        if day.weekday is None or not _LISTED.fullmatch(folded[day.end : after.start]):
            break
        on = plus(week_of(week.last, 0)[0], day.weekday)
        found[at] = replace(day, first=on, last=on, weekday=None, confidence=week.confidence)


def groups(folded: str, periods: list[DatePeriod]) -> list[list[DatePeriod]]:
    """Groups the periods of a list or a range."""
    gaps = [folded[one.end : two.start] for one, two in pairwise(periods)]
    found = [[period] for period in periods[:1]]
    for at, period in enumerate(periods[1:]):
        if _is_listed(gaps[at:]):
            found[-1].append(period)
        else:
            found.append([period])
    return found


def _is_listed(gaps: list[str]) -> bool:
    """Commas make a list only if 'or' or a similar word is before its last item."""
    end = next((gap for gap in gaps if gap.strip() != ","), "")
    return bool(_LISTED.fullmatch(end))


def is_range(folded: str, first: DatePeriod, last: DatePeriod) -> bool:
    gap = folded[first.end : last.start]
    if _RANGED.fullmatch(gap):
        return True
    before = folded[max(0, first.start - MOST_CHARACTERS_BEFORE) : first.start]
    return bool(_ALSO_RANGED.fullmatch(gap) and _BETWEEN.search(before))


_AND: Final = r"(?:,|&|/|or|and|oder|und|ou|et|o|y|sowie|,\s?(?:or|and|oder|und))"
_TO: Final = r"(?:-|to|until|till?|through|thru|up to|bis(?: zu[mr]?)?|au|jusqu'(?:au|a)|al?|hasta)"
_ARTICLE: Final = (
    r"(?:(?:the|on|on the|am|den|dem|der|le|la|el|the week of|evtl\.?|even|maybe)\s{1,3})?"
)
_LISTED: Final = re.compile(rf"\.?\s{{0,3}}(?:{_AND}|{_TO})\s{{0,3}}{_ARTICLE}")
_RANGED: Final = re.compile(rf"\.?\s{{0,3}}{_TO}\s{{0,3}}{_ARTICLE}")
_ALSO_RANGED: Final = re.compile(rf"\.?\s{{0,3}}(?:and|und|et|y)\s{{0,3}}{_ARTICLE}")
_BETWEEN: Final = re.compile(r"\b(?:between|zwischen|entre)\s{1,3}(?:the |dem |le |el )?$")
