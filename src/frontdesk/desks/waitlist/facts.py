"""What can have happened to an entry or a slot. Together they are the audit.

Facts name people by id only. `version` is the entry row's version after the change.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from frontdesk.core.decision import Fact
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.model import EntryId, Lane, Opening, Rules, SlotId, Wish
from frontdesk.desks.waitlist.reasons import HandBack, Lost, Withdrawn

# --- the list -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EntryFact(Fact):
    entry_id: EntryId
    version: int

    @property
    def subject(self) -> str:
        return self.entry_id

    @property
    def about(self) -> str:
        return self.entry_id


@dataclass(frozen=True, slots=True)
class EntryJoined(EntryFact):
    """On the list: new, or again after they had left it."""

    kind: ClassVar[str] = "wl.joined"
    person_id: PersonId
    wish: Wish
    lane: Lane
    joined_at: datetime


@dataclass(frozen=True, slots=True)
class EntryChanged(EntryFact):
    """Another wish, the same place."""

    kind: ClassVar[str] = "wl.changed"
    wish: Wish
    lane: Lane


@dataclass(frozen=True, slots=True)
class EntryLeft(EntryFact):
    kind: ClassVar[str] = "wl.left"


@dataclass(frozen=True, slots=True)
class EntryStopped(EntryFact):
    kind: ClassVar[str] = "wl.stopped"


@dataclass(frozen=True, slots=True)
class EntryExpired(EntryFact):
    kind: ClassVar[str] = "wl.expired"


# --- a slot ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SlotFact(Fact):
    slot_id: SlotId

    @property
    def subject(self) -> str:
        return self.slot_id


@dataclass(frozen=True, slots=True)
class SlotFreed(SlotFact):
    kind: ClassVar[str] = "wl.slot_freed"
    origin: str
    opening: Opening
    rules: Rules


@dataclass(frozen=True, slots=True)
class NobodyFitted(SlotFact):
    kind: ClassVar[str] = "wl.nobody_fits"


@dataclass(frozen=True, slots=True)
class SlotHandedBack(SlotFact):
    kind: ClassVar[str] = "wl.hand_back"
    why: HandBack
    tried: tuple[EntryId, ...]
    """Who had an offer, in order."""


# --- offers ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OfferFact(SlotFact):
    entry_id: EntryId
    seq: int

    @property
    def about(self) -> str:
        return self.entry_id


@dataclass(frozen=True, slots=True)
class OfferMade(OfferFact):
    """The first of a slot. It is held for them; the message is still to go out."""

    kind: ClassVar[str] = "wl.make_offer"
    last_useful_at: datetime


@dataclass(frozen=True, slots=True)
class OfferRolledOn(OfferFact):
    """The next one, after one has ended."""

    kind: ClassVar[str] = "wl.roll_on"
    last_useful_at: datetime


@dataclass(frozen=True, slots=True)
class OfferArmed(OfferFact):
    """About to be sent: live until `claim_by`."""

    kind: ClassVar[str] = "wl.offer_armed"
    claim_by: datetime


@dataclass(frozen=True, slots=True)
class OfferDisarmed(OfferFact):
    """The message was definitely refused: pending again, no window runs."""

    kind: ClassVar[str] = "wl.offer_disarmed"
    refusals: int


@dataclass(frozen=True, slots=True)
class OfferDeclined(OfferFact):
    kind: ClassVar[str] = "wl.offer_declined"


@dataclass(frozen=True, slots=True)
class OfferLapsed(OfferFact):
    kind: ClassVar[str] = "wl.offer_lapsed"


@dataclass(frozen=True, slots=True)
class OfferUnreachable(OfferFact):
    """Nobody could be told of it."""

    kind: ClassVar[str] = "wl.offer_unreachable"


@dataclass(frozen=True, slots=True)
class OfferWithdrawn(OfferFact):
    kind: ClassVar[str] = "wl.offer_withdrawn"
    why: Withdrawn
    was_live: bool
    """They had been told."""


@dataclass(frozen=True, slots=True)
class SlotClaimed(OfferFact):
    """Booked, and they are off the active list. `version` is their entry's."""

    kind: ClassVar[str] = "wl.claimed"
    version: int


@dataclass(frozen=True, slots=True)
class ClaimLost(OfferFact):
    """A click that came too late, or second."""

    kind: ClassVar[str] = "wl.claim_lost"
    why: Lost


# --- the desk -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeskFact(Fact):
    @property
    def subject(self) -> str:
        return "waitlist"


@dataclass(frozen=True, slots=True)
class RulesChanged(DeskFact):
    kind: ClassVar[str] = "wl.rules_changed"
    rules: Rules


@dataclass(frozen=True, slots=True)
class HouseKept(DeskFact):
    """`more`: there was more to expire than fits one step."""

    kind: ClassVar[str] = "wl.house_kept"
    on: date
    expired: int
    more: bool
