"""Maps facts and timers of the booking desk to the commands that they cause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Command, Fact, TimerName
from frontdesk.core.people import Correction, PersonId
from frontdesk.desks.booking import commands
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import BookingId, HandoverId
from frontdesk.engine.ports import Reads, Recorded

REACTIONS: Final[Mapping[type[Fact], Callable[[Reads, Recorded], Iterable[Command]]]] = {}


def cancel_bookings(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Cancels the upcoming bookings of an erased person."""
    for booking in booking_reads(reads).bookings_of(PersonId(recorded.fact.subject)):
        if booking.takes_time and booking.starts_at > recorded.at:
            yield commands.CancelBooking(booking.id, by_staff=True)


def follow_contact(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Copies a corrected contact to upcoming bookings. The correction invalidates their links, so
    the customer gets new ones."""
    fact = recorded.fact
    assert isinstance(fact, Correction)
    person_id = PersonId(fact.subject)
    return follow_person(
        reads,
        person_id,
        recorded.at,
        new_contact=fact.new_address,
        new_number=fact.new_number,
    )


def follow_person(
    reads: Reads, person_id: PersonId, at: datetime, *, new_contact: bool, new_number: bool
) -> Iterable[Command]:
    """Copies the contact of a person to upcoming bookings: the number only if it was corrected, or
    if there is no address. A stranger may have typed the number beside the address."""
    bk = booking_reads(reads)
    person = bk.person(person_id)
    if person is None or not new_contact:
        return
    for one in bk.bookings_of(person.id):
        if one.takes_time and one.starts_at > at:
            mobile = person.mobile if new_number or not person.email else one.mobile
            yield commands.EditBooking(one.id, one.name, person.email, mobile, one.note)
            yield commands.SendBookingLink(one.id)


def reminder_is_due(name: TimerName, _due_at: datetime) -> Command:
    _, _, booking_id, seconds = name.split("/")
    return commands.RemindOfBooking(BookingId(booking_id), int(seconds))


def approval_is_overdue(name: TimerName, _due_at: datetime) -> Command:
    return commands.LapseBooking(BookingId(name.split("/")[2]))


def calendar_retry_is_due(name: TimerName, _due_at: datetime) -> Command:
    return commands.WriteCalendarAgain(BookingId(name.split("/")[2]))


def handover_check_is_due(name: TimerName, _due_at: datetime) -> Command:
    return commands.SettleHandover(HandoverId(name.split("/")[2]))


TIMERS: Final[Mapping[str, Callable[[TimerName, datetime], Command]]] = {
    "remind": reminder_is_due,
    "decide": approval_is_overdue,
    "calendar": calendar_retry_is_due,
    "handover": handover_check_is_due,
}
