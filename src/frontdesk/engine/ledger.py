"""Writes the outcome of sends to the ledger, in one commit with the desk's command about it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from textwrap import shorten
from typing import Final

from frontdesk.core.decision import Accepted, Change, Command, Decision, Refused
from frontdesk.core.messages import Message, Text
from frontdesk.core.people import MarkBounced, MarkNumber, PersonId
from frontdesk.core.sends import (
    CountText,
    DeferSend,
    EndSend,
    FinishSend,
    Send,
    SendId,
    SendState,
    SentMessage,
    SpendOnText,
    StartSend,
    Via,
)
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Ask, DeadLetter, Outcome, Reads
from frontdesk.logs import failure, log
from frontdesk.values import Frozen

BY: Final = "shipping"
_SOON: Final = timedelta(seconds=1)
#: How many of the newest dead letters are searched for one about the same send.
LETTERS_BACK: Final = 200
#: The most characters of a text in a list, which are one or two lines.
MOST_SUBJECT: Final = 120
_LINK: Final = re.compile(r"\s*https?://\S+")


class LedgerReason(StrEnum):
    MOVED_ON = "this send has moved on meanwhile"
    TOO_MANY = "so many texts have gone out today"
    TOO_DEAR = "so much was spent on texts this month"


class Bounce(Frozen):
    """A permanent refusal of mail to this address."""

    person_id: PersonId
    email: str
    why: str
    queued_at: datetime
    """When the refused mail was queued."""


class CountedText(Frozen):
    """The number of texts of a day, with one more, and the cost of those of its month in millionths
    of a US dollar."""

    sent: int
    spent_before: int
    spent: int


class FailedNumber(Frozen):
    """A permanent refusal of texts to this number."""

    person_id: PersonId
    mobile: str


class _Write(Frozen):
    send: Send
    change: Change
    command: Command | None
    outcome: Future[Outcome]


class Ledger:
    """Submits writes to the store at once. They are on disk after `flush`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._writes: list[_Write] = []

    def start(self, sends: Sequence[Send], via: Via, now: datetime) -> frozenset[SendId]:
        """Marks the sends as in progress, on disk. Returns the ids of those that may go out."""
        return self._together(
            [(send, StartSend(send.id, send.state, send.attempts, via)) for send in sends], now
        )

    def count_text(
        self, now: datetime, *, most: int | None, cost: int, budget: int | None
    ) -> CountedText | Refused:
        """Counts one more SMS of today and its cost in this month, in one commit, or refuses if
        that is more than `most` or `budget`. Without a limit nothing is counted."""
        on = now.astimezone(UTC).date()
        month, counted = on.replace(day=1), CountedText(0, 0, 0)

        def ask(reads: Reads) -> Decision:
            nonlocal counted
            sent = 0 if most is None else reads.engine.texts_on(on)
            spent = 0 if budget is None else reads.engine.text_spend(month)
            counted = CountedText(sent + 1, spent, spent + cost)
            if most is not None and counted.sent > most:
                return Refused(LedgerReason.TOO_MANY)
            if budget is not None and counted.spent > budget:
                return Refused(LedgerReason.TOO_DEAR)
            changes: list[Change] = [] if most is None else [CountText(on, sent)]
            if budget is not None:
                changes.append(SpendOnText(month, spent, cost))
            return Accepted(tuple(changes))

        outcome = self._engine.store.decide(ask, by=BY, at=now)
        return outcome if isinstance(outcome, Refused) else counted

    def finish(self, sends: Sequence[tuple[Send, SentMessage]], now: datetime) -> None:
        """Marks the sends as sent and keeps the messages. On disk when this returns."""
        self._together([(send, FinishSend(send.id, send.state, kept)) for send, kept in sends], now)

    def hold(self, send: Send, until: datetime, why: str, now: datetime) -> None:
        """Defers a send until quiet hours end, or until `arm` is tried again."""
        change = DeferSend(send.id, send.state, SendState.HELD, max(until, now + _SOON), why)
        self._write(send, change, None, now)

    def defer(
        self, send: Send, until: datetime, why: str, now: datetime, undo: Command | None = None
    ) -> None:
        """Queues the send for another attempt at `until`."""
        change = DeferSend(send.id, send.state, SendState.QUEUED, max(until, now + _SOON), why)
        self._write(send, change, undo, now)

    def drop(self, send: Send, why: str, now: datetime, undo: Command | None = None) -> None:
        log("send.dropped", send=send.id, desk=send.desk, kind=send.kind, why=why)
        self._write(send, EndSend(send.id, send.state, SendState.DROPPED, why), undo, now)

    def give_up(
        self,
        send: Send,
        after: SendState,
        why: str,
        now: datetime,
        undo: Command | None = None,
        bounce: Bounce | FailedNumber | None = None,
        *,
        is_lost: bool = True,
    ) -> None:
        """Ends a send as failed or unknown, with a dead letter for staff if its message is lost."""
        log(f"send.{after}", send=send.id, desk=send.desk, kind=send.kind, via=send.via, why=why)
        if is_lost:
            self._add_dead_letter(send, why, now)
        self._write(send, EndSend(send.id, send.state, after, why), undo, now, bounce)

    def flush(self, now: datetime) -> None:
        """Waits until all submitted writes are on disk."""
        writes, self._writes = self._writes, []
        for write in writes:
            try:
                write.outcome.result()
            except Exception as error:
                if write.command is None:
                    raise
                self._without_command(write, failure(error), now)

    def _write(
        self,
        send: Send,
        change: Change,
        command: Command | None,
        now: datetime,
        bounce: Bounce | FailedNumber | None = None,
    ) -> None:
        ask = self._ask(send, change, command, now, bounce)
        outcome = self._engine.store.submit(ask, by=BY, at=now, patient=True)
        self._writes.append(_Write(send, change, command, outcome))

    def _without_command(self, write: _Write, why: str, now: datetime) -> None:
        """Writes the outcome without the desk's command, which failed: the send must end anyway."""
        log("send.undo_failed", send=write.send.id, kind=write.send.kind, why=why)
        self._add_dead_letter(write.send, why, now)
        ask = self._ask(write.send, write.change, None, now, None)
        self._engine.store.decide(ask, by=BY, at=now)

    def _add_dead_letter(self, send: Send, why: str, now: datetime) -> None:
        """Writes one dead letter, even if a process wrote it and died before it ended the send."""
        newest = self._engine.reads().engine.dead_letters(LETTERS_BACK)
        if not any(_is_about(letter, send) for letter in newest):
            self._engine.store.add_dead_letter("send", send.id, why, at=now, cause=None)

    def _together(self, pairs: Sequence[tuple[Send, Change]], now: datetime) -> frozenset[SendId]:
        """Writes all in one commit. If that fails, writes each in its own commit. Returns the ids
        of the sends that it wrote to."""
        if len(pairs) > 1:
            accepted = Accepted(tuple(change for _, change in pairs))
            with contextlib.suppress(Exception):
                self._submit(lambda _reads: accepted, now)
                return frozenset(send.id for send, _ in pairs)
        return frozenset(send.id for send, change in pairs if self._is_written(send, change, now))

    def _is_written(self, send: Send, change: Change, now: datetime) -> bool:
        """Writes to a send, unless its state has changed."""
        outcome = self._submit(self._ask(send, change, None, now, None), now)
        return not isinstance(outcome, Refused)

    def _submit(self, ask: Ask, now: datetime) -> Outcome:
        return self._engine.store.submit(ask, by=BY, at=now, patient=True).result()

    def _ask(
        self,
        send: Send,
        change: Change,
        command: Command | None,
        now: datetime,
        bounce: Bounce | FailedNumber | None,
    ) -> Ask:
        desk = self._engine.ask(command, now) if command is not None else None

        def ask(reads: Reads) -> Decision:
            if not _is_still(reads, send):
                return Refused(LedgerReason.MOVED_ON)
            answer = desk(reads) if desk is not None else None
            also = answer if isinstance(answer, Accepted) else Accepted()
            changes = (*also.changes, change, *_bounced(reads, bounce))
            return Accepted(changes, also.facts, also.timers)

        return ask


def kept_copy(send: Send, message: Message | Text, channel: str, now: datetime) -> SentMessage:
    if isinstance(message, Text):
        return _kept_text(send, message, channel, now)
    return _kept_mail(send, message, channel, now)


def _kept_text(send: Send, text: Text, channel: str, now: datetime) -> SentMessage:
    """Uses the words of the SMS without its link as the subject, for lists of messages."""
    return SentMessage(
        send_id=send.id,
        channel=channel,
        to_email="",
        to_name=text.to_name,
        from_email="",
        subject=shorten(_LINK.sub("", text.text), MOST_SUBJECT, placeholder=" …").rstrip(" :"),
        text=text.text,
        html="",
        calendar=None,
        calendar_method="",
        message_id=text.message_id,
        sent_at=now,
        from_name=text.from_name,
        to_mobile=text.to_mobile,
    )


def _kept_mail(send: Send, message: Message, channel: str, now: datetime) -> SentMessage:
    return SentMessage(
        send_id=send.id,
        channel=channel,
        to_email=message.to_email,
        to_name=message.to_name,
        from_email=message.from_email,
        subject=message.subject,
        text=message.text,
        html=message.html,
        calendar=message.calendar,
        calendar_method=message.calendar_method or "",
        message_id=message.message_id,
        sent_at=now,
        from_name=message.from_name,
        reply_to=message.reply_to or "",
        in_reply_to=message.in_reply_to or "",
        unsubscribe_url=message.unsubscribe_url or "",
    )


def as_message(kept: SentMessage) -> Message:
    """Rebuilds the mail from its kept copy. A reply refers to the mail that it answers."""
    return Message(
        message_id=kept.message_id,
        to_email=kept.to_email,
        to_name=kept.to_name,
        from_email=kept.from_email,
        from_name=kept.from_name,
        reply_to=kept.reply_to or None,
        subject=kept.subject,
        text=kept.text,
        html=kept.html,
        calendar=kept.calendar,
        calendar_method=kept.calendar_method or None,
        in_reply_to=kept.in_reply_to or None,
        references=(kept.in_reply_to,) if kept.in_reply_to else (),
        unsubscribe_url=kept.unsubscribe_url or None,
        date=kept.sent_at,
    )


def _is_about(letter: DeadLetter, send: Send) -> bool:
    """Whether this letter is open and about this send. A replayed one is about another failure."""
    return letter.what == "send" and letter.ref == send.id and letter.replayed_at is None


def _is_still(reads: Reads, send: Send) -> bool:
    fresh = reads.engine.send(send.id)
    return fresh is not None and fresh.state is send.state


def _bounced(reads: Reads, bounce: Bounce | FailedNumber | None) -> Iterable[Change]:
    """Marks the address or the number, unless the person has another one meanwhile."""
    person = reads.engine.person(bounce.person_id) if bounce else None
    if person is None:
        return
    match bounce:
        case Bounce() if person.email == bounce.email:
            until = bounce.queued_at
            yield MarkBounced(person.id, person.contact_version, bounce.why, until)
        case FailedNumber() if person.mobile == bounce.mobile:
            yield MarkNumber(person.id, bounce.mobile)
        case _:
            return
