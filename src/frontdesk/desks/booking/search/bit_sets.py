"""Sets of ticks as Python integers: bit n is tick n of a frame, so one operation handles months."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache


def ones(count: int) -> int:
    """The set of the first `count` ticks."""
    return (1 << count) - 1 if count > 0 else 0


def between(start: int, end: int) -> int:
    """The set of the ticks from `start` until before `end`."""
    return ones(end - start) << start if end > start else 0


def shifted(ticks_set: int, by: int) -> int:
    """The set, moved to later ticks, or to earlier ones if negative. Drops ticks below 0."""
    return ticks_set << by if by >= 0 else ticks_set >> -by


def runs_of(free: int, ticks: int) -> int:
    """The ticks at which a run of `ticks` free ticks begins. Doubles the length in each step."""
    length = 1
    while length < ticks:
        step = min(length, ticks - length)
        free &= free >> step
        length += step
    return free


def touching(ticks_set: int, ticks: int) -> int:
    """The ticks at which a visit of `ticks` ticks overlaps the set."""
    length, touched = 1, ticks_set
    while length < ticks:
        step = min(length, ticks - length)
        touched |= touched >> step
        length += step
    return touched


@lru_cache(maxsize=256)
def every(step: int, count: int) -> int:
    """The ticks 0, step, 2 * step and so on below `count`."""
    pattern, length = 1, step
    while length < count:
        pattern |= pattern << length
        length *= 2
    return pattern & ones(count)


def members(ticks_set: int) -> Iterator[int]:
    """The ticks of a set, in order."""
    digits = bin(ticks_set)[:1:-1]
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)


def spans(ticks_set: int) -> Iterator[tuple[int, int]]:
    """The ticks of a set as half-open ranges, in order."""
    digits = bin(ticks_set)[:1:-1] + "0"
    start = digits.find("1")
    while start >= 0:
        end = digits.find("0", start)
        yield start, end
        start = digits.find("1", end)


def first_member(ticks_set: int) -> int:
    """The first tick of a set that is not empty."""
    return (ticks_set & -ticks_set).bit_length() - 1
