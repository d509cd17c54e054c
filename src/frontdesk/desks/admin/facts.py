"""Defines the facts of the admin desk. Facts name people by id only."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from frontdesk.core.consents import ConsentRule
from frontdesk.core.decision import Fact
from frontdesk.core.mail import MailFact
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import PersonId
from frontdesk.core.sends import SendId
from frontdesk.desks.admin.model import Business, Part, SignInKind


class MemberFact(Fact):
    member_id: MemberId
    person_id: PersonId

    @property
    def subject(self) -> str:
        return self.member_id

    @property
    def about(self) -> str:
        return self.person_id


class OwnerAdded(MemberFact):
    """The first owner was added, when there was none."""

    kind: ClassVar[str] = "fd.owner_added"


class MemberInvited(MemberFact):
    kind: ClassVar[str] = "fd.member_invited"
    role: Role
    event_id: str
    nonce: int
    link_expires_at: datetime


class MemberRemoved(MemberFact):
    kind: ClassVar[str] = "fd.member_removed"


class RoleChanged(MemberFact):
    kind: ClassVar[str] = "fd.role_changed"
    before: Role
    after: Role


class SignInAsked(MemberFact):
    kind: ClassVar[str] = "fd.sign_in_asked"
    nonce: int
    link_kind: SignInKind
    link_expires_at: datetime


class SignedIn(MemberFact):
    kind: ClassVar[str] = "fd.signed_in"
    device: str


class SessionsEnded(MemberFact):
    """One session of a member ended, or all of them."""

    kind: ClassVar[str] = "fd.sessions_ended"
    all_of_them: bool


class BusinessChanged(Fact):
    kind: ClassVar[str] = "fd.business_changed"
    business: Business

    @property
    def subject(self) -> str:
        return "business"


class TeamWordingChanged(Fact):
    """The business changed the wording of a mail to the team. The fact does not contain the
    text."""

    kind: ClassVar[str] = "fd.wording_changed"
    mail_kind: str

    @property
    def subject(self) -> str:
        return "voice"


class PersonFact(Fact):
    person_id: PersonId

    @property
    def subject(self) -> str:
        return self.person_id

    @property
    def about(self) -> str:
        return self.person_id


class PersonCorrected(PersonFact):
    kind: ClassVar[str] = "fd.person_corrected"
    new_address: bool
    """The contact changed: links that were sent before are invalid."""
    new_number: bool = False


class AddressMarked(PersonFact):
    """An address was marked as wrong, by staff or because mail came back; or as good again, by
    staff or because a link that was mailed to it signed somebody in."""

    kind: ClassVar[str] = "fd.address_marked"
    wrong: bool


class NumberMarked(PersonFact):
    """Staff marked a number as one that gets no texts, or as one that does."""

    kind: ClassVar[str] = "fd.number_marked"
    fails: bool


class OptedOut(PersonFact):
    kind: ClassVar[str] = "fd.opted_out"
    out: bool


class ConsentRecorded(PersonFact):
    """Staff recorded that the person agreed to texts, or wants none."""

    kind: ClassVar[str] = "fd.consent_recorded"
    given: bool


class TextConsentSet(Fact):
    """The sentence of the forms about texts was changed, or whether texts need consent."""

    kind: ClassVar[str] = "fd.text_consent_set"
    rule: ConsentRule
    sentence: str

    @property
    def subject(self) -> str:
        return "house"


class TextsStopped(PersonFact):
    """The person's number stopped texts from us, or resumed them."""

    kind: ClassVar[str] = "fd.texts_stopped"
    stopped: bool


class PersonErased(PersonFact):
    kind: ClassVar[str] = "fd.person_erased"


class MessageRepeated(PersonFact):
    """Staff sent a message again, or retried one that had not gone out."""

    kind: ClassVar[str] = "fd.message_repeated"
    send_id: SendId


class MailDealtWith(MailFact):
    """A person has dealt with a mail that no desk reads."""

    kind: ClassVar[str] = "fd.mail_dealt_with"


class ProblemFact(Fact):
    letter_id: int

    @property
    def subject(self) -> str:
        return f"problem/{self.letter_id}"


class ProblemReplayed(ProblemFact):
    kind: ClassVar[str] = "fd.problem_replayed"


class ProblemSetAside(ProblemFact):
    kind: ClassVar[str] = "fd.problem_set_aside"


class TroubleFact(Fact):
    """A fact about a part that fails or has failed."""

    part: Part
    since: datetime

    @property
    def subject(self) -> str:
        return f"trouble/{self.part}"


class TroubleBegan(TroubleFact):
    kind: ClassVar[str] = "fd.trouble_began"
    why: str
    by_mail: bool
    """Whether staff get a mail; not if they got one about this part recently."""


class TroubleEnded(TroubleFact):
    kind: ClassVar[str] = "fd.trouble_ended"


class Tidied(Fact):
    """How many old rows of each kind were deleted."""

    kind: ClassVar[str] = "fd.tidied"
    sessions: int
    sign_ins: int
    keys: int
    mails: int
    messages: int

    @property
    def subject(self) -> str:
        return "house"
