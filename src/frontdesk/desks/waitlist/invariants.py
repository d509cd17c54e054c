"""The invariants of slots, checked on the current rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from frontdesk.desks.waitlist.eligibility import failure, place
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    EntryStatus,
    Offer,
    OfferState,
    Slot,
    SlotStatus,
)

_OPEN: Final = (OfferState.PENDING, OfferState.LIVE)


def broken_invariants(
    slot: Slot, offers: Sequence[Offer], timers: Mapping[str, datetime]
) -> Iterator[str]:
    """Describes each broken invariant of a slot. `timers` are all timers that are set."""
    for problem in (*_offers(slot, offers), *_ends(slot, offers), *_timers(slot, offers, timers)):
        yield f"slot {slot.id}: {problem}"


def unbooked_entries(slot: Slot, entry: Entry | None, now: datetime) -> Iterator[str]:
    """Reports a booked slot that is not over, if its entry is not booked."""
    if slot.status is not SlotStatus.BOOKED or now >= slot.ends_at:
        return
    if entry is None or entry.status is not EntryStatus.BOOKED:
        status = entry.status if entry else "not there"
        yield f"slot {slot.id}: it is booked by {slot.booked_by}, whose entry is {status}"


def _offers(slot: Slot, offers: Sequence[Offer]) -> Iterator[str]:
    if [one.seq for one in offers] != list(range(1, slot.offers + 1)):
        yield f"says {slot.offers} offers, has {[one.seq for one in offers]}"
    if len({one.entry_id for one in offers}) < len(offers):
        yield "somebody was offered it twice"
    said = [slot.offer_seq] if slot.offer_seq else []
    current = [one for one in offers if one.state in _OPEN]
    if [one.seq for one in current] != said:
        yield f"offer {slot.offer_seq} is said to be current, of {[one.seq for one in current]}"
    if slot.live != any(one.state is OfferState.LIVE for one in current):
        yield "it is not clear whether its offer is live"
    for one in offers:
        if one.claim_by is not None and one.claim_by > slot.opening.starts_at:
            yield f"offer {one.seq} can be claimed after the start"


def _ends(slot: Slot, offers: Sequence[Offer]) -> Iterator[str]:
    claimed = [one.entry_id for one in offers if one.state is OfferState.CLAIMED]
    had = slot.status in (SlotStatus.BOOKED, SlotStatus.CANCELLED, SlotStatus.NO_SHOW)
    expected = [EntryId(slot.booked_by)] if had else []
    if claimed != expected:
        yield f"it is {slot.status} by {slot.booked_by or 'nobody'} and claimed by {claimed}"


def _timers(slot: Slot, offers: Sequence[Offer], timers: Mapping[str, datetime]) -> Iterator[str]:
    is_open = slot.status is SlotStatus.OPEN
    if (f"wl/slot/{slot.id}" in timers) != is_open:
        yield f"it is {slot.status}, and its timer is {'lost' if is_open else 'still set'}"
    for one in offers:
        due_at = timers.get(f"wl/offer/{slot.id}/{one.seq}")
        if one.state is not OfferState.LIVE:
            if due_at is not None:
                yield f"offer {one.seq} is {one.state}, and its timer is still set"
        elif due_at is None or one.claim_by is None or due_at > one.claim_by:
            yield f"live offer {one.seq} has no timer by its deadline"


def overlapping(slots: Iterable[Slot], now: datetime | None = None) -> Iterator[str]:
    """Reports slots that use one staff member or place at the same time without staff's consent.

    With `now`, past slots are left out.
    """
    by_resource: dict[str, list[Slot]] = {}
    for slot in sorted(slots, key=lambda each: each.opening.starts_at):
        is_over = now is not None and slot.opening.ends_at <= now
        if not slot.takes_time or is_over or not slot.opening.resource:
            continue
        before = by_resource.setdefault(slot.opening.resource, [])
        before[:] = [one for one in before if one.opening.ends_at > slot.opening.starts_at]
        for one in before:
            if not (_is_allowed(one, slot) or _is_allowed(slot, one)):
                yield f"slots {one.id} and {slot.id} are at the same time: {_whose(slot)}"
        before.append(slot)


def _is_allowed(slot: Slot, beside: Slot) -> bool:
    """Whether staff allowed the overlap, or an older version freed `slot` as the rest of a missed
    booking."""
    return beside.id in slot.beside or slot.origin == f"no-show:{beside.id}"


def _whose(slot: Slot) -> str:
    return slot.opening.staff or slot.opening.service


def skipped(slot: Slot, offers: Iterable[Offer], entries: Iterable[Entry]) -> Iterator[str]:
    """Reports entries that suited the slot and came before its newest offer, but got no offer.

    `entries` is the list at the time of that offer.
    """
    listed = {entry.id: entry for entry in entries}
    had_it = [offer.entry_id for offer in offers]
    newest = listed.get(had_it[-1]) if had_it else None
    if newest is None:
        return
    order = slot.rules.order
    offered_at = place(newest, order)
    for entry in listed.values():
        waits = entry.status is EntryStatus.WAITING and entry.id not in (*had_it, *slot.not_to)
        if waits and place(entry, order) < offered_at and failure(entry, slot) is None:
            yield f"slot {slot.id}: entry {entry.id} suits it and was skipped"
