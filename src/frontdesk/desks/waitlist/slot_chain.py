"""Finds the slot that followed another: the origin of a time freed again names the old slot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.desks.waitlist.model import Slot, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads

#: The prefix of the next slot's origin, by the status of this one. Older versions left a missed
#: booking booked.
_NEXT: Final[Mapping[SlotStatus, str]] = {
    SlotStatus.HANDED_BACK: "again",
    SlotStatus.CANCELLED: "cancelled",
    SlotStatus.NO_SHOW: "no-show",
    SlotStatus.BOOKED: "no-show",
}


def followed_by(wl: WaitlistReads, slot: Slot) -> Slot | None:
    """The slot as which this slot's time was freed again, if it was."""
    kind = _NEXT.get(slot.status)
    return wl.slot_by_origin(f"{kind}:{slot.id}") if kind else None


def last_of(wl: WaitlistReads, slot: Slot) -> Slot:
    """The slot that has its time now."""
    while (following := followed_by(wl, slot)) is not None:
        slot = following
    return slot
