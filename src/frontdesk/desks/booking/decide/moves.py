"""Moves bookings: exchanges the old claim for the new one in one commit."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.desks.booking.changes import WriteBooking
from frontdesk.desks.booking.commands import MoveBooking
from frontdesk.desks.booking.decide import tallies, timers
from frontdesk.desks.booking.decide.cells import Grid
from frontdesk.desks.booking.decide.claims import Claim, RequestedVisit, claim, local_day
from frontdesk.desks.booking.decide.endings import FreedTime, hand_over, may_change
from frontdesk.desks.booking.decide.holds import delete_holds
from frontdesk.desks.booking.decide.states import calendar_job, next_version, within_row_limit
from frontdesk.desks.booking.facts import BookingMoved
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import ResourceId, ServiceRules
from frontdesk.desks.booking.views import MoveView, TimeView
from frontdesk.values import replace


def move(view: MoveView | None, command: MoveBooking, now: datetime) -> Decision:
    """Moves a booking. Its own cells count as free, so it can move by a few minutes."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    before, rules = view.booking, view.time.rules
    service = rules.service(before.service)
    if service is None:
        return Refused(Reason.NO_SUCH_SERVICE)
    if reason := _not_movable(view, service, command, now):
        return Refused(reason)
    grid = Grid(view.time.cells, now)
    grid.give_up(before.holder)
    if view.hold is not None:
        grid.give_up(view.hold.holder)
    claimed = _claim(view, service, command, grid, now)
    if isinstance(claimed, Refused):
        return claimed
    after = _moved(view, service, command, claimed, now)
    if (after.starts_at, after.resources) == (before.starts_at, before.resources):
        return Refused(Reason.UNCHANGED)
    handed = FreedTime()
    if view.time.options.hands_over and not grid.reuses(before.holder, before.holder):
        handed = hand_over(grid, before, after.sequence, rules, now)
    fact = BookingMoved(
        after.id,
        after.person_id,
        after.version,
        booking=after.without_person,
        starts_at_before=before.starts_at,
        resources_before=before.resources,
        by_staff=command.by_staff,
        waitlist_slot=before.waitlist_slot,
    )
    override = command.override and command.by_staff
    return within_row_limit(
        Accepted(
            (
                *grid.changes(),
                *delete_holds([view.hold] if view.hold else ()),
                WriteBooking(after),
                *tallies.count(before, after, rules, now, capped=not override),
                *handed.changes,
                *calendar_job(after, rules),
            ),
            (fact, *handed.facts),
            (*timers.exchange(before, after, rules), *handed.timers),
        )
    )


def _not_movable(
    view: MoveView, service: ServiceRules, command: MoveBooking, now: datetime
) -> Reason | None:
    booking = view.booking
    if not booking.takes_time:
        return Reason.ENDED
    if command.seen_version not in (0, booking.version):
        return Reason.CHANGED_MEANWHILE
    if command.by_staff:
        return None
    if not may_change(booking, view.time.rules, now):
        return Reason.TOO_LATE
    return Reason.TOO_MANY_MOVES if booking.moves >= service.most_moves else None


def _claim(
    view: MoveView, service: ServiceRules, command: MoveBooking, grid: Grid, now: datetime
) -> Claim | Refused:
    """Claims the new time: with the given resource, or else the same one. Tries anyone if the
    customer had no wish, or wished for somebody who does not do the service any more."""
    before = view.booking
    wishes = [command.resource or before.resources[0]]
    if not (command.resource or before.wished_resource(service)):
        wishes.append(ResourceId(""))
    time = _without(view.time, before)
    override = command.override and command.by_staff
    claimed: Claim | Refused = Refused(Reason.TAKEN)
    for wish in wishes:
        visit = RequestedVisit(service, command.starts_at, before.party, wish)
        last = wish == wishes[-1]
        claimed = claim(time, visit, grid, before.holder, now, override=override and last)
        if not isinstance(claimed, Refused):
            return claimed
    return claimed


def _without(time: TimeView, booking: Booking) -> TimeView:
    """The time view in which this booking is not counted."""
    counted = tallies.without(time.occupancy.tallies, booking)
    return replace(time, occupancy=replace(time.occupancy, tallies=counted))


def _moved(
    view: MoveView, service: ServiceRules, command: MoveBooking, claimed: Claim, now: datetime
) -> Booking:
    before, rules = view.booking, view.time.rules
    starts_at = command.starts_at
    after = next_version(
        replace(
            before,
            starts_at=starts_at,
            ends_at=starts_at + service.duration,
            resources=tuple(one.id for one in claimed.resources),
            places=claimed.places,
            capacities=tuple(one.capacity for one in claimed.resources),
            local_on=local_day(starts_at, rules.zone),
            buffer_before=service.buffer_before,
            buffer_after=service.buffer_after,
            anyone=not (command.resource or before.wished_resource(service)),
            why_resource=claimed.why,
            overrides=claimed.overrides,
            sequence=before.sequence + 1,
            moves=before.moves + (0 if command.by_staff else 1),
            waitlist_slot="",
        )
    )
    if before.status is BookingStatus.PENDING:
        assert before.decide_by is not None, "a pending booking has an end"
        return replace(after, decide_by=min(before.decide_by, starts_at))
    if before.status is BookingStatus.CONFIRMED:
        reminders = timers.reminders(starts_at, rules, view.time.options, now)
        return replace(after, reminders=reminders)
    return after
