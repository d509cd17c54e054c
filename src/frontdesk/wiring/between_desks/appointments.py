"""Appointments between the reminders desk and other desks: each follows the others' facts.

Every fact about a booking makes the reminders desk read the current booking. An appointment that
ends at the reminders desk also ends at the desk that it comes from. If it comes from a sheet or a
calendar, its time goes to the waitlist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from frontdesk.core.decision import Command
from frontdesk.core.links import Keys
from frontdesk.core.people import PersonId
from frontdesk.desks.booking import commands as booking
from frontdesk.desks.booking import facts as bk
from frontdesk.desks.booking.calendar_file import staff_name
from frontdesk.desks.booking.links import BookingLinks
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import BookingId, BookingStatus
from frontdesk.desks.reminders import facts as ar
from frontdesk.desks.reminders.commands import FollowSource
from frontdesk.desks.reminders.figures import was_freed_in_time
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    AppointmentSource,
)
from frontdesk.desks.reminders.tags import Tags
from frontdesk.desks.reminders.views import SourceVisit
from frontdesk.desks.waitlist.commands import FreeSlot
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Opening, SlotId, SlotStatus
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.settings import Settings
from frontdesk.wiring.between_desks.claimed_slots import (
    APPOINTMENT,
    FROM_WAITLIST,
    after_move,
    end_slot,
    is_on_waitlist,
    visit_of_slot,
)

if TYPE_CHECKING:
    from frontdesk.desks.reminders.console.page import SourcePages

#: A booking that waits for approval or for its calendars is no appointment yet.
_EXPECTED: Final = BookingStatus.CONFIRMED


def between_desks(settings: Settings, ids: Callable[[], str]) -> Iterable[Binding]:
    """The flows to and from other desks. A desk that is switched off still keeps its promises: it
    sends reminders of bookings, and the links in reminders cancel them.
    """
    if settings.has_desk("reminders"):
        yield FROM_BOOKING
        yield FROM_WAITLIST
    yield TO_BOOKING
    yield to_waitlist(ids, is_on=settings.has_desk("waitlist"))
    yield after_move(ids)


def move_url(settings: Settings, keys: Callable[[], Keys]) -> Callable[[Reads, Appointment], str]:
    """Returns a function for the page on which a customer moves a booking to a free time."""
    links = BookingLinks(settings.booking_links_at, keys)

    def url(reads: Reads, appointment: Appointment) -> str:
        if appointment.source is not AppointmentSource.BOOKING:
            return ""
        found = booking_reads(reads).booking(BookingId(appointment.ref))
        person = booking_reads(reads).person(appointment.person_id)
        return links.move(found, person.contact_version) if found and person else ""

    return url


def booking_pages(one: Appointment) -> SourcePages | None:
    """The pages in the console of the booking behind an appointment."""
    from frontdesk.desks.booking.console.page import BOOKINGS, booking_url
    from frontdesk.desks.reminders.console.page import SourcePages
    from frontdesk.web.console.lists import with_query

    if one.source is not AppointmentSource.BOOKING:
        return None
    return SourcePages(booking_url(one.ref), with_query(f"{BOOKINGS}/new", {"move": one.ref}))


def visit_at_source(reads: Reads, source: AppointmentSource, ref: str) -> SourceVisit | None:
    """An appointment as the desk has it that it comes from; None if it comes from no desk."""
    if source is not AppointmentSource.BOOKING:
        return visit_of_slot(reads, source, ref)
    bk_reads = booking_reads(reads)
    found = bk_reads.booking(BookingId(ref))
    if found is None:
        return None
    person = bk_reads.person(found.person_id) if found.email else None
    return SourceVisit(
        found.person_id,
        found.service,
        found.starts_at,
        found.ends_at - found.starts_at,
        found.booked_at,
        staff_name(found.resources, bk_reads.rules()),
        Tags(no_sms=person is not None and not found.is_told_by_text(person.mobile)),
        is_live=found.status is _EXPECTED,
        is_missed=found.status is BookingStatus.NO_SHOW,
    )


def waits_for_claim(reads: Reads, person_id: PersonId) -> bool:
    """Whether the waitlist has offered a slot to this person. A 'yes' may mean that."""
    wl = waitlist(reads)
    return any(wl.open_offers(entry.id) for entry in wl.entries_of(person_id))


def expected_bookings(reads: Reads, since: datetime, until: datetime) -> dict[str, datetime]:
    """The bookings of a period that are appointments, with their start."""
    found = booking_reads(reads).bookings_between(since, until)
    return {each.id: each.starts_at for each in found if each.status is _EXPECTED}


def follow_booking(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
    by_customer = isinstance(recorded.fact, bk.BookingCancelled)
    yield FollowSource(AppointmentSource.BOOKING, recorded.fact.subject, by_customer)


FROM_BOOKING: Final = Binding(
    "ar.from_booking",
    dict.fromkeys(
        (
            bk.BookingConfirmed,
            bk.BookingEdited,
            bk.BookingMoved,
            bk.BookingCancelled,
            bk.BookingCancelledByStaff,
            bk.BookingMissed,
            bk.BookingReleased,
        ),
        follow_booking,
    ),
)


# --- appointments that end here -------------------------------------------------------------


def cancel_booking(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Cancels the booking of an appointment that was cancelled or released here. Its time goes to
    the waitlist as with every cancelled booking."""
    fact = recorded.fact
    assert isinstance(fact, ar.AppointmentClosed)
    if fact.source is AppointmentSource.BOOKING and fact.by is not ar.ChangedBy.SOURCE:
        by_staff = fact.by is ar.ChangedBy.STAFF
        yield booking.CancelBooking(BookingId(fact.ref), by_staff=by_staff, even_late=True)


def mark_booking_missed(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
    fact = recorded.fact
    assert isinstance(fact, ar.AppointmentMissed)
    if fact.source is AppointmentSource.BOOKING and fact.by is not ar.ChangedBy.SOURCE:
        yield booking.MarkNoShow(BookingId(fact.ref))


TO_BOOKING: Final = Binding(
    "ar.to_booking",
    {
        ar.AppointmentCancelled: cancel_booking,
        ar.AppointmentReleased: cancel_booking,
        ar.AppointmentMissed: mark_booking_missed,
    },
)


def to_waitlist(ids: Callable[[], str], *, is_on: bool) -> Binding:
    """Offers the time of an ended appointment to the waitlist, unless the booking desk does so, or
    the waitlist desk is switched off. Ends the slot that became the appointment."""

    def free(reads: Reads, recorded: Recorded) -> Iterable[Command]:
        fact = recorded.fact
        assert isinstance(fact, ar.AppointmentClosed)
        yield from end_slot(reads, fact, ids, offer=is_on)
        if not is_on or is_on_waitlist(reads, fact):
            return
        service = reads.engine.setting(CATALOGUE).service(fact.service)
        if fact.source is AppointmentSource.BOOKING or service is None:
            return
        if fact.at >= fact.starts_at + fact.duration:
            return
        origin = _origin(fact.appointment_id, fact.chain)
        opening = Opening(
            service.name,
            fact.starts_at,
            fact.duration,
            service.most,
            fact.staff,
            service.price_cents,
        )
        yield FreeSlot(SlotId(ids()), origin, opening, rest=True)

    ended = (ar.AppointmentCancelled, ar.AppointmentReleased, ar.AppointmentMissed)
    return Binding("ar.to_waitlist", dict.fromkeys(ended, free))


def _origin(appointment_id: str, chain: int) -> str:
    return f"{APPOINTMENT}{appointment_id}.{chain}"


def filled_from_waitlist(reads: Reads, rows: Sequence[Appointment]) -> set[AppointmentId]:
    """Freed appointments whose time somebody on the waitlist has taken. It has no bookings: their
    times become new bookings, which the reminders desk follows anyway."""
    wl, freed = waitlist(reads), (one for one in rows if was_freed_in_time(one))
    slots = {one.id: wl.slot_by_origin(_origin(one.id, one.chain)) for one in freed}
    return {each for each, slot in slots.items() if slot and slot.status is SlotStatus.BOOKED}
