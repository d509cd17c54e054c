"""Turns mail to an event's address into commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final

from frontdesk.connect.cancel_words import wants_to_cancel
from frontdesk.connect.mail_in import Automatic, BadMail, IncomingMail, read_mail
from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Command
from frontdesk.core.mail import FOR_A_PERSON, MailId, MailReceived, RawMail, ReplyHeaders
from frontdesk.core.people import Person, PersonId
from frontdesk.desks.rsvp.commands import AnswerAgain, AnswerStranger, Cancel, IgnoreMail, SignUp
from frontdesk.desks.rsvp.facts import AskedAgain, StrangerAnswered
from frontdesk.desks.rsvp.links import event_addressed
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import Event, Guest, GuestId, Lane
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.values import Frozen

#: The most answers that change nothing, per person and event in one day. More mails mean a loop
#: between machines, or somebody who abuses us to mail a stranger.
MOST_ANSWERS_A_DAY: Final = 10
_DAY: Final = timedelta(days=1)


class Mailroom(Frozen):
    """Reads mail for this desk."""

    new_id: Callable[[], str]
    mail_domain: str
    trusted_authserv: str
    our_addresses: tuple[str, ...] = ()
    takes_sign_ups: bool = True
    """If false, a mail that would sign somebody up waits for staff."""

    def read(self, reads: Reads, recorded: Recorded) -> Iterable[Command]:
        """Signs the sender up, or cancels if the mail clearly says so."""
        fact = recorded.fact
        assert isinstance(fact, MailReceived)
        ev = rsvp(reads)
        event = event_addressed(ev, reads.engine.new_mail_to(fact.mail_id), self.mail_domain)
        raw = reads.engine.raw_mail(fact.mail_id) if event else None
        if event is None or raw is None or raw.outcome:
            return ()
        try:
            mail = read_mail(
                raw.raw,
                trusted_authserv=self.trusted_authserv,
                envelope_from=raw.sender,
                envelope_to=(raw.recipient,),
                our_addresses=self.our_addresses,
            )
        except BadMail as error:
            return (IgnoreMail(raw.id, f"unreadable: {error}"),)
        automatic = mail.automatic or self._by_ourselves(ev, mail)
        if automatic is not None:
            return (IgnoreMail(raw.id, f"not answered: {automatic}"),)
        if mail.calendar_reply in ("accepted", "tentative"):
            return (IgnoreMail(raw.id, f"a calendar's answer: {mail.calendar_reply}"),)
        command = self._command(ev, event, raw, mail)
        if isinstance(command, SignUp) and not self.takes_sign_ups:
            return (IgnoreMail(raw.id, FOR_A_PERSON),)
        if not isinstance(command, Cancel) and _was_answered_often(ev, event, mail, recorded.at):
            return (IgnoreMail(raw.id, "not answered: many mails in one day"),)
        return (command,)

    def answering(self, reads: Reads, mail_id: MailId) -> ReplyHeaders | None:
        """Returns the mail to reply to; None if it is no longer stored or has no Message-ID."""
        raw = reads.engine.raw_mail(mail_id)
        try:
            mail = read_mail(raw.raw, trusted_authserv=self.trusted_authserv) if raw else None
        except BadMail:
            return None
        if mail is None or not mail.message_id:
            return None
        return ReplyHeaders(mail.message_id, mail.subject if mail.authenticated else "")

    def _by_ourselves(self, ev: RsvpReads, mail: IncomingMail) -> Automatic | None:
        """Detects mail from one of our own event addresses."""
        event = event_addressed(ev, mail.from_email, self.mail_domain)
        return None if event is None else Automatic.LOOP

    def _command(self, ev: RsvpReads, event: Event, raw: RawMail, mail: IncomingMail) -> Command:
        if mail.calendar_reply == "declined" or wants_to_cancel(mail.new_text):
            return self._cancel(_known_guest(ev, event, mail), event, raw, mail)
        return SignUp(
            event.id,
            GuestId(self.new_id()),
            PersonId(self.new_id()),
            mail.sender_name,
            mail.from_email,
            party=1,
            lane=Lane.EMAIL,
            mail_id=raw.id,
            authenticated=mail.authenticated,
        )

    def _cancel(
        self, guest: Guest | None, event: Event, raw: RawMail, mail: IncomingMail
    ) -> Command:
        """Cancels at once if the mail is authenticated; otherwise sends a link to confirm."""
        if guest is None:
            person_id = PersonId(self.new_id())
            return AnswerStranger(event.id, person_id, mail.sender_name, mail.from_email, raw.id)
        if not mail.authenticated:
            return AnswerAgain(guest.id, cancel_link=True, mail_id=raw.id)
        return Cancel(guest.id, mail_id=raw.id)


def _known_guest(ev: RsvpReads, event: Event, mail: IncomingMail) -> Guest | None:
    person = _known_person(ev, mail)
    return None if person is None else ev.guest_of(event.id, person.id)


def _known_person(ev: RsvpReads, mail: IncomingMail) -> Person | None:
    return ev.person_by_email(email_key(mail.from_email))


def _was_answered_often(ev: RsvpReads, event: Event, mail: IncomingMail, at: datetime) -> bool:
    person, guest = _known_person(ev, mail), _known_guest(ev, event, mail)
    if person is None:
        return False
    facts = [
        recorded.fact
        for kind in (AskedAgain.kind, StrangerAnswered.kind)
        for recorded in ev.facts_between(event.id, kind, at - _DAY, at + _DAY)
    ]
    own = [
        fact
        for fact in facts
        if (isinstance(fact, AskedAgain) and guest is not None and fact.guest_id == guest.id)
        or (isinstance(fact, StrangerAnswered) and fact.person_id == person.id)
    ]
    return len(own) >= MOST_ANSWERS_A_DAY
