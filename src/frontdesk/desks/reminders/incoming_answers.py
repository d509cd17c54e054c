"""Finds the visits that an incoming text answers, and reads the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Final

from frontdesk.core.decision import Command
from frontdesk.core.mail import MailId
from frontdesk.core.messages import IncomingText
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import Via
from frontdesk.core.sms import is_help, is_stop
from frontdesk.desks.reminders.commands import AnswerInWords, NoteOptOut
from frontdesk.desks.reminders.decide.written_replies import outcome_of
from frontdesk.desks.reminders.load import MOST_OF_CUSTOMER, reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    Means,
    Reminder,
    ReminderState,
    ReplyAction,
)
from frontdesk.desks.reminders.notes import reminder_key
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.engine.desk import TextIntake
from frontdesk.engine.follow import send_id
from frontdesk.engine.ports import Reads
from frontdesk.reading.model import Confidence
from frontdesk.reading.visit_answer import VisitAnswer, read_visit_answer

#: A family may share one number.
MOST_PEOPLE: Final = 6
MOST_LOOKED_AT: Final = 100
MOST_WORDS: Final = 1_000
OtherQuestion = Callable[[Reads, PersonId], bool]
"""Whether another desk waits for an answer of this person: the text may be meant for it."""


def text_intake(is_on: bool, other_question: OtherQuestion | None = None) -> TextIntake:
    """Takes texts from numbers that got a reminder of a coming visit. Only this desk asks for
    digits; words may be an answer to another desk."""

    def is_for_other(reads: Reads, people: Sequence[Person]) -> bool:
        return other_question is not None and any(other_question(reads, one.id) for one in people)

    def command(
        reads: Reads, text: IncomingText, mail_id: MailId, people: Sequence[Person]
    ) -> Command | None:
        if not is_on or not people:
            return None
        known = _with_visits(reads, people, text.at)
        if is_stop(text.words):
            return _opt_out(reads, mail_id, known, text.at)
        visits = tuple(_reminded(reads, known, text))
        if not visits:
            return None
        answer = read_visit_answer(text.words)
        if is_help(text.words) or (
            not answer.by_digit and is_for_other(reads, (*known, *people[:MOST_PEOPLE]))
        ):
            answer = VisitAnswer()
        return answer_command(answer, mail_id, Means.TEXT, visits, text.words)

    return TextIntake(command, outcome_of)


def _with_visits(reads: Reads, people: Sequence[Person], at: datetime) -> Sequence[Person]:
    """The first of these people with a coming visit. Many people may be listed, because anybody can
    type any number."""
    ar = reminder_reads(reads)
    found = (one for one in people[:MOST_LOOKED_AT] if ar.live_of(one.id, at, 1))
    return tuple(islice(found, MOST_PEOPLE))


def answer_command(
    answer: VisitAnswer,
    mail_id: MailId,
    means: Means,
    visits: tuple[AppointmentId, ...],
    words: str,
    *,
    settles: bool = False,
) -> AnswerInWords:
    is_clear = answer.choice is not None and answer.confidence is Confidence.CONFIDENT
    choice = ReplyAction(answer.choice.value) if answer.choice and is_clear else None
    return AnswerInWords(
        mail_id, means, visits, choice, answer.at, _readable(words), settles=settles
    )


def _readable(words: str) -> str:
    """Replaces half characters and control characters, which a store cannot keep."""
    whole = words[:MOST_WORDS].encode("utf-8", "replace").decode()
    return "".join(each if each.isprintable() or each == "\n" else " " for each in whole)


def _opt_out(
    reads: Reads, mail_id: MailId, people: Sequence[Person], now: datetime
) -> NoteOptOut | None:
    ar = reminder_reads(reads)
    nearest = (next(iter(ar.live_of(each.id, now, 1)), None) for each in people)
    visits = tuple(each.id for each in nearest if each is not None)
    return NoteOptOut(mail_id, visits) if visits else None


def _reminded(
    reads: Reads, people: Iterable[Person], text: IncomingText
) -> Iterator[AppointmentId]:
    """Coming visits for which a reminder went to this number."""
    ar = reminder_reads(reads)
    for person in people:
        for one in ar.live_of(person.id, text.at, MOST_OF_CUSTOMER):
            rows = ar.reminders_of(one.id)
            if any(_was_texted_to(reads, ar, one, row, text.from_mobile) for row in rows):
                yield one.id


def _was_texted_to(
    reads: Reads, ar: ReminderReads, one: Appointment, row: Reminder, mobile: str
) -> bool:
    """Whether the reminder went to this number as a text. A text with an unknown outcome may have
    arrived, so it counts."""
    lead = one if row.lead == one.id else ar.appointment(row.lead)
    if row.state is not ReminderState.SENT or row.chain != one.chain or lead is None:
        return False
    sent = send_id(reminder_key(lead.id, lead.chain, row.message_window), lead.person_id)
    if kept := reads.engine.sent_message(sent):
        return kept.to_mobile == mobile
    send = reads.engine.send(sent)
    return send is not None and send.via is Via.TEXT
