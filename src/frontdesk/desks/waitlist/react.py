"""Maps facts and timers to the commands that they cause, in one table each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Command, Fact, TimerName
from frontdesk.core.people import Correction, PersonId
from frontdesk.desks.waitlist import commands, facts
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, SlotId
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Reads, Recorded

#: The most slots per reaction. The other slots have timers.
MOST_SLOTS: Final = 500


def look_who_is_next(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
    return (commands.MakeMove(SlotId(recorded.fact.subject)),)


def take_offers_back(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Asks to withdraw each open offer of an entry, which may no longer want it."""
    for offer in waitlist(reads).open_offers(EntryId(recorded.fact.about)):
        yield commands.WithdrawOffer(offer.slot_id, offer.seq)


def stop_the_rest(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Withdraws the entry's offers, and stops further entries that did not fit into one commit."""
    yield from take_offers_back(reads, recorded)
    wl = waitlist(reads)
    entry = wl.entry(EntryId(recorded.fact.about))
    if entry is None or not entry.wants_no_offers:
        return
    if any(not one.wants_no_offers for one in wl.entries_of(entry.person_id)):
        yield commands.StopOffers(entry.person_id, after=entry.id)


def resume_the_rest(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Allows offers for further entries that did not fit into one commit."""
    wl = waitlist(reads)
    entry = wl.entry(EntryId(recorded.fact.about))
    if entry is None or entry.wants_no_offers:
        return
    if any(one.wants_no_offers for one in wl.entries_of(entry.person_id)):
        yield commands.ResumeOffers(entry.person_id, after=entry.id)


def look_for_a_slot(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Checks idle slots again, because one may suit this entry."""
    wl = waitlist(reads)
    entry = wl.entry(EntryId(recorded.fact.about))
    if entry is None:
        return
    for slot_id in wl.idle_slots(entry.service, MOST_SLOTS):
        yield commands.MakeMove(slot_id)


def send_offers_again(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Sends open offers again after staff corrected an address."""
    fact = recorded.fact
    assert isinstance(fact, Correction)
    if fact.new_address:
        yield from _offers_again(waitlist(reads), PersonId(fact.subject))


def _offers_again(wl: WaitlistReads, person_id: PersonId) -> Iterable[Command]:
    for entry in wl.entries_of(person_id):
        for offer in wl.open_offers(entry.id):
            yield commands.SendOfferAgain(offer.slot_id, offer.seq)


def edited(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    yield from another_wish(reads, recorded)
    fact, wl = recorded.fact, waitlist(reads)
    assert isinstance(fact, facts.EntryEdited)
    entry = wl.entry(fact.entry_id)
    if fact.new_contact and entry is not None:
        yield from _offers_again(wl, entry.person_id)


def another_wish(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    yield from take_offers_back(reads, recorded)
    yield from look_for_a_slot(reads, recorded)


def continue_expiring(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    fact = recorded.fact
    assert isinstance(fact, facts.ExpiryRun)
    if fact.more:
        yield commands.ExpireEntries()
    for slot_id in waitlist(reads).open_slots(MOST_SLOTS):
        yield commands.MakeMove(slot_id)


def leave_lists(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Takes an erased person off every list, without a message."""
    for entry in waitlist(reads).entries_of(PersonId(recorded.fact.subject)):
        if entry.status is EntryStatus.WAITING:
            yield commands.LeaveList(entry.id, quietly=True)


REACTIONS: Final[Mapping[type[Fact], Callable[[Reads, Recorded], Iterable[Command]]]] = {
    facts.SlotFreed: look_who_is_next,
    facts.OfferDeclined: look_who_is_next,
    facts.OfferLapsed: look_who_is_next,
    facts.OfferWithdrawn: look_who_is_next,
    facts.OfferUnreachable: look_who_is_next,
    facts.SlotClaimed: take_offers_back,
    facts.SlotGiven: take_offers_back,
    facts.EntryLeft: take_offers_back,
    facts.EntryStopped: stop_the_rest,
    facts.EntryResumed: resume_the_rest,
    facts.EntryExpired: take_offers_back,
    facts.EntryJoined: look_for_a_slot,
    facts.BookingCancelled: look_for_a_slot,
    facts.EntryChanged: another_wish,
    facts.EntryEdited: edited,
    facts.ExpiryRun: continue_expiring,
}


def offer_lapses(name: TimerName, _due_at: datetime) -> Command:
    _, _, slot_id, seq = name.split("/")
    return commands.LapseOffer(SlotId(slot_id), int(seq))


def slot_is_looked_at(name: TimerName, _due_at: datetime) -> Command:
    return commands.MakeMove(SlotId(name.split("/")[2]))


def expiry_is_due(_name: TimerName, _due_at: datetime) -> Command:
    return commands.ExpireEntries()


TIMERS: Final[Mapping[str, Callable[[TimerName, datetime], Command]]] = {
    "offer": offer_lapses,
    "slot": slot_is_looked_at,
    "house": expiry_is_due,
}
