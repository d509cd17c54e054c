"""What the admin desk remembers: the business, its team, and the links by which they sign in."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from frontdesk.core.contact_card import ContactCard
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import PersonId
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.values import Frozen

DEFAULT_ACCENT: Final = "#2b50d8"


class Business(Frozen, kw_only=True):
    """What the owner can change about every page and every mail."""

    name: str = ""
    """Empty until somebody has given one: the one from the settings file counts then."""
    accent: str = DEFAULT_ACCENT
    """A colour as #rrggbb."""
    sender_name: str = ""
    """Who mails come from; the name of the business if empty."""
    zone: str = "UTC"
    """Where the business is: times in the console are told so."""
    contact: ContactCard = ContactCard()
    """How people get in touch; what is empty here is taken from the settings file."""


SAVED_BUSINESS: Final = SavedSetting("fd.business", Business, Business())


class Keep(Frozen, kw_only=True):
    """For how many days what may be looked up again is kept; 0 is for ever."""

    mail_days: int = 0
    messages_days: int = 0


class Part(StrEnum):
    """What lies outside of the product and may fail."""

    MODEL = "model"
    RULES = "rules"
    VOICE = "voice"


class Trouble(Frozen):
    """Something outside fails again and again, or has done so."""

    part: Part
    since: datetime
    why: str
    staff_know: bool = False
    told_at: datetime | None = None
    """When staff last got a mail about this part."""
    ended_at: datetime | None = None

    @property
    def is_shown(self) -> bool:
        return self.staff_know and self.ended_at is None


SAVED_TROUBLES: Final[SavedSetting[tuple[Trouble, ...]]] = SavedSetting(
    "fd.troubles", tuple[Trouble, ...], ()
)


class Rows(StrEnum):
    """What grows old and is tidied up."""

    SESSIONS = "sessions"
    SIGN_INS = "sign_ins"
    KEYS = "keys"
    """Those by which a request that comes twice is recognised."""
    MAILS = "mails"
    MESSAGES = "messages"
    """Of these the words go; that they were sent stays."""


class Membership(Frozen):
    """One role of one person. A host has one for each of their events."""

    id: MemberId
    person_id: PersonId
    role: Role
    event_id: str
    created_at: datetime
    removed_at: datetime | None = None

    @property
    def is_active(self) -> bool:
        return self.removed_at is None


class SignInKind(StrEnum):
    """How somebody got a link to sign in, and so how long it is good."""

    MAILED = "mailed"
    INVITED = "invited"
    PRINTED = "printed"
    """Printed where the server was started. A new start makes the one before worthless."""

    @property
    def lasts(self) -> timedelta:
        return _LASTS[self]


_LASTS: Final = {
    SignInKind.MAILED: timedelta(minutes=30),
    SignInKind.INVITED: timedelta(days=7),
    SignInKind.PRINTED: timedelta(days=1),
}


class SignInLink(Frozen):
    """A link that lets its holder in once."""

    member_id: MemberId
    nonce: int
    kind: SignInKind
    expires_at: datetime
    spent_at: datetime | None = None

    @property
    def made_at(self) -> datetime:
        return self.expires_at - self.kind.lasts

    @property
    def was_mailed(self) -> bool:
        return self.kind is not SignInKind.PRINTED

    def died(self, until: datetime) -> bool:
        """Unspent, mailed, and made before the address changed or a mail to it came back."""
        return self.was_mailed and self.spent_at is None and self.made_at <= until


def strongest(memberships: tuple[Membership, ...]) -> Membership | None:
    """The one to sign in with: what it may do includes what the others may."""
    ranks = list(Role)
    return min(
        (each for each in memberships if each.is_active),
        key=lambda each: (ranks.index(each.role), each.created_at, each.id),
        default=None,
    )
