"""The fifth filter: ranks possible starts by the preferences of the rules, in their order.

Each preference narrows the candidates, unless none would be left. So an earlier preference
outweighs all later ones. The first time that remains is proposed; the next proposal starts again
without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Final, assert_never

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.booking.rules import DAY_MINUTES, Preference, Resource, ResourceId
from frontdesk.desks.booking.search import bit_sets
from frontdesk.desks.booking.search.anyone import Load, in_order, load_of
from frontdesk.desks.booking.search.filters import FilterResult, Ticks
from frontdesk.desks.booking.search.local_days import TICK_MINUTES
from frontdesk.desks.booking.search.query import Occupancy, WishedTime
from frontdesk.desks.booking.search.space import Space, ticks_in
from frontdesk.desks.booking.ticks import starts_of
from frontdesk.values import Frozen, replace

#: Times in the same half hour are equally near to a wished time.
NEAR_MINUTES: Final = 30
#: Minutes at which the parts of the day begin: 'spread' proposes different ones.
_PARTS: Final = (0, 12 * 60, 17 * 60, DAY_MINUTES)


class RankedTime(Frozen):
    starts_at: datetime
    resource: ResourceId
    """The resource that would serve now; for 'anyone' the claim chooses again."""
    reasons: tuple[Preference, ...] = ()
    """The preferences that it meets."""


def rank(
    space: Space, available: FilterResult, occupancy: Occupancy, most: int
) -> tuple[RankedTime, ...]:
    """Proposes the best starts, the best first."""
    if most < 1:
        return ()
    candidates = _Candidates(space, available, occupancy)
    chosen: list[int] = []
    found: list[RankedTime] = []
    while len(found) < most and (left := candidates.without(chosen)):
        tick, resource, reasons = candidates.best(left, chosen)
        chosen.append(tick)
        found.append(RankedTime(starts_of(space.first + tick), resource, reasons))
    return tuple(found)


class _Candidates:
    def __init__(self, space: Space, available: FilterResult, occupancy: Occupancy) -> None:
        self._space = space
        suited = ~excluded_days(space)
        starts = {one.id: available.starts[one.id] & suited for one in space.choices}
        self._starts = expected(space, starts, available.taken, occupancy)
        self._small_gap = {
            one.id: gap_starts(space, one, available.open[one.id]) for one in space.choices
        }
        self._touching = {
            one.id: touching_starts(space, available.taken[one.id]) for one in space.choices
        }

    def without(self, chosen: Iterable[int]) -> dict[ResourceId, int]:
        used = sum(1 << tick for tick in chosen)
        return {key: left for key, ticks in self._starts.items() if (left := ticks & ~used)}

    def best(
        self, left: dict[ResourceId, int], chosen: list[int]
    ) -> tuple[int, ResourceId, tuple[Preference, ...]]:
        reasons: list[Preference] = []
        for preference in self._space.rules.ranking:
            if preferred := _nonempty(self._narrowed(preference, left, chosen)):
                left = preferred
                reasons.append(preference)
        tick = min(map(bit_sets.first_member, left.values()))
        resource = next(key for key, ticks in left.items() if ticks >> tick & 1)
        return tick, resource, tuple(reasons)

    def _narrowed(
        self, preference: Preference, left: dict[ResourceId, int], chosen: list[int]
    ) -> dict[ResourceId, int]:
        """The candidates that meet a preference; none if the preference does not apply here."""
        match preference:
            case Preference.TOUCHING:
                return {key: ticks & self._touching[key] for key, ticks in left.items()}
            case Preference.NO_SMALL_GAPS:
                return {key: ticks & ~self._small_gap[key] for key, ticks in left.items()}
            case Preference.EARLIEST:
                first = 1 << min(map(bit_sets.first_member, left.values()))
                return {key: ticks & first for key, ticks in left.items()}
            case Preference.SPREAD:
                return _spread(self._space, left, chosen)
            case Preference.WISHED:
                return _nearest(self._space, left)
            case _:
                assert_never(preference)


def _nonempty(ticks: Ticks) -> dict[ResourceId, int]:
    return {key: each for key, each in ticks.items() if each}


def _common(left: Ticks, ticks: int) -> dict[ResourceId, int]:
    return _nonempty({key: each & ticks for key, each in left.items()})


def expected(
    space: Space, starts: Ticks, taken: Ticks, occupancy: Occupancy
) -> dict[ResourceId, int]:
    """Gives each start to the one resource that 'anyone' means at the moment."""
    if len(starts) < 2:
        return dict(starts)
    given = dict.fromkeys(starts, 0)
    anybody = reduce(or_, starts.values())
    for on in space.asked_days():
        left = space.days_between(on, on)
        if not anybody & left:
            continue
        loads = (_load(occupancy, key, on, taken[key] & left) for key in starts)
        for load in in_order(loads):
            mine = starts[load.resource] & left
            given[load.resource] |= mine
            left &= ~mine
    return given


def _load(occupancy: Occupancy, resource: ResourceId, on: date, taken: int) -> Load:
    """The load on a day. Pages do not read tallies of days: there the taken ticks estimate it."""
    load = load_of(occupancy, resource, on)
    return (
        load
        if load.booked_minutes
        else replace(load, booked_minutes=taken.bit_count() * TICK_MINUTES)
    )


def touching_starts(space: Space, taken: int) -> int:
    """The starts whose claimed time ends where a booking begins, or begins where one ends."""
    return taken << (space.before + 1) | taken >> (space.visit + space.after)


def gap_starts(space: Space, resource: Resource, is_open: int) -> int:
    """The starts that leave a gap in which no service of the resource fits.

    A resource with several places has no gaps: its bookings overlap.
    """
    shortest = shortest_ticks(space, resource)
    if resource.capacity > 1 or shortest < 2:
        return 0
    roomy = bit_sets.runs_of(is_open, shortest)
    gap_before = (is_open << 1) & ~(roomy << shortest)
    gap_after = is_open & ~roomy
    return gap_before << space.before | gap_after >> (space.visit + space.after)


def shortest_ticks(space: Space, resource: Resource) -> int:
    """The length of the shortest service of a resource, with its buffers."""
    return min(
        ticks_in(one.buffer_before) + ticks_in(one.duration) + ticks_in(one.buffer_after)
        for one in space.rules.services
        if any(resource.id in need.anyone_of for need in one.needs)
    )


# --- spread -----------------------------------------------------------------------------------


def _spread(space: Space, left: Ticks, chosen: list[int]) -> dict[ResourceId, int]:
    """The candidates on other days than the chosen ones, or else in other parts of the day."""
    used_days = used_parts = 0
    for tick in chosen:
        wall = to_wall(starts_of(space.first + tick), zone(space.rules.zone))
        used_days |= space.days_between(wall.date(), wall.date())
        minutes = wall.hour * 60 + wall.minute
        start, end = next((a, b) for a, b in pairwise(_PARTS) if a <= minutes < b)
        used_parts |= _wall_ticks(space, wall.date(), start, end)
    if not chosen:
        return {}
    return _common(left, ~used_days) or _common(left, ~used_parts)


# --- the wish ---------------------------------------------------------------------------------


def excluded_days(space: Space) -> int:
    """The ticks of days that the customer ruled out."""
    wish, found = space.query.wish, 0
    for first_on, last_on in wish.not_on:
        found |= space.days_between(first_on, last_on)
    if wish.not_weekdays:
        for on in space.asked_days():
            if on.weekday() in wish.not_weekdays:
                found |= space.days_between(on, on)
    return found


def _nearest(space: Space, left: Ticks) -> dict[ResourceId, int]:
    """The candidates on the nearest days to the wish, and of these the nearest times of day."""
    if not space.query.wish.options:
        return {}
    everything = 0
    for ticks in left.values():
        everything |= ticks
    for days in _days_by_distance(space):
        days_set = 0
        for on, _ in days:
            days_set |= space.days_between(on, on)
        if everything & days_set:
            return _common(left, _nearest_times(space, days, everything & days_set))
    return {}


def _days_by_distance(space: Space) -> Iterator[list[tuple[date, tuple[WishedTime, ...]]]]:
    """The asked days in groups, the nearest to the wish first, each with the nearest options."""
    groups: dict[int, list[tuple[date, tuple[WishedTime, ...]]]] = {}
    for on in space.asked_days():
        distances = [(day_distance(option, on), option) for option in space.query.wish.options]
        nearest = min(distance for distance, _ in distances)
        options = tuple(option for distance, option in distances if distance == nearest)
        groups.setdefault(nearest, []).append((on, options))
    return (groups[distance] for distance in sorted(groups))


def day_distance(option: WishedTime, on: date) -> int:
    """The number of days between a day and the nearest day that suits an option."""
    day = on.toordinal()
    first = option.first_on.toordinal() if option.first_on else 1
    last = option.last_on.toordinal() if option.last_on else date.max.toordinal()
    outside = max(first - day, day - last, 0)

    def suits(other: int) -> bool:
        is_weekday = not option.weekdays or (other - 1) % 7 in option.weekdays
        return first <= other <= last and is_weekday

    return next(
        (away for away in range(outside, outside + 7) if suits(day + away) or suits(day - away)),
        outside + 7,
    )


def _nearest_times(
    space: Space, days: list[tuple[date, tuple[WishedTime, ...]]], candidates: int
) -> int:
    """The candidates in the wished times of day. Widens these until they contain a candidate."""
    for minutes in range(0, DAY_MINUTES + NEAR_MINUTES, NEAR_MINUTES):
        inside = 0
        for on, options in days:
            for option in options:
                inside |= _in_clocks(space, on, option, minutes)
        if found := candidates & inside:
            return found
    return candidates


def _in_clocks(space: Space, on: date, option: WishedTime, wider: int) -> int:
    if not option.clocks:
        return space.days_between(on, on)
    found = 0
    for earliest, latest in option.clocks:
        end = min(latest + wider + TICK_MINUTES, DAY_MINUTES)
        found |= _wall_ticks(space, on, max(0, earliest - wider), end)
    return found


def _wall_ticks(space: Space, on: date, start: int, end: int) -> int:
    found = 0
    for part in space.days.stretches(on, start, end):
        found |= space.ticks_between(part.start, part.end)
    return found
