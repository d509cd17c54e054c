"""Ends bookings by cancellation, no-show or release; frees their time or hands it over."""

from __future__ import annotations

from datetime import datetime, timedelta

from frontdesk.core.decision import Accepted, Change, Decision, Fact, Refused, TimerChange
from frontdesk.desks.booking.changes import AddHandover, WriteBooking
from frontdesk.desks.booking.commands import CancelBooking, MarkNoShow
from frontdesk.desks.booking.decide import tallies, timers
from frontdesk.desks.booking.decide.cells import Grid, WantedPlaces
from frontdesk.desks.booking.decide.states import calendar_job, next_version
from frontdesk.desks.booking.facts import (
    BookingCancelled,
    BookingCancelledByStaff,
    BookingEnded,
    BookingMissed,
    HandoverTaken,
    TimeFreed,
)
from frontdesk.desks.booking.model import Booking, BookingStatus, Handover, handover_id
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.views import BookingView
from frontdesk.values import Frozen, replace


class FreedTime(Frozen):
    """The changes and facts of a time that is handed over."""

    changes: tuple[Change, ...] = ()
    facts: tuple[Fact, ...] = ()
    timers: tuple[TimerChange, ...] = ()


def cancel(view: BookingView | None, command: CancelBooking, now: datetime) -> Decision:
    """Cancels a booking. Staff may always; the customer only before the notice for changes."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    booking = view.booking
    if not booking.takes_time:
        return Refused(Reason.ENDED)
    if command.seen_starts_at not in (None, booking.starts_at):
        return Refused(Reason.CHANGED_MEANWHILE)
    if command.by_staff:
        kind: type[BookingEnded] = BookingCancelledByStaff
    elif command.even_late or may_change(booking, view.rules, now):
        kind = BookingCancelled
    else:
        return Refused(Reason.TOO_LATE)
    return end_booking(view, BookingStatus.CANCELLED, kind, now, offer=command.offer)


def may_change(booking: Booking, rules: BookingRules, now: datetime) -> bool:
    """Whether the customer may still cancel or move it."""
    service = rules.service(booking.service)
    is_pending = booking.status is BookingStatus.PENDING
    notice = service.change_notice if service and not is_pending else timedelta()
    return now < booking.starts_at and now <= booking.starts_at - notice


def mark_no_show(view: BookingView | None, _: MarkNoShow, now: datetime) -> Decision:
    """Notes a no-show, once the visit has begun. The waitlist desk may offer the rest of it."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    if view.booking.status is not BookingStatus.CONFIRMED:
        return Refused(Reason.ENDED)
    if now < view.booking.starts_at:
        return Refused(Reason.NOT_BEGUN)
    return end_booking(view, BookingStatus.NO_SHOW, BookingMissed, now)


def end_booking(
    view: BookingView,
    status: BookingStatus,
    kind: type[BookingEnded],
    now: datetime,
    *,
    offer: bool = True,
    by_waitlist: bool = False,
    origin: str = "",
) -> Accepted:
    """Ends a booking in one commit with its cells, tallies, timers and the job for calendars.

    `origin` names the slot that the waitlist desk has already made from the time.
    """
    before = view.booking
    after = _closed(before, status, now)
    grid = Grid(view.cells, now)
    grid.give_up(before.holder)
    handed = FreedTime()
    if offer and view.options.hands_over:
        handed = hand_over(grid, before, after.sequence, view.rules, now, origin=origin)
    in_calendar = before.status is not BookingStatus.PENDING and status is not BookingStatus.NO_SHOW
    fact = kind(
        after.id,
        after.person_id,
        after.version,
        starts_at=after.starts_at,
        sequence=after.sequence,
        waitlist_slot="" if by_waitlist else before.waitlist_slot,
        by_waitlist=by_waitlist,
    )
    return Accepted(
        (
            *grid.changes(),
            WriteBooking(after),
            *tallies.count(before, None, view.rules, now),
            *handed.changes,
            *(calendar_job(after, view.rules) if in_calendar else ()),
        ),
        (fact, *handed.facts),
        (*timers.exchange(before, after, view.rules), *handed.timers),
    )


def _closed(before: Booking, status: BookingStatus, now: datetime) -> Booking:
    return next_version(
        replace(
            before,
            status=status,
            sequence=before.sequence + 1,
            reminders=(),
            decide_by=None,
            closed_at=now.replace(microsecond=0),
        )
    )


def hand_over(
    grid: Grid,
    before: Booking,
    sequence: int,
    rules: BookingRules,
    now: datetime,
    *,
    origin: str = "",
) -> FreedTime:
    """Gives the freed cells of a booking to the waitlist desk, if it can offer the time.

    Cells of an overbooked time only become free: somebody else has the place.
    """
    if now >= before.ends_at:
        return FreedTime()
    resources = [found for each in before.resources if (found := rules.resource(each))]
    pairs = zip(resources, before.places, strict=False)
    wanted = [WantedPlaces(resource, before.span, places) for resource, places in pairs]
    if len(wanted) < len(before.resources) or not grid.fits(wanted):
        return FreedTime()
    handover = _handover(before, origin or f"booking:{before.id}.{sequence}", now)
    grid.hand_over(before.holder, handover.holder)
    check = timers.check_handover(handover.id, now)
    if origin:
        taken = HandoverTaken(handover.id, handover)
        return FreedTime((AddHandover(handover),), (taken,), (check,))
    freed = TimeFreed(
        handover.id,
        handover,
        staff=resources[0].name,
        capacity=before.party,
        duration=before.ends_at - before.starts_at,
        booking_id=before.id,
        waitlist_slot=before.waitlist_slot,
    )
    return FreedTime((AddHandover(handover),), (freed,), (check,))


def _handover(booking: Booking, origin: str, now: datetime) -> Handover:
    return Handover(
        handover_id(origin),
        origin,
        booking.service,
        booking.starts_at,
        booking.ends_at,
        booking.resources,
        booking.places,
        booking.span,
        handed_at=now.replace(microsecond=0),
        price_cents=booking.price_cents,
    )
