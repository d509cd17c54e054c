"""The booking desk in SQLite: bookings, claims, holds, handovers, tallies and requests."""

from __future__ import annotations

from sqlite3 import Connection

from frontdesk.desks.booking import facts
from frontdesk.store.fact_json import facts_in
from frontdesk.store.sqlite.booking.bookings import BOOKING_WRITES
from frontdesk.store.sqlite.booking.claims import CLAIM_WRITES
from frontdesk.store.sqlite.booking.reads import SqliteBookingReads
from frontdesk.store.sqlite.booking.requests import REQUEST_WRITES
from frontdesk.store.sqlite.tables import DeskTables


def forget(db: Connection, contact_key: str) -> None:
    """Erases names and contacts in bookings and requests with this address or number."""
    db.execute(
        "UPDATE bk_request SET sender = '', text = '', fields = '[]' WHERE lower(sender) = :key"
        " OR request_id IN (SELECT request_id FROM bk_booking"
        " WHERE lower(email) = :key OR mobile = :key)",
        {"key": contact_key},
    )
    db.execute(
        "UPDATE bk_booking SET name = '', email = '', mobile = '', answers = '{}', note = ''"
        " WHERE lower(email) = ? OR mobile = ?",
        (contact_key, contact_key),
    )


def forget_person(db: Connection, person_id: str) -> None:
    db.execute(
        "UPDATE bk_booking SET name = '', email = '', mobile = '', answers = '{}', note = ''"
        " WHERE person_id = ?",
        (person_id,),
    )
    db.execute(
        "UPDATE bk_request SET sender = '', text = '', fields = '[]' WHERE person_id = ?",
        (person_id,),
    )


BOOKING = DeskTables(
    code="bk",
    writes={**BOOKING_WRITES, **CLAIM_WRITES, **REQUEST_WRITES},
    reads=SqliteBookingReads,
    facts=facts_in(facts),
    forget=forget,
    forget_person=forget_person,
)
