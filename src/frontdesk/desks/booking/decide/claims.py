"""Chooses the resources of a visit and claims their ticks: the only way to get a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.booking.decide.cells import Grid, WantedPlaces
from frontdesk.desks.booking.model import LONGEST_SPAN, MOST_RESOURCES
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import Resource, ResourceId, ServiceRules
from frontdesk.desks.booking.search.anyone import Choice, choose_resources, load_of
from frontdesk.desks.booking.search.one_time import choose_one
from frontdesk.desks.booking.search.query import Cause, Occupancy, Query
from frontdesk.desks.booking.search.times import check_all
from frontdesk.desks.booking.ticks import Span, span_of
from frontdesk.desks.booking.views import TimeView
from frontdesk.values import Frozen, replace

OVERBOOKED: Final = "overbooked"
BUSY_IN_CALENDAR: Final = "busy in a calendar"
#: Staff may still enter a visit that began within this time.
LONGEST_AGO: Final = timedelta(days=7)
FARTHEST: Final = timedelta(days=1500)
MOST_PARTY: Final = 200
#: The refusal for each cause of the search. Any other cause means a taken time.
REFUSALS: Final[Mapping[Cause, Reason]] = {
    Cause.UNREADABLE: Reason.BUSY,
    Cause.BUSY: Reason.BUSY,
    Cause.TOO_FEW_PLACES: Reason.BAD_PARTY,
    Cause.NOT_WORKING: Reason.CLOSED,
    Cause.AWAY: Reason.CLOSED,
    Cause.CLOSED: Reason.CLOSED,
    Cause.TOO_SHORT: Reason.CLOSED,
    Cause.OFF_GRID: Reason.OFF_GRID,
    Cause.BLACKOUT: Reason.BLACKOUT,
    Cause.CAP: Reason.CAP,
    Cause.NOTICE: Reason.TOO_SOON,
    Cause.HORIZON: Reason.TOO_FAR,
    Cause.PARTY: Reason.BAD_PARTY,
    Cause.NOT_QUALIFIED: Reason.NO_SUCH_RESOURCE,
    Cause.UNKNOWN_SERVICE: Reason.NO_SUCH_SERVICE,
}
#: The rules that staff may knowingly break, as bookings and facts name them.
OVERRIDES: Final[Mapping[Reason, str]] = {
    Reason.TAKEN: OVERBOOKED,
    Reason.BUSY: BUSY_IN_CALENDAR,
    Reason.CLOSED: "outside hours",
    Reason.BLACKOUT: "in a blackout",
    Reason.CAP: "beyond a cap",
    Reason.TOO_SOON: "without notice",
    Reason.TOO_FAR: "beyond the horizon",
    Reason.OFF_GRID: "off the start grid",
    Reason.BAD_PARTY: "party too large",
}
#: The staff member is free, but not the room or device that the service needs as well.
NEED_MISSING: Final = "room or device not available"


class RequestedVisit(Frozen):
    """The visit that somebody asks for."""

    service: ServiceRules
    starts_at: datetime
    party: int
    resource: ResourceId
    """The choice for the first need; empty: anyone."""

    @property
    def ends_at(self) -> datetime:
        return self.starts_at + self.service.duration

    @property
    def span(self) -> Span:
        service = self.service
        return span_of(self.starts_at, self.ends_at, service.buffer_before, service.buffer_after)


class Claim(Frozen):
    """The resources of a visit, whose ticks are taken in the grid."""

    resources: tuple[Resource, ...]
    places: tuple[int, ...]
    why: str
    overrides: tuple[str, ...]


@lru_cache(maxsize=1024)  # a decision asks for the same day several times
def local_day(at: datetime, zone_name: str) -> date:
    return to_wall(at, zone(zone_name)).date()


def claim(
    time: TimeView,
    visit: RequestedVisit,
    grid: Grid,
    holder: str,
    now: datetime,
    *,
    override: bool = False,
) -> Claim | Refused:
    """Chooses one resource for each need and takes their ticks in the grid.

    The rules that show times also check them. With `override`, staff break rules knowingly; the
    claim says which.
    """
    if reason := _impossible(visit, now):
        return Refused(reason)
    occupancy = replace(time.occupancy, taken=grid.places_taken())
    query = _query(time, visit)
    chosen = choose_one(time.rules, query, visit.starts_at, occupancy, now)
    overrides: tuple[str, ...] = ()
    chosen_anyway = chosen is None
    if chosen is None:
        causes = check_all(time.rules, query, visit.starts_at, occupancy, now)
        reasons = [REFUSALS.get(one.cause, Reason.TAKEN) for one in causes] or [Reason.TAKEN]
        if not override or any(reason not in OVERRIDES for reason in reasons):
            return Refused(reasons[0])
        chosen = _choose_anyway(time, visit, occupancy, grid)
        if chosen is None:
            return Refused(Reason.NO_SUCH_RESOURCE)
        overrides = _overrides(time, query, visit, chosen, occupancy, now)
    resources = tuple(_known(time, chosen.resources))
    wanted = [WantedPlaces(one, visit.span, one.places(visit.party)) for one in resources]
    if not grid.take(wanted, holder):
        if not override:
            return Refused(Reason.TAKEN)
        overrides = (*overrides, OVERBOOKED)
        grid.take(wanted, holder, overbook=True)
    elif chosen_anyway and not overrides:
        overrides = (NEED_MISSING,)
    return Claim(resources, tuple(one.places for one in wanted), chosen.why.value, overrides)


def _overrides(
    time: TimeView,
    query: Query,
    visit: RequestedVisit,
    chosen: Choice,
    occupancy: Occupancy,
    now: datetime,
) -> tuple[str, ...]:
    """The rules that the chosen resources break, except overbooking, which the grid finds."""
    asked = replace(query, resource=chosen.resources[0])
    causes = check_all(time.rules, asked, visit.starts_at, occupancy, now)
    broken = (REFUSALS[one.cause] for one in causes if one.cause in REFUSALS)
    return tuple(dict.fromkeys(OVERRIDES[reason] for reason in broken))


def _impossible(visit: RequestedVisit, now: datetime) -> Reason | None:
    """The limit that forbids the visit and that not even staff can override."""
    if not 1 <= visit.party <= MOST_PARTY:
        return Reason.BAD_PARTY
    if visit.starts_at < now - LONGEST_AGO:
        return Reason.TOO_SOON
    if visit.starts_at > now + FARTHEST:
        return Reason.TOO_FAR
    service = visit.service
    length = service.duration + service.buffer_before + service.buffer_after
    if length > LONGEST_SPAN or len(service.needs) > MOST_RESOURCES:
        return Reason.TOO_LONG
    return None


def _query(time: TimeView, visit: RequestedVisit) -> Query:
    on = local_day(visit.starts_at, time.rules.zone)
    return Query(visit.service.name, on, on, visit.party, visit.resource)


def _choose_anyway(
    time: TimeView, visit: RequestedVisit, occupancy: Occupancy, grid: Grid
) -> Choice | None:
    """Chooses resources against the rules. Prefers those whose ticks are free."""
    pools = [need.anyone_of for need in visit.service.needs]
    if not pools or (visit.resource and visit.resource not in pools[0]):
        return None
    firsts = (visit.resource,) if visit.resource else pools[0]
    known = [one for one in time.rules.resources if any(one.id in pool for pool in pools)]
    every = frozenset(one.id for one in known)
    free = frozenset(
        one.id
        for one in known
        if grid.fits([WantedPlaces(one, visit.span, one.places(visit.party))])
    )
    on = local_day(visit.starts_at, time.rules.zone)
    loads = {each: load_of(occupancy, each, on) for each in every}
    for possible in (free, every):
        wished = bool(visit.resource)
        choice = choose_resources(visit.service, firsts, possible, loads, wished=wished)
        if choice is not None:
            return choice
    return None


def _known(time: TimeView, resources: Sequence[ResourceId]) -> Iterator[Resource]:
    for each in resources:
        if (found := time.rules.resource(each)) is not None:
            yield found
