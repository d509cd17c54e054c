"""All messages of the booking desk by the kind of their note."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.core.sends import Via
from frontdesk.core.wording import Wording, saved_name, usable, wording_setting
from frontdesk.desks.booking.messages import customers, requests, staff
from frontdesk.desks.booking.messages.context import BookingMail, context_of
from frontdesk.desks.booking.model import CODE
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import DeskMessages, MessageKind, wording_specs

TO_CUSTOMERS: Final[Mapping[str, MessageKind]] = {**customers.KINDS, **requests.CUSTOMER_KINDS}
TO_STAFF: Final[Mapping[str, MessageKind]] = {**staff.KINDS, **requests.STAFF_KINDS}
KINDS: Final[Mapping[str, MessageKind]] = {**TO_CUSTOMERS, **TO_STAFF}
_SPECS: Final = wording_specs(KINDS)


def messages(mail: BookingMail | None = None) -> DeskMessages:
    its = mail or BookingMail()
    return DeskMessages(KINDS, lambda base: context_of(base, its), _wording)


def _wording(reads: Reads, via: Via, kind: str) -> Wording:
    own = reads.engine.setting(wording_setting(CODE, saved_name(via, kind)))
    return usable(_SPECS[via, kind], own)
