"""Holds the times that are proposed to a customer, where the rules say so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.decision import Accepted, Change, Fact
from frontdesk.desks.booking.changes import WriteHold
from frontdesk.desks.booking.decide.cells import Grid, WantedPlaces
from frontdesk.desks.booking.decide.claims import Claim, RequestedVisit, claim
from frontdesk.desks.booking.decide.holds import delete_holds, time_held
from frontdesk.desks.booking.decide.states import MOST_ROWS
from frontdesk.desks.booking.lanes import party_of
from frontdesk.desks.booking.model import (
    BookingRequest,
    Hold,
    ProposedTime,
    RequestField,
    RequestStatus,
    proposal_hold_id,
)
from frontdesk.desks.booking.views import ProposalsView, TimeView
from frontdesk.values import Frozen, replace

#: The longest hold, so that a customer who does not answer does not block the time for longer.
HELD_FOR: Final = timedelta(hours=24)
NO_TIMES: Final = RequestField("check", "no free times", "")


class Proposals(Frozen):
    """The request to write, with the changes and facts of its holds."""

    request: BookingRequest
    changes: tuple[Change, ...] = ()
    facts: tuple[Fact, ...] = ()


def hold_proposals(view: ProposalsView, request: BookingRequest, now: datetime) -> Proposals:
    """Holds the proposed times that are still free, and gives up those that were held before.

    The customer books only one of them, so times that overlap share their ticks.
    """
    if request.status is not RequestStatus.OPEN or not view.times:
        return _given_up(view, request, now)
    held = _Held(view, request, now)
    for proposed, time in zip(request.proposed, view.times, strict=True):
        held.hold(proposed, time)
    if not held.times:
        draft = replace(
            request,
            status=RequestStatus.DRAFT,
            proposed=(),
            fields=(*(one for one in request.fields if one.name != NO_TIMES.name), NO_TIMES),
        )
        return _given_up(view, draft, now)
    written = held.written()
    is_too_long = Accepted(written.changes).rows > MOST_ROWS
    return _given_up(view, request, now) if is_too_long else written


def _given_up(view: ProposalsView, request: BookingRequest, now: datetime) -> Proposals:
    return Proposals(request, (*_grid(view, now).changes(), *delete_holds(view.holds)))


def _grid(view: ProposalsView, now: datetime) -> Grid:
    """The cells without the holds of earlier proposals."""
    grid = Grid(view.cells, now)
    for one in view.holds:
        grid.give_up(one.holder)
    return grid


class _Held:
    """Holds the times of one request, one after the other."""

    def __init__(self, view: ProposalsView, request: BookingRequest, now: datetime) -> None:
        self._view = view
        self._request = request
        self._now = now
        self._grid = _grid(view, now)
        self._before = {one.id: one for one in view.holds}
        self._holds: list[Hold] = []
        self.times: list[ProposedTime] = []

    def hold(self, proposed: ProposedTime, time: TimeView) -> None:
        service = time.rules.service(proposed.service)
        if service is None:
            return
        party = party_of(self._request.fields)
        visit = RequestedVisit(service, proposed.starts_at, party, proposed.resource)
        hold = self._new_hold(visit)
        alone = _grid(self._view, self._now)
        claimed = claim(time, visit, alone, hold.holder, self._now)
        if not isinstance(claimed, Claim):
            return
        pairs = zip(claimed.resources, claimed.places, strict=True)
        wanted = [WantedPlaces(resource, visit.span, places) for resource, places in pairs]
        self._grid.take(wanted, hold.holder, sharing=[one.holder for one in self._holds])
        self._holds.append(replace(hold, resources=tuple(one.id for one in claimed.resources)))
        self.times.append(proposed)

    def _new_hold(self, visit: RequestedVisit) -> Hold:
        hold_id = proposal_hold_id(self._request.id, len(self._holds))
        before = self._before.get(hold_id)
        now = self._now.replace(microsecond=0)
        return Hold(
            hold_id,
            visit.service.name,
            visit.starts_at,
            resources=(),
            span=visit.span,
            until=min(now + HELD_FOR, visit.starts_at),
            version=before.version + 1 if before else 1,
        )

    def written(self) -> Proposals:
        ids = {one.id for one in self._holds}
        gone = (one for one in self._view.holds if one.id not in ids)
        changes: Sequence[Change] = (
            *self._grid.changes(),
            *map(WriteHold, self._holds),
            *delete_holds(gone),
        )
        request = replace(self._request, proposed=tuple(self.times))
        return Proposals(request, tuple(changes), tuple(map(time_held, self._holds)))
