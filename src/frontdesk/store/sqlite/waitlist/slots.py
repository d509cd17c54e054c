"""A slot's row: every change holds only while it is open and its offer is the one that was read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from operator import attrgetter
from sqlite3 import Connection
from typing import Any, Final

from frontdesk.desks.waitlist import changes as c
from frontdesk.desks.waitlist.model import LONGEST_SLOT, Opening, Rules, Slot, SlotStatus
from frontdesk.store.setting_json import decoded, to_text
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import instant, instant_or_none, seconds, seconds_or_none

SLOT_COLUMNS: Final = (
    "slot_id, origin, service, starts_at, duration, capacity, staff, price_cents, rules, freed_at,"
    " status, offer_seq, live, offers, nobody_fits, booked_by, closed_at, beside, not_to"
)


def read_slot(row: Sequence[Any]) -> Slot:
    """From `SLOT_COLUMNS`."""
    (slot_id, origin, service, starts_at, duration, capacity, staff, price_cents) = row[:8]
    (rules_column, freed_at, status, offer_seq, live, offers, nobody_fits) = row[8:15]
    booked_by, closed_at, beside, not_to = row[15:]
    return Slot(
        slot_id,
        origin,
        Opening(
            service,
            instant(starts_at),
            timedelta(seconds=duration),
            capacity,
            staff,
            price_cents,
        ),
        decoded(Rules, rules_column),
        instant(freed_at),
        SlotStatus(status),
        offer_seq,
        live == 1,
        offers,
        nobody_fits == 1,
        booked_by,
        instant_or_none(closed_at),
        _ids(beside),
        _ids(not_to),
    )


def _ids(column: str) -> tuple[Any, ...]:
    return tuple(json.loads(column))


def add(db: Connection, change: c.AddSlot) -> bool:
    """The one write that decides whose slot a staff member's time is."""
    slot, opening = change.slot, change.slot.opening
    return _one(
        db,
        f"INSERT INTO wl_slot ({SLOT_COLUMNS}, resource)"
        " SELECT :slot, :origin, :service, :starts_at, :duration, :capacity, :staff, :price,"
        " :rules, :freed_at, :status, :seq, :live, :offers, :nobody_fits, :booked_by, :closed_at,"
        " :beside, :not_to, :resource"
        " WHERE :resource = '' OR :status NOT IN ('open', 'booked') OR NOT EXISTS ("
        "SELECT 1 FROM wl_slot WHERE resource = :resource AND status IN ('open', 'booked')"
        " AND starts_at > :starts_at - :longest AND starts_at < :starts_at + :duration"
        " AND :starts_at < starts_at + duration"
        " AND slot_id <> :instead_of AND slot_id NOT IN (SELECT value FROM json_each(:beside)))"
        " ON CONFLICT DO NOTHING",
        {
            "slot": slot.id,
            "origin": slot.origin,
            "service": opening.service,
            "starts_at": seconds(opening.starts_at),
            "duration": int(opening.duration.total_seconds()),
            "capacity": opening.capacity,
            "staff": opening.staff,
            "price": opening.price_cents,
            "rules": to_text(slot.rules),
            "freed_at": seconds(slot.freed_at),
            "status": slot.status.value,
            "seq": slot.offer_seq,
            "live": int(slot.live),
            "offers": slot.offers,
            "nobody_fits": int(slot.nobody_fits),
            "booked_by": slot.booked_by,
            "closed_at": seconds_or_none(slot.closed_at),
            "beside": json.dumps(slot.beside),
            "not_to": json.dumps(slot.not_to),
            "resource": opening.resource,
            "instead_of": change.instead_of,
            "longest": int(LONGEST_SLOT.total_seconds()),
        },
    )


def hold(db: Connection, change: c.HoldSlot) -> bool:
    return _one(
        db,
        "UPDATE wl_slot SET offer_seq = :seq, offers = :seq"
        " WHERE slot_id = :slot AND status = 'open' AND offer_seq = 0 AND offers = :seq - 1",
        {"slot": change.slot_id, "seq": change.seq},
    )


def arm(db: Connection, change: c.ArmSlot) -> bool:
    return _one(
        db,
        "UPDATE wl_slot SET live = 1"
        " WHERE slot_id = :slot AND status = 'open' AND offer_seq = :seq AND NOT live",
        {"slot": change.slot_id, "seq": change.seq},
    )


def disarm(db: Connection, change: c.DisarmSlot) -> bool:
    return _one(
        db,
        "UPDATE wl_slot SET live = 0"
        " WHERE slot_id = :slot AND status = 'open' AND offer_seq = :seq AND live",
        {"slot": change.slot_id, "seq": change.seq},
    )


def book(db: Connection, change: c.BookSlot) -> bool:
    """The one write that decides who gets it."""
    return _one(
        db,
        "UPDATE wl_slot SET status = 'booked', booked_by = :entry, offer_seq = 0, live = 0,"
        " closed_at = :at"
        " WHERE slot_id = :slot AND status = 'open' AND offer_seq = :seq AND live = :live",
        {
            "slot": change.slot_id,
            "seq": change.seq,
            "entry": change.entry_id,
            "at": seconds(change.at),
            "live": int(change.live),
        },
    )


def free_of_offer(db: Connection, change: c.FreeOfOffer) -> bool:
    return _one(
        db,
        "UPDATE wl_slot SET offer_seq = 0, live = 0"
        " WHERE slot_id = :slot AND status = 'open' AND offer_seq = :seq AND live = :live",
        {"slot": change.slot_id, "seq": change.seq, "live": int(change.live)},
    )


def mark_nobody_fits(db: Connection, change: c.MarkNobodyFits) -> bool:
    return _one(
        db,
        "UPDATE wl_slot SET nobody_fits = 1"
        " WHERE slot_id = :slot AND status = 'open' AND offer_seq = 0 AND NOT nobody_fits",
        {"slot": change.slot_id},
    )


def as_read(db: Connection, change: c.SlotAsRead) -> bool:
    found = db.execute(
        "SELECT 1 FROM wl_slot"
        " WHERE slot_id = :slot AND status = 'open' AND offer_seq = :seq AND live = :live",
        {"slot": change.slot_id, "seq": change.seq, "live": int(change.live)},
    ).fetchone()
    return found is not None


def hand_back(db: Connection, change: c.HandBackSlot) -> bool:
    return _one(
        db,
        "UPDATE wl_slot SET status = 'handed_back', offer_seq = 0, live = 0, closed_at = :at"
        " WHERE slot_id = :slot AND status = 'open' AND offer_seq = :seq AND live = :live",
        {
            "slot": change.slot_id,
            "seq": change.seq,
            "live": int(change.live),
            "at": seconds(change.at),
        },
    )


def end_booking(db: Connection, change: c.EndBooking) -> bool:
    return _one(
        db,
        "UPDATE wl_slot SET status = :after, closed_at = :at"
        " WHERE slot_id = :slot AND status = 'booked' AND booked_by = :entry",
        {
            "slot": change.slot_id,
            "entry": change.entry_id,
            "after": change.status.value,
            "at": seconds(change.at),
        },
    )


def _one(db: Connection, sql: str, values: Mapping[str, str | int | None]) -> bool:
    return db.execute(sql, values).rowcount == 1


_row = attrgetter("slot_id")
SLOT_WRITES: Writes = {
    c.AddSlot: Write("wl_slot", attrgetter("slot.id"), add),
    c.HoldSlot: Write("wl_slot", _row, hold),
    c.ArmSlot: Write("wl_slot", _row, arm),
    c.DisarmSlot: Write("wl_slot", _row, disarm),
    c.BookSlot: Write("wl_slot", _row, book),
    c.FreeOfOffer: Write("wl_slot", _row, free_of_offer),
    c.MarkNobodyFits: Write("wl_slot", _row, mark_nobody_fits),
    c.SlotAsRead: Write("wl_slot", _row, as_read),
    c.HandBackSlot: Write("wl_slot", _row, hand_back),
    c.EndBooking: Write("wl_slot", _row, end_booking),
}
