"""Caches values that were computed from the rules, until the rules change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from frontdesk.desks.booking.rules import BookingRules

K = TypeVar("K")
V = TypeVar("V")


class RulesCache(Generic[K, V]):
    """Caches values of one `BookingRules` object. Other rules, or too many values, empty it."""

    def __init__(self, most: int) -> None:
        self._most = most
        # One attribute, so that a thread never sees the values of other rules.
        self._kept: tuple[BookingRules | None, dict[K, V]] = (None, {})

    def get(self, rules: BookingRules, key: K, compute: Callable[[], V]) -> V:
        owner, values = self._kept
        if owner is not rules or len(values) >= self._most:
            values = {}
            self._kept = (rules, values)
        try:
            return values[key]
        except KeyError:
            found = values[key] = compute()
            return found
