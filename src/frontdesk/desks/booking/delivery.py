"""Delivery rules of the booking desk: recipients and quiet hours."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from frontdesk.core.localtime import zone
from frontdesk.core.notes import Note, Quiet, To
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send
from frontdesk.desks.booking.lanes import DIRECT_LANE
from frontdesk.desks.booking.load import booking_reads
from frontdesk.engine.desk import DeliveryRules, Drop, HoldUntil, Render
from frontdesk.engine.ports import Reads


def delivery_rules(render: Render) -> DeliveryRules:
    return DeliveryRules(
        recipients=recipients,
        when=when,
        render=render,
        to_strangers=frozenset(("confirmed", "link", "requested")),
        asked_for=frozenset(("confirmed", "link", "proposals", "requested")),
    )


def recipients(reads: Reads, note: Note) -> Iterable[PersonId]:
    """Sends a forwarded mail to all owners, or only once if they chose an address for it."""
    if note.kind == "forwarded":
        owners = booking_reads(reads).owner_people()
        return owners[:1] if reads.engine.setting(DIRECT_LANE).forward_to else owners
    return booking_reads(reads).staff() if note.to == To.HOSTS else (PersonId(note.to),)


def when(reads: Reads, send: Send, now: datetime) -> HoldUntil | Drop | None:
    """Holds messages in quiet hours, unless somebody just asked for them."""
    if send.quiet is Quiet.IGNORE:
        return None
    rules = booking_reads(reads).rules()
    until = rules.quiet.next_allowed(now, zone(rules.zone))
    return HoldUntil(until) if until > now else None
