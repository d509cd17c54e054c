"""Appointments that come from the waitlist: a claimed slot becomes a row of the appointment sheet.
If the earlier appointment at that time came from a calendar, the slot becomes an event in that
calendar.

This applies only to times that the booking desk does not manage: its own slots become bookings, and
each booking is an appointment already. Every fact about such a slot makes the reminders desk read
the current slot. An appointment that ends or moves at the reminders desk ends its slot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from frontdesk.core.decision import Command
from frontdesk.core.ids import id_bytes, new_id
from frontdesk.core.people import PersonId
from frontdesk.desks.booking.decide.handovers import resource_named
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import handover_id
from frontdesk.desks.reminders import facts as ar
from frontdesk.desks.reminders import story
from frontdesk.desks.reminders.commands import FollowSource
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import AppointmentId, AppointmentSource, appointment_id
from frontdesk.desks.reminders.tags import Tags
from frontdesk.desks.reminders.views import SourceVisit
from frontdesk.desks.waitlist import facts as wl
from frontdesk.desks.waitlist.commands import CancelBooking, MarkNoShow
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, Slot, SlotId, SlotStatus
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.calendars.sync import ORIGIN

#: The prefix of the reference of a row in the sheet that comes from a slot of the waitlist.
_PREFIX: Final = "waitlist:"
#: The prefix of the origin of a slot that an appointment freed; its id, a dot and its chain follow.
APPOINTMENT: Final = "appointment:"
_EVENT: Final = re.compile(re.escape(ORIGIN) + r"([0-9a-f]{32})")
_MOST_CLAIMS: Final = 20


def slot_ref(slot_id: str) -> str:
    """The reference of the appointment that a slot became."""
    return f"{_PREFIX}{slot_id}"


def event_ref(slot_id: str) -> str:
    """The same in a calendar: it is also the key of the event."""
    return f"{ORIGIN}{id_bytes(slot_id).hex()}"


def slot_of(reads: Reads, source: AppointmentSource, ref: str) -> Slot | None:
    """The slot of an appointment; None if it comes from elsewhere."""
    if source is AppointmentSource.SHEET and ref.startswith(_PREFIX):
        return waitlist(reads).slot(SlotId(ref.removeprefix(_PREFIX)))
    if source is AppointmentSource.CALENDAR and (found := _EVENT.fullmatch(ref)):
        return waitlist(reads).slot(SlotId(new_id(bytes.fromhex(found[1]))))
    return None


def source_of(reads: Reads, slot: Slot) -> tuple[AppointmentSource, str]:
    """The source and the reference of the appointment that a slot becomes."""
    if calendar_of(reads, slot):
        return AppointmentSource.CALENDAR, event_ref(slot.id)
    return AppointmentSource.SHEET, slot_ref(slot.id)


def calendar_of(reads: Reads, slot: Slot) -> str:
    """The calendar of the appointment that had the time first, also after several claims."""
    for _ in range(_MOST_CLAIMS):
        if slot.origin.startswith(APPOINTMENT):
            one = slot.origin.removeprefix(APPOINTMENT).partition(".")[0]
            freed = reminder_reads(reads).appointment(AppointmentId(one))
            is_event = freed is not None and freed.source is AppointmentSource.CALENDAR
            return freed.calendar if freed is not None and is_event else ""
        before = waitlist(reads).slot(SlotId(slot.origin.rpartition(":")[2]))
        if before is None:
            return ""
        slot = before
    return ""


def visit_of_slot(reads: Reads, source: AppointmentSource, ref: str) -> SourceVisit | None:
    """A booked slot as an appointment; None if this is not the reference of a slot."""
    slot = slot_of(reads, source, ref)
    entry = waitlist(reads).entry(EntryId(slot.booked_by)) if slot and slot.booked_by else None
    if slot is None or entry is None:
        return None
    opening, person = slot.opening, waitlist(reads).person(entry.person_id)
    return SourceVisit(
        entry.person_id,
        opening.service,
        opening.starts_at,
        opening.duration,
        slot.closed_at or slot.freed_at,
        opening.staff,
        Tags(no_sms=person is not None and entry.is_told_by_mail(person)),
        calendar=calendar_of(reads, slot),
        is_live=slot.status is SlotStatus.BOOKED,
        is_missed=slot.status is SlotStatus.NO_SHOW,
    )


def follow_slot(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Makes the desk check the slot of a fact, unless it is a booking. If a slot ended without a
    message, so does its appointment.
    """
    fact = recorded.fact
    slot = waitlist(reads).slot(SlotId(fact.subject))
    if slot is None or is_managed_by_booking(reads, slot) or has_other_customer(reads, slot):
        return
    if isinstance(fact, wl.BookingCancelled):
        if not fact.quietly:
            by_customer = not fact.by_staff
            yield FollowSource(*source_of(reads, slot), by_customer)
        return
    yield FollowSource(*source_of(reads, slot))


def has_other_customer(reads: Reads, slot: Slot) -> bool:
    """Whether staff have given the appointment of a slot to another customer, in its sheet or its
    calendar. Facts about the slot concern its first customer, so they no longer change it."""
    one = reminder_reads(reads).appointment(appointment_id(*source_of(reads, slot)))
    return one is not None and not _is_claim_of(reads, slot, one.person_id)


def _is_claim_of(reads: Reads, slot: Slot, person_id: PersonId) -> bool:
    entry = waitlist(reads).entry(EntryId(slot.booked_by)) if slot.booked_by else None
    return entry is not None and entry.person_id == person_id


def is_managed_by_booking(reads: Reads, slot: Slot) -> bool:
    """Whether the booking desk manages the time of a slot: the time was a booking before, or the
    rules of bookings name the staff member.
    """
    bk = booking_reads(reads)
    if bk.handover(handover_id(slot.origin)) is not None:
        return True
    return resource_named(bk.rules(), slot.opening.staff) is not None


FROM_WAITLIST: Final = Binding(
    story.FROM_WAITLIST,
    dict.fromkeys(
        (wl.SlotClaimed, wl.SlotGiven, wl.BookingCancelled, wl.BookingMissed), follow_slot
    ),
)


# --- appointments that end here -------------------------------------------------------------


def end_slot(
    reads: Reads, fact: ar.AppointmentClosed, ids: Callable[[], str], *, offer: bool
) -> Iterable[Command]:
    """Ends the booked slot of an appointment. The reminders desk tells the customer. `offer` lets
    the waitlist offer the time, if it is still that of the appointment."""
    slot = slot_of(reads, fact.source, fact.ref)
    if slot is None or slot.status is not SlotStatus.BOOKED:
        return
    if not _is_claim_of(reads, slot, fact.person_id):
        return
    if isinstance(fact, ar.AppointmentMissed):
        yield MarkNoShow(slot.id, SlotId(ids()))
        return
    yield CancelBooking(
        slot.id,
        EntryId(slot.booked_by),
        SlotId(ids()),
        by_staff=fact.by is ar.ChangedBy.STAFF,
        offer=offer and slot.opening.starts_at == fact.starts_at,
        quietly=True,
    )


def is_on_waitlist(reads: Reads, fact: ar.AppointmentClosed) -> bool:
    """Whether the time of this appointment is a slot of the waitlist, which offers it itself."""
    slot = slot_of(reads, fact.source, fact.ref)
    if slot is None or slot.opening.starts_at != fact.starts_at:
        return False
    return _is_claim_of(reads, slot, fact.person_id)


def after_move(ids: Callable[[], str]) -> Binding:
    """Ends the slot of an appointment that got another time or another customer. Its own time is
    not offered, as with all rows of the sheet that move."""

    def end(reads: Reads, recorded: Recorded) -> Iterable[Command]:
        fact = recorded.fact
        assert isinstance(fact, ar.AppointmentMoved)
        one = fact.appointment
        slot = slot_of(reads, one.source, one.ref)
        if slot is None or slot.status is not SlotStatus.BOOKED:
            return
        is_same_time = one.starts_at == slot.opening.starts_at
        if not is_same_time or not _is_claim_of(reads, slot, one.person_id):
            entry_id, new_id = EntryId(slot.booked_by), SlotId(ids())
            yield CancelBooking(slot.id, entry_id, new_id, offer=False, quietly=True)

    return Binding("ar.slot_moved", {ar.AppointmentMoved: end})
