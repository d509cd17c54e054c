"""Caches values that were computed from the rules, until the rules change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from frontdesk.desks.booking.rules import BookingRules

K = TypeVar("K")
V = TypeVar("V")


class RulesCache(Generic[K, V]):
    """Caches values of the last two `BookingRules` objects. Too many values of one empty it.

    Two, because a time that was held early enough is decided by rules of its own, without their
    notice; the next decision goes by the rules in force again.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        # One attribute, so that a thread never sees the values of other rules. The rules that
        # were used last come first.
        self._kept: tuple[tuple[BookingRules, dict[K, V]], ...] = ()

    def get(self, rules: BookingRules, key: K, compute: Callable[[], V]) -> V:
        kept = self._kept
        if kept and kept[0][0] is rules and len(kept[0][1]) < self._most:
            values = kept[0][1]
        else:
            values = self._to_front(rules)
        try:
            return values[key]
        except KeyError:
            found = values[key] = compute()
            return found

    def _to_front(self, rules: BookingRules) -> dict[K, V]:
        """Returns the values of these rules, which are the last used ones from now on."""
        kept = self._kept
        others = [each for each in kept if each[0] is not rules]
        known = next((values for owner, values in kept if owner is rules), {})
        values = known if len(known) < self._most else {}
        self._kept = ((rules, values), *others[:1])
        return values
