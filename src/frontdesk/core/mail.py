"""Mail as it came in: kept raw, told apart by the address it was sent to."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import ClassVar, Final, NewType

from frontdesk.core.decision import Change, Fact
from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.values import Frozen

MailId = NewType("MailId", str)
NO_MAIL: Final = MailId("")

#: What became of a mail that no desk reads: a person has to, and then has.
FOR_A_PERSON: Final = "not for an event"
DEALT_WITH: Final = "dealt with by a person"
#: A mail of ours that came back, and has been marked at the person.
CAME_BACK: Final = "a mail of ours that came back"
#: What a text asked for, and got at once.
NO_MORE_TEXTS: Final = "no more texts"
TEXTS_AGAIN: Final = "texts again"
#: Instead of an address: it came as a text, and its sender is a number.
AS_A_TEXT: Final = "text"
#: Followed by the reason.
NOT_ANSWERED: Final = "not answered: "


def mail_id(subject: str, what: bytes) -> MailId:
    """A digest of what it is about and what it is: a mail that comes twice has one id."""
    digest = blake2b(subject.encode() + b"\n" + what, digest_size=ID_BYTES)
    return MailId(new_id(digest.digest()))


def written_by(email: str, message_id: str) -> bytes:
    """Identifies a mail and its repeats, whatever headers servers added."""
    return f"{email}\n{message_id}".encode()


class Shelf(StrEnum):
    """Where a mail is kept. What staff have discarded is set apart, and kept as long."""

    MAIL = "mail"
    WAITLIST = "waitlist"
    """What was sent to the waitlist."""
    DISCARDED = "discarded"
    """And was no request, as staff found."""


class RawMail(Frozen):
    id: MailId
    received_at: datetime
    sender: str
    recipient: str
    raw: bytes
    person_id: str = ""
    """Set once it is known whose it is, so that erasing them reaches it."""
    outcome: str = ""
    shelf: Shelf = Shelf.MAIL


class Answering(Frozen):
    """The headers that a reply takes from the mail it answers."""

    message_id: str
    subject: str
    """Empty if that mail may be by somebody else: nobody has us repeat their words to others."""


class KeepMail(Change):
    """Condition: the id is new."""

    mail: RawMail


class SettleMail(Change):
    """Sets the outcome of a mail and the person it belongs to."""

    mail_id: MailId
    person_id: str
    outcome: str
    shelf: Shelf | None = None
    """Where it is kept from now on; nothing leaves it where it is."""


class MailReceived(Fact):
    kind: ClassVar[str] = "fd.mail_received"
    mail_id: MailId

    @property
    def subject(self) -> str:
        return self.mail_id


def is_for(recipient: str, address: str) -> bool:
    """Whether it is this address, with or without a +tag."""
    local, _, domain = recipient.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}" == address.lower()
