"""Decides about one offer: its message, and its end by an answer, a deadline or a failure."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted, Change, Decision, DropTimer, Refused, SetTimer
from frontdesk.core.localtime import zone
from frontdesk.core.quiet_hours import leaves_time
from frontdesk.desks.waitlist import commands, facts
from frontdesk.desks.waitlist.changes import (
    ArmSlot,
    BookSlot,
    DisarmSlot,
    EntryAsRead,
    FreeOfOffer,
    MoveOffer,
    SlotAsRead,
    WriteEntry,
)
from frontdesk.desks.waitlist.decide import timers
from frontdesk.desks.waitlist.eligibility import failure
from frontdesk.desks.waitlist.model import Entry, EntryStatus, Offer, OfferState, Slot, SlotStatus
from frontdesk.desks.waitlist.reasons import Lost, Reason, Withdrawn
from frontdesk.desks.waitlist.views import OfferView
from frontdesk.values import replace

# --- the message of an offer ----------------------------------------------------------------


def arm(view: OfferView | None, _: commands.ArmOffer, now: datetime) -> Decision:
    """Starts the claim window just before the message goes out, if the offer is still good."""
    if view is None or not _is_current(view):
        return Refused(Reason.OFFER_GONE)
    slot, offer, entry = view.slot, view.offer, view.entry
    if slot.live:
        return Refused(Reason.TOO_LATE) if _is_over(offer, now) else Accepted()
    if _why_unwanted(slot, entry) is not None:
        return Refused(Reason.NOT_WAITING)
    if now >= slot.last_at:
        return Refused(Reason.TOO_LATE)
    if slot.rules.quiet.is_quiet(now, zone(slot.rules.zone)):
        return Refused(Reason.QUIET_HOURS)

    claim_by = min(now + slot.rules.claim_window, slot.opening.starts_at)
    live = MoveOffer(
        slot.id, offer.seq, OfferState.PENDING, OfferState.LIVE, at=now, claim_by=claim_by
    )
    return Accepted(
        (ArmSlot(slot.id, offer.seq), live, EntryAsRead(entry.id, entry.version)),
        (facts.OfferArmed(slot.id, entry.id, offer.seq, claim_by=claim_by),),
        (SetTimer(timers.offer_timer(slot.id, offer.seq), claim_by),),
    )


def disarm(view: OfferView | None, _: commands.DisarmOffer, now: datetime) -> Decision:
    """Stops the claim window, because the message was definitely refused.

    After too many refusals, the person is unreachable for this slot.
    """
    if view is None or not _is_current(view) or not view.slot.live:
        return Refused(Reason.OFFER_GONE)
    slot, offer = view.slot, view.offer
    if offer.refusals + 1 >= slot.rules.send_tries:
        return _unreachable(slot, offer, now)
    return _pending_again(slot, offer, now, refused=True)


def put_off(view: OfferView | None, _: commands.PutOffOffer, now: datetime) -> Decision:
    """Stops the claim window because the channel is not available. This does not count as a
    refusal."""
    if view is None or not _is_current(view) or not view.slot.live:
        return Refused(Reason.OFFER_GONE)
    return _pending_again(view.slot, view.offer, now, refused=False)


def _pending_again(slot: Slot, offer: Offer, now: datetime, *, refused: bool) -> Accepted:
    back = MoveOffer(
        slot.id, offer.seq, OfferState.LIVE, OfferState.PENDING, at=now, refused=refused
    )
    fact = facts.OfferDisarmed(
        slot.id, offer.entry_id, offer.seq, refusals=offer.refusals + refused, refused=refused
    )
    return Accepted(
        (DisarmSlot(slot.id, offer.seq), back),
        (fact,),
        (_drop_timer(offer), timers.look_again(slot, now)),
    )


def send_again(view: OfferView | None, _: commands.SendOfferAgain, now: datetime) -> Decision:
    """Sends an offer again with its deadline, or with a new window if too little time is left."""
    if view is None or not _is_current(view) or not view.slot.live or _is_over(view.offer, now):
        return Refused(Reason.OFFER_GONE)
    slot, offer = view.slot, view.offer
    assert offer.claim_by is not None
    again = facts.OfferSentAgain(
        slot.id, offer.entry_id, offer.seq, at=now, last_useful_at=slot.opening.starts_at
    )
    rules = slot.rules
    in_time = leaves_time(
        offer.claim_by, window=rules.claim_window, quiet=rules.quiet, tz=zone(rules.zone), now=now
    )
    if in_time or now >= slot.last_at:
        return Accepted((as_read(slot),), (again,))
    pending = _pending_again(slot, offer, now, refused=False)
    return replace(pending, facts=(*pending.facts, again))


def give_up(view: OfferView | None, command: commands.GiveUpOffer, now: datetime) -> Decision:
    if view is None or not _is_current(view):
        return Refused(Reason.OFFER_GONE)
    return _unreachable(view.slot, view.offer, now, command.why)


def _unreachable(slot: Slot, offer: Offer, now: datetime, why: str = "") -> Accepted:
    fact = facts.OfferUnreachable(slot.id, offer.entry_id, offer.seq, why)
    return _end_offer(slot, offer, OfferState.UNREACHABLE, fact, now)


# --- the end of an offer --------------------------------------------------------------------


def claim(view: OfferView | None, command: commands.ClaimOffer, now: datetime) -> Decision:
    """Books the slot with one conditional write. Records a claim that comes too late."""
    if view is None:
        return Refused(Reason.NO_SUCH_OFFER)
    slot, offer, entry = view.slot, view.offer, view.entry
    if offer.state is OfferState.CLAIMED:
        return Refused(Reason.ALREADY_YOURS)
    if why := _why_lost(view, now, by_staff=command.by_staff):
        return Accepted(facts=(facts.ClaimLost(slot.id, entry.id, offer.seq, why=why),))
    booked = replace(entry, status=EntryStatus.BOOKED, version=entry.version + 1)
    return Accepted(
        (
            BookSlot(slot.id, offer.seq, entry.id, at=now, live=slot.live),
            MoveOffer(slot.id, offer.seq, offer.state, OfferState.CLAIMED, at=now),
            WriteEntry(booked),
        ),
        (
            facts.SlotClaimed(
                slot.id, entry.id, offer.seq, version=booked.version, by_staff=command.by_staff
            ),
        ),
        (_drop_timer(offer), timers.no_more_looks(slot)),
    )


def _why_lost(view: OfferView, now: datetime, *, by_staff: bool) -> Lost | None:
    if view.slot.booked_by:
        return Lost.FILLED
    if view.slot.status is SlotStatus.HANDED_BACK:
        return Lost.HANDED_BACK
    if view.offer.state is OfferState.EXPIRED or _is_over(view.offer, now):
        return Lost.TOO_LATE
    if not _is_current(view) or not (view.slot.live or by_staff):
        return Lost.OFFER_GONE
    if now >= view.slot.opening.starts_at:
        return Lost.TOO_LATE
    return None if view.entry.status is EntryStatus.WAITING else Lost.NOT_WAITING


def decline(view: OfferView | None, command: commands.DeclineOffer, now: datetime) -> Decision:
    """Declines the offer, so that the slot rolls on. They stay on the list unless they ask to
    leave."""
    if view is None or not _is_current(view):
        return Refused(Reason.OFFER_GONE)
    slot, offer, entry = view.slot, view.offer, view.entry
    if _is_over(offer, now):
        return Refused(Reason.TOO_LATE)
    fact = facts.OfferDeclined(slot.id, offer.entry_id, offer.seq, command.by_staff)
    ended = _end_offer(slot, offer, OfferState.DECLINED, fact, now)
    if not command.leave or entry.status is not EntryStatus.WAITING:
        return ended
    gone = replace(entry, status=EntryStatus.LEFT, version=entry.version + 1)
    changes: tuple[Change, ...] = (*ended.changes, WriteEntry(gone))
    return replace(
        ended, changes=changes, facts=(*ended.facts, facts.EntryLeft(gone.id, gone.version))
    )


def lapse(view: OfferView | None, _: commands.LapseOffer, now: datetime) -> Decision:
    """Ends an offer without an answer. If its timer fires early, sets it again."""
    if view is None or not _is_current(view) or not view.slot.live:
        return Refused(Reason.OFFER_GONE)
    slot, offer = view.slot, view.offer
    assert offer.claim_by is not None
    if now < offer.claim_by:
        again = SetTimer(timers.offer_timer(slot.id, offer.seq), offer.claim_by)
        return Accepted((as_read(slot),), timers=(again,))
    return lapsed(slot, offer, now)


def lapsed(slot: Slot, offer: Offer, now: datetime) -> Accepted:
    fact = facts.OfferLapsed(slot.id, offer.entry_id, offer.seq)
    return _end_offer(slot, offer, OfferState.EXPIRED, fact, now)


def withdraw(view: OfferView | None, _: commands.WithdrawOffer, now: datetime) -> Decision:
    """Withdraws the offer if they have another slot, left the list or changed their wish."""
    if view is None or not _is_current(view):
        return Refused(Reason.OFFER_GONE)
    slot, offer = view.slot, view.offer
    why = _why_unwanted(slot, view.entry)
    if why is None:
        return Refused(Reason.STILL_GOOD)
    fact = facts.OfferWithdrawn(slot.id, offer.entry_id, offer.seq, why=why, was_live=slot.live)
    return _end_offer(slot, offer, OfferState.WITHDRAWN, fact, now)


def take_offer_back(view: OfferView | None, _: commands.TakeOfferBack, now: datetime) -> Decision:
    if view is None or not _is_current(view):
        return Refused(Reason.OFFER_GONE)
    slot, offer = view.slot, view.offer
    fact = facts.OfferWithdrawn(
        slot.id, offer.entry_id, offer.seq, why=Withdrawn.STAFF, was_live=slot.live
    )
    return _end_offer(slot, offer, OfferState.WITHDRAWN, fact, now)


def _why_unwanted(slot: Slot, entry: Entry) -> Withdrawn | None:
    if entry.status is EntryStatus.BOOKED:
        return Withdrawn.BOOKED_ELSEWHERE
    if entry.status is not EntryStatus.WAITING:
        return Withdrawn.OFF_THE_LIST
    return None if failure(entry, slot) is None else Withdrawn.CHANGED_WISH


def _end_offer(
    slot: Slot, offer: Offer, after: OfferState, fact: facts.OfferFact, now: datetime
) -> Accepted:
    """Ends the offer. The next move chooses who is next."""
    return Accepted(
        (
            FreeOfOffer(slot.id, offer.seq, slot.live),
            MoveOffer(slot.id, offer.seq, offer.state, after, at=now),
        ),
        (fact,),
        (_drop_timer(offer), timers.look_again(slot, now)),
    )


def as_read(slot: Slot) -> SlotAsRead:
    """The condition of decisions that only set timers. It ensures that no timer outlives
    its slot."""
    return SlotAsRead(slot.id, slot.offer_seq, slot.live)


def _is_current(view: OfferView) -> bool:
    return view.slot.status is SlotStatus.OPEN and view.slot.offer_seq == view.offer.seq


def _is_over(offer: Offer, now: datetime) -> bool:
    return offer.claim_by is not None and now >= offer.claim_by


def _drop_timer(offer: Offer) -> DropTimer:
    return DropTimer(timers.offer_timer(offer.slot_id, offer.seq))
