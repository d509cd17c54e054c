"""Frees slots and decides their moves: nobody fits, make an offer, roll on, hand back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, assert_never

from frontdesk.core.decision import Accepted, Change, Decision, DropTimer, Fact, Refused, SetTimer
from frontdesk.core.localtime import zone
from frontdesk.desks.waitlist import commands
from frontdesk.desks.waitlist.changes import (
    AddOffer,
    AddSlot,
    EntryAsRead,
    HandBackSlot,
    HoldSlot,
    MarkNobodyFits,
    MoveOffer,
)
from frontdesk.desks.waitlist.decide import timers
from frontdesk.desks.waitlist.decide.offers import as_read, lapsed
from frontdesk.desks.waitlist.eligibility import failure, first_of
from frontdesk.desks.waitlist.facts import (
    NobodyFitted,
    OfferMade,
    OfferRolledOn,
    OfferWithdrawn,
    OverlapRefused,
    PeoplePassedOver,
    SlotFreed,
    SlotHandedBack,
)
from frontdesk.desks.waitlist.model import (
    LONGEST_SLOT,
    Entry,
    EntryId,
    EntryStatus,
    Offer,
    OfferState,
    Opening,
    Rules,
    Slot,
    SlotId,
    SlotStatus,
    in_the_way,
)
from frontdesk.desks.waitlist.reasons import HandBack, Reason, Withdrawn
from frontdesk.desks.waitlist.views import AgainView, FreedView, SlotView
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import Frozen, replace

SHORTEST: Final = timedelta(minutes=1)
#: The start of a rest is rounded up to this.
STEP: Final = timedelta(minutes=5)
#: A shorter rest is not offered.
SHORTEST_REST: Final = timedelta(minutes=10)
#: The longest origin that fits into a key of both stores in any script.
LONGEST_ORIGIN: Final = 250
#: After this many people who cannot be reached, the slot goes back to staff: sending probably fails
#: for everybody.
MOST_PASSED_OVER: Final = 10

# --- choosing a move ------------------------------------------------------------------------


class NobodyFits(Frozen):
    """Keeps the slot open for people who join in time."""


class MakeOffer(Frozen):
    """Offers the slot to the first person."""

    entry: Entry


class RollOn(Frozen):
    """Offers the slot to the next person, after an offer has ended."""

    entry: Entry


class HandItBack(Frozen):
    why: HandBack


Move = NobodyFits | MakeOffer | RollOn | HandItBack


def next_move(
    slot: Slot, entries: Iterable[Entry], history: Sequence[Offer], now: datetime
) -> Move:
    """Chooses the move for a slot without a current offer, by the slot's own rules.

    Gives the same answer for the whole list as for its first entries, which is what the store
    reads.
    """
    if why := why_too_late(slot, now):
        return HandItBack(why)
    if _is_tried_enough(slot, history):
        return HandItBack(HandBack.TRIES)
    had_it = {offer.entry_id for offer in history} | set(slot.not_to)
    fitting = (
        entry
        for entry in entries
        if entry.status is EntryStatus.WAITING
        and entry.id not in had_it
        and failure(entry, slot) is None
    )
    first = first_of(fitting, slot.rules.order)
    if first is None:
        return HandItBack(HandBack.EXHAUSTED) if history else NobodyFits()
    return RollOn(first) if history else MakeOffer(first)


def _is_tried_enough(slot: Slot, history: Sequence[Offer]) -> bool:
    """Whether enough people were tried. Unreachable people do not count, but too many of them end
    the search as well."""
    passed_over = sum(offer.state is OfferState.UNREACHABLE for offer in history)
    return len(history) - passed_over >= slot.rules.tries or passed_over >= MOST_PASSED_OVER


def why_too_late(slot: Slot, now: datetime) -> HandBack | None:
    """The reason why it is too late to tell anybody about the slot; None if there is time."""
    if now >= slot.last_at:
        return HandBack.TOO_LATE
    told_at = slot.rules.quiet.next_allowed(now, zone(slot.rules.zone))
    if told_at <= now:
        return None
    left = slot.opening.starts_at - told_at
    too_little = left < slot.rules.claim_window or told_at >= slot.last_at
    return HandBack.QUIET_HOURS if too_little else None


# --- decisions ------------------------------------------------------------------------------


def free(view: FreedView, command: commands.FreeSlot, now: datetime) -> Decision:
    """Adds a freed slot, once per origin. A later move chooses who gets it."""
    if view.known is not None:
        return Refused(Reason.ALREADY_FREED)
    opening = with_catalogue_names(command.opening, view.catalogue)
    if not _makes_sense(opening) or not 0 < len(command.origin) <= LONGEST_ORIGIN:
        return Refused(Reason.BAD_SLOT)
    left = still_free(opening, view.rules, now) if command.rest else opening
    if left is None or now >= left.starts_at:
        return Refused(Reason.BEGUN)
    taken = in_the_way(left, view.near)
    if not command.several and any(each.id not in command.beside for each in taken):
        return Refused(Reason.OVERLAPS)
    beside = tuple(each.id for each in taken)
    return _added(
        Slot(command.slot_id, command.origin, left, view.rules, freed_at=now, beside=beside)
    )


def offer_again(view: AgainView | None, command: commands.OfferAgain, now: datetime) -> Decision:
    """Offers a handed-back slot again, except to those in `not_asked_again`."""
    if view is None:
        return Refused(Reason.NO_SUCH_SLOT)
    if view.known is not None:
        return Refused(Reason.ALREADY_FREED)
    slot = view.slot
    if slot.status is not SlotStatus.HANDED_BACK:
        return Refused(Reason.SLOT_CLOSED)
    opening = still_free(slot.opening, view.rules, now)
    if opening is None:
        return Refused(Reason.BEGUN)
    if in_the_way(opening, view.near):
        return Refused(Reason.OVERLAPS)
    return _added(
        Slot(
            command.new_id,
            again_origin(slot.id),
            opening,
            view.rules,
            freed_at=now,
            not_to=not_asked_again(slot, view.offers),
        )
    )


def again_origin(slot_id: SlotId) -> str:
    return f"again:{slot_id}"


def not_asked_again(slot: Slot, offers: Sequence[Offer]) -> tuple[EntryId, ...]:
    """Entries to which this time is not offered again: those in `not_to`, and those who
    declined."""
    declined = (one.entry_id for one in offers if one.state is OfferState.DECLINED)
    return tuple(dict.fromkeys((*slot.not_to, *declined)))


def still_free(opening: Opening, rules: Rules, now: datetime) -> Opening | None:
    """The whole opening before its start, afterwards its rest; None if too little is left."""
    return opening if now < opening.starts_at else rest_of(opening, rules, now)


def rest_of(opening: Opening, rules: Rules, now: datetime) -> Opening | None:
    """The rest of the opening that the next customer could still reach; None if it is too short."""
    soonest = _round_up(now + rules.cut_off + rules.claim_window)
    starts_at = max(opening.starts_at, soonest)
    left = opening.ends_at - starts_at
    enough = left >= min(SHORTEST_REST, opening.duration)
    return replace(opening, starts_at=starts_at, duration=left) if enough else None


def _round_up(at: datetime) -> datetime:
    since = at - datetime.fromtimestamp(0, UTC)
    return at + -since % STEP


def _added(slot: Slot) -> Accepted:
    return Accepted(
        (AddSlot(slot),), (freed_fact(slot),), (timers.look_again(slot, slot.freed_at),)
    )


def freed_fact(slot: Slot) -> SlotFreed:
    return SlotFreed(
        slot.id,
        origin=slot.origin,
        opening=slot.opening,
        rules=slot.rules,
        beside=slot.beside,
        not_to=slot.not_to,
    )


def report_overlap(view: FreedView, command: commands.ReportOverlap, _now: datetime) -> Decision:
    """Records the overlap with the slot that has the time already, so that staff are told."""
    opening = with_catalogue_names(command.opening, view.catalogue)
    taken = in_the_way(opening, view.near)
    if view.known is not None or not taken:
        return Refused(Reason.STILL_GOOD)
    return Accepted(facts=(OverlapRefused(taken[0].id, command.origin, opening),))


def with_catalogue_names(opening: Opening, catalogue: Catalogue) -> Opening:
    """The opening with the catalogue's spelling of names, which entries have too."""
    service = catalogue.service(opening.service)
    return replace(
        opening,
        service=service.name if service else opening.service,
        staff=catalogue.member(opening.staff) or opening.staff,
    )


def _makes_sense(opening: Opening) -> bool:
    return (
        bool(opening.service)
        and opening.capacity >= 1
        and SHORTEST <= opening.duration <= LONGEST_SLOT
        and opening.price_cents >= 0
    )


def make_move(view: SlotView | None, _: commands.MakeMove, now: datetime) -> Decision:
    """Makes the next move of an open slot and sets its timer again."""
    if view is None:
        return Refused(Reason.NO_SUCH_SLOT)
    slot = view.slot
    if slot.status is not SlotStatus.OPEN:
        return Refused(Reason.SLOT_CLOSED)
    if view.current is not None:
        return _check_offer(view, view.current, now)
    move = next_move(slot, view.candidates, view.offers, now)
    match move:
        case NobodyFits():
            return _passing_over(view, _nobody_fits(slot, now))
        case MakeOffer(entry) | RollOn(entry):
            return _passing_over(view, _offer(slot, entry, now))
        case HandItBack(why):
            return _passing_over(view, _hand_back(view, why, now))
        case _:
            assert_never(move)


def _passing_over(view: SlotView, move: Accepted) -> Accepted:
    """Records those who come first but cannot be reached, for the slot's story."""
    if not view.passed_over:
        return move
    fact = PeoplePassedOver(view.slot.id, tuple(view.passed_over), view.passed_over_why)
    return replace(move, facts=(fact, *move.facts))


def take_back(view: SlotView | None, command: commands.TakeBackSlot, now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_SLOT)
    if view.slot.status is not SlotStatus.OPEN:
        return Refused(Reason.SLOT_CLOSED)
    if not command.nobody_fits:
        return _hand_back(view, HandBack.STAFF, now)
    if view.current is not None or view.candidates:
        return Refused(Reason.STILL_GOOD)
    return _hand_back(view, HandBack.NOBODY_FITS, now)


def _check_offer(view: SlotView, offer: Offer, now: datetime) -> Accepted:
    """Restores a lost timer, ends an overdue offer, or hands back a slot when it is too late."""
    slot = view.slot
    if offer.claim_by is not None:
        if now >= offer.claim_by:
            return lapsed(slot, offer, now)
        lapse = SetTimer(timers.offer_timer(slot.id, offer.seq), offer.claim_by)
        return Accepted((as_read(slot),), timers=(lapse, timers.look_after(slot, offer.claim_by)))
    if why := why_too_late(slot, now):
        return _hand_back(view, why, now)
    return Accepted((as_read(slot),), timers=(timers.look_again(slot, now),))


def _nobody_fits(slot: Slot, now: datetime) -> Accepted:
    again = (timers.look_again(slot, now),)
    if slot.nobody_fits:
        return Accepted((as_read(slot),), timers=again)
    return Accepted((MarkNobodyFits(slot.id),), (NobodyFitted(slot.id),), again)


def _offer(slot: Slot, entry: Entry, now: datetime) -> Accepted:
    seq = slot.offers + 1
    offer = Offer(slot.id, seq, entry.id, OfferState.PENDING, made_at=now)
    made = OfferMade if seq == 1 else OfferRolledOn
    return Accepted(
        (HoldSlot(slot.id, seq), AddOffer(offer), EntryAsRead(entry.id, entry.version)),
        (made(slot.id, entry.id, seq, last_useful_at=slot.last_at),),
        (timers.look_again(slot, now),),
    )


def _hand_back(view: SlotView, why: HandBack, now: datetime) -> Accepted:
    """Hands the slot back and records who was tried. Withdraws an open offer."""
    slot, offer = view.slot, view.current
    changes: list[Change] = [HandBackSlot(slot.id, slot.offer_seq, slot.live, at=now)]
    facts: list[Fact] = []
    drops = [timers.no_more_looks(slot)]
    if offer is not None:
        end = MoveOffer(slot.id, offer.seq, offer.state, OfferState.WITHDRAWN, at=now)
        changes.append(end)
        facts.append(
            OfferWithdrawn(
                slot.id,
                offer.entry_id,
                offer.seq,
                why=Withdrawn.HANDED_BACK,
                was_live=slot.live,
            )
        )
        drops.append(DropTimer(timers.offer_timer(slot.id, offer.seq)))
    tried = tuple(one.entry_id for one in view.offers)
    facts.append(SlotHandedBack(slot.id, why=why, tried=tried))
    return Accepted(tuple(changes), tuple(facts), tuple(drops))
