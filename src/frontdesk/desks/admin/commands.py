"""What can be asked of the admin desk. Ids, nonces and tokens are made at the door, not here."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Command
from frontdesk.core.mail import MailId
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import PersonId
from frontdesk.core.sends import SendId
from frontdesk.core.wording import Wording
from frontdesk.desks.admin.model import Business, Keep, Part

# --- the team -------------------------------------------------------------------------------


class AddFirstOwner(Command):
    """At the first start. Refused as soon as there is an owner."""

    member_id: MemberId
    person_id: PersonId
    name: str
    email: str


class InviteMember(Command):
    """`person_id` is used if the address is new here; `event_id` is for hosts alone."""

    member_id: MemberId
    person_id: PersonId
    name: str
    email: str
    role: Role
    event_id: str
    nonce: int


class RemoveMember(Command):
    member_id: MemberId


class ChangeRole(Command):
    """Between owner and staff."""

    member_id: MemberId
    role: Role


# --- signing in -----------------------------------------------------------------------------


class AskForSignIn(Command):
    """Somebody wants a link to this address."""

    email: str
    nonce: int


class PrintSignIn(Command):
    """The server has started: a link for an owner, and none of those printed before."""

    nonce: int


class SignIn(Command):
    """Spends a link. `previous` is the session that this browser had, which ends."""

    member_id: MemberId
    nonce: int
    token_hash: str
    csrf: str
    device: str
    previous: str = ""


class EndSession(Command):
    token_hash: str


class EndAllSessions(Command):
    """`but` is the one that is left alone, if any."""

    member_id: MemberId
    but: str = ""


# --- the business ---------------------------------------------------------------------------


class SetBusiness(Command):
    business: Business


class SetWording(Command):
    """What a kind of mail to the team says from now on; `None`: what ours says."""

    mail_kind: str
    wording: Wording | None


# --- people and messages --------------------------------------------------------------------


class CorrectContact(Command):
    """`role` is that of the one who corrects: staff may not change who can sign in."""

    person_id: PersonId
    name: str
    email: str
    role: Role
    mobile: str | None = None
    """In E.164; None leaves it."""


class MarkAddress(Command):
    """`role` as in `CorrectContact`: without an address nobody can sign in."""

    person_id: PersonId
    wrong: bool
    role: Role


class SetOptOut(Command):
    """`role` as in `CorrectContact`."""

    person_id: PersonId
    out: bool
    role: Role


class Erase(Command):
    person_id: PersonId


class SendAgain(Command):
    """What went out or gave up is said again, as things are now. `occasion` makes its key new.

    `nonce` is for the new link of an invitation whose link died with an address.
    """

    send_id: SendId
    occasion: str
    nonce: int = 0


class DealWithMail(Command):
    """Somebody has answered a mail that no desk reads, or found that it needs no answer."""

    mail_id: MailId


# --- problems -------------------------------------------------------------------------------


class SettleProblem(Command):
    """It was replayed, or is set aside."""

    letter_id: int
    replayed: bool


# --- what lies outside ----------------------------------------------------------------------


class ReportTrouble(Command):
    """Something outside has failed. `at_once`: it fails again until somebody does something."""

    part: Part
    why: str
    at_once: bool


class EndTrouble(Command):
    """It works again."""

    part: Part


# --- housekeeping ---------------------------------------------------------------------------


class PlanTidying(Command):
    """At each start: from now on it is tidied up every night."""


class Tidy(Command):
    """It is night: what is old goes, a step at a time."""

    due_at: datetime
    keep: Keep
