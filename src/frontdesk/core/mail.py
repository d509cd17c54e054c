"""Incoming mail. It is stored as received; its recipient address tells what it is about."""

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

#: Outcomes of a mail that no desk can read: it waits for staff, and staff have read it.
FOR_A_PERSON: Final = "not for an event"
DEALT_WITH: Final = "dealt with by a person"
#: A bounce of our own mail; the person is marked as bounced.
CAME_BACK: Final = "a mail of ours that came back"
#: Outcomes of an SMS with a request that is done at once.
NO_MORE_TEXTS: Final = "no more texts"
TEXTS_AGAIN: Final = "texts again"
#: The recipient of an incoming SMS; its sender is a number.
AS_A_TEXT: Final = "text"
#: Followed by the reason.
NOT_ANSWERED: Final = "not answered: "


def mail_id(subject: str, what: bytes) -> MailId:
    """Returns a digest of the subject and the mail: a mail that arrives twice has one id."""
    digest = blake2b(subject.encode() + b"\n" + what, digest_size=ID_BYTES)
    return MailId(new_id(digest.digest()))


def written_by(email: str, message_id: str) -> bytes:
    """Identifies a mail and its repeats, without the headers that servers add."""
    return f"{email}\n{message_id}".encode()


class MailFolder(StrEnum):
    """Where a mail is kept. Mail that staff have discarded is separate, and is kept as long."""

    MAIL = "mail"
    WAITLIST = "waitlist"
    """Mail to the waitlist."""
    REMINDERS = "reminders"
    """Mail to the reminders desk: answers, and confirmations that were forwarded."""
    DISCARDED = "discarded"
    """Mail to the waitlist that staff have discarded: it was no request."""


class RawMail(Frozen):
    id: MailId
    received_at: datetime
    sender: str
    recipient: str
    raw: bytes
    person_id: str = ""
    """Set once the person is known, so that erasing the person deletes the mail."""
    outcome: str = ""
    shelf: MailFolder = MailFolder.MAIL


class ReplyHeaders(Frozen):
    """The headers that a reply takes from the mail it answers."""

    message_id: str
    subject: str
    """Empty if somebody else may have written that mail, so that we do not repeat their words."""


class KeepMail(Change):
    """Condition: the id is new."""

    mail: RawMail


class SettleMail(Change):
    """Sets the outcome of a mail and the person it belongs to."""

    mail_id: MailId
    person_id: str
    outcome: str
    shelf: MailFolder | None = None
    """The new folder; None keeps it where it is."""


class MailFact(Fact):
    mail_id: MailId

    @property
    def subject(self) -> str:
        return self.mail_id


class MailReceived(MailFact):
    kind: ClassVar[str] = "fd.mail_received"


def is_for(recipient: str, address: str) -> bool:
    """Whether the recipient is this address, with or without a +tag."""
    local, _, domain = recipient.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}" == address.lower()


def tagged(address: str, tag: str) -> str:
    """Adds a +tag to an address. Mail to it arrives at the same place; the tag says what about."""
    local, _, domain = address.rpartition("@")
    return f"{local}+{tag}@{domain}"


def tag_of(recipient: str) -> str:
    return recipient.rpartition("@")[0].partition("+")[2]
