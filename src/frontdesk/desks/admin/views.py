"""Which rows each decision of the admin desk sees."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from frontdesk.core.mail import RawMail
from frontdesk.core.members import Session
from frontdesk.core.people import Person
from frontdesk.core.sends import Send, SendId
from frontdesk.desks.admin.model import Business, Membership, Rows, SignInLink
from frontdesk.values import Frozen, field


class PersonView(Frozen):
    """Somebody, if we know them, and their place in the team, if they have one."""

    person: Person | None
    memberships: tuple[Membership, ...] = ()
    owner_of_address: Person | None = None
    """Who has the address that is asked for."""


class MemberView(Frozen):
    membership: Membership | None
    owners: int
    """How many active ones there are."""


class OwnersView(Frozen):
    first: Membership | None
    person: Person | None = None
    """Who has the address of the one to be added."""


class SignInView(Frozen):
    link: SignInLink | None
    membership: Membership | None
    previous: Session | None = None


class SessionView(Frozen):
    session: Session | None


class BusinessView(Frozen):
    business: Business


class SendView(Frozen):
    send: Send | None
    again_id: SendId | None = None
    """The id that it has when it is said once more."""
    letter_id: int | None = None
    """The problem that this send has become, if staff have not dealt with it yet."""
    without_link: Membership | None = None
    """Who is invited by it, if its link is dead and they need a new one."""


class MailView(Frozen):
    mail: RawMail | None


class LetterView(Frozen):
    is_open: bool


class TidyView(Frozen):
    zone: str
    planned_at: datetime | None = None
    old: Mapping[Rows, int] = field(default_factory=dict)
    """How many rows of each kind are old; counted no further than what goes in one step."""
