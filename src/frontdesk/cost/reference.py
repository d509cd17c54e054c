"""What such an event is said to cost on AWS, for comparison."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

#: Guests, and USD for the event.
REFERENCE: Final = ((0, 0.0), (50, 0.80), (200, 2.40), (1_000, 9.0), (2_000, 18.0))


def reference_cost(guests: int) -> float:
    """As given for 50, 200, 1,000 and 2,000 guests; straight lines between and beyond."""
    (lower, low), (upper, high) = next(
        (pair for pair in pairwise(REFERENCE) if guests <= pair[1][0]), REFERENCE[-2:]
    )
    return low + (high - low) * (guests - lower) / (upper - lower)
