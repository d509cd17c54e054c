"""Delivery rules of the waitlist desk: quiet hours, recipients, and commands for offer messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Command
from frontdesk.core.localtime import zone
from frontdesk.core.notes import Note, Quiet, To
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send
from frontdesk.desks.waitlist import commands
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.messages import customers
from frontdesk.desks.waitlist.model import EntryId, SlotId
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.engine.desk import DeliveryRules, Drop, HoldUntil, Render
from frontdesk.engine.ports import Reads

#: Temporary refusals of `arm`, because quiet hours may begin between rendering and the commit.
TEMPORARY_REFUSALS: Final = frozenset({Reason.QUIET_HOURS})
TO_STRANGERS: Final = frozenset(name for name, kind in customers.KINDS.items() if kind.to_stranger)


def delivery_rules(render: Render) -> DeliveryRules:
    return DeliveryRules(
        recipients=recipients,
        when=when,
        render=render,
        arm=_with_offer(commands.ArmOffer),
        disarm=_with_offer(commands.DisarmOffer),
        put_off=_with_offer(commands.PutOffOffer),
        undeliverable=give_up,
        temporary_refusals=TEMPORARY_REFUSALS,
        to_strangers=TO_STRANGERS,
        texts_used_up=commands.ReportTexts,
    )


def recipients(reads: Reads, note: Note) -> Iterable[PersonId]:
    wl = waitlist(reads)
    if note.to == To.HOSTS:
        return wl.staff()
    entry = wl.entry(EntryId(note.to))
    return () if entry is None else (entry.person_id,)


def when(reads: Reads, send: Send, now: datetime) -> HoldUntil | Drop | None:
    """Holds messages in quiet hours, unless somebody just asked for them. A message about a slot
    follows the slot's own rules."""
    if send.quiet is Quiet.IGNORE:
        return None
    wl = waitlist(reads)
    slot = wl.slot(SlotId(send.subject))
    rules = wl.rules() if slot is None else slot.rules
    until = rules.quiet.next_allowed(now, zone(rules.zone))
    return HoldUntil(until) if until > now else None


def give_up(send: Send) -> Command | None:
    if send.kind != "offer":
        return None
    return commands.GiveUpOffer(SlotId(send.subject), int(send.params["seq"]), send.why)


def _with_offer(command: type[commands.OfferCommand]) -> Callable[[Send], Command | None]:
    def about(send: Send) -> Command | None:
        if send.kind != "offer":
            return None
        return command(SlotId(send.subject), int(send.params["seq"]))

    return about
