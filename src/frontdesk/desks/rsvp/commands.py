"""What can be asked of the RSVP desk. Ids of new things are made at the door, not here."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Command
from frontdesk.core.jobs import JobId
from frontdesk.core.mail import NO_MAIL, MailId
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.model import Details, EventId, GuestId, Lane, Settings, Wording

# --- guests ---------------------------------------------------------------------------------


class SignUp(Command):
    """A seat request. `guest_id` and `person_id` are used if the person is new here."""

    event_id: EventId
    guest_id: GuestId
    person_id: PersonId
    name: str
    email: str
    party: int
    lane: Lane
    invite: bool = False
    """Pending: they get an invitation and confirm it themselves."""
    mail_id: MailId = NO_MAIL
    """The mail in which they asked."""
    authenticated: bool = False
    """The mail certainly comes from this address (SPF, DKIM, DMARC)."""


class QueueSignUp(Command):
    """A seat request that could not be answered at once, as too many asked."""

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
    """Give up whatever they have: seats, an offer, a place in line, an invitation."""

    guest_id: GuestId
    by_host: bool = False
    mail_id: MailId = NO_MAIL


class AnswerAgain(Command):
    """A mail from somebody who is on the list already: tell them where they stand."""

    guest_id: GuestId
    cancel_link: bool
    mail_id: MailId


class AnswerStranger(Command):
    """A mail that asks to cancel, by somebody who is not on the list: tell them so."""

    event_id: EventId
    person_id: PersonId
    """Used if they are new here."""
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
    """The host says yes for the guest, also before the mail has gone out."""


class DeclineOffer(Command):
    guest_id: GuestId
    seq: int
    by_host: bool = False


class TakeFreeSeat(Command):
    """Somebody in line asks for seats that are free for anybody, as a newcomer would."""

    guest_id: GuestId


class ReduceParty(Command):
    guest_id: GuestId
    party: int


class Unsubscribe(Command):
    """No more mail that nobody needs; `out` is false to take that back."""

    guest_id: GuestId
    out: bool


# --- the host -------------------------------------------------------------------------------


class CreateEvent(Command):
    event_id: EventId
    slug: str
    details: Details
    settings: Settings
    cap: int


class EditEvent(Command):
    """Conditional on the version that the host saw, so that two hosts do not overwrite each other.
    `job_id` is used if many people have to be told."""

    event_id: EventId
    version: int
    slug: str
    details: Details
    settings: Settings
    job_id: JobId


class SetCap(Command):
    event_id: EventId
    cap: int


class CallOff(Command):
    event_id: EventId
    job_id: JobId
    words: str = ""


class SeatFromTheLine(Command):
    """The host gives a free seat to somebody in line, past the others; the audit says so."""

    guest_id: GuestId


class MoveInLine(Command):
    guest_id: GuestId
    to_front: bool


class ResendLink(Command):
    guest_id: GuestId
    by_guest: bool = False
    """They asked for it themselves, or somebody did who knows their address."""


class StopOffer(Command):
    """The host takes an offer back: the seats go to the next in line."""

    guest_id: GuestId
    seq: int


class PassOn(Command):
    """The host gives a guest's seats to somebody else. `to_guest_id` and `to_person_id` are used
    if that person is new here."""

    guest_id: GuestId
    to_guest_id: GuestId
    to_person_id: PersonId
    name: str
    email: str


class CheckIn(Command):
    """`arrived` of the party are here; 0 takes a check-in back."""

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
    settings: Settings


class SetWording(Command):
    """What a kind of mail says from now on, checked at the door; nothing means ours."""

    mail_kind: str
    wording: Wording | None


# --- timers, followers, jobs ----------------------------------------------------------------


class Fill(Command):
    """Offer what is free to the next in line, or take back while in debt. Twice does no harm."""

    event_id: EventId


class ArmOffer(Command):
    """The message is about to go out: start the window."""

    guest_id: GuestId
    seq: int


class DisarmOffer(Command):
    """The channel refused the message: no window runs."""

    guest_id: GuestId
    seq: int


class WithdrawOffer(Command):
    """The message will never arrive: let the seats roll on."""

    guest_id: GuestId
    seq: int


class TellPartyTooLarge(Command):
    """The cap is below a party that waits. `occasion` names the fact that says so: again for the
    same one, they are told once."""

    guest_id: GuestId
    occasion: int


class LapseOffer(Command):
    guest_id: GuestId
    seq: int


class FollowContact(Command):
    """Staff have corrected the person's name or address: the sign-up follows."""

    guest_id: GuestId
    new_address: bool
    """The links that were sent are dead, so that an open offer is sent again."""


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
    """A model's draft; empty: ours is used."""


class TakeImportRow(Command):
    """The next row of an import, as a seat request like any other."""

    job_id: JobId
    guest_id: GuestId
    person_id: PersonId


class StepJob(Command):
    """The next twenty people of a job: told of a move, of a call-off, or thanked."""

    job_id: JobId
