"""Reads mails to the desk: a forwarded confirmation becomes a proposed appointment."""

from __future__ import annotations

from typing import Any

from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.mail import FOR_A_PERSON, MailId
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.engine.ports import Reads
from frontdesk.features.proposals.model import ReadField
from frontdesk.features.proposals.reader import RequestReader, read_field
from frontdesk.reading.confirmation import Confirmation, read_confirmation
from frontdesk.reading.model import Confidence, Field
from frontdesk.reading.requests import Request
from frontdesk.values import replace


class ConfirmationReader(RequestReader, kw_only=True):
    """Proposes an appointment from a mail that names a day or has an unreadable part. Staff read
    any other mail themselves."""

    def read(self, job: Job) -> Command:
        reads, mail_id = self.reads(), MailId(job.subject)
        opened = self.open_written(reads, mail_id)
        if isinstance(opened, str):
            return self.desk.ignore(mail_id, opened, job.id)
        request = self.text_of(opened)
        fields = self._fields(reads, request, opened.mail.from_email)
        if not request.unread and not any(one.name == "date" for one in fields):
            return self.desk.ignore(mail_id, FOR_A_PERSON, job.id)
        return self.desk.propose(self.proposal_of(opened, request, fields), job.id)

    def _fields(self, reads: Reads, request: Request, sender: str) -> tuple[ReadField, ...]:
        """Reads mail from our own addresses too: staff forward what they wrote to customers. The
        sender counts as the customer only if there is no other address."""
        now = to_wall(self.clock.now(), zone(self.zone(reads)))
        context = replace(self.context(reads), own_addresses=frozenset())
        ours = self._ours(reads)
        found = read_confirmation(request, context, now, self.reader, ours=ours | {sender.lower()})
        fields = visit_fields(found)
        if found.email is not None or not sender or sender.lower() in ours:
            return fields
        return (*fields, ReadField("email", sender, Confidence.UNSURE.value, ""))

    def _ours(self, reads: Reads) -> frozenset[str]:
        ar = reminder_reads(reads)
        team = (ar.person(each) for each in ar.staff())
        addresses = (*self.own, *(each.email for each in team if each))
        return frozenset(each.lower() for each in addresses)


def visit_fields(found: Confirmation) -> tuple[ReadField, ...]:
    """The fields of a proposed appointment, with the names of the form's fields."""
    named: list[tuple[str, Field[Any] | None]] = [
        (name, getattr(found, name)) for name in ("name", "phone", "email", "service", "staff")
    ]
    fields = [*named, ("date", found.on), ("minutes", found.minutes)]
    read = [read_field(name, one) for name, one in fields if one is not None]
    if (at := found.minute) is not None:
        clock = f"{at.value // 60:02}:{at.value % 60:02}"
        read.append(ReadField("time", clock, at.confidence.value, at.words.text))
    return tuple(read)
