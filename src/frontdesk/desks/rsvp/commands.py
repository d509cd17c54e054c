"""Defines the commands of the RSVP desk. Callers create the ids of new rows."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Command
from frontdesk.core.jobs import JobId
from frontdesk.core.mail import NO_MAIL, MailId
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.model import Details, EventId, EventSettings, GuestId, Lane, Wording

# --- guests ---------------------------------------------------------------------------------


class SignUp(Command):
    """A seat request. `guest_id` and `person_id` are used only if the person is new here."""

    event_id: EventId
    guest_id: GuestId
    person_id: PersonId
    name: str
    email: str
    party: int
    lane: Lane
    invite: bool = False
    """Only invites them: they stay pending until they confirm."""
    mail_id: MailId = NO_MAIL
    """The mail that made this request."""
    authenticated: bool = False
    """The mail is authenticated as coming from this address (SPF, DKIM, DMARC)."""


class QueueSignUp(Command):
    """A seat request that is stored and answered later, because too many came at once."""

    event_id: EventId
    guest_id: GuestId
    person_id: PersonId
    name: str
    email: str
    party: int
    lane: Lane


class ConfirmInvitation(Command):
    guest_id: GuestId


class Cancel(Command):
    """Gives up what the guest has: seats, an offer, a place in line, or an invitation."""

    guest_id: GuestId
    by_host: bool = False
    mail_id: MailId = NO_MAIL


class AnswerAgain(Command):
    """Answers a mail from somebody on the list with their status."""

    guest_id: GuestId
    cancel_link: bool
    mail_id: MailId


class AnswerStranger(Command):
    """Answers a mail that asks to cancel, from somebody who is not on the list."""

    event_id: EventId
    person_id: PersonId
    """Used only if they are new here."""
    name: str
    email: str
    mail_id: MailId


class IgnoreMail(Command):
    mail_id: MailId
    why: str


class ClaimOffer(Command):
    guest_id: GuestId
    seq: int
    by_host: bool = False
    """The host claims for the guest. This works even before the mail has gone out."""


class DeclineOffer(Command):
    guest_id: GuestId
    seq: int
    by_host: bool = False


class TakeFreeSeat(Command):
    """Gives a guest in line seats that are open to everybody, as a newcomer would get them."""

    guest_id: GuestId


class ReduceParty(Command):
    guest_id: GuestId
    party: int


class Unsubscribe(Command):
    """Stops optional mail; `out` is false to resume it."""

    guest_id: GuestId
    out: bool


# --- the host -------------------------------------------------------------------------------


class CreateEvent(Command):
    event_id: EventId
    slug: str
    details: Details
    settings: EventSettings
    cap: int


class EditEvent(Command):
    """Edits the event if it still has the version that the host saw. `job_id` is used if guests
    have to be told or reminders move."""

    event_id: EventId
    version: int
    slug: str
    details: Details
    settings: EventSettings
    job_id: JobId


class SetCap(Command):
    event_id: EventId
    cap: int


class CallOff(Command):
    event_id: EventId
    job_id: JobId
    words: str = ""


class SeatFromTheLine(Command):
    """Gives a free seat to one guest in line, ahead of the others. The audit records this."""

    guest_id: GuestId


class MoveInLine(Command):
    guest_id: GuestId
    to_front: bool


class ResendLink(Command):
    guest_id: GuestId
    by_guest: bool = False
    """The event's page asked for it, where anybody can type any address."""


class StopOffer(Command):
    """Takes an offer back for the host. The seats go to the next in line."""

    guest_id: GuestId
    seq: int


class PassOn(Command):
    """Gives a guest's seats to somebody else, for the host. `to_guest_id` and `to_person_id` are
    used only if that person is new here."""

    guest_id: GuestId
    to_guest_id: GuestId
    to_person_id: PersonId
    name: str
    email: str


class CheckIn(Command):
    """Sets how many of the party have arrived. 0 undoes a check-in."""

    guest_id: GuestId
    arrived: int


class BeginImport(Command):
    event_id: EventId
    job_id: JobId
    rows: tuple[ImportRow, ...]
    invite: bool


class EditThanks(Command):
    event_id: EventId
    words: str


class SendThanks(Command):
    event_id: EventId
    job_id: JobId
    words: str


class SetDefaults(Command):
    settings: EventSettings


class SetWording(Command):
    """Sets the business's own wording of a mail, validated by the caller; None restores the
    default."""

    mail_kind: str
    wording: Wording | None


# --- timers, followers, jobs ----------------------------------------------------------------


class Fill(Command):
    """Offers free seats to the next in line, or takes an offer back while the cap is exceeded.
    Repeating it is harmless."""

    event_id: EventId


class ArmOffer(Command):
    """Starts the claim window, because the offer's message is about to go out."""

    guest_id: GuestId
    seq: int


class DisarmOffer(Command):
    """Stops the claim window, because the channel refused the message."""

    guest_id: GuestId
    seq: int


class WithdrawOffer(Command):
    """Ends the offer, because its message will never arrive."""

    guest_id: GuestId
    seq: int


class TellPartyTooLarge(Command):
    """Tells a waiting party that it is larger than the cap, once for each `occasion`: the number of
    the fact that caused it."""

    guest_id: GuestId
    occasion: int


class LapseOffer(Command):
    guest_id: GuestId
    seq: int


class FollowContact(Command):
    """Copies a correction of the person's name or address to the sign-up."""

    guest_id: GuestId
    new_address: bool
    """The address changed, so earlier links are invalid and an open offer is sent again."""


class Remind(Command):
    guest_id: GuestId
    timer: str
    due_at: datetime


class ReportHeadcount(Command):
    event_id: EventId
    due_at: datetime


class DraftThanks(Command):
    event_id: EventId
    words: str = ""
    """A language model's draft; empty for the default draft."""


class TakeImportRow(Command):
    """Processes the next row of an import as a seat request."""

    job_id: JobId
    guest_id: GuestId
    person_id: PersonId


class StepJob(Command):
    """Processes the next guests of a job: tells them of a move or a call-off, or thanks them."""

    job_id: JobId
