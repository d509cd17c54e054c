"""Published costs of such an event or month on AWS, for comparison."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

#: Numbers of guests, and the cost of the event in USD.
EVENT: Final = ((0, 0.0), (50, 0.80), (200, 2.40), (1_000, 9.0), (2_000, 18.0))
#: Entries in a month, and its cost in USD.
WAITLIST: Final = ((0, 0.0), (200, 2.0), (1_000, 6.0), (2_000, 13.0), (5_000, 30.0), (10_000, 60.0))


def reference_cost(number: int, points: tuple[tuple[int, float], ...] = EVENT) -> float:
    """Interpolates linearly between the published points, and beyond the last."""
    (lower, low), (upper, high) = next(
        (pair for pair in pairwise(points) if number <= pair[1][0]), points[-2:]
    )
    return low + (high - low) * (number - lower) / (upper - lower)
