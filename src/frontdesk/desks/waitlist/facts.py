"""Facts about entries, slots and the desk. Together they are the audit.

Facts name people by id only. `version` is the entry row's version after the change.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import ClassVar

from frontdesk.core.decision import Fact
from frontdesk.core.mail import MailFact, MailId
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.model import (
    EntryId,
    EntryStatus,
    Figures,
    Lane,
    Opening,
    Rules,
    SlotId,
    Wish,
)
from frontdesk.desks.waitlist.reasons import HandBack, Lost, Withdrawn
from frontdesk.features.proposals.model import ProposalFact

# --- the list -------------------------------------------------------------------------------


class EntryFact(Fact):
    entry_id: EntryId
    version: int

    @property
    def subject(self) -> str:
        return self.entry_id

    @property
    def about(self) -> str:
        return self.entry_id


class EntryJoined(EntryFact):
    """Somebody joined the list, for the first time or again."""

    kind: ClassVar[str] = "wl.joined"
    person_id: PersonId
    wish: Wish
    lane: Lane
    joined_at: datetime
    mail_only: bool = False


class EntryChanged(EntryFact):
    """An entry has another wish and keeps its place."""

    kind: ClassVar[str] = "wl.changed"
    wish: Wish
    lane: Lane
    mail_only: bool = False


class JoinRepeated(EntryFact):
    """Somebody asked to join again, or asked for their link. Nothing changes; the link is sent."""

    kind: ClassVar[str] = "wl.join_repeated"
    wish: Wish
    """The wish as it was typed."""
    window: int
    """The number of a time window; one link is sent in each."""


class EntryEdited(EntryFact):
    """Staff edited the row."""

    kind: ClassVar[str] = "wl.edited"
    wish: Wish
    joined_at: datetime
    new_contact: bool = False
    """Whether links that were sent before are now invalid."""
    new_number: bool = False
    corrected: PersonId = PersonId("")
    """The person whose name or contact was corrected; empty if neither was."""
    mail_only: bool = False


class NumberConfirmed(EntryFact):
    """The customer confirmed their number: messages about the entry may be texts."""

    kind: ClassVar[str] = "wl.number_confirmed"


class EntryLeft(EntryFact):
    kind: ClassVar[str] = "wl.left"
    quietly: bool = False


class EntryStopped(EntryFact):
    """The person wants no more offers, for any service."""

    kind: ClassVar[str] = "wl.stopped"
    booked: bool = False
    """They have a slot, which they keep."""


class EntryResumed(EntryFact):
    """The person may get offers again, once they are on a list."""

    kind: ClassVar[str] = "wl.resumed"


class EntryExpired(EntryFact):
    kind: ClassVar[str] = "wl.expired"


# --- requests that came in -------------------------------------------------------------------


class RequestIgnored(MailFact):
    """A mail to the list contained no request."""

    kind: ClassVar[str] = "wl.request_ignored"
    why: str


class ProposalMade(ProposalFact):
    kind: ClassVar[str] = "wl.proposed"
    mail_id: MailId


class ProposalApproved(ProposalFact):
    kind: ClassVar[str] = "wl.proposal_approved"
    entry_id: EntryId

    @property
    def about(self) -> str:
        return self.entry_id


class ProposalDiscarded(ProposalFact):
    kind: ClassVar[str] = "wl.proposal_discarded"


# --- a slot ---------------------------------------------------------------------------------


class SlotFact(Fact):
    slot_id: SlotId

    @property
    def subject(self) -> str:
        return self.slot_id


class SlotFreed(SlotFact):
    kind: ClassVar[str] = "wl.slot_freed"
    origin: str
    opening: Opening
    rules: Rules
    beside: tuple[SlotId, ...] = ()
    not_to: tuple[EntryId, ...] = ()


class OverlapRefused(SlotFact):
    """A source freed a time at which this slot is open or booked."""

    kind: ClassVar[str] = "wl.overlap_refused"
    origin: str
    opening: Opening


class NobodyFitted(SlotFact):
    kind: ClassVar[str] = "wl.nobody_fits"


class PeoplePassedOver(SlotFact):
    kind: ClassVar[str] = "wl.passed_over"
    entries: tuple[EntryId, ...]
    """Entries that suit the slot and come first, but cannot be reached at the moment."""
    why: str


class SlotHandedBack(SlotFact):
    kind: ClassVar[str] = "wl.hand_back"
    why: HandBack
    tried: tuple[EntryId, ...]
    """The entries that had an offer, in order."""


# --- offers ---------------------------------------------------------------------------------


class OfferFact(SlotFact):
    entry_id: EntryId
    seq: int

    @property
    def about(self) -> str:
        return self.entry_id


class OfferMade(OfferFact):
    """The first offer of a slot. The slot is held; the message has not gone out yet."""

    kind: ClassVar[str] = "wl.make_offer"
    last_useful_at: datetime


class OfferRolledOn(OfferFact):
    """The next offer of a slot, after another has ended."""

    kind: ClassVar[str] = "wl.roll_on"
    last_useful_at: datetime


class OfferArmed(OfferFact):
    """The offer's message is about to go out. The offer is live until `claim_by`."""

    kind: ClassVar[str] = "wl.offer_armed"
    claim_by: datetime


class OfferSentAgain(OfferFact):
    """The offer is sent again, to a contact that was corrected while it was open."""

    kind: ClassVar[str] = "wl.offer_sent_again"
    at: datetime
    last_useful_at: datetime


class OfferDisarmed(OfferFact):
    """The message was definitely not sent. The offer is pending again, and no window runs."""

    kind: ClassVar[str] = "wl.offer_disarmed"
    refusals: int
    refused: bool = True
    """Whether the channel refused the message; otherwise the channel was not available."""


class OfferDeclined(OfferFact):
    kind: ClassVar[str] = "wl.offer_declined"
    by_staff: bool = False


class OfferLapsed(OfferFact):
    kind: ClassVar[str] = "wl.offer_lapsed"


class OfferUnreachable(OfferFact):
    """The person could not be reached."""

    kind: ClassVar[str] = "wl.offer_unreachable"
    why: str = ""
    """The reason, with addresses removed; empty if unknown."""


class OfferWithdrawn(OfferFact):
    kind: ClassVar[str] = "wl.offer_withdrawn"
    why: Withdrawn
    was_live: bool
    """Whether they had been told of the offer."""


class SlotClaimed(OfferFact):
    """The slot is booked, and its entry no longer waits. `version` is the entry's."""

    kind: ClassVar[str] = "wl.claimed"
    version: int
    by_staff: bool = False
    """Staff accepted it for the customer."""


class BookingEnded(OfferFact):
    """A booking ended. `status` and `version` are those of the entry afterwards."""

    status: EntryStatus
    version: int
    next_slot: str
    """The slot that the time became; empty if it is not offered."""


class BookingCancelled(BookingEnded):
    kind: ClassVar[str] = "wl.booking_cancelled"
    by_staff: bool = False
    """Staff did it for the customer."""
    quietly: bool = False
    """The booking desk cancelled it and tells the customer itself."""
    given: bool = False
    """Staff gave it to somebody else, in the slot `next_slot`."""


class BookingMissed(BookingEnded):
    """The customer did not come."""

    kind: ClassVar[str] = "wl.no_show"


class SlotGiven(SlotClaimed):
    """Staff gave somebody's booking to another person, in a new slot."""

    kind: ClassVar[str] = "wl.given"


class ClaimLost(OfferFact):
    """A claim came too late, or somebody else was faster."""

    kind: ClassVar[str] = "wl.claim_lost"
    why: Lost


class DeskFact(Fact):
    @property
    def subject(self) -> str:
        return "waitlist"


class SheetHalted(DeskFact):
    """Many rows vanished from the sheet at once; the sync waits for staff."""

    kind: ClassVar[str] = "wl.sheet_halted"
    rows: int
    at: datetime


class CalendarHalted(DeskFact):
    """Many openings vanished from the calendar at once; the sync waits for staff."""

    kind: ClassVar[str] = "wl.calendar_halted"
    openings: int
    at: datetime


class CalendarSettled(DeskFact):
    """Staff decided about openings that are gone."""

    kind: ClassVar[str] = "wl.calendar_settled"
    openings: int
    kept: bool


class SheetTroubled(DeskFact):
    """The sheet could not be read or written for a long time."""

    kind: ClassVar[str] = "wl.sheet_troubled"
    since: datetime


class MonthSummedUp(DeskFact):
    """The results of the list in a month, by its first day. A model may write `paragraph`."""

    kind: ClassVar[str] = "wl.month_summed_up"
    month: date
    figures: Figures
    paragraph: str = ""


class TextsUsedUp(DeskFact):
    """A day's texts are used up. Either answers to the form stop, or all texts."""

    kind: ClassVar[str] = "wl.texts_used_up"
    on: date
    sent: int
    most: int


class ExpiryRun(DeskFact):
    """A step of expiry ran. `more` says that another step is needed."""

    kind: ClassVar[str] = "wl.house_kept"
    on: date
    expired: int
    more: bool
