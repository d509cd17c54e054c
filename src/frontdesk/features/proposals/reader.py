"""Reads a mail into a proposal for staff."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, Final

from frontdesk.connect.mail_in import BadMail, read_mail
from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.mail import MailId, MailReceived, RawMail, is_for
from frontdesk.core.saved_settings import SavedSetting
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


class RequestReader(Frozen, kw_only=True):
    """Reads each mail in its own job: reading is slow, and nothing else should wait for a scan."""

    desk: ProposalDesk
    zone: Callable[[Reads], str]
    """The time zone of the business."""
    catalogue: SavedSetting[Catalogue]
    """The services and the staff that a request may name."""
    address: str
    """Mail to this address is read."""
    clock: Clock
    reads: Callable[[], Reads]
    country: str
    reader: Reader
    reader_name: str
    pictures: PictureReader | None
    our_addresses: tuple[str, ...] = ()
    budget: SenderBudget = field(default_factory=SenderBudget)

    def take(self, reads: Reads, recorded: Recorded) -> Iterable[Command]:
        """Starts reading a mail that was sent to the desk's address."""
        fact = recorded.fact
        assert isinstance(fact, MailReceived)
        is_ours = is_for(reads.engine.new_mail_to(fact.mail_id), self.address)
        return (self.desk.read(fact.mail_id),) if is_ours else ()

    def read(self, job: Job) -> Command:
        """Reads the mail of a job and returns the command that follows."""
        reads = self.reads()
        raw = reads.engine.raw_mail(MailId(job.subject))
        if raw is None:
            return self.desk.ignore(MailId(job.subject), "it is gone", job.id)
        try:
            mail = read_mail(
                raw.raw, envelope_from=raw.sender, our_addresses=(*self.our_addresses, self.address)
            )
        except BadMail as error:
            return self.desk.ignore(raw.id, f"unreadable: {error}", job.id)
        if mail.automatic is not None:
            return self.desk.ignore(raw.id, f"not answered: {mail.automatic}", job.id)
        return self.desk.propose(self._proposal(reads, raw, mail.from_email), job.id)

    def _proposal(self, reads: Reads, raw: RawMail, sender: str) -> Proposal:
        own = frozenset((*self.our_addresses, self.address))
        request = self._request(raw, sender, own)
        found = read_passages(self.reader, request, self._context(reads, own))
        return Proposal(
            id=ProposalId(raw.id),
            mail_id=raw.id,
            sender=sender,
            received_at=raw.received_at,
            fields=tuple(
                _field(name, one) for name in _FIELDS if (one := getattr(found, name)) is not None
            ),
            asides=tuple(each.text for each in found.asides[:MOST_ASIDES]),
            text=request.text[:MOST_TEXT],
            unread="\n".join(request.unread),
            reader=self.reader_name,
        )

    def _request(self, raw: RawMail, sender: str, own: frozenset[str]) -> Request:
        """Reads within the time that is left for this sender's attachments."""
        now, began = self.clock.now(), time.monotonic()
        seconds = min(MOST_SECONDS, self.budget.left(sender, now))
        request = read_request(raw.raw, pictures=self.pictures, own_addresses=own, seconds=seconds)
        self.budget.spend(sender, time.monotonic() - began, now)
        return request

    def _context(self, reads: Reads, own: frozenset[str]) -> Context:
        tz = zone(self.zone(reads))
        known = reads.engine.setting(self.catalogue)
        return Context(
            today=to_wall(self.clock.now(), tz).date(),
            zone=tz,
            country=self.country,
            services=tuple(reading.Service(one.name, one.aliases) for one in known.services),
            staff=known.staff,
            own_addresses=own,
        )


def _field(name: str, one: reading.Field[Any]) -> ReadField:
    value = one.value.isoformat() if isinstance(one.value, date) else str(one.value)
    return ReadField(name, value, one.confidence.value, one.words.text)
