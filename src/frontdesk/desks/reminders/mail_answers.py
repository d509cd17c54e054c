"""Takes mail to the reminders desk: finds the reminder that it answers, and reads the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Command
from frontdesk.core.mail import FOR_A_PERSON, MailId, MailReceived
from frontdesk.core.sends import Send
from frontdesk.desks.reminders.commands import SettleIncomingMail
from frontdesk.desks.reminders.incoming_answers import answer_command
from frontdesk.desks.reminders.load import MOST_OF_CUSTOMER, reminder_reads
from frontdesk.desks.reminders.model import CODE, Appointment, AppointmentId, Means
from frontdesk.desks.reminders.notes import KINDS
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.proposals.reader import MailReader, OpenedMail, answered_sends
from frontdesk.logs import log
from frontdesk.reading.visit_answer import VisitAnswer, read_visit_answer

#: The messages that ask whether the customer comes.
_ASK: Final = frozenset((*KINDS.values(), "which_visit"))
#: A yes to one of these could mean several things, so staff read the answer.
_TELL: Final = frozenset(("choose_time", "too_late", "moved"))


def leave_to_staff(mail_id: MailId) -> Command:
    return SettleIncomingMail(mail_id, FOR_A_PERSON)


class MailAnswers(MailReader, kw_only=True):
    otherwise: Callable[[MailId], Command] = leave_to_staff
    """Returns the command for a mail that answers no message of ours."""

    def take(self, reads: Reads, recorded: Recorded) -> Iterable[Command]:
        """Acts on a clear answer to a reminder. Staff read every other answer."""
        fact = recorded.fact
        assert isinstance(fact, MailReceived)
        if not self.is_addressed(reads, fact.mail_id):
            return ()
        opened = self.open_written(reads, fact.mail_id)
        if isinstance(opened, str):
            return (SettleIncomingMail(fact.mail_id, opened),)
        if not any(reads.engine.send(each) for each in answered_sends(opened)):
            return (self.otherwise(fact.mail_id),)
        send = self._answered(reads, opened)
        visits = tuple(each.id for each in _told_of(reads, send)) if send else ()
        if send is None or not visits:
            return (leave_to_staff(fact.mail_id),)
        words = opened.mail.new_text
        answer = read_visit_answer(words) if send.kind in _ASK else VisitAnswer()
        log("reminders.answer_read", mail=fact.mail_id, confidence=answer.confidence)
        return (answer_command(answer, fact.mail_id, Means.MAIL, visits, words, settles=True),)

    def _answered(self, reads: Reads, opened: OpenedMail) -> Send | None:
        """The message that the mail answers, if its sender is the customer. Only we and the
        customer know the message's id."""
        for send_id in answered_sends(opened):
            send = reads.engine.send(send_id)
            if send is None or send.desk != CODE or send.kind not in _ASK | _TELL:
                continue
            person = reads.engine.person(send.person_id)
            if person is None or person.erased or not person.email:
                return None
            is_theirs = email_key(person.email) == email_key(opened.mail.from_email)
            return send if is_theirs else None
        return None


def _told_of(reads: Reads, send: Send) -> Iterable[Appointment]:
    """The visits of a message, except those that have moved since."""
    ar = reminder_reads(reads)
    params = send.params
    named = str(params.get("visits", "")) or f"{send.subject} {params.get('together', '')}"
    for one in named.split()[:MOST_OF_CUSTOMER]:
        found = ar.appointment(AppointmentId(one))
        if found is not None and found.booked_at <= send.queued_at:
            yield found
