"""Holds a time for a visitor who fills in the form. A hold ends by itself."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.desks.booking.changes import DeleteHold, WriteHold
from frontdesk.desks.booking.commands import DropHold, ForgetHold, HoldTime
from frontdesk.desks.booking.decide.cells import Grid
from frontdesk.desks.booking.decide.claims import RequestedVisit, claim
from frontdesk.desks.booking.decide.states import within_row_limit
from frontdesk.desks.booking.facts import HoldDropped, TimeHeld
from frontdesk.desks.booking.model import Hold
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.views import HoldView
from frontdesk.values import replace


def hold(view: HoldView, command: HoldTime, now: datetime) -> Decision:
    """Holds a time, and gives up the one that the visitor held before."""
    rules = view.time.rules
    if rules.hold_for <= timedelta():
        return Refused(Reason.NO_HOLDS)
    service = rules.service(command.service)
    if service is None:
        return Refused(Reason.NO_SUCH_SERVICE)
    grid = Grid(view.time.cells, now)
    if view.hold is not None:
        grid.give_up(view.hold.holder)
    visit = RequestedVisit(service, command.starts_at, command.party, command.resource)
    held = Hold(
        command.hold_id,
        service.name,
        visit.starts_at,
        resources=(),
        span=visit.span,
        until=now.replace(microsecond=0) + rules.hold_for,
        version=view.hold.version + 1 if view.hold else 1,
    )
    claimed = claim(view.time, visit, grid, held.holder, now)
    if isinstance(claimed, Refused):
        return claimed
    held = replace(held, resources=tuple(one.id for one in claimed.resources))
    return within_row_limit(Accepted((*grid.changes(), WriteHold(held)), (time_held(held),)))


def time_held(hold: Hold) -> TimeHeld:
    return TimeHeld(
        hold.id,
        service=hold.service,
        starts_at=hold.starts_at,
        resources=hold.resources,
        until=hold.until,
    )


def drop(view: HoldView, command: DropHold, now: datetime) -> Decision:
    if view.hold is None:
        return Refused(Reason.NO_SUCH_HOLD)
    grid = Grid(view.time.cells, now)
    grid.give_up(view.hold.holder)
    gone = DeleteHold(view.hold.id, view.hold.version)
    return Accepted((*grid.changes(), gone), (HoldDropped(command.hold_id),))


def forget(view: HoldView, _: ForgetHold, now: datetime) -> Decision:
    """Deletes an ended hold and those of its cells that nobody has taken since."""
    if view.hold is None:
        return Refused(Reason.NO_SUCH_HOLD)
    if now < view.hold.until:
        return Refused(Reason.STILL_HELD)
    grid = Grid(view.time.cells, now)
    grid.give_up(view.hold.holder)
    return Accepted((*grid.changes(), DeleteHold(view.hold.id, view.hold.version)))


def delete_holds(holds: Iterable[Hold]) -> tuple[Change, ...]:
    return tuple(DeleteHold(one.id, one.version) for one in holds)
