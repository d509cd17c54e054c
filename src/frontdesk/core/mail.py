"""Mail as it came in: kept raw, told apart by the address it was sent to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, NewType

from frontdesk.core.decision import Change, Fact

MailId = NewType("MailId", str)


@dataclass(frozen=True, slots=True)
class RawMail:
    id: MailId
    received_at: datetime
    sender: str
    recipient: str
    raw: bytes
    person_id: str = ""
    """Set once it is known whose it is, so that erasing them reaches it."""
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class KeepMail(Change):
    """Condition: the id is new."""

    mail: RawMail


@dataclass(frozen=True, slots=True)
class SettleMail(Change):
    """What became of a mail, and whose it is."""

    mail_id: MailId
    person_id: str
    outcome: str


@dataclass(frozen=True, slots=True)
class MailReceived(Fact):
    kind: ClassVar[str] = "fd.mail_received"
    mail_id: MailId

    @property
    def subject(self) -> str:
        return self.mail_id
