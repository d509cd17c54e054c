"""Wished times: days and times of day, with alternatives and exclusions."""

from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence, Words
from frontdesk.values import Frozen

DAY_ENDS: Final = 24 * 60


class ClockRange(Frozen):
    """Start times of a visit in minutes of the day, 0 to 1440; equal ends are one exact time."""

    earliest: int
    latest: int
    """The visit starts at or before; for a part of the day, its end."""


class WhenOption(Frozen):
    """One alternative: days, times of day, or both."""

    first_on: date | None = None
    last_on: date | None = None
    """None if no day was said, or if the end is open."""
    clocks: tuple[ClockRange, ...] = ()
    """Any of these times; empty if no time of day was said."""
    weekdays: frozenset[int] = frozenset()
    """The weekdays that suit, 0 for Monday; empty for all."""


class When(Frozen):
    """Everything that a text says about the wished time.

    If it is `CONFIDENT`, all options are wished for: people do not differ about the words.
    """

    options: tuple[WhenOption, ...]
    """The best first: alternatives that were said, and readings on which people differ."""
    not_weekdays: frozenset[int]
    not_on: tuple[tuple[date, date], ...]
    """Days that do not suit, as first and last day."""
    confidence: Confidence
    words: tuple[Words, ...]


class PartsOfDay(Frozen):
    """The meaning of words for parts of the day; each business can define its own."""

    early_morning: ClockRange = ClockRange(7 * 60, 9 * 60 + 30)
    morning: ClockRange = ClockRange(7 * 60, 12 * 60)
    lunch: ClockRange = ClockRange(12 * 60, 13 * 60 + 30)
    afternoon: ClockRange = ClockRange(12 * 60, 18 * 60)
    after_work: ClockRange = ClockRange(17 * 60, 21 * 60)
    evening: ClockRange = ClockRange(17 * 60, 22 * 60)
    night: ClockRange = ClockRange(19 * 60, DAY_ENDS)
