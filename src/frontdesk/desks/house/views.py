"""Which rows each decision of the house sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime

from frontdesk.core.mail import RawMail
from frontdesk.core.members import Session
from frontdesk.core.people import Person
from frontdesk.core.sends import Send, SendId
from frontdesk.core.wording import Wording
from frontdesk.desks.house.model import Business, Membership, Rows, SignInLink
from frontdesk.frozen import frozen


@frozen
class PersonView:
    """Somebody, if we know them, and their place in the team, if they have one."""

    person: Person | None
    memberships: tuple[Membership, ...] = ()
    owner_of_address: Person | None = None
    """Who has the address that is asked for."""


@frozen
class MemberView:
    membership: Membership | None
    owners: int
    """How many active ones there are."""


@frozen
class OwnersView:
    first: Membership | None
    person: Person | None = None
    """Who has the address of the one to be added."""


@frozen
class SignInView:
    link: SignInLink | None
    membership: Membership | None
    previous: Session | None = None


@frozen
class SessionView:
    session: Session | None


@frozen
class BusinessView:
    business: Business


@frozen
class WordingView:
    wording: Wording | None


@frozen
class SendView:
    send: Send | None
    again_id: SendId | None = None
    """The id that it has when it is said once more."""
    letter_id: int | None = None
    """The problem that this send has become, if staff have not dealt with it yet."""
    without_link: Membership | None = None
    """Who is invited by it, if its link is dead and they need a new one."""


@frozen
class MailView:
    mail: RawMail | None


@frozen
class LetterView:
    is_open: bool


@frozen
class TidyView:
    zone: str
    planned_at: datetime | None = None
    old: Mapping[Rows, int] = field(default_factory=dict)
    """How many rows of each kind are old; counted no further than what goes in one step."""
