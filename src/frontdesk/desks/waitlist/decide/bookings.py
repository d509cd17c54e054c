"""Decides how a booking ends early: the customer cancels, staff cancel, or the customer is absent.

In the same commit the time that is left becomes a slot of its own, which is offered to the next.
"""

from __future__ import annotations

from datetime import datetime
from difflib import SequenceMatcher
from typing import Final

from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Accepted, Change, Decision, Fact, Refused, TimerChange
from frontdesk.core.people import AddPerson
from frontdesk.desks.waitlist.changes import (
    AddEntry,
    AddOffer,
    AddSlot,
    EndBooking,
    EntryAsRead,
    WriteEntry,
)
from frontdesk.desks.waitlist.commands import CancelBooking, EditEntry, MarkNoShow
from frontdesk.desks.waitlist.decide import timers
from frontdesk.desks.waitlist.decide.moves import freed_fact, not_asked_again, rest_of
from frontdesk.desks.waitlist.facts import (
    BookingCancelled,
    BookingMissed,
    EntryJoined,
    SlotGiven,
)
from frontdesk.desks.waitlist.model import (
    GIVEN,
    Entry,
    EntryId,
    EntryStatus,
    Lane,
    Offer,
    OfferState,
    Slot,
    SlotId,
    SlotStatus,
    in_the_way,
)
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import BookingView, EditView
from frontdesk.values import replace


def cancel(view: BookingView | None, command: CancelBooking, now: datetime) -> Decision:
    """Cancels a booking before its start. After the start, staff can only note a no-show."""
    if view is None or not _is_booked(view, command.entry_id):
        return Refused(Reason.NOT_BOOKED)
    slot = view.slot
    if now >= slot.opening.starts_at and not command.quietly:
        return Refused(Reason.BEGUN)
    entry = _entry_after(view, EntryStatus.WAITING if command.stay else EntryStatus.LEFT)
    again = _next_slot(view, command.new_id, f"cancelled:{slot.id}", now) if command.offer else None
    fact = BookingCancelled(
        slot.id,
        entry.id,
        view.offer.seq,
        status=entry.status,
        version=entry.version,
        next_slot=again.id if again else "",
        by_staff=command.by_staff,
        quietly=command.quietly,
    )
    return _end_booking(view, SlotStatus.CANCELLED, entry, fact, again, now)


#: The least similarity of two spellings of one name.
_ALIKE: Final = 0.6


def is_another_name(name: str, now: str) -> bool:
    """Whether `now` is another person's name: it shares no word with `name` and is not similar to
    it."""
    before, after = name.casefold(), now.casefold()
    if {*before.split()} & {*after.split()}:
        return False
    return SequenceMatcher(None, before, after).ratio() < _ALIKE


def give(view: EditView, command: EditEntry, new: Entry, now: datetime) -> Decision:
    """Gives a booking to another person: cancels it for the first and confirms it for the second.

    `new` is the row as staff wrote it. The time becomes a new slot, so that both people have their
    own page and links.
    """
    assert view.booking is not None, "there is something to give"
    slot, claimed = view.booking
    known = next((one for one in view.others if one.service == new.service), None)
    if reason := _cannot_give(view, command, slot, known, now):
        return Refused(reason)
    gone_to = EntryStatus.STOPPED if view.entry.no_more else EntryStatus.LEFT
    gone = replace(view.entry, status=gone_to, no_more=False, version=view.entry.version + 1)
    entry = _receiver(view, command, new, known)
    given = _given_slot(slot, command.slot_id, entry.id, now)
    cancelled = BookingCancelled(
        slot.id,
        gone.id,
        claimed.seq,
        status=gone.status,
        version=gone.version,
        next_slot=given.id,
        by_staff=True,
        given=True,
    )
    return Accepted(
        (
            EndBooking(slot.id, gone.id, SlotStatus.CANCELLED, at=now),
            WriteEntry(gone),
            *_new_person(view, command),
            WriteEntry(entry) if known else AddEntry(entry),
            AddSlot(given, instead_of=slot.id),
            AddOffer(Offer(given.id, 1, entry.id, OfferState.CLAIMED, made_at=now, ended_at=now)),
        ),
        (
            cancelled,
            *_joined(entry, known),
            freed_fact(given),
            SlotGiven(given.id, entry.id, 1, version=entry.version, by_staff=True),
        ),
    )


def _cannot_give(
    view: EditView, command: EditEntry, slot: Slot, known: Entry | None, now: datetime
) -> Reason | None:
    """The reason to refuse. `known` is the other person's entry for this service."""
    before = contact_key(view.person.email, view.person.mobile)
    if before == contact_key(command.email, command.mobile):
        return Reason.SOMEBODY_ELSE
    if now >= slot.opening.starts_at:
        return Reason.BEGUN
    if known is not None and known.wants_no_offers:
        return Reason.STOPPED
    if known is not None and known.status is EntryStatus.BOOKED:
        return Reason.HAS_A_SLOT
    return None


def _given_slot(slot: Slot, given_id: SlotId, to: EntryId, now: datetime) -> Slot:
    return replace(
        slot,
        id=given_id,
        origin=f"{GIVEN}{slot.id}",
        freed_at=now,
        booked_by=to,
        offers=1,
        closed_at=now,
        nobody_fits=False,
    )


def _joined(entry: Entry, known: Entry | None) -> tuple[Fact, ...]:
    """The receiver joins the list, unless they are waiting already."""
    if known is not None and known.status is EntryStatus.WAITING:
        return ()
    joined = EntryJoined(
        entry.id,
        entry.version,
        entry.person_id,
        entry.wish,
        entry.lane,
        entry.joined_at,
        entry.mail_only,
    )
    return (joined,)


def _new_person(view: EditView, command: EditEntry) -> tuple[Change, ...]:
    if view.namesake is not None:
        return ()
    key = contact_key(command.email, command.mobile)
    return (AddPerson(command.person_id, command.name, command.email, key, command.mobile),)


def _receiver(view: EditView, command: EditEntry, new: Entry, known: Entry | None) -> Entry:
    """The entry of the person who gets the slot. If they are waiting already, they keep
    their wish."""
    if known is not None and known.status is EntryStatus.WAITING:
        return replace(known, status=EntryStatus.BOOKED, version=known.version + 1)
    return replace(
        new,
        id=known.id if known else command.new_id,
        person_id=view.namesake.id if view.namesake else command.person_id,
        status=EntryStatus.BOOKED,
        lane=Lane.STAFF,
        version=known.version + 1 if known else 1,
        no_more=False,
    )


def mark_no_show(view: BookingView | None, command: MarkNoShow, now: datetime) -> Decision:
    """Notes a no-show after the start. Offers the rest of the time if enough is left."""
    if view is None or not _is_booked(view, EntryId(view.slot.booked_by)):
        return Refused(Reason.NOT_BOOKED)
    slot = view.slot
    if now < slot.opening.starts_at:
        return Refused(Reason.NOT_BEGUN)
    entry = _entry_after(view, EntryStatus.LEFT)
    again = _next_slot(view, command.new_id, f"no-show:{slot.id}", now)
    fact = BookingMissed(
        slot.id,
        entry.id,
        view.offer.seq,
        status=entry.status,
        version=entry.version,
        next_slot=again.id if again else "",
    )
    return _end_booking(view, SlotStatus.NO_SHOW, entry, fact, again, now)


def _is_booked(view: BookingView, entry_id: EntryId) -> bool:
    return view.slot.status is SlotStatus.BOOKED and view.slot.booked_by == entry_id


def _entry_after(view: BookingView, status: EntryStatus) -> Entry:
    """The entry after the booking; unchanged if they have another booking or are waiting again."""
    entry = view.entry
    if entry.status is not EntryStatus.BOOKED or view.has_another:
        return entry
    after = EntryStatus.STOPPED if entry.no_more else status
    return replace(entry, status=after, no_more=False, version=entry.version + 1)


def _next_slot(view: BookingView, new_id: SlotId, origin: str, now: datetime) -> Slot | None:
    """The remaining time as a slot; None if it is too short or another slot has it."""
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


def _end_booking(
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
        facts.append(freed_fact(again))
        looks.append(timers.look_again(again, now))
    return Accepted(tuple(changes), tuple(facts), tuple(looks))
