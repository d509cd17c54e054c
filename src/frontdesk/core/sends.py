"""The ledger of sends: one row for each key and recipient, written before the message is sent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Final, NewType

from frontdesk.core.decision import Change
from frontdesk.core.notes import Note, Quiet
from frontdesk.core.people import PersonId
from frontdesk.values import Frozen, field

SendId = NewType("SendId", str)

#: A send has this reason if the month's limit kept it back. Staff hear of the limit once, not of
#: each message.
TOO_DEAR: Final = "the texts of this month have cost as much as the settings allow"


class SendState(StrEnum):
    QUEUED = "queued"
    HELD = "held"
    """Waits for quiet hours to end, or for the next try of `arm`."""
    SENDING = "sending"
    """Handed to the channel; the outcome is not known yet."""
    SENT = "sent"
    FAILED = "failed"
    DROPPED = "dropped"
    """Not sent, because it is no longer useful; see `why`."""
    UNKNOWN = "unknown"
    """An SMS with an unknown outcome: shown to staff, never repeated."""


class Via(StrEnum):
    """Mail or SMS. After an unknown outcome mail is repeated, an SMS never is."""

    MAIL = "mail"
    TEXT = "text"


class Send(Frozen):
    id: SendId
    """A digest of key and recipient; also the left part of its Message-ID."""
    key: str
    desk: str
    kind: str
    person_id: PersonId
    subject: str
    about: str
    state: SendState
    queued_at: datetime
    due_at: datetime
    quiet: Quiet = Quiet.HOLD
    tell_by: datetime | None = None
    attempts: int = 0
    why: str = ""
    sent_at: datetime | None = None
    params: Mapping[str, str | int] = field(default_factory=dict)
    via: Via = Via.MAIL
    """The kind of channel of the last attempt."""


class SentMessage(Frozen):
    """A copy of a sent message, for the mailbox and the story."""

    send_id: SendId
    channel: str
    to_email: str
    to_name: str
    from_email: str
    subject: str
    text: str
    html: str
    calendar: bytes | None
    calendar_method: str
    message_id: str
    sent_at: datetime
    from_name: str = ""
    reply_to: str = ""
    in_reply_to: str = ""
    unsubscribe_url: str = ""
    to_mobile: str = ""
    provider_id: str = ""
    """The id under which the network reports whether a text was delivered."""

    @property
    def via(self) -> Via:
        return Via.TEXT if self.to_mobile else Via.MAIL


class QueueSend(Change):
    """Queues a send. No condition: does nothing if this key and person have one."""

    send_id: SendId
    desk: str
    note: Note
    person_id: PersonId
    at: datetime
    in_hand: bool = False
    """Whether the process that queues it also sends it, so that no other must be woken."""


class StartSend(Change):
    """queued or held -> sending. Condition: state and attempts as read."""

    send_id: SendId
    before: SendState
    attempts: int
    via: Via = Via.MAIL


class CountText(Change):
    """Counts one more SMS on this day. Condition: the count as read."""

    on: date
    before: int


class SpendOnText(Change):
    """Adds the cost of one more SMS to its month. Condition: the sum as read."""

    month: date
    """Its first day."""
    before: int
    cost: int
    """In millionths of a US dollar, as the sum is."""


class FinishSend(Change):
    """-> sent, with the message kept. Condition: state as read."""

    send_id: SendId
    before: SendState
    kept: SentMessage


class DeferSend(Change):
    """-> held or queued, until `due_at`. Condition: state as read."""

    send_id: SendId
    before: SendState
    after: SendState
    due_at: datetime
    why: str


class MarkUndelivered(Change):
    """Notes that a text which went out was not delivered. Condition: nothing is noted yet."""

    send_id: SendId
    why: str


class EndSend(Change):
    """-> failed, dropped or unknown. Condition: state as read."""

    send_id: SendId
    before: SendState
    after: SendState
    why: str
