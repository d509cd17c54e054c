"""Reads and writes the details of events. The module `seats` changes their counters.

Each event has a second row for its slug, so that slugs are unique.
"""

from __future__ import annotations

from typing import Final

from frontdesk.desks.rsvp.changes import AddEvent, WriteEvent
from frontdesk.desks.rsvp.model import Details, Event, Seats
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.schema import EV_EVENT
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.rows import DynamoRows

EVENT: Final = DynamoRows(
    Event,
    {"id": "event_id", "taken": "confirmed_count", "waiting": "waitlist_len"},
    flat={"details": Details, "seats": Seats},
)
_WRITTEN: Final = DynamoRows(WriteEvent, flat={"details": Details})
_KEY: Final = EV_EVENT.key.names


def event(reader: TableReader, event_id: str) -> Event | None:
    row = reader.get(EV_EVENT, event_id)
    return EVENT.read_or_none(row)


def event_by_slug(reader: TableReader, slug: str) -> Event | None:
    row = reader.get(EV_EVENT, _slug_id(slug))
    return None if row is None else event(reader, row["of"])


def events(reader: TableReader) -> list[Event]:
    """Returns all events, sorted by start."""
    rows = reader.scan(EV_EVENT, only="attribute_exists(starts_at)")
    found = [EVENT.read(row) for row in rows]
    return sorted(found, key=lambda each: (each.details.starts_at, each.id))


def add(_reader: TableReader, change: AddEvent) -> tuple[TransactItem, ...]:
    event = change.event
    row = {**EVENT.row(event), "room": event.seats.room}
    return put_new(EV_EVENT.name, _KEY, row), _add_slug(event.slug, event.id)


def write(reader: TableReader, change: WriteEvent) -> tuple[TransactItem, ...]:
    """Reads the slug before the write. A change of it in between raises the version."""
    columns = _WRITTEN.row(change)
    del columns["event_id"], columns["version"]
    names = ", ".join(f"#{name} = :{name}" for name in columns)
    written = update(
        EV_EVENT.name,
        {"event_id": change.event_id},
        f"SET {names}, version = version + :one",
        when="version = :version",
        version=change.version,
        one=1,
        **columns,
    )
    before = reader.get(EV_EVENT, change.event_id)
    if before is None or before["slug"] == change.slug:
        return (written,)
    gone = delete(EV_EVENT.name, {"event_id": _slug_id(before["slug"])})
    return written, gone, _add_slug(change.slug, change.event_id)


def _add_slug(slug: str, event_id: str) -> TransactItem:
    return put_new(EV_EVENT.name, _KEY, {"event_id": _slug_id(slug), "of": event_id})


def _slug_id(slug: str) -> str:
    return f"slug#{slug}"


EVENT_WRITES: Writes = {AddEvent: Write(add), WriteEvent: Write(write)}
