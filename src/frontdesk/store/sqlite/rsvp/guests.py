"""Reads and writes guests and their offers."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.rsvp.changes import AddGuest, AddOffer, CutOffer, MoveOffer, WriteGuest
from frontdesk.desks.rsvp.model import Guest, Offer
from frontdesk.store.rows import SqliteRows, seconds, seconds_or_none
from frontdesk.store.sqlite.tables import Write, Writes, writes_one

GUEST: Final = SqliteRows(Guest, {"id": "guest_id"})
OFFER: Final = SqliteRows(Offer)
GUEST_COLUMNS: Final = GUEST.of("g")
#: Updates do not change the key and the person.
_KEYS: Final = 3
_SETS: Final = GUEST.sets(_KEYS)


def add(db: Connection, change: AddGuest) -> bool:
    return writes_one(
        db,
        f"INSERT INTO ev_guest ({GUEST.columns}) VALUES ({GUEST.marks}) ON CONFLICT DO NOTHING",
        GUEST.values(change.guest),
    )


def write(db: Connection, change: WriteGuest) -> bool:
    """Condition also: a name is written only if the person is not erased meanwhile."""
    guest = change.guest
    return writes_one(
        db,
        f"UPDATE ev_guest SET {_SETS}"
        " WHERE event_id = ? AND guest_id = ? AND person_id = ? AND version = ?"
        " AND (? = '' OR NOT EXISTS (SELECT 1 FROM fd_person p"
        " WHERE p.person_id = ev_guest.person_id AND p.erased))",
        (
            *GUEST.values(guest)[_KEYS:],
            *(guest.event_id, guest.id, guest.person_id, guest.version - 1),
            guest.name,
        ),
    )


def forget_person(db: Connection, person_id: str) -> None:
    """Deletes the name and address in an erased person's sign-ups."""
    db.execute("UPDATE ev_guest SET name = '', email = '' WHERE person_id = ?", (person_id,))


def add_offer(db: Connection, change: AddOffer) -> bool:
    return writes_one(
        db,
        f"INSERT INTO ev_offer ({OFFER.columns}) VALUES ({OFFER.marks}) ON CONFLICT DO NOTHING",
        OFFER.values(change.offer),
    )


def move_offer(db: Connection, change: MoveOffer) -> bool:
    """Moves an offer. Live starts its window, pending clears it, any other state ends the offer."""
    return writes_one(
        db,
        "UPDATE ev_offer SET state = :after,"
        " armed_at = CASE :after WHEN 'live' THEN :at WHEN 'pending' THEN NULL"
        " ELSE armed_at END,"
        " claim_by = CASE :after WHEN 'live' THEN :claim_by WHEN 'pending' THEN NULL"
        " ELSE claim_by END,"
        " ended_at = CASE WHEN :after IN ('live', 'pending') THEN NULL ELSE :at END"
        " WHERE guest_id = :guest AND seq = :seq AND event_id = :event AND state = :before",
        {
            "after": change.after.value,
            "at": seconds(change.at),
            "claim_by": seconds_or_none(change.claim_by),
            "guest": change.guest_id,
            "seq": change.seq,
            "event": change.event_id,
            "before": change.before.value,
        },
    )


def cut_offer(db: Connection, change: CutOffer) -> bool:
    return writes_one(
        db,
        "UPDATE ev_offer SET claim_by = :claim_by"
        " WHERE guest_id = :guest AND seq = :seq AND event_id = :event AND state = 'live'"
        " AND claim_by > :claim_by",
        {
            "claim_by": seconds(change.claim_by),
            "guest": change.guest_id,
            "seq": change.seq,
            "event": change.event_id,
        },
    )


_guest_row = attrgetter("guest.id")
GUEST_WRITES: Writes = {
    AddGuest: Write("ev_guest", _guest_row, add),
    WriteGuest: Write("ev_guest", _guest_row, write),
    AddOffer: Write("ev_offer", attrgetter("offer.guest_id", "offer.seq"), add_offer),
    MoveOffer: Write("ev_offer", attrgetter("guest_id", "seq"), move_offer),
    CutOffer: Write("ev_offer", attrgetter("guest_id", "seq"), cut_offer),
}
