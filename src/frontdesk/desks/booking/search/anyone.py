"""Chooses who serves a customer without a wish. It is pure, so that claims can use it.

The order: fewest booked minutes that day, then longest since the last booking, then the key.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Final

from frontdesk.desks.booking.rules import ResourceId, ServiceRules
from frontdesk.desks.booking.search.caps import day_period, resource_scope
from frontdesk.desks.booking.search.query import Occupancy
from frontdesk.values import Frozen

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


class WhyChosen(StrEnum):
    """The reason why 'anyone' became this resource. Bookings keep it."""

    WISHED = "the customer's choice"
    ONLY_ONE = "the only one free"
    FEWEST_MINUTES = "fewest booked minutes that day"
    LONGEST_SINCE = "longest since the last booking"
    BY_KEY = "equal loads, first by key"


class Load(Frozen):
    """The load of a resource on the day of a booking."""

    resource: ResourceId
    booked_minutes: int = 0
    last_booked_at: datetime | None = None
    """The instant at which it last got a booking; None: never."""


class Choice(Frozen):
    resources: tuple[ResourceId, ...]
    """One for each need of the service, in their order."""
    why: WhyChosen


def load_of(occupancy: Occupancy, resource: ResourceId, on: date) -> Load:
    tally = occupancy.tallies.get((resource_scope(resource), day_period(on)))
    minutes = tally.minutes if tally else 0
    return Load(resource, minutes, occupancy.last_booked_at.get(resource))


def in_order(loads: Iterable[Load]) -> list[Load]:
    """The resources in the order in which 'anyone' chooses them."""
    return sorted(
        loads, key=lambda one: (one.booked_minutes, one.last_booked_at or _NEVER, one.resource)
    )


def choose_resource(loads: Collection[Load]) -> tuple[ResourceId, WhyChosen] | None:
    """Chooses one of the resources that are free, with the reason; None if there are none."""
    if not loads:
        return None
    first, *others = in_order(loads)
    if not others:
        return first.resource, WhyChosen.ONLY_ONE
    if first.booked_minutes < others[0].booked_minutes:
        return first.resource, WhyChosen.FEWEST_MINUTES
    if (first.last_booked_at or _NEVER) < (others[0].last_booked_at or _NEVER):
        return first.resource, WhyChosen.LONGEST_SINCE
    return first.resource, WhyChosen.BY_KEY


def choose_resources(
    service: ServiceRules,
    choosable: Collection[ResourceId],
    free: Collection[ResourceId],
    loads: Mapping[ResourceId, Load],
    *,
    wished: bool = False,
) -> Choice | None:
    """Chooses one free resource for each need, no resource twice; None if that is impossible.

    `choosable` are the resources for the first need: the wished one, or all whose grid of starts
    allows the time.
    """

    def in_turn(pool: Iterable[ResourceId]) -> list[ResourceId]:
        usable = [loads.get(each, Load(each)) for each in pool if each in free]
        return [one.resource for one in in_order(usable)]

    pools = [need.anyone_of for need in service.needs]
    if not pools:
        return None
    possible = set(pools[0]).intersection(choosable, free)
    if len(pools) > 1:
        possible = {
            each
            for each in possible
            if _one_each(pools[1:], frozenset((each,)), in_turn) is not None
        }
    chosen = choose_resource([loads.get(each, Load(each)) for each in possible])
    if chosen is None:
        return None
    first, why = chosen
    rest = _one_each(pools[1:], frozenset((first,)), in_turn)
    assert rest is not None, "only resources that leave the others possible were chosen from"
    return Choice((first, *rest), WhyChosen.WISHED if wished else why)


def _one_each(
    pools: Sequence[Collection[ResourceId]],
    used: frozenset[ResourceId],
    in_turn: Callable[[Iterable[ResourceId]], list[ResourceId]],
) -> tuple[ResourceId, ...] | None:
    """One resource for each pool, none twice; if possible the first in turn."""
    if not pools:
        return ()
    for each in in_turn(pools[0]):
        if each in used:
            continue
        rest = _one_each(pools[1:], used | {each}, in_turn)
        if rest is not None:
            return (each, *rest)
    return None
