"""Finds the words in a text that name days: '3 March', 'next Tuesday', 'la semaine prochaine'.

A closed grammar: it does not guess other words.
"""

from datetime import date
from typing import Final

from frontdesk.reading import date_formats, date_ranges, relative_days, undated_days
from frontdesk.reading.model import Words
from frontdesk.reading.periods import DatePeriod, Place, Rule
from frontdesk.values import Frozen

MOST_PERIODS: Final = 40
#: The first rule that matches a word uses it.
RULES: Final[tuple[Rule, ...]] = (
    (undated_days.UNPLACED, None),
    (undated_days.PAST, None),
    (undated_days.RECURRING, None),
    *date_formats.RULES,
    *date_ranges.RULES,
    *relative_days.RULES,
    (undated_days.LOOSE, None),
)
#: Countries that write the month before the day.
MONTH_FIRST: Final = ("US",)


class Days(Frozen):
    """The periods in the order of the text, and words that name days without a date."""

    periods: tuple[DatePeriod, ...]
    undated: tuple[Words, ...]


def find_days(text: str, folded: str, today: date, country: str) -> Days:
    place = Place(text, today, month_first=country.upper() in MONTH_FIRST)
    taken = bytearray(len(folded))
    periods: list[DatePeriod] = []
    without_date: list[Words] = []
    for pattern, meaning in RULES:
        for match in pattern.finditer(folded):
            start, end = match.span()
            if any(taken[start:end]):
                continue
            period = meaning(match, place) if meaning else None
            if meaning and period is None:
                continue
            taken[start:end] = b"\x01" * (end - start)
            if period:
                periods.append(period)
            elif pattern in (undated_days.RECURRING, undated_days.UNPLACED, undated_days.LOOSE):
                blank = len(match[0]) - len(match[0].lstrip())
                without_date.append(Words(text[start + blank : end], start + blank))
    in_order = sorted(periods, key=lambda each: each.start)[:MOST_PERIODS]
    return Days(tuple(in_order), tuple(without_date))
