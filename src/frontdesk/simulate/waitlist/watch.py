"""Rebuilds the list from committed facts alone, and reports violations."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from frontdesk.core.localtime import zone
from frontdesk.desks.waitlist import facts as f
from frontdesk.desks.waitlist.doctor import entry_problems, slot_problems
from frontdesk.desks.waitlist.eligibility import failure
from frontdesk.desks.waitlist.invariants import skipped
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    EntryStatus,
    Offer,
    OfferState,
    Slot,
    SlotId,
    SlotStatus,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.replay import entry_from
from frontdesk.engine.ports import Recorded


class FactWatch:
    """Applies every fact in order, so that it has the list as it was at the time of each fact."""

    def __init__(self) -> None:
        self._heard: deque[Recorded] = deque()
        self._about: dict[EntryId, list[Recorded]] = defaultdict(list)
        self._waiting: dict[str, dict[EntryId, Entry]] = defaultdict(dict)
        """Waiting entries by service."""
        self.slots: dict[SlotId, Slot] = {}
        """Slots as they were when they came free."""
        self.offers: dict[SlotId, list[Offer]] = defaultdict(list)
        """Offers by slot, as they were made."""

    def hear(self, facts: Sequence[Recorded]) -> None:
        """Called in the thread that commits."""
        self._heard.extend(each for each in facts if each.fact.kind.startswith("wl."))

    def new(self) -> list[Recorded]:
        """Returns the facts since the last call."""
        return [self._heard.popleft() for _ in range(len(self._heard))]

    def offers_to(self, entry_ids: frozenset[EntryId]) -> list[Offer]:
        """Returns the offers to these entries, in the order in which they were made."""
        theirs = (
            offer
            for offers in self.offers.values()
            for offer in offers
            if offer.entry_id in entry_ids
        )
        return sorted(theirs, key=lambda offer: offer.made_at)

    def take(self, recorded: Recorded) -> Iterator[str]:
        """Applies a fact; yields violations."""
        fact = recorded.fact
        if isinstance(fact, f.EntryFact | f.SlotClaimed):
            self._entry(fact.entry_id, recorded)
        elif isinstance(fact, f.SlotFreed):
            self.slots[fact.slot_id] = Slot(
                fact.slot_id, fact.origin, fact.opening, fact.rules, recorded.at
            )
        elif isinstance(fact, f.OfferMade | f.OfferRolledOn):
            yield from self._offer(fact, recorded.at)
        elif isinstance(fact, f.OfferArmed):
            rules = self.slots[fact.slot_id].rules
            if rules.quiet.is_quiet(recorded.at, zone(rules.zone)):
                yield f"slot {fact.slot_id}: offer {fact.seq} goes out in quiet hours"

    def _entry(self, entry_id: EntryId, recorded: Recorded) -> None:
        about = self._about[entry_id]
        about.append(recorded)
        entry = entry_from(about)
        assert entry is not None, "the first fact about an entry is that it joined"
        if entry.status is EntryStatus.WAITING:
            self._waiting[entry.service][entry_id] = entry
        else:
            self._waiting[entry.service].pop(entry_id, None)

    def _offer(self, fact: f.OfferMade | f.OfferRolledOn, at: datetime) -> Iterator[str]:
        slot, offers = self.slots[fact.slot_id], self.offers[fact.slot_id]
        offers.append(Offer(fact.slot_id, fact.seq, fact.entry_id, OfferState.PENDING, made_at=at))
        waiting = self._waiting[slot.opening.service]
        entry = waiting.get(fact.entry_id)
        if entry is None or failure(entry, slot) is not None:
            yield f"slot {slot.id}: it is offered to entry {fact.entry_id}, whom it does not suit"
        yield from skipped(slot, offers, waiting.values())


def row_problems(
    wl: WaitlistReads, facts: Sequence[Recorded], timers: Mapping[str, datetime]
) -> Iterator[str]:
    """Yields violated invariants of the slots and entries that these facts concern."""
    slot_ids = {each.fact.slot_id for each in facts if hasattr(each.fact, "slot_id")}
    entry_ids = {each.fact.about for each in facts if each.fact.about}
    for slot_id in sorted(slot_ids):
        slot = wl.slot(slot_id)
        if slot is not None:
            yield from slot_problems(wl, slot, timers)
    for entry_id in sorted(entry_ids):
        entry = wl.entry(EntryId(entry_id))
        if entry is not None:
            yield from entry_problems(wl, entry)


def unoffered_slots(wl: WaitlistReads, slots: Sequence[SlotId]) -> Iterator[str]:
    """Yields a violation for each open slot that nobody is offered although it suits somebody. Call
    it after `settle`."""
    for slot_id in slots:
        slot = wl.slot(slot_id)
        if slot is None or slot.status is not SlotStatus.OPEN or slot.offer_seq:
            continue
        for entry in wl.candidates(slot, 1):
            yield f"slot {slot.id} is offered to nobody, and entry {entry.id} suits it"
