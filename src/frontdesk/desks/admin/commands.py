"""Defines the commands of the admin desk. Callers create ids, nonces and tokens."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.consents import ConsentRule
from frontdesk.core.decision import Command
from frontdesk.core.mail import MailId
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import PersonId
from frontdesk.core.sends import SendId
from frontdesk.core.wording import Wording
from frontdesk.desks.admin.model import Business, Part, Retention

# --- the team -------------------------------------------------------------------------------


class AddFirstOwner(Command):
    """Adds the first owner; refused if there is an owner."""

    member_id: MemberId
    person_id: PersonId
    name: str
    email: str


class InviteMember(Command):
    """`person_id` is used only if the address is new here; `event_id` only for hosts."""

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
    """Changes a role between owner and staff."""

    member_id: MemberId
    role: Role


# --- signing in -----------------------------------------------------------------------------


class AskForSignIn(Command):
    """Requests a sign-in link by mail."""

    email: str
    nonce: int


class PrintSignIn(Command):
    """Creates a link for an owner at the start of the server; links printed before stop working."""

    nonce: int


class SignIn(Command):
    """Spends a link. `previous` is this browser's earlier session, which ends."""

    member_id: MemberId
    nonce: int
    token_hash: str
    csrf: str
    device: str
    previous: str = ""


class EndSession(Command):
    token_hash: str


class EndAllSessions(Command):
    """Ends all sessions of a member except `but`."""

    member_id: MemberId
    but: str = ""


# --- the business ---------------------------------------------------------------------------


class SetBusiness(Command):
    business: Business


class SetWording(Command):
    """Sets the business's own wording of a mail to the team; None restores the default."""

    mail_kind: str
    wording: Wording | None


# --- people and messages --------------------------------------------------------------------


class CorrectContact(Command):
    """`role` is the role of the member who makes the correction: only owners may change team
    members."""

    person_id: PersonId
    name: str
    email: str
    role: Role
    mobile: str | None = None
    """In E.164; None leaves the number unchanged."""


class MarkAddress(Command):
    """Marks an address as wrong or as good. `role` as in `CorrectContact`, because nobody can sign
    in without an address."""

    person_id: PersonId
    wrong: bool
    role: Role


class MarkMobile(Command):
    """Marks whether texts to a person's number fail. `role` as in `CorrectContact`."""

    person_id: PersonId
    fails: bool
    role: Role


class SetOptOut(Command):
    """`role` as in `CorrectContact`."""

    person_id: PersonId
    out: bool
    role: Role


class RecordConsent(Command):
    """Staff record that a person agreed to texts, or wants none. `role` as in `CorrectContact`."""

    person_id: PersonId
    given: bool
    note: str
    role: Role


class SetTextConsent(Command):
    """Sets the sentence of the forms, and whether a text needs consent."""

    rule: ConsentRule
    sentence: str


class Erase(Command):
    person_id: PersonId


class SendAgain(Command):
    """Sends a message again, rendered from the current rows. `occasion` makes its key unique.

    `nonce` is for the new link of an invitation whose old link is dead.
    """

    send_id: SendId
    occasion: str
    nonce: int = 0


class DealWithMail(Command):
    """Marks a mail that no desk reads as answered, or as needing no answer."""

    mail_id: MailId


# --- problems -------------------------------------------------------------------------------


class SettleProblem(Command):
    """Closes a problem that was replayed, or sets it aside."""

    letter_id: int
    replayed: bool


# --- outside systems ------------------------------------------------------------------------


class ReportTrouble(Command):
    """Reports that a part failed. `at_once` tells staff at once: it fails until somebody acts."""

    part: Part
    why: str
    at_once: bool


class EndTrouble(Command):
    """Reports that a part works again."""

    part: Part


# --- housekeeping ---------------------------------------------------------------------------


class PlanTidying(Command):
    """Sets the timer of the nightly housekeeping; given at each start of the server."""


class Tidy(Command):
    """Deletes old rows, one step at a time."""

    due_at: datetime
    retention: Retention
