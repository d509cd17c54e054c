"""Finds the wished days in a text with all their readings, and days that do not suit."""

import re
from datetime import date
from itertools import pairwise
from typing import Final

from frontdesk.reading.clauses import (
    Side,
    clause_confidence,
    is_other,
    is_refused,
    occasion_side,
    side_of,
)
from frontdesk.reading.model import Confidence, least
from frontdesk.reading.periods import DatePeriod, plus, week_of
from frontdesk.values import Frozen, replace

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_READINGS: Final = 4
MOST_CHARACTERS_BEFORE: Final = 20

#: First and last day of one reading; either end may be open.
DayRange = tuple[date | None, date | None]


class WishedDays(Frozen):
    """Days of one phrase: all readings, the best first, and the position."""

    readings: tuple[DayRange, ...]
    confidence: Confidence
    start: int
    end: int
    group: int
    """The same for days of one list: 'Tuesday or Thursday'."""
    is_doubted: bool = False
    """It may be the date of something else."""
    weekday: int | None = None
    is_excluded: bool = False
    is_before: bool = False
    """'before Monday': an hour beside it is one of that Monday."""


def wished_days(plain: str, periods: list[DatePeriod], today: date) -> list[WishedDays]:
    """Reads the days in a folded text without times of day, with the words around them."""
    wished = [each for each in periods if not is_other(plain, each)]
    days: list[WishedDays] = []
    for number, group in enumerate(_groups(plain, _in_their_weeks(plain, wished))):
        days += _wished(plain, group, number, today)
    return days


def _in_their_weeks(folded: str, periods: list[DatePeriod]) -> list[DatePeriod]:
    """Joins 'Tuesday next week', 'nächste Woche Dienstag', 'Tuesday or Thursday next week'."""
    found: list[DatePeriod] = []
    week: DatePeriod | None = None
    for period in periods:
        before = found[-1] if found else None
        gap = folded[before.end : period.start] if before else ""
        if before and before.is_week and period.weekday is not None and _BESIDE.fullmatch(gap):
            wished = _weekday_of(period, before)
            found[-1] = replace(wished, confidence=LIKELY) if "," in gap else wished
            week = before
        elif week and before and period.weekday is not None and _LISTED.fullmatch(gap):
            found.append(replace(_weekday_of(period, week), start=period.start, end=period.end))
        elif before and before.is_week and period.weekday is not None and _FROM.fullmatch(gap):
            found[-1] = replace(_weekday_of(period, before), last=before.last, confidence=LIKELY)
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
        on, on, week.confidence if on >= week.first else UNSURE,
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


def _groups(folded: str, periods: list[DatePeriod]) -> list[list[DatePeriod]]:
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
    """Returns whether these gaps make a list: commas do only with an 'or' before the last item."""
    end = next((gap for gap in gaps if gap.strip() != ","), "")
    return bool(_LISTED.fullmatch(end))


def _is_range(folded: str, first: DatePeriod, last: DatePeriod) -> bool:
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


def _wished(plain: str, group: list[DatePeriod], number: int, today: date) -> list[WishedDays]:
    """Reads the days of one list or range."""
    side, start = side_of(plain, group[0])
    if _GENITIVE.match(plain, start):
        side = ""
    most = clause_confidence(plain, start)
    is_out = side != "not" and is_refused(plain, start, group[-1].end)
    if len(group) == 2 and _is_range(plain, *group):
        wished = [_of_range(group[0], group[1], start, number)]
    elif len(group) == 1:
        side = side or occasion_side(plain, start, group[0].end)
        if is_out:
            most = least(most, UNSURE if side == "until" else LIKELY)
            side = "" if group[0].is_range else _turned(side)
        wished = [_of_one(plain, group[0], side, start, number, today)]
        is_out = is_out and side in ("", "week of")
    else:
        wished = [_of_one(plain, each, "", each.start, number, today) for each in group]
    is_out = is_out or side == "not"
    return [
        WishedDays(
            each.readings,
            least(each.confidence, most, LIKELY if is_out else CONFIDENT),
            each.start,
            each.end,
            number,
            is_doubted=most is UNSURE or any(period.is_far for period in group),
            weekday=each.weekday,
            is_excluded=is_out,
            is_before=each.is_before,
        )
        for each in wished
    ]


def _turned(side: Side) -> Side:
    """Inverts a bound that does not suit: 'I can't before the 5th' wishes for the 5th or later."""
    turned: dict[Side, Side] = {
        "before": "from",
        "until": "after",
        "after": "until",
        "from": "before",
    }
    return turned.get(side, side)


def _of_range(first: DatePeriod, last: DatePeriod, start: int, number: int) -> WishedDays:
    readings = []
    for begin, _ in ((first.first, first.last), *first.others):
        end = last.last
        if end < begin and last.weekday is not None:
            end = plus(end, 7)
        readings.append((begin, max(begin, end)))
    is_turned = first.first > last.last and last.weekday is None
    confidence = UNSURE if is_turned else least(first.confidence, last.confidence)
    return WishedDays(_few(readings), confidence, start, last.end, number)


def _of_one(
    plain: str, period: DatePeriod, side: Side, start: int, number: int, today: date
) -> WishedDays:
    spans = [(period.first, period.last), *period.others]
    has_year = _YEAR.search(plain, period.start, period.end)
    if period.last < today and not has_year:
        # Without a year, the same days of next year are likelier than days gone by.
        spans = [*(_year_later(span) for span in spans), *spans]
    readings = [_bounded(first, last, side, period) for first, last in spans]
    if side == "from" and period.first != period.last and not period.is_range:
        readings.append((period.first, period.last))
    is_open = side in ("", "week of", "not")
    return WishedDays(
        _few(readings),
        least(period.confidence, LIKELY if len(readings) > 1 else CONFIDENT),
        start,
        period.end,
        number,
        weekday=period.weekday if is_open else None,
        is_before=side == "before" and not period.is_end,
    )


#: 'am Nachmittag des 24. November', 'des kommenden Dienstags' have no French 'dès'.
_GENITIVE: Final = re.compile(r"des\s{1,3}(?:\d{1,2}\.|\w{2,12}(?:en|ags|ats|res)\b)")
_YEAR: Final = re.compile(r"(?<!\d)20\d\d(?!\d)")


def _year_later(span: tuple[date, date]) -> tuple[date, date]:
    first, last = (
        date(min(day.year + 1, 9999), day.month, min(day.day, 28) if day.month == 2 else day.day)
        for day in span
    )
    return first, last


def _bounded(first: date, last: date, side: Side, period: DatePeriod) -> DayRange:
    match side:
        case "after":
            return plus(last, 1), None
        case "from" if not period.is_range:
            return first, None
        case "before":
            return None, last if period.is_end else plus(first, -1)
        case "until":
            return None, last
        case "week of":
            return week_of(first, 0)
        case _:
            return first, last


def _few(readings: list[DayRange] | list[tuple[date, date]]) -> tuple[DayRange, ...]:
    return tuple(dict.fromkeys(readings))[:MOST_READINGS]
