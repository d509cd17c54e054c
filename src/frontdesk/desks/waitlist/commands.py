"""Commands of the waitlist desk. The caller creates the ids of new rows."""

from __future__ import annotations

from datetime import date, datetime

from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.model import DocumentName, EntryId, Lane, Opening, Rules, SlotId, Wish
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.features.proposals import model
from frontdesk.features.proposals.model import ProposalId
from frontdesk.values import Frozen

# --- the list -------------------------------------------------------------------------------


class JoinList(Command):
    """`entry_id` and `person_id` are used if the entry, or the person, is new here.

    Who gives an address and a number is known by the address.
    """

    entry_id: EntryId
    person_id: PersonId
    name: str
    email: str
    wish: Wish
    lane: Lane
    joined_at: datetime | None = None
    """As the sheet says; now if nothing."""
    mobile: str = ""


class ChangeWish(Command):
    """Other dates, party or staff; the service and the place stay."""

    entry_id: EntryId
    wish: Wish


class Seen(Frozen):
    """A row as it was to who began to write on it."""

    version: int
    name: str
    email: str
    mobile: str


class EditEntry(Command):
    """A row as staff wrote it. For another service it becomes another entry, in the same place."""

    entry_id: EntryId
    new_id: EntryId
    name: str
    email: str
    mobile: str
    wish: Wish
    joined_at: datetime
    seen: Seen | None = None
    """Nobody else's words are written over: the row has to be like this still."""
    person_id: PersonId = PersonId("")
    """Of somebody who is given this row's booking, if they are new here."""
    slot_id: SlotId = SlotId("")
    """Of the slot that such a booking becomes."""


class SendPlaceLink(Command):
    """Somebody has lost our message, and asks for their own link."""

    entry_id: EntryId


class LeaveList(Command):
    entry_id: EntryId
    quietly: bool = False
    """They are not told: somebody else took them off."""


class StopOffers(Command):
    """STOP: no offers for anything any more."""

    person_id: PersonId


class ResumeOffers(Command):
    """They have told staff that they want offers again."""

    person_id: PersonId


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
    """As staff have put it right: `join` is what is done."""

    proposal_id: ProposalId
    join: JoinList
    change: bool = False
    """Staff know that this changes an entry that waits already. Anybody can write a mail in
    another's name."""


# --- slots ----------------------------------------------------------------------------------


class FreeSlot(Command):
    """`origin` names what was freed, so that a second telling of it is recognised."""

    slot_id: SlotId
    origin: str
    opening: Opening
    beside: tuple[SlotId, ...] = ()
    """Slots that it overlaps; staff were shown them and said yes."""
    rest: bool = False
    """If it has begun, what is left of it is freed."""


class OfferAgain(Command):
    """A slot that was handed back is offered once more, as the slot `new_id`."""

    slot_id: SlotId
    new_id: SlotId


class ReportOverlap(Command):
    """A source freed a time that is taken already: staff are told, and nothing is offered."""

    origin: str
    opening: Opening


class MakeMove(Command):
    """Do what is to be done about a slot now. Twice, early or late does no harm."""

    slot_id: SlotId


class TakeBackSlot(Command):
    """Staff want it themselves."""

    slot_id: SlotId


class CancelBooking(Command):
    """The customer cannot come. `new_id` is used for what becomes of the time."""

    slot_id: SlotId
    entry_id: EntryId
    """The entry that has booked the slot."""
    new_id: SlotId
    by_staff: bool = False
    """Staff do it for the customer."""
    stay: bool = False
    """They stay on the list, in their place."""
    offer: bool = True
    """The time is offered to the next."""


class MarkNoShow(Command):
    """The customer did not come. `new_id` is used for the time that is left."""

    slot_id: SlotId
    new_id: SlotId


# --- offers ---------------------------------------------------------------------------------


class OfferCommand(Command):
    slot_id: SlotId
    seq: int


class ArmOffer(OfferCommand):
    """The message is about to go out: start the window."""


class DisarmOffer(OfferCommand):
    """The channel refused the message: no window runs."""


class PutOffOffer(OfferCommand):
    """The message could not be handed over: no window runs until it can."""


class SendOfferAgain(OfferCommand):
    """The person's contact was corrected, so that the links in the message are dead."""


class GiveUpOffer(OfferCommand):
    """The message will never arrive: let the slot roll on."""

    why: str = ""


class ClaimOffer(OfferCommand):
    by_staff: bool = False
    """Staff accept it for the customer, also before the message is out."""


class DeclineOffer(OfferCommand):
    leave: bool = False
    """They want to come off the list as well."""
    by_staff: bool = False
    """Staff decline it for the customer."""


class LapseOffer(OfferCommand):
    pass


class WithdrawOffer(OfferCommand):
    """Take it back if its person is not after it any more."""


class TakeOfferBack(OfferCommand):
    """Staff take it back, whatever its person wants: the slot goes to the next."""


# --- the desk -------------------------------------------------------------------------------


class SetRules(Command):
    rules: Rules


class TakeDocument(Command):
    """As staff wrote it. What cannot be understood is kept, and what was before stays in force."""

    name: DocumentName
    text: str
    zone: str
    """The time zone of the business."""
    replaces: str | None = None
    """The digest of an older text that is still in the file: empty for none, None to leave it."""


class ConfirmDocumentFile(Command):
    """The file of a document has this text now as well."""

    name: DocumentName
    text: str


class SettleCalendar(Command):
    """Openings that are gone from the calendar: they stay slots, or they are taken back."""

    slot_ids: tuple[str, ...]
    keep: bool


class SetCatalogue(Command):
    catalogue: Catalogue


class ExpireEntries(Command):
    """Entries whose dates have passed expire; slots that are stuck are put right."""


class ReportTexts(Command):
    """So many of a day's texts are used up, of the most that the settings allow."""

    on: date
    sent: int
    most: int


class SumUpMonth(Command):
    """The month before the one in which it was due."""

    due_at: datetime
    paragraph: str = ""
    """A model's words for it. They are checked against the figures."""
