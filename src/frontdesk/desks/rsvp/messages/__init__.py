"""Declares every message of the RSVP desk by the kind of its note."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from frontdesk.core.sends import Via
from frontdesk.core.wording import Wording, WordingSpec, usable
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.messages import events, guests, offers
from frontdesk.desks.rsvp.messages.context import (
    EventContext,
    EventMail,
    GuestContext,
    HostContext,
    StrangerContext,
    has_begun_meanwhile,
)
from frontdesk.desks.rsvp.model import EventId, GuestId, as_signed_up
from frontdesk.engine.desk import Drop
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import DeskMessages, MessageContext, MessageKind

TO_GUESTS: Final = {**guests.KINDS, **offers.KINDS, **events.TO_GUESTS}
KINDS: Final[Mapping[str, MessageKind]] = {
    **TO_GUESTS,
    **events.TO_STRANGERS,
    **events.TO_HOSTS,
}
WORDINGS: Final[Mapping[str, WordingSpec]] = {
    kind: declared.mail for kind, declared in KINDS.items() if declared.mail
}


def messages(mail: EventMail) -> DeskMessages:
    return DeskMessages(KINDS, partial(_context, mail), _wording)


def _context(mail: EventMail, base: MessageContext) -> EventContext | Drop:
    """Adds the event as it is now, and the guest if the message is for one."""
    ev, send = rsvp(base.reads), base.send
    event = ev.event(EventId(send.subject))
    if event is None:
        return Drop("there is no such event any more")
    if has_begun_meanwhile(event, base):
        return Drop("the event has begun")
    sender, reads, now = base.sender, base.reads, base.now
    if send.kind not in TO_GUESTS:
        kind = HostContext if send.kind in events.TO_HOSTS else StrangerContext
        return kind(sender, reads, send, base.person, now, event, mail)
    guest = ev.guest(GuestId(send.about))
    if guest is None:
        return Drop("no longer on the list")
    person = as_signed_up(guest, base.person)
    return GuestContext(sender, reads, send, person, now, event, mail, guest)


def _wording(reads: Reads, _via: Via, kind: str) -> Wording:
    return usable(WORDINGS[kind], rsvp(reads).wording(kind))
