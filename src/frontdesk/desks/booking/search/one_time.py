"""Chooses the resources for one time, with the same result as the filters for its whole day.

A claim runs while all other writes wait. So the part of the filters that depends only on the rules
is computed once for several days and cached, and the occupancy is compared only in the ticks of the
visit.
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


class OpenDays(Frozen):
    """The availability of some days if nothing is taken on them and anyone may serve."""

    space: Space
    others: frozenset[ResourceId]
    """The resources for the needs after the first, which customers do not choose."""
    fits: Ticks
    """Starts at which each resource by itself can serve the visit, outside of blackouts."""
    grid: Ticks


#: So many days cost little more than one.
_DAYS_AT_ONCE: Final = 7
#: Years of weeks for ten services.
_DAYS: Final = RulesCache[tuple[str, int, date], OpenDays | None](most=2_000)


def choose_one(
    rules: BookingRules, query: Query, starts_at: datetime, occupancy: Occupancy, now: datetime
) -> Choice | None:
    """The resources that would serve a visit at a time; None if it cannot be booked. The query
    asks for the local day of the time."""
    tick, on = tick_at(starts_at), query.first_on
    if tick != tick_after(starts_at):
        return None
    days = _open_days(rules, query)
    if days is None or not _is_in_time(days.space, starts_at, on, now):
        return None
    space, at, wished = days.space, tick - days.space.first, query.resource
    service, tallies = space.service, occupancy.tallies
    minutes = service.duration // _MINUTE
    if any(full_cap(*each, tallies, on, minutes) for each in shared_caps(rules, service)):
        return None
    free = [
        one.id
        for one in space.resources
        if (not wished or one.id == wished or one.id in days.others)
        and days.fits[one.id] >> at & 1
        and _is_free(space, occupancy, one, tick)
        and not _is_capped(one, tallies, on, minutes)
    ]
    return choose_resources(
        service,
        choosable=[
            each for each in free if wished in ("", each) and days.grid.get(each, 0) >> at & 1
        ],
        free=free,
        loads={each: load_of(occupancy, each, on) for each in free},
        wished=bool(wished),
    )


def _open_days(rules: BookingRules, query: Query) -> OpenDays | None:
    """The days around that of the query, at most as many as the horizon has. None if no time at all
    can match the query."""
    on, service = query.first_on, rules.service(query.service)
    if service is None:
        return None
    count = max(1, min(_DAYS_AT_ONCE, service.horizon.days))
    first_on = on - timedelta(days=on.toordinal() % count)
    key = query.service, query.party, first_on
    return _DAYS.get(rules, key, lambda: _computed(rules, query, first_on, count))


def _computed(rules: BookingRules, query: Query, first_on: date, count: int) -> OpenDays | None:
    """Computes the days without notice and horizon, which depend on the clock."""
    tz = zone(rules.zone)
    noon = datetime(first_on.year, first_on.month, first_on.day, 12, tzinfo=tz)
    last_on = first_on + timedelta(days=count - 1)
    asked = replace(query, first_on=first_on, last_on=last_on, resource=ResourceId(""))
    space = prepare(rules, asked, noon)
    if isinstance(space, Removed):
        return None
    found = duration_filter(space, hours_filter(space, calendar_filter(space, Occupancy())))
    blackouts = blackout_starts(space)
    fits = {resource: starts & ~blackouts for resource, starts in found.fits.items()}
    others = frozenset(one.id for pool in space.pools[1:] for one in pool)
    return OpenDays(space, others, fits, found.grid)


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
    busy, taken = occupancy.busy.get(resource.id, ()), occupancy.taken.get(resource.id, ())
    if not busy and not taken:
        return True
    start, end = tick - space.before, tick + space.visit + space.after
    if any(
        begins < ends and tick_at(begins) < end and start < tick_after(ends)
        for begins, ends in busy
    ):
        return False
    spare = resource.capacity - resource.places(space.query.party)
    return not any(
        places > spare and first < end and start < last
        for first, last, places in (summed(taken) if spare else taken)
    )


def _is_capped(resource: Resource, tallies: Tallies, on: date, minutes: int) -> bool:
    return bool(resource.caps) and any(
        full_cap(*each, tallies, on, minutes) for each in own_caps(resource)
    )
