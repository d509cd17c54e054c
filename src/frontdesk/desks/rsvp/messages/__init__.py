"""Every message of the RSVP desk, by the kind of its note."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from frontdesk.core.sends import Via
from frontdesk.core.wording import Wording, WordingSpec, usable
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.messages import events, guests, offers
from frontdesk.desks.rsvp.messages.context import EventMail, context_of
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import DeskMessages, MessageKind

KINDS: Final[Mapping[str, MessageKind]] = {**guests.KINDS, **offers.KINDS, **events.KINDS}
WORDINGS: Final[Mapping[str, WordingSpec]] = {
    kind: declared.mail for kind, declared in KINDS.items() if declared.mail
}


def messages(mail: EventMail) -> DeskMessages:
    return DeskMessages(KINDS, partial(context_of, mail), _wording)


def _wording(reads: Reads, _via: Via, kind: str) -> Wording:
    return usable(WORDINGS[kind], rsvp(reads).wording(kind))
