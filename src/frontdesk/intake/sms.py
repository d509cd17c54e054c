"""Takes in SMS: acts on STOP and START at once, passes others to their desk, and stores every
SMS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from email.message import EmailMessage
from typing import Final

from frontdesk.core.consents import ConsentSource, Statement, consent_changes
from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.mail import (
    AS_A_TEXT,
    FOR_A_PERSON,
    NO_MORE_TEXTS,
    TEXTS_AGAIN,
    KeepMail,
    MailFolder,
    MailId,
    RawMail,
    mail_id,
    written_by,
)
from frontdesk.core.messages import IncomingText
from frontdesk.core.people import MarkNumber, Person, ResumeNumber, StopNumber
from frontdesk.core.sms import is_start, is_stop, may_cancel
from frontdesk.desks.admin.facts import TextsStopped
from frontdesk.engine.ports import Ask, Reads
from frontdesk.intake.application import IntakeApplication
from frontdesk.values import Frozen

BY: Final = "text"
#: No phone sends a longer SMS.
MOST_CHARACTERS: Final = 2_000
MOST_SUBJECT: Final = 80
#: No store writes more than 100 rows in a commit.
PEOPLE_A_COMMIT: Final = 4


class TextIn(Frozen):
    app: IntakeApplication

    def take(self, text: IncomingText) -> str:
        """Stores an SMS, which is on the disk when this returns. Returns its outcome; empty for a
        repeat, which is not stored again."""
        now = self.app.clock.now()
        outcomes = [""]
        if is_stop(text.words) or is_start(text.words):
            self._stop_or_resume_others(text, now)
        ask = self._ask(text, now, outcomes.append)
        committed = self.app.engine.store.decide(ask, by=BY, at=now)
        assert not isinstance(committed, Refused), "storing a text is never refused"
        return outcomes[-1]

    def _stop_or_resume_others(self, text: IncomingText, now: datetime) -> None:
        """Stops or resumes for all but the first people with this number. Runs before the text is
        stored, so that the network sends it again after a failure. Anybody can enter any number, so
        there may be many people."""
        people = self.app.engine.reads().engine.people_by_mobile(text.from_mobile)
        for start in range(PEOPLE_A_COMMIT, len(people), PEOPLE_A_COMMIT):
            some = people[start : start + PEOPLE_A_COMMIT]
            self.app.engine.store.decide(self._ask_about(text, some, now), by=BY, at=now)

    def _ask_about(self, text: IncomingText, people: Sequence[Person], now: datetime) -> Ask:
        def ask(reads: Reads) -> Decision:
            if reads.engine.knows_mail(_mail_id(text)):
                return Accepted()
            return self._stop_or_resume(reads, text, people, now)

        return ask

    def _ask(self, text: IncomingText, now: datetime, tell: Callable[[str], None]) -> Ask:
        """Decides in one commit, and passes the outcome to `tell`."""

        def ask(reads: Reads) -> Decision:
            people = reads.engine.people_by_mobile(text.from_mobile)
            if reads.engine.knows_mail(_mail_id(text)):
                return Accepted()
            taken, outcome = self._taken(reads, text, people, now)
            tell(outcome)
            kept = Accepted((KeepMail(_raw(text, people, outcome)),))
            first = people[:PEOPLE_A_COMMIT]
            if is_stop(text.words) or is_start(text.words):
                return _combined([kept, self._stop_or_resume(reads, text, first, now), taken])
            return _combined([kept, Accepted(tuple(_mark_reachable(first))), taken])

        return ask

    def _taken(
        self, reads: Reads, text: IncomingText, people: Sequence[Person], now: datetime
    ) -> tuple[Accepted, str]:
        """Lets the first desk that waits for an answer take it. Returns its changes, and the
        outcome of the text."""
        if is_start(text.words):
            return Accepted(), TEXTS_AGAIN
        for intake in (desk.text_intake for desk in self.app.engine.desks.values()):
            command = intake.command(reads, text, _mail_id(text), people) if intake else None
            answer = self.app.engine.ask(command, now)(reads) if command else None
            if intake and isinstance(answer, Accepted):
                return answer, intake.outcome(answer)
        return Accepted(), _outcome(text.words)

    def _stop_or_resume(
        self, reads: Reads, text: IncomingText, people: Sequence[Person], now: datetime
    ) -> Accepted:
        """Stops texts to the number and runs `on_stop` of each desk for each of these people, or
        allows texts again."""
        stopped = is_stop(text.words)
        change = StopNumber(text.from_mobile) if stopped else ResumeNumber(text.from_mobile)
        facts = tuple(TextsStopped(person.id, stopped) for person in people)
        parts = [Accepted((change,), facts)]
        parts.append(_consents(reads, text, people, now, given=not stopped))
        for desk in self.app.engine.desks.values() if stopped else ():
            for command in filter(None, (desk.on_stop(person.id) for person in people)):
                answer = self.app.engine.ask(command, now)(reads)
                parts += [answer] if isinstance(answer, Accepted) else []
        return _combined(parts)


def _consents(
    reads: Reads, text: IncomingText, people: Sequence[Person], now: datetime, *, given: bool
) -> Accepted:
    """Records that the owner of the number gave or withdrew consent, for each person who has it."""
    statement = Statement(ConsentSource.REPLY, given, " ".join(text.words.split()))
    return Accepted(
        tuple(
            change
            for person in people
            for change in consent_changes(
                reads.engine.consent(person.id), person.id, text.from_mobile, statement, now
            )
        )
    )


def _mark_reachable(people: Sequence[Person]) -> Iterator[Change]:
    """Marks the number as working: a number that sends texts can also receive them."""
    for person in people:
        if person.mobile_fails:
            yield MarkNumber(person.id, person.mobile, fails=False)


def _combined(parts: Sequence[Accepted]) -> Accepted:
    return Accepted(
        tuple(change for part in parts for change in part.changes),
        tuple(fact for part in parts for fact in part.facts),
        tuple(timer for part in parts for timer in part.timers),
    )


def _mail_id(text: IncomingText) -> MailId:
    return mail_id(AS_A_TEXT, written_by(text.from_mobile, text.id))


def _raw(text: IncomingText, people: Sequence[Person], outcome: str) -> RawMail:
    """Sets the person only if exactly one person has this number."""
    return RawMail(
        _mail_id(text),
        text.at,
        text.from_mobile,
        AS_A_TEXT,
        _as_mail(text.words),
        people[0].id if len(people) == 1 else "",
        outcome,
        MailFolder.WAITLIST,
    )


def _as_mail(words: str) -> bytes:
    """Writes the SMS as a mail, so that pages can show it. Its beginning is the subject."""
    shown = words[:MOST_CHARACTERS].encode("utf-8", "replace").decode()
    mail = EmailMessage()
    mail["Subject"] = " ".join(shown.split())[:MOST_SUBJECT]
    mail.set_content(shown)
    return mail.as_bytes()


def _outcome(words: str) -> str:
    """Returns the outcome of an SMS that no desk takes. CANCEL stops texts but may be about the
    visit, so a person should ask."""
    return NO_MORE_TEXTS if is_stop(words) and not may_cancel(words) else FOR_A_PERSON
