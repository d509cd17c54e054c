"""Takes in mail: stores each mail with its fact before it is accepted, and handles bounces."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final, Protocol

from frontdesk.connect.bounces import BouncedMail, read_bounce
from frontdesk.connect.mail_headers import Envelope
from frontdesk.connect.mail_in import BadMail, read_mail, repeat_key
from frontdesk.core.decision import Accepted, Change, Decision, Fact, Refused
from frontdesk.core.mail import (
    CAME_BACK,
    FOR_A_PERSON,
    NOT_ANSWERED,
    KeepMail,
    MailFolder,
    MailReceived,
    RawMail,
    is_for,
    mail_id,
)
from frontdesk.core.people import MarkBounced, Person
from frontdesk.core.sends import Send, SendId
from frontdesk.desks.admin.facts import AddressMarked
from frontdesk.engine.desk import Desk
from frontdesk.engine.ports import Ask, Reads
from frontdesk.intake.application import IntakeApplication, undeliverable
from frontdesk.logs import without_addresses
from frontdesk.settings import Settings
from frontdesk.values import Frozen, replace

BY: Final = "mail"


class MailApplication(IntakeApplication, Protocol):
    @property
    def settings(self) -> Settings: ...


class _Read(Frozen):
    """A parsed mail. `outcome` applies if no desk reads the mail."""

    envelope: Envelope
    repeat_key: bytes
    outcome: str
    bounce: BouncedMail | None


class MailIn(Frozen):
    app: MailApplication

    def accepts(self, address: str) -> bool:
        """Whether a desk takes mail at this address, or we send from it."""
        return self._is_ours(address) or self._desk(self.app.engine.reads(), address) is not None

    async def deliver(self, envelope: Envelope) -> None:
        """Stores a mail. Parses it in a thread, so that neither pages nor the writer wait."""
        import asyncio  # functions on AWS have no event loop and need not load it

        now = self.app.clock.now()
        read = await asyncio.to_thread(self._read, envelope)
        outcome = await self.app.engine.store.decide_async(self._ask(read, now), by=BY, at=now)
        assert not isinstance(outcome, Refused), "storing a mail is never refused"

    def take(self, envelope: Envelope) -> None:
        """Does the same as `deliver`, without an event loop."""
        now = self.app.clock.now()
        outcome = self.app.engine.store.decide(self._ask(self._read(envelope), now), by=BY, at=now)
        assert not isinstance(outcome, Refused), "storing a mail is never refused"

    def take_bounce(self, bounce: BouncedMail) -> None:
        """Handles a bounce that a mail service reports. A repeat does no harm."""
        now = self.app.clock.now()

        def ask(reads: Reads) -> Decision:
            found = _bounced_send(reads, bounce)
            if found is None:
                return Accepted()
            if found[1].bounced:
                return Accepted((_mark(*found, bounce),))
            return self._marked(reads, found, bounce, now)

        self.app.engine.store.decide(ask, by=BY, at=now)

    def _read(self, envelope: Envelope) -> _Read:
        """Parses a mail without reading the store."""
        if envelope.unwanted:
            outcome, bounce = f"{NOT_ANSWERED}{envelope.unwanted}", None
        else:
            outcome, bounce = self._not_for_a_desk(envelope), read_bounce(envelope.raw)
        return _Read(envelope, repeat_key(envelope.raw), outcome, bounce)

    def _ask(self, read: _Read, now: datetime) -> Ask:
        """Decides in one commit. A mail that is already stored is not stored again."""

        def ask(reads: Reads) -> Decision:
            mails = [
                mail
                for mail in self._copies(reads, read, now)
                if not reads.engine.knows_mail(mail.id)
            ]
            if read.bounce is not None:
                return self._store_bounce(reads, mails, read.bounce, now)
            return Accepted(
                tuple(KeepMail(mail) for mail in mails),
                tuple(MailReceived(mail.id) for mail in mails if not mail.outcome),
            )

        return ask

    def _copies(self, reads: Reads, read: _Read, now: datetime) -> Iterable[RawMail]:
        """Returns a copy for each event or list that the mail was sent to, and one for all other
        addresses."""
        found: dict[str, RawMail] = {}
        for address in (each.lower() for each in read.envelope.rcpt_to):
            desk, what = self._desk(reads, address) or (None, "")
            if what not in found:
                is_read_by_a_desk = what and not read.envelope.unwanted
                outcome = "" if is_read_by_a_desk else read.outcome
                folder = desk.mail_folder if desk else MailFolder.MAIL
                found[what] = _settled(_raw(read, address, what, folder, now), outcome)
        return found.values()

    def _desk(self, reads: Reads, address: str) -> tuple[Desk, str] | None:
        """Returns the desk that takes mail at this address, and the subject of mail there."""
        for desk in self.app.engine.desks.values():
            if what := desk.mail_about(reads, address):
                return desk, what
        return None

    def _not_for_a_desk(self, envelope: Envelope) -> str:
        """Returns the outcome of a mail that no desk reads: for a person, unless a machine wrote
        the mail."""
        try:
            read = read_mail(
                envelope.raw,
                envelope_from=envelope.mail_from,
                our_addresses=(self.app.settings.from_email,),
            )
        except BadMail:
            return FOR_A_PERSON
        return f"{NOT_ANSWERED}{read.automatic}" if read.automatic else FOR_A_PERSON

    def _store_bounce(
        self, reads: Reads, mails: Iterable[RawMail], bounce: BouncedMail, now: datetime
    ) -> Accepted:
        """Stores the bounce, marks the person and runs the desk's command, in one commit."""
        found = _bounced_send(reads, bounce)
        person_id = found[1].id if found else ""
        changes: list[Change] = [KeepMail(_settled(mail, CAME_BACK, person_id)) for mail in mails]
        if not found or not changes:
            return Accepted(tuple(changes))
        marked = self._marked(reads, found, bounce, now)
        return replace(marked, changes=(*changes, *marked.changes))

    def _marked(
        self, reads: Reads, found: tuple[Send, Person], bounce: BouncedMail, now: datetime
    ) -> Accepted:
        send, person = found
        also = undeliverable(self.app, reads, send, now)
        facts: tuple[Fact, ...] = (AddressMarked(person.id, True), *also.facts)
        return Accepted((_mark(send, person, bounce), *also.changes), facts, also.timers)

    def _is_ours(self, address: str) -> bool:
        """Whether we send from this address. It gets bounces, and answers to messages of a desk
        that has been switched off: these wait for a person."""
        return any(is_for(address, each) for each in self.app.settings.sender_addresses)


def _raw(read: _Read, recipient: str, what: str, folder: MailFolder, now: datetime) -> RawMail:
    """Gives a repeated mail the same id: a sender that got no confirmation sends it again."""
    id_ = mail_id(what, read.repeat_key)
    envelope = read.envelope
    return RawMail(id_, now, envelope.mail_from, recipient, envelope.raw, shelf=folder)


def _settled(mail: RawMail, outcome: str, person_id: str = "") -> RawMail:
    return replace(mail, person_id=person_id, outcome=outcome)


def _mark(send: Send, person: Person, bounce: BouncedMail) -> MarkBounced:
    """Marks the person. Links that were mailed until then become invalid: a bounce quotes them."""
    why = person.bounced or without_addresses(bounce.why)
    return MarkBounced(person.id, person.contact_version, why, send.queued_at)


def _bounced_send(reads: Reads, bounce: BouncedMail) -> tuple[Send, Person] | None:
    """Finds the send by its Message-ID, which only we and the recipient know. The person must
    still have the address."""
    send_id = SendId(bounce.message_id.strip("<>").partition("@")[0])
    send, kept = reads.engine.send(send_id), reads.engine.sent_message(send_id)
    person = reads.engine.person(send.person_id) if send else None
    if send is None or kept is None or person is None or person.email != kept.to_email:
        return None
    return send, person
