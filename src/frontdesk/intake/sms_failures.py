"""Takes reports that a network did not deliver a text that it had accepted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.people import MarkNumber, Person
from frontdesk.core.sends import MarkUndelivered, Send, SendState, Via
from frontdesk.engine.ports import Reads
from frontdesk.intake.application import IntakeApplication, undeliverable
from frontdesk.logs import log, without_addresses
from frontdesk.values import Frozen, replace

BY: Final = "text"
#: A report is about one of the newest messages to a person: networks give up after a day or two.
NEWEST: Final = 50
MOST_WHY: Final = 200
#: Reasons that say nothing about the number: another text may well arrive.
_OF_THE_NETWORK: Final = (
    "blocked as spam",
    "carrier",
    "exceed max price",
    "message body",
    "quota",
)


class NotYetKnown(Exception):
    """A text to this number is being sent at this moment; the report may be about it. Try again."""


class TextFailure(Frozen):
    """`id` is the one that the network returned when it accepted the text."""

    id: str
    to_mobile: str
    why: str

    @property
    def is_about_number(self) -> bool:
        text = self.why.lower()
        return not any(each in text for each in _OF_THE_NETWORK)


class TextFailures(Frozen):
    app: IntakeApplication

    def take(self, failure: TextFailure) -> bool:
        """Records the failure with the message, marks the number, and lets the desk use another
        channel. Returns whether the text is ours; a repeat changes nothing. Raises `NotYetKnown`.
        """
        now, reads = self.app.clock.now(), self.app.engine.reads()
        found = _text_of(reads, failure)
        if found is None:
            return False
        send, person = found

        def ask(reads: Reads) -> Decision:
            fresh = reads.engine.send(send.id)
            if fresh is None or fresh.state is not SendState.SENT or fresh.why:
                return Accepted()
            return self._reported(reads, replace(fresh, why=_reason(failure)), person, failure, now)

        outcome = self.app.engine.store.decide(ask, by=BY, at=now)
        assert not isinstance(outcome, Refused), "recording a report is never refused"
        log("text.undelivered", send=send.id, desk=send.desk, kind=send.kind, why=_reason(failure))
        return True

    def _reported(
        self, reads: Reads, send: Send, person: Person, failure: TextFailure, now: datetime
    ) -> Accepted:
        also = undeliverable(self.app, reads, send, now)
        changes: tuple[Change, ...] = (MarkUndelivered(send.id, send.why), *also.changes)
        if failure.is_about_number and not person.mobile_fails:
            changes += (MarkNumber(person.id, failure.to_mobile),)
        return replace(also, changes=changes)


def _text_of(reads: Reads, failure: TextFailure) -> tuple[Send, Person] | None:
    """Finds the message by the network's id among the newest ones to this number."""
    is_under_way = False
    for send, person in _texts_to(reads, failure.to_mobile):
        kept = reads.engine.sent_message(send.id) if send.state is SendState.SENT else None
        if kept is not None and kept.provider_id == failure.id:
            return send, person
        is_under_way = is_under_way or send.state is SendState.SENDING
    if is_under_way:
        raise NotYetKnown(failure.id)
    return None


def _texts_to(reads: Reads, mobile: str) -> Iterator[tuple[Send, Person]]:
    for person in reads.engine.people_by_mobile(mobile):
        for send in reads.engine.newest_sends_to(person.id, NEWEST):
            if send.via is Via.TEXT:
                yield send, person


def _reason(failure: TextFailure) -> str:
    return f"not delivered: {without_addresses(failure.why)}"[:MOST_WHY]
