"""What must always hold for the waitlist, looked at in the rows as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from frontdesk.core.unreadable import Unreadable
from frontdesk.desks.waitlist.invariants import broken
from frontdesk.desks.waitlist.model import Entry, EntryId, Slot
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.replay import entry_differs, slot_differs

MANY: Final = 1_000_000
_PAGE: Final = 1_000


def list_problems(wl: WaitlistReads, timers: Mapping[str, datetime]) -> list[str]:
    """Offers, ends and timers of every slot; and the audit says the same as the rows."""
    return [
        *(problem for slot in wl.slots(MANY) for problem in slot_problems(wl, slot, timers)),
        *(problem for entry in every_entry(wl) for problem in entry_problems(wl, entry)),
    ]


def slot_problems(wl: WaitlistReads, slot: Slot, timers: Mapping[str, datetime]) -> Iterator[str]:
    offers, facts = wl.offers(slot.id), wl.facts(slot.id, limit=MANY)
    yield from broken(slot, offers, timers)
    if not (unreadable := [each for each in facts if isinstance(each.fact, Unreadable)]):
        yield from slot_differs(slot, offers, facts)
    yield from (f"fact {each.seq} ({each.fact.kind}) cannot be read" for each in unreadable)


def entry_problems(wl: WaitlistReads, entry: Entry) -> Iterator[str]:
    about = wl.facts_about(entry.id, limit=MANY)
    if not any(isinstance(each.fact, Unreadable) for each in about):
        yield from entry_differs(entry, about)


def every_entry(wl: WaitlistReads) -> Iterator[Entry]:
    after = EntryId("")
    while page := wl.entries(limit=_PAGE, after=after):
        yield from page
        after = page[-1].id
