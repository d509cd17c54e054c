"""Finds the slot that followed another one. The origin of a slot whose time was freed again
contains the id of the earlier slot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.desks.waitlist.facts import BookingCancelled
from frontdesk.desks.waitlist.model import GIVEN, Slot, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads

#: The prefixes of the next slot's origin, by the status of this one. In older versions, a missed
#: booking stayed booked.
_NEXT: Final[Mapping[SlotStatus, tuple[str, ...]]] = {
    SlotStatus.HANDED_BACK: ("again:",),
    SlotStatus.CANCELLED: ("cancelled:", GIVEN),
    SlotStatus.NO_SHOW: ("no-show:",),
    SlotStatus.BOOKED: ("no-show:",),
}


def followed_by(wl: WaitlistReads, slot: Slot) -> Slot | None:
    """The slot that got this slot's time when it was freed again or given to somebody else; None if
    there is none."""
    found = (wl.slot_by_origin(f"{each}{slot.id}") for each in _NEXT.get(slot.status, ()))
    return next(filter(None, found), None)


def last_of(wl: WaitlistReads, slot: Slot) -> Slot:
    """The slot that now has this slot's time."""
    while (following := followed_by(wl, slot)) is not None:
        slot = following
    return slot


def cancellation_of(wl: WaitlistReads, slot: Slot) -> BookingCancelled | None:
    """The fact that ended the booking of a slot; None if nobody cancelled it."""
    facts = (each.fact for each in reversed(wl.facts(slot.id)))
    return next((each for each in facts if isinstance(each, BookingCancelled)), None)
