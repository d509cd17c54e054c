"""What can be asked of the waitlist desk. Ids of new things are made at the door, not here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.model import EntryId, Lane, Opening, Rules, SlotId, Wish

# --- the list -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JoinList(Command):
    """`entry_id` and `person_id` are used if the entry, or the person, is new here."""

    entry_id: EntryId
    person_id: PersonId
    name: str
    email: str
    wish: Wish
    lane: Lane
    joined_at: datetime | None = None
    """As the sheet says; now if nothing."""


@dataclass(frozen=True, slots=True)
class ChangeWish(Command):
    """Other dates, party or staff; the service and the place stay."""

    entry_id: EntryId
    wish: Wish


@dataclass(frozen=True, slots=True)
class LeaveList(Command):
    entry_id: EntryId


@dataclass(frozen=True, slots=True)
class StopOffers(Command):
    """STOP: no offers for anything any more."""

    person_id: PersonId


# --- slots ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FreeSlot(Command):
    """`origin` names what was freed, so that a second telling of it is recognised."""

    slot_id: SlotId
    origin: str
    opening: Opening


@dataclass(frozen=True, slots=True)
class MakeMove(Command):
    """Do what is to be done about a slot now. Twice, early or late does no harm."""

    slot_id: SlotId


@dataclass(frozen=True, slots=True)
class TakeBackSlot(Command):
    """Staff want it themselves."""

    slot_id: SlotId


# --- offers ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OfferCommand(Command):
    slot_id: SlotId
    seq: int


@dataclass(frozen=True, slots=True)
class ArmOffer(OfferCommand):
    """The message is about to go out: start the window."""


@dataclass(frozen=True, slots=True)
class DisarmOffer(OfferCommand):
    """The channel refused the message: no window runs."""


@dataclass(frozen=True, slots=True)
class GiveUpOffer(OfferCommand):
    """The message will never arrive: let the slot roll on."""


@dataclass(frozen=True, slots=True)
class ClaimOffer(OfferCommand):
    pass


@dataclass(frozen=True, slots=True)
class DeclineOffer(OfferCommand):
    leave: bool = False
    """They want to come off the list as well."""


@dataclass(frozen=True, slots=True)
class LapseOffer(OfferCommand):
    pass


@dataclass(frozen=True, slots=True)
class WithdrawOffer(OfferCommand):
    """Take it back if its person is not after it any more."""


# --- the desk -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetRules(Command):
    rules: Rules


@dataclass(frozen=True, slots=True)
class KeepHouse(Command):
    """Entries whose dates have passed expire; slots that are stuck are put right."""
