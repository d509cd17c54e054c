"""Reads and writes the details of events. The module `seats` changes their counters."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.rsvp.changes import AddEvent, WriteEvent
from frontdesk.desks.rsvp.model import Details, Event, Seats
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import Write, Writes, writes_one

EVENT: Final = SqliteRows(Event, {"id": "event_id"}, flat={"details": Details, "seats": Seats})
_WRITTEN: Final = SqliteRows(WriteEvent, flat={"details": Details})


def event(db: Connection, event_id: str) -> Event | None:
    row = db.execute(
        f"SELECT {EVENT.columns} FROM ev_event WHERE event_id = ?", (event_id,)
    ).fetchone()
    return EVENT.read_or_none(row)


def event_by_slug(db: Connection, slug: str) -> Event | None:
    row = db.execute(f"SELECT {EVENT.columns} FROM ev_event WHERE slug = ?", (slug,)).fetchone()
    return EVENT.read_or_none(row)


def events(db: Connection) -> list[Event]:
    """Returns all events, sorted by start."""
    rows = db.execute(f"SELECT {EVENT.columns} FROM ev_event ORDER BY starts_at, event_id")
    return [EVENT.read(row) for row in rows]


def add(db: Connection, change: AddEvent) -> bool:
    return writes_one(
        db,
        f"INSERT INTO ev_event ({EVENT.columns}) VALUES ({EVENT.marks}) ON CONFLICT DO NOTHING",
        EVENT.values(change.event),
    )


def write(db: Connection, change: WriteEvent) -> bool:
    event_id, version, *written = _WRITTEN.values(change)
    return writes_one(
        db,
        f"UPDATE ev_event SET {_WRITTEN.sets(2)}, version = version + 1"
        " WHERE event_id = ? AND version = ?"
        " AND NOT EXISTS (SELECT 1 FROM ev_event o WHERE o.slug = ? AND o.event_id <> ?)",
        (*written, event_id, version, change.slug, event_id),
    )


EVENT_WRITES: Writes = {
    AddEvent: Write("ev_event", attrgetter("event.id"), add),
    WriteEvent: Write("ev_event", attrgetter("event_id"), write),
}
