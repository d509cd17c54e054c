"""Messages, channels, and the failures that a channel raises.

SendFailed
├── SendRefused   not sent, and the other side said why
├── SendLater     not sent; a retry may help
└── SendUnknown   it is unknown whether it was sent
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Protocol

from frontdesk.core.sends import Via
from frontdesk.values import Frozen


class Attachment(Frozen):
    """A file in a mail."""

    name: str
    """In plain ASCII."""
    kind: str
    """Its MIME type. A `message/rfc822` that cannot travel as it is becomes a plain file."""
    content: bytes


class Message(Frozen, kw_only=True):
    """A mail to one person."""

    via: ClassVar = Via.MAIL

    message_id: str
    to_email: str
    to_name: str = ""
    from_email: str
    from_name: str = ""
    reply_to: str | None = None
    subject: str
    text: str
    html: str = ""
    calendar: bytes | None = None
    calendar_method: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    unsubscribe_url: str | None = None
    date: datetime
    automatic: bool = True
    headers: tuple[tuple[str, str], ...] = ()
    """More headers, whose names begin with `X-`."""
    attached: tuple[Attachment, ...] = ()


class Text(Frozen, kw_only=True):
    """An SMS to one person."""

    via: ClassVar = Via.TEXT

    message_id: str
    to_mobile: str
    to_name: str = ""
    from_name: str = ""
    text: str
    date: datetime


class IncomingText(Frozen, kw_only=True):
    """An incoming SMS. The network gives the `id`; a repeat has the same."""

    from_mobile: str
    words: str
    id: str
    at: datetime


class Channel(Protocol):
    """Sends messages of one `Via`. `send` returns once the other side is responsible for it."""

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool:
        """Whether the ledger's row is the delivery: no message leaves this machine."""

    def send(self, message: Any, /) -> str | None:
        """Returns the id under which the other side reports about the message, if it does. Raises a
        `SendFailed`. A repeated mail has the same Message-ID. A repeated SMS cannot be
        recognised, so an SMS is sent again only if it was definitely not sent."""


Channels = Mapping[Via, Channel]
"""Without a channel for SMS, no SMS is sent."""


class SendFailed(Exception):
    """The message may not have been sent."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SendRefused(SendFailed):
    """Definitely not sent. `about_recipient`: this address or number cannot be reached."""

    def __init__(
        self, reason: str, *, permanent: bool = True, about_recipient: bool = False
    ) -> None:
        super().__init__(reason)
        self.permanent = permanent
        self.about_recipient = about_recipient


class SendLater(SendFailed):
    """Definitely not sent, and worth a retry: the other side was not ready."""


class SendUnknown(SendFailed):
    """The connection was lost after the message had been handed over."""
