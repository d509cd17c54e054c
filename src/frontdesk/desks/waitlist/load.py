"""Brings each decision the rows that it sees."""

from __future__ import annotations

from frontdesk.core.contacts import email_key
from frontdesk.desks.waitlist.commands import (
    ChangeWish,
    FreeSlot,
    JoinList,
    KeepHouse,
    LeaveList,
    MakeMove,
    OfferCommand,
    SetRules,
    StopOffers,
    TakeBackSlot,
)
from frontdesk.desks.waitlist.decide.entries import STEP
from frontdesk.desks.waitlist.model import Rules
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.views import (
    EntryView,
    FreedView,
    HouseView,
    JoinView,
    OfferView,
    SlotView,
)
from frontdesk.engine.ports import Reads


def waitlist(reads: Reads) -> WaitlistReads:
    desk: WaitlistReads = reads.desk("wl")
    return desk


def rules(reads: Reads, _command: SetRules) -> Rules:
    return waitlist(reads).rules()


def joining(reads: Reads, command: JoinList) -> JoinView:
    wl = waitlist(reads)
    person = wl.person_by_email(email_key(command.email))
    entries = () if person is None else wl.entries_of(person.id)
    return JoinView(wl.rules(), person, entries)


def stopping(reads: Reads, command: StopOffers) -> JoinView:
    wl = waitlist(reads)
    return JoinView(wl.rules(), None, wl.entries_of(command.person_id))


def entry(reads: Reads, command: ChangeWish | LeaveList) -> EntryView | None:
    wl = waitlist(reads)
    found = wl.entry(command.entry_id)
    return None if found is None else EntryView(wl.rules(), found)


def freed(reads: Reads, command: FreeSlot) -> FreedView:
    wl = waitlist(reads)
    known = wl.slot(command.slot_id) or wl.slot_by_origin(command.origin)
    return FreedView(wl.rules(), known)


def slot(reads: Reads, command: MakeMove | TakeBackSlot) -> SlotView | None:
    """Only a slot that is offered to nobody needs to know who is next."""
    wl = waitlist(reads)
    found = wl.slot(command.slot_id)
    if found is None:
        return None
    candidates = () if found.offer_seq else wl.candidates(found, 1)
    return SlotView(found, wl.offers(found.id), candidates)


def offer(reads: Reads, command: OfferCommand) -> OfferView | None:
    wl = waitlist(reads)
    found, of = wl.offer(command.slot_id, command.seq), wl.slot(command.slot_id)
    if found is None or of is None:
        return None
    theirs = wl.entry(found.entry_id)
    assert theirs is not None, "an offer belongs to an entry"
    return OfferView(of, found, theirs)


def house(reads: Reads, _command: KeepHouse) -> HouseView:
    wl = waitlist(reads)
    return HouseView(wl.rules(), wl.soonest_to_expire(STEP))
