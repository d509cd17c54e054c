"""Writes slots. Changes of an open slot are conditional on its status and its offer."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.waitlist import changes as c
from frontdesk.desks.waitlist.model import LONGEST_SLOT, Opening, Slot
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import Write, Writes, statement, writes_one

SLOT: Final = SqliteRows(Slot, {"id": "slot_id"}, flat={"opening": Opening}, remembered=500)
_NAMED: Final = ", ".join(f":{name}" for name in SLOT.names)


def add(db: Connection, change: c.AddSlot) -> bool:
    """Adds a slot. Condition: its resource has no overlapping open or booked slot."""
    slot = change.slot
    return writes_one(
        db,
        f"INSERT INTO wl_slot ({SLOT.columns}, resource) SELECT {_NAMED}, :resource"
        " WHERE :resource = '' OR :status NOT IN ('open', 'booked') OR NOT EXISTS ("
        "SELECT 1 FROM wl_slot WHERE resource = :resource AND status IN ('open', 'booked')"
        " AND starts_at > :starts_at - :longest AND starts_at < :starts_at + :duration"
        " AND :starts_at < starts_at + duration"
        " AND slot_id <> :instead_of AND slot_id NOT IN (SELECT value FROM json_each(:beside)))"
        " ON CONFLICT DO NOTHING",
        {
            **dict(zip(SLOT.names, SLOT.values(slot), strict=True)),
            "resource": slot.opening.resource,
            "instead_of": change.instead_of,
            "longest": int(LONGEST_SLOT.total_seconds()),
        },
    )


def _slot(sql: str) -> Write:
    return Write("wl_slot", attrgetter("slot_id"), statement(sql))


SLOT_WRITES: Writes = {
    c.AddSlot: Write("wl_slot", attrgetter("slot.id"), add),
    c.HoldSlot: _slot(
        "UPDATE wl_slot SET offer_seq = :seq, offers = :seq"
        " WHERE slot_id = :slot_id AND status = 'open' AND offer_seq = 0 AND offers = :seq - 1"
    ),
    c.ArmSlot: _slot(
        "UPDATE wl_slot SET live = 1"
        " WHERE slot_id = :slot_id AND status = 'open' AND offer_seq = :seq AND NOT live"
    ),
    c.DisarmSlot: _slot(
        "UPDATE wl_slot SET live = 0"
        " WHERE slot_id = :slot_id AND status = 'open' AND offer_seq = :seq AND live"
    ),
    # Books the slot. Only this write decides who gets it.
    c.BookSlot: _slot(
        "UPDATE wl_slot SET status = 'booked', booked_by = :entry_id, offer_seq = 0, live = 0,"
        " closed_at = :at"
        " WHERE slot_id = :slot_id AND status = 'open' AND offer_seq = :seq AND live = :live"
    ),
    c.FreeOfOffer: _slot(
        "UPDATE wl_slot SET offer_seq = 0, live = 0"
        " WHERE slot_id = :slot_id AND status = 'open' AND offer_seq = :seq AND live = :live"
    ),
    c.MarkNobodyFits: _slot(
        "UPDATE wl_slot SET nobody_fits = 1"
        " WHERE slot_id = :slot_id AND status = 'open' AND offer_seq = 0 AND NOT nobody_fits"
    ),
    c.SlotAsRead: _slot(
        "SELECT 1 FROM wl_slot"
        " WHERE slot_id = :slot_id AND status = 'open' AND offer_seq = :seq AND live = :live"
    ),
    c.HandBackSlot: _slot(
        "UPDATE wl_slot SET status = 'handed_back', offer_seq = 0, live = 0, closed_at = :at"
        " WHERE slot_id = :slot_id AND status = 'open' AND offer_seq = :seq AND live = :live"
    ),
    c.EndBooking: _slot(
        "UPDATE wl_slot SET status = :status, closed_at = :at"
        " WHERE slot_id = :slot_id AND status = 'booked' AND booked_by = :entry_id"
    ),
}
