"""Defines the rows that each decision of the admin desk sees."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from frontdesk.core.consents import ConsentRecord
from frontdesk.core.mail import RawMail
from frontdesk.core.members import Session
from frontdesk.core.people import Person
from frontdesk.core.sends import Send, SendId
from frontdesk.desks.admin.model import Business, Membership, OldRows, SignInLink
from frontdesk.values import Frozen, field


class PersonView(Frozen):
    """A person, if known, and their memberships."""

    person: Person | None
    memberships: tuple[Membership, ...] = ()
    owner_of_address: Person | None = None
    """The person who has the requested address."""
    consent: ConsentRecord | None = None
    """Only read to record consent."""


class MemberView(Frozen):
    membership: Membership | None
    owners: int
    """The number of active owners."""


class OwnersView(Frozen):
    first: Membership | None
    person: Person | None = None
    """The person who already has the new owner's address."""


class SignInView(Frozen):
    link: SignInLink | None
    membership: Membership | None
    previous: Session | None = None
    person: Person | None = None


class SessionView(Frozen):
    session: Session | None


class BusinessView(Frozen):
    business: Business


class SendView(Frozen):
    send: Send | None
    again_id: SendId | None = None
    """The id of the new send if the message is repeated."""
    letter_id: int | None = None
    """The open dead letter about this send, if there is one."""
    without_link: Membership | None = None
    """The invited member, if the invitation's link is invalid and they need a new one."""


class MailView(Frozen):
    mail: RawMail | None


class LetterView(Frozen):
    is_open: bool


class TidyView(Frozen):
    zone: str
    planned_at: datetime | None = None
    old: Mapping[OldRows, int] = field(default_factory=dict)
    """The number of old rows of each kind, counted up to the size of one step."""
