"""Formats numbers, names and durations as English words."""

from collections.abc import Sequence
from datetime import timedelta

_FIRST_TWELVE = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)


def ordinal(n: int) -> str:
    """'first' to 'twelfth', then '13th', '21st', '102nd'."""
    if n < 1:
        raise ValueError(f"there is no place number {n}")
    if n <= len(_FIRST_TWELVE):
        return _FIRST_TWELVE[n - 1]
    if n % 100 in (11, 12, 13):
        return f"{n}th"
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th') }"


def count(n: int, noun: str, plural: str | None = None) -> str:
    """'1 seat', '2 seats'. Pass an irregular plural: count(2, 'person', 'people')."""
    if n == 1:
        return f"1 {noun}"
    return f"{n:,} {plural or noun + 's'}"


def join_names(names: Sequence[str]) -> str:
    """'Ann', 'Ann and Bob', 'Ann, Bob and Cat'; empty for no names."""
    if len(names) <= 1:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def how_long(length: timedelta) -> str:
    """'10 minutes', '1 hour 30 minutes', '2 days'. Rounded down to whole minutes."""
    return " ".join(duration_parts(length)) or "less than a minute"


def duration_parts(length: timedelta) -> list[str]:
    """['1 hour', '30 minutes']; empty for less than a minute."""
    days, rest = divmod(length, _DAY)
    hours, rest = divmod(rest, _HOUR)
    units = ((days, "day"), (hours, "hour"), (rest // _MINUTE, "minute"))
    return [count(n, noun) for n, noun in units if n]


def short_length(length: timedelta) -> str:
    """'3 h 55 min', for narrow columns. Rounded down to whole minutes."""
    hours, minutes = divmod(length // _MINUTE, 60)
    units = ((hours, "h"), (minutes, "min"))
    return " ".join(f"{n} {unit}" for n, unit in units if n) or "0 min"


_MINUTE = timedelta(minutes=1)
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
