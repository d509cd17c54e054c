"""Chooses the resources for one time: the answer that the filters give for its whole day.

A claim runs while all other writes wait. So the part of the filters that depends only on the rules
is computed once per day and cached, and the occupancy is compared only in the ticks of the visit.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.booking.rules import BookingRules, Resource, ResourceId
from frontdesk.desks.booking.search.anyone import Choice, choose_resources, load_of
from frontdesk.desks.booking.search.caps import Tallies, full_cap, own_caps, shared_caps
from frontdesk.desks.booking.search.filters import (
    Ticks,
    blackout_starts,
    calendar_filter,
    duration_filter,
    hours_filter,
)
from frontdesk.desks.booking.search.query import Occupancy, Query, Removed
from frontdesk.desks.booking.search.rules_cache import RulesCache
from frontdesk.desks.booking.search.space import Space, prepare, summed
from frontdesk.desks.booking.ticks import starts_of, tick_after, tick_at
from frontdesk.values import Frozen, replace

_MINUTE: Final = timedelta(minutes=1)


class OpenDay(Frozen):
    """A day as if nothing were taken on it, and anyone may serve."""

    space: Space
    others: frozenset[ResourceId]
    """The resources for the needs after the first, which customers do not choose."""
    fits: Ticks
    """Starts at which each resource by itself can serve the visit, outside of blackouts."""
    grid: Ticks


#: A year of days for ten services.
_DAYS: Final = RulesCache[tuple[str, int, date], OpenDay | None](most=4_000)


def choose_one(
    rules: BookingRules, query: Query, starts_at: datetime, occupancy: Occupancy, now: datetime
) -> Choice | None:
    """The resources that would serve a visit at a time; None if it cannot be booked. The query
    asks for the local day of the time."""
    tick, on = tick_at(starts_at), query.first_on
    if tick != tick_after(starts_at):
        return None
    key = query.service, query.party, on
    day = _DAYS.get(rules, key, lambda: _open_day(rules, query))
    if day is None or not _is_in_time(day.space, starts_at, on, now):
        return None
    space, at, wished = day.space, tick - day.space.first, query.resource
    service, tallies = space.service, occupancy.tallies
    minutes = service.duration // _MINUTE
    if any(full_cap(*each, tallies, on, minutes) for each in shared_caps(rules, service)):
        return None
    free = [
        one.id
        for one in space.resources
        if (not wished or one.id == wished or one.id in day.others)
        and day.fits[one.id] >> at & 1
        and _is_free(space, occupancy, one, tick)
        and not _is_capped(one, tallies, on, minutes)
    ]
    return choose_resources(
        service,
        choosable=[
            each for each in free if wished in ("", each) and day.grid.get(each, 0) >> at & 1
        ],
        free=free,
        loads={each: load_of(occupancy, each, on) for each in free},
        wished=bool(wished),
    )


def _open_day(rules: BookingRules, query: Query) -> OpenDay | None:
    """None if the rules do not answer the query at all. The notice and the horizon are not in it:
    they depend on the clock."""
    tz = zone(rules.zone)
    noon = datetime(query.first_on.year, query.first_on.month, query.first_on.day, 12, tzinfo=tz)
    space = prepare(rules, replace(query, resource=ResourceId("")), noon)
    if isinstance(space, Removed):
        return None
    day = duration_filter(space, hours_filter(space, calendar_filter(space, Occupancy())))
    blackouts = blackout_starts(space)
    fits = {resource: starts & ~blackouts for resource, starts in day.fits.items()}
    others = frozenset(one.id for pool in space.pools[1:] for one in pool)
    return OpenDay(space, others, fits, day.grid)


def _is_in_time(space: Space, starts_at: datetime, on: date, now: datetime) -> bool:
    """Whether a time is after the notice and on a day inside the horizon."""
    if starts_at < starts_of(tick_after(now + space.service.notice)):
        return False
    latest = now + space.service.horizon
    return starts_at <= latest or on <= to_wall(latest, zone(space.rules.zone)).date()


def _is_free(space: Space, occupancy: Occupancy, resource: Resource, tick: int) -> bool:
    """Whether calendars and other bookings leave enough places for the visit and its buffers."""
    if resource.id in occupancy.unreadable:
        return False
    start, end = tick - space.before, tick + space.visit + space.after
    if any(
        begins < ends and tick_at(begins) < end and start < tick_after(ends)
        for begins, ends in occupancy.busy.get(resource.id, ())
    ):
        return False
    taken = occupancy.taken.get(resource.id, ())
    spare = resource.capacity - resource.places(space.query.party)
    return not any(
        places > spare and first < end and start < last
        for first, last, places in (summed(taken) if spare else taken)
    )


def _is_capped(resource: Resource, tallies: Tallies, on: date, minutes: int) -> bool:
    return any(full_cap(*each, tallies, on, minutes) for each in own_caps(resource))
