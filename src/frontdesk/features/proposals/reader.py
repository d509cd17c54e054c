"""Opens mail to a desk within limits, and reads it into a proposal for staff."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, Final

from frontdesk.connect.mail_in import BadMail, IncomingMail, read_mail
from frontdesk.core.decision import Command
from frontdesk.core.ids import is_id
from frontdesk.core.jobs import Job
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.mail import FOR_A_PERSON, MailId, MailReceived, RawMail, is_for, tag_of
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.core.sends import SendId
from frontdesk.engine.clock import Clock
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.features.proposals.decide import ProposalDesk
from frontdesk.features.proposals.model import Proposal, ProposalId, ReadField
from frontdesk.reading import model as reading
from frontdesk.reading.model import Context, PictureReader, Reader
from frontdesk.reading.requests import MOST_SECONDS, Request, read_passages, read_request
from frontdesk.reading.sender_budget import SenderBudget
from frontdesk.values import Frozen, field

#: The most text of a request that staff see; the mail itself is kept.
MOST_TEXT: Final = 8_000
MOST_ASIDES: Final = 20

_FIELDS: Final = (
    *("name", "phone", "email", "service", "party"),
    *("earliest_on", "latest_on", "staff"),
)


class OpenedMail(Frozen):
    raw: RawMail
    mail: IncomingMail


def answered_sends(opened: OpenedMail) -> list[SendId]:
    """The ids of sends that the mail may answer, which only we and the customer know: in the
    address that it came to, and in the Message-IDs that it names."""
    named = (opened.mail.in_reply_to, *reversed(opened.mail.references))
    ids = (tag_of(opened.raw.recipient), *(each.strip("<>").partition("@")[0] for each in named))
    return [SendId(each) for each in ids if is_id(each)]


class MailReader(Frozen, kw_only=True):
    """Opens the mail of a desk, and extracts its text within the limits for its sender."""

    address: str
    """Mail to this address is read."""
    clock: Clock
    reads: Callable[[], Reads]
    pictures: PictureReader | None
    our_addresses: tuple[str, ...] = ()
    trusted_authserv: str = ""
    budget: SenderBudget = field(default_factory=SenderBudget)

    @property
    def own(self) -> frozenset[str]:
        return frozenset((*self.our_addresses, self.address))

    def is_addressed(self, reads: Reads, mail_id: MailId) -> bool:
        return is_for(reads.engine.new_mail_to(mail_id), self.address)

    def open(self, reads: Reads, mail_id: MailId) -> OpenedMail | str:
        """Returns the mail, or the reason why it cannot be opened."""
        raw = reads.engine.raw_mail(mail_id)
        if raw is None:
            return "it is gone"
        try:
            mail = read_mail(
                raw.raw,
                trusted_authserv=self.trusted_authserv,
                envelope_from=raw.sender,
                our_addresses=self.own,
            )
        except BadMail as error:
            return f"unreadable: {error}"
        return OpenedMail(raw, mail)

    def open_written(self, reads: Reads, mail_id: MailId) -> OpenedMail | str:
        """Opens a mail that a person wrote. Also returns a reason if a machine wrote it."""
        opened = self.open(reads, mail_id)
        if isinstance(opened, OpenedMail) and opened.mail.automatic is not None:
            return f"not answered: {opened.mail.automatic}"
        return opened

    def text_of(self, opened: OpenedMail) -> Request:
        """Reads within the time that is left for this sender's attachments."""
        sender, now, began = opened.mail.from_email, self.clock.now(), time.monotonic()
        seconds = min(MOST_SECONDS, self.budget.left(sender, now))
        request = read_request(
            opened.raw.raw, pictures=self.pictures, own_addresses=self.own, seconds=seconds
        )
        self.budget.spend(sender, time.monotonic() - began, now)
        return request


class RequestReader(MailReader, kw_only=True):
    """Reads each mail in its own job: reading is slow, and nothing else should wait for a scan."""

    desk: ProposalDesk
    zone: Callable[[Reads], str]
    """The time zone of the business."""
    catalogue: SavedSetting[Catalogue]
    """The services and the staff that a request may name."""
    country: str
    reader: Reader
    reader_name: str
    takes_requests: bool = True
    """If False, mail waits for a person."""

    def take(self, reads: Reads, recorded: Recorded) -> Iterable[Command]:
        """Starts the job that reads a mail, if the mail was sent to the desk's address."""
        fact = recorded.fact
        assert isinstance(fact, MailReceived)
        return (self.desk.read(fact.mail_id),) if self.is_addressed(reads, fact.mail_id) else ()

    def read(self, job: Job) -> Command:
        """Reads the mail of a job and returns the command that follows."""
        reads, mail_id = self.reads(), MailId(job.subject)
        opened = self.open_written(reads, mail_id)
        if isinstance(opened, str):
            return self.desk.ignore(mail_id, opened, job.id)
        if not self.takes_requests:
            return self.desk.ignore(mail_id, FOR_A_PERSON, job.id)
        return self.desk.propose(self._proposal(reads, opened), job.id)

    def _proposal(self, reads: Reads, opened: OpenedMail) -> Proposal:
        request = self.text_of(opened)
        fields, asides = self.fields_of(reads, request)
        return self.proposal_of(opened, request, fields, asides)

    def fields_of(
        self, reads: Reads, request: Request
    ) -> tuple[tuple[ReadField, ...], tuple[str, ...]]:
        """Reads the fields of the desk, and other statements for staff."""
        found = read_passages(self.reader, request, self.context(reads))
        fields = ((name, getattr(found, name)) for name in _FIELDS)
        return tuple(read_field(name, one) for name, one in fields if one is not None), tuple(
            each.text for each in found.asides[:MOST_ASIDES]
        )

    def proposal_of(
        self,
        opened: OpenedMail,
        request: Request,
        fields: tuple[ReadField, ...],
        asides: tuple[str, ...] = (),
    ) -> Proposal:
        raw = opened.raw
        return Proposal(
            id=ProposalId(raw.id),
            mail_id=raw.id,
            sender=opened.mail.from_email,
            received_at=raw.received_at,
            fields=fields,
            asides=asides,
            text=request.text[:MOST_TEXT],
            unread="\n".join(request.unread),
            reader=self.reader_name,
        )

    def context(self, reads: Reads) -> Context:
        tz = zone(self.zone(reads))
        known = reads.engine.setting(self.catalogue)
        return Context(
            today=to_wall(self.clock.now(), tz).date(),
            zone=tz,
            country=self.country,
            services=tuple(reading.ServiceNames(one.name, one.aliases) for one in known.services),
            staff=known.staff,
            own_addresses=self.own,
        )


def read_field(name: str, one: reading.Field[Any]) -> ReadField:
    value = one.value.isoformat() if isinstance(one.value, date) else str(one.value)
    return ReadField(name, value, one.confidence.value, one.words.text)
