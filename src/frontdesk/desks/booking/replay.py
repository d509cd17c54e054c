"""Rebuilds bookings, requests and handovers from their facts, to compare them with the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from frontdesk.desks.booking import facts as f
from frontdesk.desks.booking.model import (
    Booking,
    BookingRequest,
    BookingStatus,
    Handover,
    HandoverStatus,
)
from frontdesk.engine.ports import Recorded
from frontdesk.values import replace

_ENDS = {
    f.BookingCancelled: BookingStatus.CANCELLED,
    f.BookingCancelledByStaff: BookingStatus.CANCELLED,
    f.BookingMissed: BookingStatus.NO_SHOW,
    f.BookingDeclined: BookingStatus.DECLINED,
    f.BookingLapsed: BookingStatus.LAPSED,
    f.BookingReleased: BookingStatus.RELEASED,
}


def booking_from(facts: Iterable[Recorded]) -> Booking | None:
    """Rebuilds a booking from its facts, without anything personal but the person's id."""
    booking: Booking | None = None
    for recorded in facts:
        fact = recorded.fact
        if isinstance(fact, f.BookingMade):
            booking = fact.booking
        elif booking is not None and isinstance(fact, f.BookingFact):
            booking = replace(_next(booking, fact, recorded), version=fact.version)
    return booking


def _next(booking: Booking, fact: f.BookingFact, recorded: Recorded) -> Booking:
    match fact:
        case f.BookingMoved():
            return fact.booking
        case f.BookingApproved():
            return replace(booking, status=BookingStatus.CLAIMED, decide_by=None)
        case f.BookingConfirmed():
            return replace(
                booking,
                status=BookingStatus.CONFIRMED,
                decide_by=None,
                reminders=fact.reminders,
                calendars=fact.links,
                calendar_tries=0,
            )
        case f.CalendarWritten():
            return replace(booking, calendars=fact.links, calendar_tries=0)
        case f.CalendarTroubled():
            return replace(booking, calendars=fact.links, calendar_tries=fact.again + 1)
        case f.ReminderDue():
            left = tuple(each for each in booking.reminders if each != fact.seconds_before)
            return replace(booking, reminders=left)
        case f.BookingEnded():
            return replace(
                booking,
                status=_ENDS[type(fact)],
                sequence=fact.sequence,
                reminders=(),
                decide_by=None,
                closed_at=recorded.at.replace(microsecond=0),
            )
        case _:
            return booking


def booking_differs(booking: Booking, facts: Iterable[Recorded]) -> Iterator[str]:
    """Reports a row that differs from the audit."""
    again = booking_from(facts)
    if again != booking.without_person:
        yield f"booking {booking.id}: the audit says {again}, the row says {booking.without_person}"


def request_from(facts: Iterable[Recorded]) -> BookingRequest | None:
    """Rebuilds the record of a request from its facts, or from those of its booking."""
    request: BookingRequest | None = None
    for recorded in facts:
        if isinstance(recorded.fact, f.BookingMade | f.RequestFact) and recorded.fact.request:
            request = recorded.fact.request
    return request


def request_differs(request: BookingRequest, facts: Iterable[Recorded]) -> Iterator[str]:
    """Reports a record that differs from the audit. Erasing a person empties its fields."""
    again, row = request_from(facts), request.without_person
    if again is not None and not request.fields:
        again = replace(again, fields=())
    if again != row:
        yield f"request {request.id}: the audit says {again}, the row says {row}"


def handover_from(facts: Iterable[Recorded]) -> Handover | None:
    handover: Handover | None = None
    for recorded in facts:
        fact = recorded.fact
        match fact:
            case f.TimeFreed() | f.HandoverTaken():
                handover = fact.handover
            case f.HandoverReleased() if handover is not None:
                handover = _closed(handover, HandoverStatus.RELEASED, recorded)
            case f.HandoverBooked() if handover is not None:
                handover = replace(
                    _closed(handover, HandoverStatus.BOOKED, recorded), booking_id=fact.booking_id
                )
            case f.HandoverBooked():
                return None
            case _:
                pass
    return handover


def _closed(handover: Handover, status: HandoverStatus, recorded: Recorded) -> Handover:
    at = recorded.at.replace(microsecond=0)
    return replace(handover, status=status, closed_at=at, version=handover.version + 1)


def handover_differs(handover: Handover, facts: Iterable[Recorded]) -> Iterator[str]:
    again = handover_from(facts)
    if again != handover:
        yield f"handover {handover.id}: the audit says {again}, the row says {handover}"
