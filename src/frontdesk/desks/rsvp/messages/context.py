"""The rows for one message of the RSVP desk, and values that all messages share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final

from frontdesk.core.ics import Method
from frontdesk.core.mail import MailId, ReplyHeaders
from frontdesk.core.occasions import Tone
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.calendar_file import Organizer, event_url, invitation
from frontdesk.desks.rsvp.facts import EventCreated, EventEdited
from frontdesk.desks.rsvp.links import GuestLinks
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import (
    Details,
    Event,
    EventState,
    Guest,
    State,
)
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import MessageContent, MessageContext
from frontdesk.values import Frozen, replace

LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)
A_MOMENT: Final = timedelta(seconds=1)

_AFTER_THE_EVENT: Final = frozenset({"thanks", "thanks_drafted"})

#: Samples of the placeholders that every mail of this desk can use.
EVERY: Final = {
    "name": "Ann Lee",
    "business": "The Long Table",
    "event": "Supper Club",
    "when": "Friday 20 November 2026, 18:00 to 21:00 (SGT)",
    "where": "5 Keong Saik Road, Singapore",
    "details": "",
    "event_link": "https://example.org/e/supper-club",
}
LINK: Final = "https://example.org/l/sample"
CONSOLE_LINK: Final = "https://example.org/console/events/sample"
MINE: Final = {**EVERY, "manage_link": LINK, "cancel_link": f"{LINK}?do=cancel"}
IN_LINE: Final = {**MINE, "place": "third", "party_line": ""}


class EventMail(Frozen):
    """Settings for mail to an event's own address."""

    domain: str = ""
    """Empty if events have no address."""
    answering: Callable[[Reads, MailId], ReplyHeaders | None] = lambda *_: None
    """Returns the headers that a reply needs, while the mail is stored."""


class EventContext(MessageContext):
    event: Event
    mail: EventMail

    @property
    def ev(self) -> RsvpReads:
        return rsvp(self.reads)

    @property
    def is_off(self) -> bool:
        return self.event.state is EventState.CALLED_OFF

    @property
    def has_begun(self) -> bool:
        return self.now >= self.event.details.starts_at

    @property
    def console_link(self) -> str:
        return f"{self.sender.console_url}/console/events/{self.event.id}"

    @property
    def address(self) -> str | None:
        """The event's address, to which calendars send their answers."""
        return f"{self.event.slug}@{self.mail.domain}" if self.mail.domain else None

    @property
    def reason(self) -> str:
        """The last line of the mail, which says why the recipient gets it."""
        raise NotImplementedError

    def says(
        self,
        values: Mapping[str, str],
        tone: Tone = Tone.GOOD,
        chip: str = "",
        *,
        to_people: bool = False,
    ) -> MessageContent:
        """Builds the content. With `to_people`, replies go to a person instead of the event's own
        address, which treats them as sign-ups."""
        what = words.occasion(self.event.details)
        everywhere = {
            "event": what.name,
            "when": what.when,
            "where": what.where,
            "event_link": event_url(self.sender.pages_url, self.event),
        }
        mail_id = MailId(str(self.send.params.get("mail_id", "")))
        return MessageContent(
            {**everywhere, **values},
            tone,
            chip,
            reason=self.reason,
            occasion=what,
            is_called_off=self.is_off,
            reply_to=None if to_people else self.address,
            answers=self.mail.answering(self.reads, mail_id) if mail_id else None,
        )


class HostContext(EventContext):
    @property
    def reason(self) -> str:
        return f"You get this mail because you host {self.event.details.name}."


class StrangerContext(EventContext):
    """A message to somebody who wrote to an event and is not on its list."""

    @property
    def reason(self) -> str:
        return f"You get this mail because you wrote to us about {self.event.details.name}."


class GuestContext(EventContext):
    guest: Guest

    @cached_property
    def links(self) -> GuestLinks:
        return GuestLinks(
            self.sender.links_url,
            self.sender.keys(),
            self.guest.id,
            self.person.contact_version,
            self.event.details,
            nth=int(self.send.params.get("nth", 0)),
        )

    @cached_property
    def place(self) -> int:
        return self.ev.position(self.guest) if self.guest.state is State.WAITING else 0

    @property
    def mine(self) -> dict[str, str]:
        manage = self.links.manage()
        return {"manage_link": manage, "cancel_link": f"{manage}?do=cancel"}

    @property
    def reason(self) -> str:
        return words.why_this_mail(self.event, self.guest, self.sender.business)

    def with_calendar(self, content: MessageContent, method: Method) -> MessageContent:
        answers_to = self.address or self.sender.from_email
        organizer = Organizer(self.sender.name, answers_to, self.sender.pages_url)
        file = invitation(
            organizer, self.event, self.guest, self.person, method=method, now=self.now
        )
        return replace(content, calendar=file)


def has_begun_meanwhile(event: Event, base: MessageContext) -> bool:
    """Whether the event began after the message was queued. For a called-off event: whether it
    would have ended."""
    if base.send.kind in _AFTER_THE_EVENT:
        return False
    details, is_off = event.details, event.state is EventState.CALLED_OFF
    too_late = details.ends_at if is_off else details.starts_at
    return base.send.queued_at < too_late <= base.now


def details_before(ev: RsvpReads, event: Event, now: datetime) -> Details:
    """Returns the details that guests knew before the latest change that they were told of."""
    until = now + A_MOMENT
    edits = ev.facts_between(event.id, EventEdited.kind, LONG_AGO, until)
    for recorded in reversed(edits):
        fact = recorded.fact
        if isinstance(fact, EventEdited) and fact.sequence < event.sequence:
            return fact.details
    for recorded in ev.facts_between(event.id, EventCreated.kind, LONG_AGO, until):
        if isinstance(recorded.fact, EventCreated):
            return recorded.fact.details
    return event.details
