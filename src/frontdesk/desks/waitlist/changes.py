"""The conditional writes of the waitlist desk. At most one of them touches a row in a commit."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Change
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    Offer,
    OfferState,
    Slot,
    SlotId,
    SlotStatus,
)
from frontdesk.features.proposals import model

# --- a slot's row ---------------------------------------------------------------------------


class AddSlot(Change):
    """Condition: neither the id nor the origin is in use, and no open or booked slot overlaps it,
    other than those in `slot.beside` and `instead_of`."""

    slot: Slot
    instead_of: str = ""
    """The slot whose booking ends in the same commit, if this is its time."""


class SlotChange(Change):
    """Each has the condition that the slot is open."""

    slot_id: SlotId


class HoldSlot(SlotChange):
    """Offer `seq` is the current one. Condition: none is, and `seq` is the next number."""

    seq: int


class ArmSlot(SlotChange):
    """The current offer is live. Condition: it is `seq`, and it is not live."""

    seq: int


class DisarmSlot(SlotChange):
    """The current offer is pending again. Condition: it is `seq`, and it is live."""

    seq: int


class BookSlot(SlotChange):
    """Booked by `entry_id`. Condition: the current offer is `seq`, live or not as read."""

    seq: int
    entry_id: EntryId
    at: datetime
    live: bool = True


class FreeOfOffer(SlotChange):
    """No offer is current. Condition: the current one is `seq`, live or not as read."""

    seq: int
    live: bool


class MarkNobodyFits(SlotChange):
    """Condition: no offer is current, and it is not marked yet."""


class SlotAsRead(SlotChange):
    """Nothing is written. Condition: the current offer is `seq` (0 for none), live as read."""

    seq: int
    live: bool


class HandBackSlot(SlotChange):
    """Handed back. Condition: the current offer is `seq` (0 for none), live or not as read."""

    seq: int
    live: bool
    at: datetime


class EndBooking(Change):
    """Cancelled or missed. Condition: it is booked by `entry_id`."""

    slot_id: SlotId
    entry_id: EntryId
    status: SlotStatus
    at: datetime


# --- offers, entries ------------------------------------------------------------------------


class AddOffer(Change):
    """Condition: this slot has no offer of this number, and was never offered to this entry."""

    offer: Offer


class MoveOffer(Change):
    """Condition: the offer is in the state `before`. `refused`: one refusal more."""

    slot_id: SlotId
    seq: int
    before: OfferState
    after: OfferState
    at: datetime
    claim_by: datetime | None = None
    refused: bool = False


class AddEntry(Change):
    """Condition: this person is not on the list for this service yet."""

    entry: Entry


class WriteEntry(Change):
    """The whole row as it is to be. Condition: the row's version is `entry.version - 1`."""

    entry: Entry


class EntryAsRead(Change):
    """Nothing is written. Condition: the row's version is `version`."""

    entry_id: EntryId
    version: int


class AddProposal(model.AddProposal):
    pass


class SettleProposal(model.SettleProposal):
    pass
