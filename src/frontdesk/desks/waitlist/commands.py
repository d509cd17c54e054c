"""Commands of the waitlist desk. The caller creates the ids of new rows."""

from __future__ import annotations

from datetime import date, datetime

from frontdesk.core.consents import Statement
from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.model import DocumentName, EntryId, Lane, Opening, Rules, SlotId, Wish
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.features.proposals import model
from frontdesk.features.proposals.model import ProposalId
from frontdesk.values import Frozen

# --- the list -------------------------------------------------------------------------------


class JoinList(Command):
    """Puts somebody on the list. `entry_id` and `person_id` are used for a new entry or person.

    A person who gives both an address and a number is identified by the address.
    """

    entry_id: EntryId
    person_id: PersonId
    name: str
    email: str
    wish: Wish
    lane: Lane
    joined_at: datetime | None = None
    """The joined time in the sheet; None means now."""
    mobile: str = ""
    consent: Statement | None = None
    """Consent to texts, in the words of the form or of the sheet."""


class ChangeWish(Command):
    """Changes dates, party or staff, but not the service or the place in line."""

    entry_id: EntryId
    wish: Wish


class SeenRow(Frozen):
    """The row as it was when the editor opened it."""

    version: int
    name: str
    email: str
    mobile: str


class EditEntry(Command):
    """Writes a row as staff edited it. Another service makes another entry in the same place."""

    entry_id: EntryId
    new_id: EntryId
    name: str
    email: str
    mobile: str
    wish: Wish
    joined_at: datetime
    seen: SeenRow | None = None
    """The edit is refused if the row has changed since; None skips this check."""
    person_id: PersonId = PersonId("")
    """The id of a new person to whom staff give this row's booking."""
    slot_id: SlotId = SlotId("")
    """The id of the slot that a given booking becomes."""
    consent: Statement | None = None
    """Consent to texts, in the words of the sheet."""


class SendPlaceLink(Command):
    """Sends a person their own link again after they lost our message."""

    entry_id: EntryId
    at_once: bool = False
    """Skips the wait between two links, because the earlier links have just become invalid."""


class LeaveList(Command):
    entry_id: EntryId
    quietly: bool = False
    """Sends no message, because they did not leave themselves."""


class ConfirmNumber(Command):
    """Allows texts to the number that somebody typed beside the address of this entry's person."""

    entry_id: EntryId


class RemoveNumber(Command):
    """Removes the number from this entry's person, because somebody else gave it."""

    entry_id: EntryId


class StopOffers(Command):
    """Stops all offers to a person, for every service (STOP)."""

    person_id: PersonId
    by_text: bool = False
    """The word came from their number. It counts only if they have confirmed that number."""
    after: EntryId = EntryId("")
    """The entry after which this step begins; empty for the first step."""


class ResumeOffers(Command):
    """Allows offers again, because the person asked staff for them."""

    person_id: PersonId
    after: EntryId = EntryId("")
    """The entry after which this step begins; empty for the first step."""


# --- requests that came in -------------------------------------------------------------------


class ReadRequest(model.ReadRequest):
    pass


class IgnoreRequest(model.IgnoreRequest):
    pass


class Propose(model.Propose):
    pass


class DiscardProposal(model.DiscardProposal):
    pass


class ApproveProposal(Command):
    """Approves a proposal: runs `join`, with the corrections of staff."""

    proposal_id: ProposalId
    join: JoinList
    change: bool = False
    """Staff confirm that this changes a waiting entry, because a mail does not prove its sender."""


# --- slots ----------------------------------------------------------------------------------


class FreeSlot(Command):
    """Frees a slot. `origin` names what was freed, so that a repeated report is recognised."""

    slot_id: SlotId
    origin: str
    opening: Opening
    beside: tuple[SlotId, ...] = ()
    """Slots that overlap it with the consent of staff."""
    rest: bool = False
    """Frees only the rest of a time that has begun."""
    several: bool = False
    """Allows overlaps, because the resource has several places and the booking desk holds
    this one."""


class OfferAgain(Command):
    """Offers a handed-back slot again, as the slot `new_id`."""

    slot_id: SlotId
    new_id: SlotId


class ReportOverlap(Command):
    """Tells staff that a source freed a time that is taken already. Nothing is offered."""

    origin: str
    opening: Opening


class MakeMove(Command):
    """Makes the next move of a slot. It is safe to repeat, and to run early or late."""

    slot_id: SlotId


class TakeBackSlot(Command):
    """Stops offering a slot, because staff want it themselves."""

    slot_id: SlotId
    nobody_fits: bool = False
    """Stops only if nobody suits the slot, because the booking desk takes the time back."""


class CancelBooking(Command):
    """Cancels a booking. `new_id` is the id of the slot that the time becomes."""

    slot_id: SlotId
    entry_id: EntryId
    """The entry that has booked the slot."""
    new_id: SlotId
    by_staff: bool = False
    """Staff cancel for the customer."""
    stay: bool = False
    """Keeps them on the list, in the same place."""
    offer: bool = True
    """Offers the time to the next person."""
    quietly: bool = False
    """Sends no message and works after the start too: the booking desk ended or moved the
    booking."""


class MarkNoShow(Command):
    """Notes a no-show. `new_id` is the id of the slot for the time that is left."""

    slot_id: SlotId
    new_id: SlotId


# --- offers ---------------------------------------------------------------------------------


class OfferCommand(Command):
    slot_id: SlotId
    seq: int


class ArmOffer(OfferCommand):
    """Starts the claim window, because the message is about to go out."""


class DisarmOffer(OfferCommand):
    """Stops the claim window, because the channel refused the message."""


class PutOffOffer(OfferCommand):
    """Stops the claim window until the channel is available again."""


class SendOfferAgain(OfferCommand):
    """Sends the offer again: the person's contact was corrected, so the links in it are invalid."""


class GiveUpOffer(OfferCommand):
    """Ends an offer whose message will never arrive. The slot rolls on."""

    why: str = ""


class ClaimOffer(OfferCommand):
    by_staff: bool = False
    """Staff accept it for the customer, even before the message is out."""


class DeclineOffer(OfferCommand):
    leave: bool = False
    """They want to leave the list as well."""
    by_staff: bool = False
    """Staff decline it for the customer."""


class LapseOffer(OfferCommand):
    pass


class WithdrawOffer(OfferCommand):
    """Withdraws the offer if its person no longer wants it."""


class TakeOfferBack(OfferCommand):
    """Withdraws the offer for staff, even if its person wants it. The slot goes to the
    next person."""


# --- the desk -------------------------------------------------------------------------------


class SetRules(Command):
    rules: Rules


class TakeDocument(Command):
    """Stores a document. If it cannot be understood, the last good one stays in force."""

    name: DocumentName
    text: str
    zone: str
    """The time zone of the business."""
    replaces: str | None = None
    """The digest of an older text that the file still has; empty if it has none, None to keep what
    is stored."""


class ConfirmDocumentFile(Command):
    """Notes that the file of a document has this text now."""

    name: DocumentName
    text: str


class SettleCalendar(Command):
    """Keeps or takes back the slots of openings that are gone from the calendar."""

    slot_ids: tuple[str, ...]
    keep: bool


class SetCatalogue(Command):
    catalogue: Catalogue


class ExpireEntries(Command):
    """Expires entries whose dates have passed. Its fact also makes the desk repair stuck slots."""


class ReportTexts(Command):
    """Reports that a day's texts are used up: `sent` of at most `most`."""

    on: date
    sent: int
    most: int


class SumUpMonth(Command):
    """Sums up the month before the one in which `due_at` is."""

    due_at: datetime
    paragraph: str = ""
    """A model's text for the month. It is checked against the figures."""
