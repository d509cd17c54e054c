"""Finds the slot that followed another: the origin of a time freed again names the old slot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.desks.waitlist.facts import BookingCancelled
from frontdesk.desks.waitlist.model import GIVEN, Slot, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads

#: The prefixes of the next slot's origin, by the status of this one. Older versions left a missed
#: booking booked.
_NEXT: Final[Mapping[SlotStatus, tuple[str, ...]]] = {
    SlotStatus.HANDED_BACK: ("again:",),
    SlotStatus.CANCELLED: ("cancelled:", GIVEN),
    SlotStatus.NO_SHOW: ("no-show:",),
    SlotStatus.BOOKED: ("no-show:",),
}


def followed_by(wl: WaitlistReads, slot: Slot) -> Slot | None:
    """The slot as which this slot's time was freed again or given to somebody else, if it was."""
    found = (wl.slot_by_origin(f"{each}{slot.id}") for each in _NEXT.get(slot.status, ()))
    return next(filter(None, found), None)


def last_of(wl: WaitlistReads, slot: Slot) -> Slot:
    """The slot that has its time now."""
    while (following := followed_by(wl, slot)) is not None:
        slot = following
    return slot


def cancellation_of(wl: WaitlistReads, slot: Slot) -> BookingCancelled | None:
    """The fact that ended the booking of a slot; None if nobody cancelled it."""
    facts = (each.fact for each in reversed(wl.facts(slot.id)))
    return next((each for each in facts if isinstance(each, BookingCancelled)), None)
