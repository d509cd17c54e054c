"""An event's row: what it is. Its seats are changed by `seats`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from sqlite3 import Connection
from typing import Any

from frontdesk.desks.rsvp.changes import AddEvent, WriteEvent
from frontdesk.desks.rsvp.model import Details, Event, EventState, Seats, Settings
from frontdesk.store.setting_json import decoded, to_text
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import instant, seconds

EVENT_COLUMNS = (
    "event_id, slug, name, starts_at, ends_at, zone, venue, description, settings, state,"
    " sequence, version, thanks, thanks_sent,"
    " cap, free, offered, taken, waiting, owed, round, rev, tickets"
)
_STATES = {state.value: state for state in EventState}


def read_event(row: Sequence[Any]) -> Event:
    """From `EVENT_COLUMNS`."""
    (event_id, slug, name, starts_at, ends_at, zone, venue, description, settings_column) = row[:9]
    state, sequence, version, thanks, thanks_sent = row[9:14]
    return Event(
        event_id,
        slug,
        Details(name, instant(starts_at), instant(ends_at), zone, venue, description),
        decoded(Settings, settings_column),
        Seats(*row[14:]),
        _STATES[state],
        sequence,
        version,
        thanks,
        thanks_sent == 1,
    )


def event(db: Connection, event_id: str) -> Event | None:
    row = db.execute(
        f"SELECT {EVENT_COLUMNS} FROM ev_event WHERE event_id = ?", (event_id,)
    ).fetchone()
    return None if row is None else read_event(row)


def event_by_slug(db: Connection, slug: str) -> Event | None:
    row = db.execute(f"SELECT {EVENT_COLUMNS} FROM ev_event WHERE slug = ?", (slug,)).fetchone()
    return None if row is None else read_event(row)


def events(db: Connection) -> list[Event]:
    """By their start."""
    rows = db.execute(f"SELECT {EVENT_COLUMNS} FROM ev_event ORDER BY starts_at, event_id")
    return [read_event(row) for row in rows]


def add(db: Connection, change: AddEvent) -> bool:
    event, details, seats = change.event, change.event.details, change.event.seats
    return (
        db.execute(
            f"INSERT INTO ev_event ({EVENT_COLUMNS})"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (
                event.id,
                event.slug,
                details.name,
                seconds(details.starts_at),
                seconds(details.ends_at),
                details.zone,
                details.venue,
                details.description,
                to_text(event.settings),
                event.state.value,
                event.sequence,
                event.version,
                event.thanks,
                int(event.thanks_sent),
                seats.cap,
                seats.free,
                seats.offered,
                seats.taken,
                seats.waiting,
                seats.owed,
                seats.round,
                seats.rev,
                seats.tickets,
            ),
        ).rowcount
        == 1
    )


def write(db: Connection, change: WriteEvent) -> bool:
    details = change.details
    return (
        db.execute(
            "UPDATE ev_event SET slug = :slug, name = :name, starts_at = :starts,"
            " ends_at = :ends, zone = :zone, venue = :venue, description = :description,"
            " settings = :settings, state = :state, sequence = :sequence,"
            " thanks = :thanks, thanks_sent = :thanks_sent, version = version + 1"
            " WHERE event_id = :event AND version = :version"
            " AND NOT EXISTS (SELECT 1 FROM ev_event o"
            " WHERE o.slug = :slug AND o.event_id <> :event)",
            {
                "slug": change.slug,
                "name": details.name,
                "starts": seconds(details.starts_at),
                "ends": seconds(details.ends_at),
                "zone": details.zone,
                "venue": details.venue,
                "description": details.description,
                "settings": to_text(change.settings),
                "state": change.state.value,
                "sequence": change.sequence,
                "thanks": change.thanks,
                "thanks_sent": int(change.thanks_sent),
                "event": change.event_id,
                "version": change.version,
            },
        ).rowcount
        == 1
    )


EVENT_WRITES: Writes = {
    AddEvent: Write("ev_event", attrgetter("event.id"), add),
    WriteEvent: Write("ev_event", attrgetter("event_id"), write),
}
