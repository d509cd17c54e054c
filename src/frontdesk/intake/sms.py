"""Takes in SMS: runs STOP and START at once, and keeps every SMS for people to read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from typing import Final, Protocol

from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.mail import (
    AS_A_TEXT,
    FOR_A_PERSON,
    NO_MORE_TEXTS,
    TEXTS_AGAIN,
    KeepMail,
    RawMail,
    Shelf,
    mail_id,
    written_by,
)
from frontdesk.core.messages import IncomingText
from frontdesk.core.people import Person, ResumeNumber, StopNumber
from frontdesk.core.sms import is_start, is_stop, may_cancel
from frontdesk.desks.admin.facts import TextsStopped
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Ask, Reads
from frontdesk.values import Frozen

BY: Final = "text"
#: No phone sends a longer SMS.
MOST_CHARACTERS: Final = 2_000
MOST_SUBJECT: Final = 80


class Application(Protocol):
    @property
    def engine(self) -> Engine: ...
    @property
    def clock(self) -> Clock: ...


class TextIn(Frozen):
    app: Application

    def take(self, text: IncomingText) -> None:
        """Stores an SMS; on disk when this returns. A repeat is not stored again."""
        now = self.app.clock.now()
        outcome = self.app.engine.store.decide(self._ask(text, now), by=BY, at=now)
        assert not isinstance(outcome, Refused), "a text that came in is kept"

    def _ask(self, text: IncomingText, now: datetime) -> Ask:
        """Decides in one commit."""

        def ask(reads: Reads) -> Decision:
            people = reads.engine.people_by_mobile(text.from_mobile)
            mail = _raw(text, people)
            if reads.engine.knows_mail(mail.id):
                return Accepted()
            if is_stop(text.words):
                return self._stop(reads, mail, people, now)
            if is_start(text.words):
                return _turned(mail, ResumeNumber(mail.sender), people, stopped=False)
            return Accepted((KeepMail(mail),))

        return ask

    def _stop(
        self, reads: Reads, mail: RawMail, people: Sequence[Person], now: datetime
    ) -> Accepted:
        """Stops texts to the number, and runs `on_stop` of each desk for each person who has it."""
        parts = [_turned(mail, StopNumber(mail.sender), people, stopped=True)]
        for desk in self.app.engine.desks.values():
            for command in filter(None, (desk.on_stop(person.id) for person in people)):
                answer = self.app.engine.ask(command, now)(reads)
                parts += [answer] if isinstance(answer, Accepted) else []
        return Accepted(
            tuple(change for part in parts for change in part.changes),
            tuple(fact for part in parts for fact in part.facts),
            tuple(timer for part in parts for timer in part.timers),
        )


def _turned(mail: RawMail, change: Change, people: Sequence[Person], *, stopped: bool) -> Accepted:
    facts = tuple(TextsStopped(person.id, stopped) for person in people)
    return Accepted((KeepMail(mail), change), facts)


def _raw(text: IncomingText, people: Sequence[Person]) -> RawMail:
    """Sets the person only if exactly one person has this number."""
    return RawMail(
        mail_id(AS_A_TEXT, written_by(text.from_mobile, text.id)),
        text.at,
        text.from_mobile,
        AS_A_TEXT,
        _as_mail(text.words),
        people[0].id if len(people) == 1 else "",
        _outcome(text.words),
        Shelf.WAITLIST,
    )


def _as_mail(words: str) -> bytes:
    """Writes the SMS as a mail, so that pages can show it. Its beginning is the subject."""
    shown = words[:MOST_CHARACTERS].encode("utf-8", "replace").decode()
    mail = EmailMessage()
    mail["Subject"] = " ".join(shown.split())[:MOST_SUBJECT]
    mail.set_content(shown)
    return mail.as_bytes()


def _outcome(words: str) -> str:
    """Returns the outcome. CANCEL stops texts, but may mean the visit: a person should ask."""
    if may_cancel(words):
        return FOR_A_PERSON
    if is_stop(words):
        return NO_MORE_TEXTS
    return TEXTS_AGAIN if is_start(words) else FOR_A_PERSON
