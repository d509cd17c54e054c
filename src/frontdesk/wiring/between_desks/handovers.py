"""Times between the booking desk and the waitlist desk: each follows the other's facts.

A time that comes free is held by a handover while the waitlist desk has an open slot for it. Every
fact about such a slot makes the booking desk read the current slot (`SettleHandover`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from frontdesk.core.decision import Command, Refused
from frontdesk.desks.booking import facts as bk
from frontdesk.desks.booking.commands import SettleHandover, TakeHandover
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import HandoverStatus, handover_id
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import Resource, ResourceKind
from frontdesk.desks.booking.views import SlotState, WaitlistSlot
from frontdesk.desks.waitlist import facts as wl
from frontdesk.desks.waitlist.commands import CancelBooking, FreeSlot, TakeBackSlot
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import (
    GIVEN,
    EntryId,
    Opening,
    Slot,
    SlotId,
    SlotStatus,
)
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.values import Frozen, replace

#: The origins of slots that the time of an ended booking became.
_NEXT: Final = ("cancelled:", "no-show:", GIVEN)
_STATES: Final = {SlotStatus.OPEN: SlotState.OPEN, SlotStatus.BOOKED: SlotState.BOOKED}


def waitlist_slot(reads: Reads, origin: str) -> WaitlistSlot | None:
    """The slot with this origin, as the booking desk sees it."""
    slot = waitlist(reads).slot_by_origin(origin)
    if slot is None:
        return None
    opening = slot.opening
    entry = waitlist(reads).entry(EntryId(slot.booked_by)) if slot.booked_by else None
    found = WaitlistSlot(
        slot.id,
        slot.origin,
        _STATES.get(slot.status, SlotState.CLOSED),
        opening.service,
        opening.staff,
        opening.starts_at,
        opening.ends_at,
        opening.price_cents,
        no_show=slot.status is SlotStatus.NO_SHOW,
    )
    if entry is None:
        return found
    person = waitlist(reads).person(entry.person_id)
    return replace(
        found,
        person_id=entry.person_id,
        mail_only=person is not None and entry.is_told_by_mail(person),
        party=entry.party,
        next_origin=_next_origin(reads, slot),
    )


def _next_origin(reads: Reads, slot: Slot) -> str:
    if slot.status not in (SlotStatus.CANCELLED, SlotStatus.NO_SHOW):
        return ""
    origins = (prefix + slot.id for prefix in _NEXT)
    return next((each for each in origins if waitlist(reads).slot_by_origin(each)), "")


class HandoverTimes(Frozen):
    """Holds the time of an opening before the waitlist desk offers it."""

    engine: Engine
    clock: Clock

    def hold(self, origin: str, opening: Opening, *, by: str) -> bool:
        """Times of staff whom the rules of bookings do not know need no hold."""
        if not _takes_bookings(self.engine.reads()):
            return True
        command = TakeHandover(
            origin,
            opening.service,
            opening.staff,
            opening.starts_at,
            opening.ends_at,
            opening.price_cents,
        )
        outcome = self.engine.run(command, by=by, now=self.clock.now())
        return not (isinstance(outcome, Refused) and outcome.reason is Reason.TAKEN)

    def settle(self, origin: str, *, by: str) -> None:
        if _takes_bookings(self.engine.reads()):
            self.engine.run(_settled(origin), by=by, now=self.clock.now())


def _takes_bookings(reads: Reads) -> bool:
    """Whether the rules of bookings name anybody."""
    return bool(booking_reads(reads).rules().resources)


def _settled(origin: str) -> SettleHandover:
    return SettleHandover(handover_id(origin), origin)


# --- facts of the waitlist desk -------------------------------------------------------------


def follow_slot(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Settles the handover of a slot, and before it that of the slot which had the time before."""
    slot = _slot(reads, recorded)
    if slot is None:
        return
    _, _, before = slot.origin.rpartition(":")
    if slot.origin.startswith(_NEXT):
        earlier = waitlist(reads).slot(SlotId(before))
        if earlier is not None:
            yield _settled(earlier.origin)
    yield _settled(slot.origin)


def take_back_unwanted(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Ends a slot that nobody suits, if the booking desk can give its time to others."""
    slot = _slot(reads, recorded)
    if slot is None:
        return
    handover = booking_reads(reads).handover(handover_id(slot.origin))
    if handover is not None and handover.status is HandoverStatus.OPEN:
        yield TakeBackSlot(slot.id, nobody_fits=True)


def _slot(reads: Reads, recorded: Recorded) -> Slot | None:
    """The slot of a fact; None where no rules of bookings name anybody."""
    if not _takes_bookings(reads):
        return None
    return waitlist(reads).slot(SlotId(recorded.fact.subject))


FROM_WAITLIST: Final = Binding(
    "wl.to_booking",
    {
        wl.SlotFreed: follow_slot,
        wl.SlotClaimed: follow_slot,
        wl.SlotGiven: follow_slot,
        wl.SlotHandedBack: follow_slot,
        wl.BookingCancelled: follow_slot,
        wl.BookingMissed: follow_slot,
        wl.NobodyFitted: take_back_unwanted,
    },
)


# --- facts of the booking desk --------------------------------------------------------------


def to_waitlist(ids: Callable[[], str]) -> Binding:
    """Gives freed times to the waitlist desk, and ends its bookings that this desk ended."""

    def free(reads: Reads, recorded: Recorded) -> Iterable[Command]:
        fact = recorded.fact
        assert isinstance(fact, bk.TimeFreed)
        yield from _end_slot(reads, fact.waitlist_slot, ids)
        handover = fact.handover
        opening = Opening(
            handover.service,
            handover.starts_at,
            fact.duration,
            fact.capacity,
            fact.staff,
            handover.price_cents,
            in_room=_is_in_room(reads, fact),
        )
        several = _has_several(reads, fact)
        yield FreeSlot(SlotId(ids()), handover.origin, opening, rest=True, several=several)
        yield _settled(handover.origin)

    def end(reads: Reads, recorded: Recorded) -> Iterable[Command]:
        fact = recorded.fact
        assert isinstance(fact, bk.BookingEnded | bk.BookingMoved)
        yield from _end_slot(reads, fact.waitlist_slot, ids)

    def refuse(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
        fact = recorded.fact
        assert isinstance(fact, bk.HandoverRefused)
        yield TakeBackSlot(SlotId(fact.waitlist_slot))

    ended = (bk.BookingCancelled, bk.BookingCancelledByStaff, bk.BookingMissed, bk.BookingMoved)
    return Binding(
        "wl.from_booking",
        {bk.TimeFreed: free, bk.HandoverRefused: refuse, **dict.fromkeys(ended, end)},
    )


def _end_slot(reads: Reads, slot_id: str, ids: Callable[[], str]) -> Iterable[Command]:
    slot = waitlist(reads).slot(SlotId(slot_id)) if slot_id else None
    if slot is not None and slot.status is SlotStatus.BOOKED:
        entry_id, new_id = EntryId(slot.booked_by), SlotId(ids())
        yield CancelBooking(slot.id, entry_id, new_id, offer=False, quietly=True)


def _has_several(reads: Reads, fact: bk.TimeFreed) -> bool:
    resource = _first_resource(reads, fact)
    return resource is not None and resource.capacity > 1


def _is_in_room(reads: Reads, fact: bk.TimeFreed) -> bool:
    resource = _first_resource(reads, fact)
    return resource is not None and resource.kind is not ResourceKind.STAFF


def _first_resource(reads: Reads, fact: bk.TimeFreed) -> Resource | None:
    return booking_reads(reads).rules().resource(fact.handover.resources[0])
