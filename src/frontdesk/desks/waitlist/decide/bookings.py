"""How a booking ends early: the customer cancels, staff cancel for them, or nobody comes.

In the same commit the time that is left becomes a slot of its own, which is offered to the next.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from frontdesk.core.decision import Accepted, Change, Decision, Fact, Refused, TimerChange
from frontdesk.desks.waitlist.changes import AddSlot, EndBooking, EntryAsRead, WriteEntry
from frontdesk.desks.waitlist.commands import CancelBooking, MarkNoShow
from frontdesk.desks.waitlist.decide import timers
from frontdesk.desks.waitlist.decide.moves import freed, not_asked_again, rest_of
from frontdesk.desks.waitlist.facts import BookingCancelled, BookingMissed
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    EntryStatus,
    Slot,
    SlotId,
    SlotStatus,
    in_the_way,
)
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import BookingView


def cancel(view: BookingView | None, command: CancelBooking, now: datetime) -> Decision:
    """Before the start; after it the customer has come, or has not."""
    if view is None or not _is_booked(view, command.entry_id):
        return Refused(Reason.NOT_BOOKED)
    slot = view.slot
    if now >= slot.opening.starts_at:
        return Refused(Reason.BEGUN)
    entry = _after(view, EntryStatus.WAITING if command.stay else EntryStatus.LEFT)
    again = _next_slot(view, command.new_id, f"cancelled:{slot.id}", now) if command.offer else None
    fact = BookingCancelled(
        slot.id,
        entry.id,
        view.offer.seq,
        status=entry.status,
        version=entry.version,
        next_slot=again.id if again else "",
        by_staff=command.by_staff,
    )
    return _ended(view, SlotStatus.CANCELLED, entry, fact, again, now)


def miss(view: BookingView | None, command: MarkNoShow, now: datetime) -> Decision:
    """From the start on. Where too little time is left, nothing is offered."""
    if view is None or not _is_booked(view, EntryId(view.slot.booked_by)):
        return Refused(Reason.NOT_BOOKED)
    slot = view.slot
    if now < slot.opening.starts_at:
        return Refused(Reason.NOT_BEGUN)
    entry = _after(view, EntryStatus.LEFT)
    again = _next_slot(view, command.new_id, f"no-show:{slot.id}", now)
    fact = BookingMissed(
        slot.id,
        entry.id,
        view.offer.seq,
        status=entry.status,
        version=entry.version,
        next_slot=again.id if again else "",
    )
    return _ended(view, SlotStatus.NO_SHOW, entry, fact, again, now)


def _is_booked(view: BookingView, entry_id: EntryId) -> bool:
    return view.slot.status is SlotStatus.BOOKED and view.slot.booked_by == entry_id


def _after(view: BookingView, status: EntryStatus) -> Entry:
    """Their entry: as it is, if they have another booking or wait again already."""
    entry = view.entry
    if entry.status is not EntryStatus.BOOKED or view.has_another:
        return entry
    after = EntryStatus.STOPPED if entry.no_more else status
    return replace(entry, status=after, no_more=False, version=entry.version + 1)


def _next_slot(view: BookingView, new_id: SlotId, origin: str, now: datetime) -> Slot | None:
    """The time that is left, as a slot; nothing if it is too little, or taken by another slot."""
    slot = view.slot
    rest = rest_of(slot.opening, view.rules, now)
    if rest is None:
        return None
    taken = in_the_way(rest, view.near, (slot.id,))
    if any(each.id not in slot.beside and slot.id not in each.beside for each in taken):
        return None
    had_it = (*not_asked_again(slot, view.offers), view.entry.id)
    return Slot(
        new_id,
        origin,
        rest,
        view.rules,
        freed_at=now,
        beside=tuple(each.id for each in taken),
        not_to=had_it,
    )


def _ended(
    view: BookingView,
    status: SlotStatus,
    entry: Entry,
    fact: BookingCancelled | BookingMissed,
    again: Slot | None,
    now: datetime,
) -> Accepted:
    slot = view.slot
    is_same = entry.version == view.entry.version
    changes: list[Change] = [
        EndBooking(slot.id, entry.id, status, at=now),
        EntryAsRead(entry.id, entry.version) if is_same else WriteEntry(entry),
    ]
    facts: list[Fact] = [fact]
    looks: list[TimerChange] = []
    if again is not None:
        changes.append(AddSlot(again, instead_of=slot.id))
        facts.append(freed(again))
        looks.append(timers.look_again(again, now))
    return Accepted(tuple(changes), tuple(facts), tuple(looks))
