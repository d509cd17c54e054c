"""Defines the stored data of the admin desk: the business, its team and sign-in links."""

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
    """The owner's settings for every page and every mail."""

    name: str = ""
    """If empty, the name in the settings file is used."""
    accent: str = DEFAULT_ACCENT
    """A colour as #rrggbb."""
    sender_name: str = ""
    """The sender's name on mails; if empty, the name of the business."""
    zone: str = "UTC"
    """The time zone of the business; the console shows times in it."""
    contact: ContactCard = ContactCard()
    """How to reach the business; fields left empty come from the settings file."""


SAVED_BUSINESS: Final = SavedSetting("fd.business", Business, Business())


class Retention(Frozen, kw_only=True):
    """How many days mails and the text of messages are kept; 0 keeps them for ever."""

    mail_days: int = 0
    messages_days: int = 0


class Part(StrEnum):
    """A document, outside system or periodic task that may fail."""

    MODEL = "model"
    RULES = "rules"
    VOICE = "voice"
    BOOKING_RULES = "booking_rules"
    REMINDER_RULES = "reminder_rules"
    REMINDERS = "reminders"
    TEXTS = "texts"
    OPENINGS = "openings"
    APPOINTMENTS = "appointments"


class Trouble(Frozen):
    """A failure of one of the parts, ongoing or over."""

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


class OldRows(StrEnum):
    """A kind of row that housekeeping deletes when it is old."""

    SESSIONS = "sessions"
    SIGN_INS = "sign_ins"
    KEYS = "keys"
    """Idempotency keys, which recognise a repeated request."""
    MAILS = "mails"
    MESSAGES = "messages"
    """Housekeeping deletes only their text; the record that they were sent stays."""


class Membership(Frozen):
    """One role of one person. A host has one membership for each of their events."""

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
    """How a member got a sign-in link, which decides how long it is valid."""

    MAILED = "mailed"
    INVITED = "invited"
    PRINTED = "printed"
    """Printed at the start of the server. A new start invalidates the one before."""

    @property
    def lasts(self) -> timedelta:
        return _LASTS[self]


_LASTS: Final = {
    SignInKind.MAILED: timedelta(minutes=30),
    SignInKind.INVITED: timedelta(days=7),
    SignInKind.PRINTED: timedelta(days=1),
}


class SignInLink(Frozen):
    """A link that signs its holder in once."""

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

    def is_invalid(self, until: datetime) -> bool:
        """Whether a new address or a bounce has invalidated the link: it was mailed, is not spent,
        and was made by `until`, the instant of that change."""
        return self.was_mailed and self.spent_at is None and self.made_at <= until


def strongest(memberships: tuple[Membership, ...]) -> Membership | None:
    """Returns the active membership with the most rights, to sign in with."""
    ranks = list(Role)
    return min(
        (each for each in memberships if each.is_active),
        key=lambda each: (ranks.index(each.role), each.created_at, each.id),
        default=None,
    )
