"""An event's row: what it is. Its seats are changed by `seats`.

Beside it lies a row for its slug, which says whose it is: no two events have the same.
"""

from __future__ import annotations

from typing import Any

from frontdesk.desks.rsvp.changes import AddEvent, WriteEvent
from frontdesk.desks.rsvp.model import Details, Event, EventState, Seats, Settings
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.look import Look, Row
from frontdesk.store.dynamodb.schema import EV_EVENT
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.dynamodb.values import instant, seconds
from frontdesk.store.setting_json import decoded, to_text

_KEY = EV_EVENT.key.names
#: Each counter of the seats, and its attribute.
_COUNTERS = {
    **{name: name for name in ("cap", "free", "offered", "owed", "round", "rev", "tickets")},
    "taken": "confirmed_count",
    "waiting": "waitlist_len",
}


def read_event(row: Row) -> Event:
    return Event(
        row["event_id"],
        row["slug"],
        Details(
            row["name"],
            instant(row["starts_at"]),
            instant(row["ends_at"]),
            row["zone"],
            row["venue"],
            row["description"],
        ),
        decoded(Settings, row["settings"]),
        Seats(**{name: row[attribute] for name, attribute in _COUNTERS.items()}),
        EventState(row["state"]),
        row["sequence"],
        row["version"],
        row["thanks"],
        row["thanks_sent"],
    )


def event(look: Look, event_id: str) -> Event | None:
    row = look.get(EV_EVENT, event_id)
    return None if row is None else read_event(row)


def event_by_slug(look: Look, slug: str) -> Event | None:
    row = look.get(EV_EVENT, _slug_id(slug))
    return None if row is None else event(look, row["of"])


def events(look: Look) -> list[Event]:
    """By their start."""
    rows = look.scan(EV_EVENT, only="attribute_exists(starts_at)")
    found = [read_event(row) for row in rows]
    return sorted(found, key=lambda each: (each.details.starts_at, each.id))


def add(_look: Look, change: AddEvent) -> tuple[TransactItem, ...]:
    event, seats = change.event, change.event.seats
    row: dict[str, Any] = {
        "event_id": event.id,
        "version": event.version,
        "room": seats.room,
        **_columns(event),
        **{attribute: getattr(seats, name) for name, attribute in _COUNTERS.items()},
    }
    return put_new(EV_EVENT.name, _KEY, row), _add_slug(event.slug, event.id)


def write(look: Look, change: WriteEvent) -> tuple[TransactItem, ...]:
    """Whoever changes the slug after our look at it raises the version as well."""
    columns = _columns(change)
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
    before = look.get(EV_EVENT, change.event_id)
    if before is None or before["slug"] == change.slug:
        return (written,)
    gone = delete(EV_EVENT.name, {"event_id": _slug_id(before["slug"])})
    return written, gone, _add_slug(change.slug, change.event_id)


def _columns(event: Event | WriteEvent) -> dict[str, Any]:
    """All but the counters and the version."""
    details = event.details
    return {
        "slug": event.slug,
        "name": details.name,
        "starts_at": seconds(details.starts_at),
        "ends_at": seconds(details.ends_at),
        "zone": details.zone,
        "venue": details.venue,
        "description": details.description,
        "settings": to_text(event.settings),
        "state": event.state.value,
        "sequence": event.sequence,
        "thanks": event.thanks,
        "thanks_sent": event.thanks_sent,
    }


def _add_slug(slug: str, event_id: str) -> TransactItem:
    return put_new(EV_EVENT.name, _KEY, {"event_id": _slug_id(slug), "of": event_id})


def _slug_id(slug: str) -> str:
    return f"slug#{slug}"


EVENT_WRITES: Writes = {AddEvent: Write(add), WriteEvent: Write(write)}
