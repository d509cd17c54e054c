"""Reads and writes slots. Changes of an open slot are conditional on its status and its offer.

All slots are in one partition. Each has a second row for its origin, so that a time is freed once.
A row for each resource (a staff member or a place) guards its time, so that slots do not overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from frontdesk.desks.waitlist import changes as c
from frontdesk.desks.waitlist.model import (
    LONGEST_SLOT,
    Opening,
    Slot,
    SlotId,
    SlotStatus,
    in_the_way,
)
from frontdesk.store.dynamodb.items import TransactItem, apply, holds, put_new, update
from frontdesk.store.dynamodb.partitions import Partition
from frontdesk.store.dynamodb.schema import WL_SLOTS
from frontdesk.store.dynamodb.sort_keys import moment
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import Value
from frontdesk.store.rows import DynamoRows

SLOTS: Final = Partition(
    WL_SLOTS,
    "slots",
    DynamoRows(
        Slot,
        {"id": "slot_id", "offer_seq": "live_offer_seq"},
        flat={"opening": Opening},
        sparse=("beside", "not_to"),
    ),
)
_ORIGINS: Final = "origins"
_GUARDS: Final = "guards"


def slot_by_origin(reader: TableReader, origin: str) -> Slot | None:
    row = reader.get(WL_SLOTS, _ORIGINS, origin)
    return None if row is None else SLOTS.get(reader, row["of"])


def booked_by(reader: TableReader, entry_id: str, slot_ids: Sequence[str]) -> list[Slot]:
    """Returns those of these slots that this entry has booked."""
    theirs = [
        each
        for each in SLOTS.get_many(reader, slot_ids)
        if each.status is SlotStatus.BOOKED and each.booked_by == entry_id
    ]
    return sorted(theirs, key=lambda each: (each.opening.starts_at, each.id))


def idle(reader: TableReader, service: str, limit: int) -> list[SlotId]:
    free = "live_offer_seq = :none"
    of_before = "attribute_not_exists(live_offer_seq) AND offer_seq = :none"
    only = f"service = :service AND ({free} OR ({of_before}))"
    return list(_open(reader, limit, only, service=service, none=0))


def open_(reader: TableReader, limit: int) -> list[SlotId]:
    return list(_open(reader, limit))


def _open(reader: TableReader, limit: int, only: str = "", **values: Any) -> Iterator[SlotId]:
    rows = reader.query(
        WL_SLOTS,
        "shelf = :shelf",
        index="open",
        only=only,
        limit=limit,
        shelf=SLOTS.shelf,
        **values,
    )
    return (SlotId(row["slot_id"]) for row in rows)


def newest(reader: TableReader, limit: int) -> list[Slot]:
    return list(SLOTS.query(reader, index="by-freed", backwards=True, limit=limit))


def freed(reader: TableReader, since: datetime, until: datetime) -> list[Slot]:
    return SLOTS.between(reader, since, until, index="by-freed", name="freed")


def add(reader: TableReader, change: c.AddSlot) -> tuple[TransactItem, ...]:
    """Adds a slot, and writes the guard of its resource, so that slots do not overlap."""
    slot = change.slot
    start = moment(slot.opening.starts_at) + slot.id
    places = {
        "start": start,
        "freed": moment(slot.freed_at) + slot.id,
        "open_place": start if slot.status is SlotStatus.OPEN else None,
    }
    of_origin = {"shelf": _ORIGINS, "slot_id": slot.origin, "of": slot.id}
    return (
        SLOTS.add(slot, places),
        put_new(WL_SLOTS.name, WL_SLOTS.key.names, of_origin),
        *_guard(reader, change),
    )


def _guard(reader: TableReader, change: c.AddSlot) -> tuple[TransactItem, ...]:
    """Raises the revision of the resource's guard. The guard is read before the slots, so a slot
    that is added in between also raises it, and then the condition fails."""
    opening = change.slot.opening
    if not opening.resource or not change.slot.takes_time:
        return ()
    guard = blake2b(opening.resource.encode(), digest_size=16).hexdigest()
    key: dict[str, Value] = {"shelf": _GUARDS, "slot_id": guard}
    before = reader.get(WL_SLOTS, _GUARDS, guard)
    near = SLOTS.between(reader, opening.starts_at - LONGEST_SLOT, opening.ends_at)
    if in_the_way(opening, near, (*change.slot.beside, SlotId(change.instead_of))):
        return (update(WL_SLOTS.name, key, "SET rev = :never", when="rev = :never", never=-1),)
    when = "rev = :before" if before else "attribute_not_exists(rev)"
    values: dict[str, Value] = {"before": before["rev"]} if before else {}
    after = before["rev"] + 1 if before else 1
    return (update(WL_SLOTS.name, key, "SET rev = :after", when=when, after=after, **values),)


def hold(change: c.HoldSlot) -> TransactItem:
    return _one(
        change,
        "SET live_offer_seq = :seq, offers = :seq",
        when="live_offer_seq = :none AND offers = :before",
        before=change.seq - 1,
    )


def book(change: c.BookSlot) -> TransactItem:
    """Books the slot. Only this write decides who gets it."""
    return _one(
        change,
        "SET #status = :booked, booked_by = :entry_id, live_offer_seq = :none, live = :no,"
        " closed_at = :at REMOVE open_place",
        when="live_offer_seq = :seq AND live = :live",
        booked=SlotStatus.BOOKED.value,
    )


def as_read(change: c.SlotAsRead) -> TransactItem:
    return holds(
        WL_SLOTS.name,
        SLOTS.key(change.slot_id),
        change,
        when="#status = :open AND live_offer_seq = :seq AND live = :live",
        open=SlotStatus.OPEN.value,
    )


def hand_back(change: c.HandBackSlot) -> TransactItem:
    return _one(
        change,
        "SET #status = :back, live_offer_seq = :none, live = :no, closed_at = :at"
        " REMOVE open_place",
        when="live_offer_seq = :seq AND live = :live",
        back=SlotStatus.HANDED_BACK.value,
    )


def end_booking(change: c.EndBooking) -> TransactItem:
    return apply(
        WL_SLOTS.name,
        SLOTS.key(change.slot_id),
        change,
        "SET #status = :status, closed_at = :at",
        when="#status = :booked AND booked_by = :entry_id",
        booked=SlotStatus.BOOKED.value,
    )


def _one(change: c.SlotChange, set_: str, *, when: str, **more: Value) -> TransactItem:
    when = f"#status = :open AND {when}"
    open_ = SlotStatus.OPEN.value
    key = SLOTS.key(change.slot_id)
    return apply(WL_SLOTS.name, key, change, set_, when=when, open=open_, **more)


def _slot(set_: str, *, when: str) -> Write:
    """The fields of the change are the values: `:seq`."""
    return one(lambda change: _one(change, set_, when=when))


SLOT_WRITES: Writes = {
    c.AddSlot: Write(add),
    c.HoldSlot: one(hold),
    c.ArmSlot: _slot(
        "SET live = :yes",
        when="live_offer_seq = :seq AND live = :no",
    ),
    c.DisarmSlot: _slot(
        "SET live = :no",
        when="live_offer_seq = :seq AND live = :yes",
    ),
    c.BookSlot: one(book),
    c.FreeOfOffer: _slot(
        "SET live_offer_seq = :none, live = :no",
        when="live_offer_seq = :seq AND live = :live",
    ),
    c.MarkNobodyFits: _slot(
        "SET nobody_fits = :yes",
        when="live_offer_seq = :none AND nobody_fits = :no",
    ),
    c.SlotAsRead: one(as_read),
    c.HandBackSlot: one(hand_back),
    c.EndBooking: one(end_booking),
}
