"""A slot as a card: when and what, who has it or has it on offer, and what there is to do."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.localtime import spoken_deadline, spoken_time, zone
from frontdesk.core.phones import shown
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.console.acts import Act, acts_on, offer_acts
from frontdesk.desks.waitlist.console.formatting import details, quiet_until, slot_chip, what, when
from frontdesk.desks.waitlist.console.page import person_url, slot_url
from frontdesk.desks.waitlist.facts import SlotHandedBack
from frontdesk.desks.waitlist.following import followed_by
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Offer, Slot, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.story import MOST_FACTS, EntryNames
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import Chip

FREED_AGAIN: Final = "What was left of the time was freed again."


class Card(Frozen):
    url: str
    when: str
    what: str
    details: str
    chip: Chip
    who: str
    """The person who has the slot or its offer; empty if nobody has."""
    who_url: str
    mobile: str
    mobile_shown: str
    deadline_iso: str
    deadline: str
    note: str
    acts: tuple[Act, ...]


def card(
    reads: Reads, names: EntryNames, slot: Slot, now: datetime, *, in_full: bool = False
) -> Card:
    """`in_full`: with what staff can answer for the person who has the offer."""
    wl = waitlist(reads)
    offer = wl.offer(slot.id, slot.offer_seq) if slot.offer_seq else None
    entry_id = offer.entry_id if offer else slot.booked_by
    person = names.person(entry_id) if entry_id else None
    who = names.of_entry(entry_id) if entry_id else ""
    mobile = person.mobile if person else ""
    claim_by = offer.claim_by if offer and slot.live else None
    return Card(
        url=slot_url(slot.id),
        when=when(slot, now),
        what=what(slot),
        details=details(slot, wl.catalogue()),
        chip=slot_chip(slot, now),
        who=who,
        who_url=person_url(person.id) if person and not person.erased else "",
        mobile=mobile,
        mobile_shown=shown(mobile) if mobile else "",
        deadline_iso=claim_by.isoformat() if claim_by else "",
        deadline=spoken_deadline(claim_by, now, zone(slot.rules.zone)) if claim_by else "",
        note=_note(wl, slot, offer, now),
        acts=(*(offer_acts(slot, who) if in_full else ()), *acts_on(wl, slot, now)),
    )


def _note(wl: WaitlistReads, slot: Slot, offer: Offer | None, now: datetime) -> str:
    """Adds a sentence about the state of the slot."""
    if slot.status is SlotStatus.BOOKED or slot.live:
        return ""
    if slot.status in (SlotStatus.CANCELLED, SlotStatus.NO_SHOW):
        return FREED_AGAIN if followed_by(wl, slot) else "The time is not offered again."
    if slot.status is SlotStatus.HANDED_BACK:
        back = hand_back_of(wl, slot)
        return words.handed_back(back.why, len(back.tried)) if back else ""
    if offer and (until := quiet_until(slot, now)):
        at = spoken_time(until, zone(slot.rules.zone))
        return f"Quiet hours: the offer goes out at {at}."
    if offer:
        return "The message is on its way. The time to answer starts when it is sent."
    if slot.nobody_fits:
        return "Nobody on the list suits it. It stays open for who joins in time."
    return "The next person is being looked for at this moment."


def hand_back_of(wl: WaitlistReads, slot: Slot) -> SlotHandedBack | None:
    facts = (recorded.fact for recorded in reversed(wl.facts(slot.id, limit=MOST_FACTS)))
    return next((fact for fact in facts if isinstance(fact, SlotHandedBack)), None)
