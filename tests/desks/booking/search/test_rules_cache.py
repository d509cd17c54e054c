"""Values that were computed from the rules are kept until the rules change."""

from __future__ import annotations

from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.search.rules_cache import RulesCache
from frontdesk.values import replace
from tests.desks.booking.pages.shop import RULES


class Counted:
    """A cache that counts how often it computes."""

    def __init__(self, most: int = 9) -> None:
        self.cache = RulesCache[str, str](most)
        self.computed: list[str] = []

    def get(self, rules: BookingRules, key: str) -> str:
        def compute() -> str:
            self.computed.append(key)
            return f"{key} of {rules.zone}"

        return self.cache.get(rules, key, compute)


def test_a_value_is_computed_once_for_the_same_rules() -> None:
    kept = Counted()

    assert {kept.get(RULES, "monday") for _ in range(3)} == {"monday of Asia/Singapore"}
    assert kept.computed == ["monday"]


def test_other_rules_have_values_of_their_own() -> None:
    kept, new = Counted(), replace(RULES, zone="Europe/Berlin")
    kept.get(RULES, "monday")

    assert kept.get(new, "monday") == "monday of Europe/Berlin"
    assert kept.computed == ["monday", "monday"]


def test_a_held_time_that_is_booked_past_its_notice_empties_nothing() -> None:
    """Such a booking has rules without the notice, for one decision."""
    kept = Counted()
    for _ in range(3):
        kept.get(RULES, "monday")
        kept.get(RULES.without_notice("Haircut"), "tuesday")

    assert kept.computed == ["monday", "tuesday", "tuesday", "tuesday"]


def test_too_many_values_of_one_object_empty_it_and_leave_the_other() -> None:
    kept, new = Counted(most=2), replace(RULES, zone="Europe/Berlin")
    for rules, key in ((new, "a"), (RULES, "a"), (RULES, "b"), (RULES, "c"), (new, "a")):
        kept.get(rules, key)

    assert kept.computed == ["a", "a", "b", "c"]
    kept.get(RULES, "a")
    assert kept.computed == ["a", "a", "b", "c", "a"]
