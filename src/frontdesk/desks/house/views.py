"""Which rows each decision of the house sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from frontdesk.core.mail import RawMail
from frontdesk.core.members import Session
from frontdesk.core.people import Person
from frontdesk.core.sends import Send, SendId
from frontdesk.core.wording import Wording
from frontdesk.desks.house.model import Business, Membership, Rows, SignInLink


@dataclass(frozen=True, slots=True)
class PersonView:
    """Somebody, if we know them, and their place in the team, if they have one."""

    person: Person | None
    memberships: tuple[Membership, ...] = ()
    owner_of_address: Person | None = None
    """Who has the address that is asked for."""


@dataclass(frozen=True, slots=True)
class MemberView:
    membership: Membership | None
    owners: int
    """How many active ones there are."""


@dataclass(frozen=True, slots=True)
class OwnersView:
    first: Membership | None
    person: Person | None = None
    """Who has the address of the one to be added."""


@dataclass(frozen=True, slots=True)
class SignInView:
    link: SignInLink | None
    membership: Membership | None
    previous: Session | None = None


@dataclass(frozen=True, slots=True)
class SessionView:
    session: Session | None


@dataclass(frozen=True, slots=True)
class BusinessView:
    business: Business


@dataclass(frozen=True, slots=True)
class WordingView:
    wording: Wording | None


@dataclass(frozen=True, slots=True)
class SendView:
    send: Send | None
    again_id: SendId | None = None
    """The id that it has when it is said once more."""
    letter_id: int | None = None
    """The problem that this send has become, if staff have not dealt with it yet."""


@dataclass(frozen=True, slots=True)
class MailView:
    mail: RawMail | None


@dataclass(frozen=True, slots=True)
class LetterView:
    is_open: bool


@dataclass(frozen=True, slots=True)
class TidyView:
    zone: str
    planned_at: datetime | None = None
    old: Mapping[Rows, int] = field(default_factory=dict)
    """How many rows of each kind are old; counted no further than what goes in one step."""
