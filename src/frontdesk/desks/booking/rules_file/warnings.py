"""Warns of rules that are valid but surely a mistake. They can still be saved."""

from __future__ import annotations

from typing import Final

from frontdesk.core.words import how_long
from frontdesk.core.yaml_tree import YamlProblem
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.rules_file.problems import quoted
from frontdesk.desks.booking.search.never_bookable import NeverBookable, never_bookable

MOST_NAMES: Final = 3


def warnings_of(rules: BookingRules) -> tuple[YamlProblem, ...]:
    """The services that can never be booked, each with what to write instead."""
    return tuple(
        YamlProblem(one.service.line, 1, _said(one, rules)) for one in never_bookable(rules)
    )


def _said(found: NeverBookable, rules: BookingRules) -> str:
    service = found.service
    able = [one.name for one in rules.resources if one.id in found.need.anyone_of]
    names = " or ".join(able) if len(able) <= MOST_NAMES else f"each of the {len(able)} for it"
    if not found.longest:
        return f"{quoted(service.name)} can never be booked: {names} has no hours; write some"
    return (
        f"{quoted(service.name)} can never be booked: it takes {how_long(service.duration)}, and "
        f"{names} has at most {how_long(found.longest)} without a break; write fewer minutes, or "
        "longer hours"
    )
