"""What can be asked of the RSVP desk. Ids of new things are made at the door, not here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from frontdesk.core.decision import Command
from frontdesk.core.jobs import JobId
from frontdesk.core.mail import NO_MAIL, MailId
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.model import Details, EventId, GuestId, Lane, Settings, Wording

# --- guests ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class WriteDown(Command):
    """A seat request that could not be answered at once, as too many asked."""

    event_id: EventId
    guest_id: GuestId
    person_id: PersonId
    name: str
    email: str
    party: int
    lane: Lane


@dataclass(frozen=True, slots=True)
class ConfirmInvitation(Command):
    guest_id: GuestId


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    """Give up whatever they have: seats, an offer, a place in line, an invitation."""

    guest_id: GuestId
    by_host: bool = False
    mail_id: MailId = NO_MAIL


@dataclass(frozen=True, slots=True)
class AnswerAgain(Command):
    """A mail from somebody who is on the list already: tell them where they stand."""

    guest_id: GuestId
    cancel_link: bool
    mail_id: MailId


@dataclass(frozen=True, slots=True)
class AnswerStranger(Command):
    """A mail that asks to cancel, by somebody who is not on the list: tell them so."""

    event_id: EventId
    person_id: PersonId
    """Used if they are new here."""
    name: str
    email: str
    mail_id: MailId


@dataclass(frozen=True, slots=True)
class IgnoreMail(Command):
    mail_id: MailId
    why: str


@dataclass(frozen=True, slots=True)
class ClaimOffer(Command):
    guest_id: GuestId
    seq: int


@dataclass(frozen=True, slots=True)
class DeclineOffer(Command):
    guest_id: GuestId
    seq: int


@dataclass(frozen=True, slots=True)
class ReduceParty(Command):
    guest_id: GuestId
    party: int


@dataclass(frozen=True, slots=True)
class Unsubscribe(Command):
    """No more mail that nobody needs; `out` is false to take that back."""

    guest_id: GuestId
    out: bool


# --- the host -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CreateEvent(Command):
    event_id: EventId
    slug: str
    details: Details
    settings: Settings
    cap: int


@dataclass(frozen=True, slots=True)
class EditEvent(Command):
    """Conditional on the version that the host saw, so that two hosts do not overwrite each other.
    `job_id` is used if many people have to be told."""

    event_id: EventId
    version: int
    slug: str
    details: Details
    settings: Settings
    job_id: JobId


@dataclass(frozen=True, slots=True)
class SetCap(Command):
    event_id: EventId
    cap: int


@dataclass(frozen=True, slots=True)
class CallOff(Command):
    event_id: EventId
    job_id: JobId
    words: str = ""


@dataclass(frozen=True, slots=True)
class SeatFromTheLine(Command):
    """The host gives a free seat to somebody in line, past the others; the audit says so."""

    guest_id: GuestId


@dataclass(frozen=True, slots=True)
class MoveInLine(Command):
    guest_id: GuestId
    to_front: bool


@dataclass(frozen=True, slots=True)
class ResendLink(Command):
    guest_id: GuestId


@dataclass(frozen=True, slots=True)
class CheckIn(Command):
    """`arrived` of the party are here; 0 takes a check-in back."""

    guest_id: GuestId
    arrived: int


@dataclass(frozen=True, slots=True)
class BeginImport(Command):
    event_id: EventId
    job_id: JobId
    rows: tuple[ImportRow, ...]
    invite: bool


@dataclass(frozen=True, slots=True)
class EditThanks(Command):
    event_id: EventId
    words: str


@dataclass(frozen=True, slots=True)
class SendThanks(Command):
    event_id: EventId
    job_id: JobId
    words: str


@dataclass(frozen=True, slots=True)
class SetDefaults(Command):
    settings: Settings


@dataclass(frozen=True, slots=True)
class SetWording(Command):
    """What a kind of mail says from now on, checked at the door; nothing means ours."""

    mail_kind: str
    wording: Wording | None


# --- timers, followers, jobs ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fill(Command):
    """Offer what is free to the next in line, or take back while in debt. Twice does no harm."""

    event_id: EventId


@dataclass(frozen=True, slots=True)
class ArmOffer(Command):
    """The message is about to go out: start the window."""

    guest_id: GuestId
    seq: int


@dataclass(frozen=True, slots=True)
class DisarmOffer(Command):
    """The channel refused the message: no window runs."""

    guest_id: GuestId
    seq: int


@dataclass(frozen=True, slots=True)
class WithdrawOffer(Command):
    """The message will never arrive: let the seats roll on."""

    guest_id: GuestId
    seq: int


@dataclass(frozen=True, slots=True)
class LapseOffer(Command):
    guest_id: GuestId
    seq: int


@dataclass(frozen=True, slots=True)
class Remind(Command):
    guest_id: GuestId
    timer: str
    due_at: datetime


@dataclass(frozen=True, slots=True)
class ReportHeadcount(Command):
    event_id: EventId
    due_at: datetime


@dataclass(frozen=True, slots=True)
class DraftThanks(Command):
    event_id: EventId


@dataclass(frozen=True, slots=True)
class TakeImportRow(Command):
    """The next row of an import, as a seat request like any other."""

    job_id: JobId
    guest_id: GuestId
    person_id: PersonId


@dataclass(frozen=True, slots=True)
class StepJob(Command):
    """The next twenty people of a job: told of a move, of a call-off, or thanked."""

    job_id: JobId
