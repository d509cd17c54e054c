"""All messages of the reminders desk by the kind of their note."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.core.sends import Via
from frontdesk.core.wording import Wording, saved_name, usable, wording_setting
from frontdesk.desks.reminders.messages import customers, sources, staff
from frontdesk.desks.reminders.messages.context import context_of
from frontdesk.desks.reminders.model import CODE
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import DeskMessages, MessageKind, wording_specs
from frontdesk.features.wordings.document import WordingDocument, first_of, is_second

TO_CUSTOMERS: Final = customers.KINDS
TO_STAFF: Final[Mapping[str, MessageKind]] = {**staff.KINDS, **sources.KINDS}
KINDS: Final[Mapping[str, MessageKind]] = {**TO_CUSTOMERS, **TO_STAFF}
_SPECS: Final = wording_specs(KINDS)


def messages() -> DeskMessages:
    return DeskMessages(KINDS, context_of, _wording)


def _wording(reads: Reads, via: Via, kind: str) -> Wording:
    """The second wording of a reminder; the first if this channel has no second one."""
    own = reads.engine.setting(wording_setting(CODE, saved_name(via, kind)))
    if own is None and is_second(kind):
        return _wording(reads, via, first_of(kind))
    return usable(_SPECS[via, kind], own)


DOCUMENT: Final = WordingDocument(
    _SPECS,
    "// How we sound. A part begins with two # signs, a channel and what the message is about.\n"
    "// Words in two braces are filled in when it is sent. The first and the second reminder may\n"
    "// have a part like ## Mail: first_reminder, second wording: half of the visits get it.",
)
