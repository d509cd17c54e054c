"""Explains why an entry was or was not offered a slot, as a value and as a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, assert_never

from frontdesk.core.decision import Fact
from frontdesk.core.localtime import spoken_time, zone
from frontdesk.desks.waitlist import facts as f
from frontdesk.desks.waitlist.eligibility import Failure, failure
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
from frontdesk.engine.ports import Recorded
from frontdesk.values import Frozen, replace

#: More facts than any entry or slot has.
MOST_FACTS: Final = 10_000


class OfferVerdict(StrEnum):
    OFFERED = "offered"
    NOT_WAITING = "not_waiting"
    """Not on the list at that time, or not any more."""
    HAD_IT_BEFORE = "had_it_before"
    """Declined, cancelled or missed this time before."""
    PASSED_OVER = "passed_over"
    """Suited it, but could not be reached at that time."""
    UNSUITED = "unsuited"
    IN_LINE = "in_line"
    """Suits it, and `ahead` entries come first."""
    NOT_REACHED = "not_reached"
    """Suited it, but it was booked or handed back before their turn."""


class Explanation(Frozen):
    verdict: OfferVerdict
    sentence: str
    offer: Offer | None = None
    """Their offer, if they had one."""
    failed: Failure | None = None
    ahead: int | None = None
    """The number of entries that come first, while the slot is open."""
    offers: int = 0
    """The number of offers made to anybody."""


def explain(reads: WaitlistReads, slot_id: SlotId, entry_id: EntryId) -> Explanation | None:
    """Explains from stored rows; None if there is no such slot or entry."""
    slot, entry = reads.slot(slot_id), reads.entry(entry_id)
    if slot is None or entry is None:
        return None
    then: Entry | None = entry
    facts = reads.facts(slot_id, limit=MOST_FACTS)
    if slot.status is not SlotStatus.OPEN:
        decided = _last_decision(facts)
        about = reads.facts_about(entry_id, limit=MOST_FACTS)
        then = entry_after(entry, (one.fact for one in about if one.seq < decided))
    passed_over = passed_over_before(facts).get(entry_id, "")
    ahead = reads.ahead(slot, entry)
    return explanation(slot, reads.offers(slot_id), entry, then, ahead, passed_over)


def passed_over_before(facts: Sequence[Recorded]) -> Mapping[EntryId, str]:
    """The entries that were passed over, by these facts of a slot, each with the reason."""
    return {
        entry: recorded.fact.why
        for recorded in facts
        if isinstance(recorded.fact, f.PeoplePassedOver)
        for entry in recorded.fact.entries
    }


def _last_decision(facts: Sequence[Recorded]) -> int:
    """The number of the last fact that made an offer or ended the search."""
    moves = (f.OfferMade, f.OfferRolledOn, f.SlotHandedBack, f.SlotGiven)
    return max(one.seq for one in facts if isinstance(one.fact, moves))


def explanation(
    slot: Slot,
    offers: Sequence[Offer],
    entry: Entry,
    then: Entry | None,
    ahead: int,
    passed_over: str,
) -> Explanation:
    """Explains a slot and an entry. `then` is the entry as of the last choice or now; `passed_over`
    says why it could not be reached."""
    made = len(offers)
    theirs = next((one for one in offers if one.entry_id == entry.id), None)
    if theirs is not None:
        return Explanation(
            OfferVerdict.OFFERED, _what_became(theirs, slot), offer=theirs, offers=made
        )
    is_open = slot.status is SlotStatus.OPEN
    if then is None or then.status is not EntryStatus.WAITING:
        sentence = _not_waiting(then, "have" if is_open else "had")
        return Explanation(OfferVerdict.NOT_WAITING, sentence, offers=made)
    if entry.id in slot.not_to:
        return Explanation(OfferVerdict.HAD_IT_BEFORE, _HAD_IT_BEFORE, offers=made)
    if failed := failure(then, slot):
        return Explanation(OfferVerdict.UNSUITED, failed.sentence, failed=failed, offers=made)
    if passed_over:
        sentence = f"They suit it, but have no e-mail address: {passed_over}."
        return Explanation(OfferVerdict.PASSED_OVER, sentence, offers=made)
    if is_open:
        return Explanation(OfferVerdict.IN_LINE, _in_line(ahead), ahead=ahead, offers=made)
    return Explanation(OfferVerdict.NOT_REACHED, _not_reached(slot, made), offers=made)


def entry_after(entry: Entry, past: Iterable[Fact]) -> Entry | None:
    """The entry after these facts, which are in order; None if it had not joined by then."""
    then: Entry | None = None
    for fact in past:
        match fact:
            case f.EntryJoined(wish=wish, joined_at=joined_at):
                joined = replace(entry, joined_at=joined_at, status=EntryStatus.WAITING)
                then = joined.wishing(wish)
            case f.EntryChanged(wish=wish) if then is not None:
                then = then.wishing(wish)
            case f.EntryEdited(wish=wish, joined_at=joined_at) if then is not None:
                then = replace(then.wishing(wish), joined_at=joined_at)
            case f.EntryStopped(booked=True):
                pass
            case f.EntryResumed() if then is not None and then.status is EntryStatus.STOPPED:
                then = replace(then, status=EntryStatus.LEFT)
            case f.EntryLeft() | f.EntryStopped() | f.EntryExpired() | f.SlotClaimed() if (
                then is not None
            ):
                then = replace(then, status=_STATUS[type(fact)])
            case f.BookingCancelled(status=status) | f.BookingMissed(status=status) if (
                then is not None
            ):
                then = replace(then, status=status)
            case _:
                pass
    return then


_STATUS: Final[dict[type[Fact], EntryStatus]] = {
    f.EntryLeft: EntryStatus.LEFT,
    f.EntryStopped: EntryStatus.STOPPED,
    f.EntryExpired: EntryStatus.EXPIRED,
    f.SlotClaimed: EntryStatus.BOOKED,
    f.SlotGiven: EntryStatus.BOOKED,
}


# --- sentences ------------------------------------------------------------------------------


def _what_became(offer: Offer, slot: Slot) -> str:
    tz = zone(slot.rules.zone)
    if slot.is_given:
        return f"Staff gave it to them at {spoken_time(offer.made_at, tz)}."
    made = f"It was offered to them at {spoken_time(offer.made_at, tz)}, as number {offer.seq}"
    match offer.state:
        case OfferState.PENDING:
            return f"{made}; the message has not gone out yet."
        case OfferState.LIVE:
            assert offer.claim_by is not None
            return f"{made}; they can claim it until {spoken_time(offer.claim_by, tz)}."
        case _:
            assert offer.ended_at is not None
            return f"{made}; {_ENDS[offer.state]} at {spoken_time(offer.ended_at, tz)}."


_HAD_IT_BEFORE: Final = "They had this time before, and declined, cancelled or missed it."

_ENDS: Final = {
    OfferState.CLAIMED: "they claimed it",
    OfferState.DECLINED: "they declined",
    OfferState.EXPIRED: "they did not answer in time, and it passed on",
    OfferState.WITHDRAWN: "it was taken back",
    OfferState.UNREACHABLE: "they could not be reached, and it passed on",
}


def _not_waiting(then: Entry | None, have: str) -> str:
    if then is None:
        return "They were not on the list yet when it was decided."
    match then.status:
        case EntryStatus.BOOKED:
            return f"They {have} another slot already."
        case EntryStatus.LEFT:
            return f"They {have} left the list."
        case EntryStatus.STOPPED:
            return f"They {have} asked for no more offers."
        case EntryStatus.EXPIRED:
            return "The last day on which they could come is over."
        case EntryStatus.WAITING:
            raise AssertionError("a waiting entry is not asked about")
        case _:
            assert_never(then.status)


def _in_line(ahead: int) -> str:
    if ahead == 0:
        return "They suit it and are the next in line."
    others = "one other comes" if ahead == 1 else f"{ahead} others come"
    return f"They suit it; {others} before them."


def _not_reached(slot: Slot, made: int) -> str:
    if slot.is_given:
        return "Staff gave it from one customer to another."
    offers = "one offer" if made == 1 else f"{made} offers"
    if slot.booked_by:
        return f"They suit it, but it was claimed before their turn came, after {offers}."
    return f"They suit it, but it was handed back before their turn came, after {offers}."
