"""Rebuilds an entry or a slot from its facts, to compare it with the live row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from frontdesk.core.decision import Fact
from frontdesk.desks.waitlist import facts as f
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryStatus,
    Offer,
    OfferState,
    Slot,
    SlotStatus,
)
from frontdesk.engine.ports import Recorded
from frontdesk.values import replace

# --- an entry ---------------------------------------------------------------------------------

_STATUS: Final[dict[type[Fact], EntryStatus]] = {
    f.EntryLeft: EntryStatus.LEFT,
    f.EntryStopped: EntryStatus.STOPPED,
    f.EntryExpired: EntryStatus.EXPIRED,
    f.SlotClaimed: EntryStatus.BOOKED,
    f.SlotGiven: EntryStatus.BOOKED,
}


def entry_from(about: Iterable[Recorded]) -> Entry | None:
    """The entry that results from all facts about it."""
    entry: Entry | None = None
    for recorded in about:
        fact = recorded.fact
        match fact:
            case f.EntryJoined():
                entry = _joined(fact)
            case f.EntryChanged() if entry:
                changed = replace(entry.wishing(fact.wish), lane=fact.lane)
                entry = replace(changed, mail_only=fact.mail_only, version=fact.version)
            case f.EntryEdited() if entry:
                edited = replace(entry.wishing(fact.wish), joined_at=fact.joined_at)
                entry = replace(edited, mail_only=fact.mail_only, version=fact.version)
            case f.NumberConfirmed() if entry:
                entry = replace(entry, mail_only=False, version=fact.version)
            case f.EntryStopped(booked=True) if entry:
                entry = replace(entry, no_more=True, version=fact.version)
            case f.EntryResumed() if entry:
                status = EntryStatus.BOOKED if entry.no_more else EntryStatus.LEFT
                entry = replace(entry, status=status, no_more=False, version=fact.version)
            case f.EntryLeft() | f.EntryStopped() | f.EntryExpired() | f.SlotClaimed() if entry:
                entry = replace(entry, status=_STATUS[type(fact)], version=fact.version)
            case f.BookingCancelled() | f.BookingMissed() if entry:
                no_more = entry.no_more and fact.status is EntryStatus.BOOKED
                entry = replace(entry, status=fact.status, no_more=no_more, version=fact.version)
            case _:
                pass
    return entry


def _joined(fact: f.EntryJoined) -> Entry:
    wish = fact.wish
    return Entry(
        fact.entry_id,
        fact.person_id,
        wish.service,
        wish.party,
        wish.earliest_on,
        wish.latest_on,
        wish.staff,
        wish.priority,
        fact.joined_at,
        lane=fact.lane,
        version=fact.version,
        mail_only=fact.mail_only,
    )


# --- a slot -----------------------------------------------------------------------------------

_ENDS: Final[dict[type[Fact], OfferState]] = {
    f.OfferDeclined: OfferState.DECLINED,
    f.OfferLapsed: OfferState.EXPIRED,
    f.OfferUnreachable: OfferState.UNREACHABLE,
    f.OfferWithdrawn: OfferState.WITHDRAWN,
}


@dataclass
class _Rebuilding:
    slot: Slot
    offers: dict[int, Offer]

    def take(self, recorded: Recorded) -> None:
        fact, at = recorded.fact, recorded.at.replace(microsecond=0)
        match fact:
            case f.NobodyFitted():
                self.slot = replace(self.slot, nobody_fits=True)
            case f.SlotHandedBack():
                self.slot = replace(
                    self.slot, status=SlotStatus.HANDED_BACK, offer_seq=0, live=False, closed_at=at
                )
            case f.OfferMade() | f.OfferRolledOn():
                self.slot = replace(self.slot, offer_seq=fact.seq, offers=fact.seq)
                self.offers[fact.seq] = Offer(
                    fact.slot_id, fact.seq, fact.entry_id, OfferState.PENDING, made_at=at
                )
            case f.SlotGiven():
                self.slot = replace(self.slot, offers=fact.seq)
                self.offers[fact.seq] = Offer(
                    fact.slot_id, fact.seq, fact.entry_id, OfferState.PENDING, made_at=at
                )
                self._offer(fact, recorded)
            case f.OfferFact() if fact.seq in self.offers:
                self._offer(fact, recorded)
            case _:
                pass

    def _offer(self, fact: f.OfferFact, recorded: Recorded) -> None:
        offer, at = self.offers[fact.seq], recorded.at.replace(microsecond=0)
        match fact:
            case f.OfferArmed():
                self.slot = replace(self.slot, live=True)
                armed = replace(offer, state=OfferState.LIVE, armed_at=at, claim_by=fact.claim_by)
                self.offers[fact.seq] = armed
            case f.OfferDisarmed():
                self.slot = replace(self.slot, live=False)
                self.offers[fact.seq] = replace(
                    offer,
                    state=OfferState.PENDING,
                    armed_at=None,
                    claim_by=None,
                    refusals=fact.refusals,
                )
            case f.SlotClaimed():
                self.slot = replace(
                    self.slot,
                    status=SlotStatus.BOOKED,
                    booked_by=fact.entry_id,
                    offer_seq=0,
                    live=False,
                    closed_at=at,
                )
                self.offers[fact.seq] = replace(offer, state=OfferState.CLAIMED, ended_at=at)
            case f.BookingCancelled():
                self.slot = replace(self.slot, status=SlotStatus.CANCELLED, closed_at=at)
            case f.BookingMissed():
                self.slot = replace(self.slot, status=SlotStatus.NO_SHOW, closed_at=at)
            case f.OfferDeclined() | f.OfferLapsed() | f.OfferUnreachable() | f.OfferWithdrawn():
                self.slot = replace(self.slot, offer_seq=0, live=False)
                self.offers[fact.seq] = replace(offer, state=_ENDS[type(fact)], ended_at=at)
            case _:
                pass


def slot_from(facts: Iterable[Recorded]) -> tuple[Slot, list[Offer]] | None:
    """The slot and the offers that result from its facts."""
    rebuilding: _Rebuilding | None = None
    for recorded in facts:
        fact = recorded.fact
        if isinstance(fact, f.SlotFreed):
            freed_at = recorded.at.replace(microsecond=0)
            slot = Slot(
                fact.slot_id,
                fact.origin,
                fact.opening,
                fact.rules,
                freed_at,
                beside=fact.beside,
                not_to=fact.not_to,
            )
            rebuilding = _Rebuilding(slot, {})
        elif rebuilding is not None:
            rebuilding.take(recorded)
    if rebuilding is None:
        return None
    return rebuilding.slot, [offer for _, offer in sorted(rebuilding.offers.items())]


# --- differences ------------------------------------------------------------------------------


def entry_differs(entry: Entry, about: Iterable[Recorded]) -> Iterator[str]:
    """Reports a row that differs from the audit."""
    again = entry_from(about)
    if again != entry:
        yield f"entry {entry.id}: the audit says {again}, the row says {entry}"


def slot_differs(slot: Slot, offers: Iterable[Offer], facts: Iterable[Recorded]) -> Iterator[str]:
    again = slot_from(facts)
    if again is None:
        yield f"slot {slot.id} is not in the audit"
        return
    if again[0] != slot:
        yield f"slot {slot.id}: the audit says {again[0]}, the row says {slot}"
    if again[1] != (listed := list(offers)):
        yield f"slot {slot.id}: the audit says {again[1]}, the rows say {listed}"
