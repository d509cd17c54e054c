"""All messages of the waitlist desk by the kind of their note."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from frontdesk.core.sends import Via
from frontdesk.core.wording import Wording
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.messages import customers, staff
from frontdesk.desks.waitlist.messages.context import context_of
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import DocumentName
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import DeskMessages, MessageKind
from frontdesk.features.wordings.document import Wordings

KINDS: Final[Mapping[str, MessageKind]] = {**customers.KINDS, **staff.KINDS}


def messages() -> DeskMessages:
    return DeskMessages(KINDS, context_of, _wording)


def _wording(reads: Reads, via: Via, kind: str) -> Wording:
    return _parsed(waitlist(reads).document(DocumentName.VOICE).good)[via, kind]


@lru_cache(maxsize=4)
def _parsed(good: str) -> Wordings:
    return DOCUMENT.parse(good).wordings if good else DOCUMENT.defaults
