"""The conditional writes of the waitlist desk. A commit touches each row at most once."""

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
    """Adds a slot. Condition: neither the id nor the origin is in use, and no open or booked slot
    overlaps it, except those in `slot.beside` and `instead_of`."""

    slot: Slot
    instead_of: str = ""
    """The slot whose booking ends in the same commit and leaves this time."""


class SlotChange(Change):
    """A write to a slot. Every subclass has the condition that the slot is open."""

    slot_id: SlotId


class HoldSlot(SlotChange):
    """Makes offer `seq` the current one. Condition: there is none, and `seq` is the next number."""

    seq: int


class ArmSlot(SlotChange):
    """Makes the current offer live. Condition: it is `seq`, and it is not live."""

    seq: int


class DisarmSlot(SlotChange):
    """Makes the current offer pending again. Condition: it is `seq`, and it is live."""

    seq: int


class BookSlot(SlotChange):
    """Books the slot for `entry_id`. Condition: the current offer is `seq`, `live` as read."""

    seq: int
    entry_id: EntryId
    at: datetime
    live: bool = True


class FreeOfOffer(SlotChange):
    """Ends the current offer. Condition: it is `seq`, `live` as read."""

    seq: int
    live: bool


class MarkNobodyFits(SlotChange):
    """Marks that nobody suits it. Condition: no offer is current, and it is not marked yet."""


class SlotAsRead(SlotChange):
    """Writes nothing. Condition: the current offer is `seq` (0 for none), `live` as read."""

    seq: int
    live: bool


class HandBackSlot(SlotChange):
    """Hands the slot back. Condition: the current offer is `seq` (0 for none), `live` as read."""

    seq: int
    live: bool
    at: datetime


class EndBooking(Change):
    """Ends a booking as cancelled or missed. Condition: `entry_id` has booked the slot."""

    slot_id: SlotId
    entry_id: EntryId
    status: SlotStatus
    at: datetime


# --- offers, entries ------------------------------------------------------------------------


class AddOffer(Change):
    """Adds an offer. Condition: the slot has no offer of this number, and none for this entry."""

    offer: Offer


class MoveOffer(Change):
    """Moves an offer to the state `after`. Condition: it is in `before`. `refused` adds one
    refusal."""

    slot_id: SlotId
    seq: int
    before: OfferState
    after: OfferState
    at: datetime
    claim_by: datetime | None = None
    refused: bool = False


class AddEntry(Change):
    """Adds an entry. Condition: this person has no entry for this service."""

    entry: Entry


class WriteEntry(Change):
    """Writes the whole row. Condition: the row's version is `entry.version - 1`."""

    entry: Entry


class EntryAsRead(Change):
    """Writes nothing. Condition: the row's version is `version`."""

    entry_id: EntryId
    version: int


class AddProposal(model.AddProposal):
    pass


class SettleProposal(model.SettleProposal):
    pass
