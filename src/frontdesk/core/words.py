"""Small pieces of English that several desks need."""

from collections.abc import Sequence

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
    """'1 seat', '2 seats'; an irregular plural is given: count(2, 'person', 'people')."""
    if n == 1:
        return f"1 {noun}"
    return f"{n:,} {plural or noun + 's'}"


def join_names(names: Sequence[str]) -> str:
    """'Ann', 'Ann and Bob', 'Ann, Bob and Cat'; nothing for nobody."""
    if len(names) <= 1:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
