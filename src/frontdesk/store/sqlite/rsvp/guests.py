"""Reads and writes guests, one by one and as a list for the console."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.rsvp.changes import AddGuest, AddOffer, CutOffer, MoveOffer, WriteGuest
from frontdesk.desks.rsvp.model import Guest, Offer, State
from frontdesk.desks.rsvp.reads import GuestRow, guest_row
from frontdesk.store.rows import SqliteRows
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite.people import PERSON, PERSON_COLUMNS
from frontdesk.store.sqlite.tables import Write, Writes, adds, statement, writes_one

GUEST: Final = SqliteRows(Guest, {"id": "guest_id"})
OFFER: Final = SqliteRows(Offer)
GUEST_COLUMNS: Final = GUEST.of("g")
#: Updates do not change the key and the person.
_KEYS: Final = 3
_SETS: Final = GUEST.sets(_KEYS)


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


GUEST_WRITES: Writes = {
    AddGuest: adds("ev_guest", GUEST, "guest"),
    WriteGuest: Write("ev_guest", attrgetter("guest.id"), write),
    AddOffer: adds("ev_offer", OFFER, "offer", "guest_id", "seq"),
    # Moves an offer. Live starts its window, pending clears it, any other state ends the offer.
    MoveOffer: Write(
        "ev_offer",
        attrgetter("guest_id", "seq"),
        statement(
            "UPDATE ev_offer SET state = :after,"
            " armed_at = CASE :after WHEN 'live' THEN :at WHEN 'pending' THEN NULL"
            " ELSE armed_at END,"
            " claim_by = CASE :after WHEN 'live' THEN :claim_by WHEN 'pending' THEN NULL"
            " ELSE claim_by END,"
            " ended_at = CASE WHEN :after IN ('live', 'pending') THEN NULL ELSE :at END"
            " WHERE guest_id = :guest_id AND seq = :seq AND event_id = :event_id"
            " AND state = :before"
        ),
    ),
    CutOffer: Write(
        "ev_offer",
        attrgetter("guest_id", "seq"),
        statement(
            "UPDATE ev_offer SET claim_by = :claim_by"
            " WHERE guest_id = :guest_id AND seq = :seq AND event_id = :event_id AND state = 'live'"
            " AND claim_by > :claim_by"
        ),
    ),
}


_WIDTH = len(GUEST)
_FROM = (
    "FROM ev_guest g JOIN fd_person p ON p.person_id = g.person_id WHERE g.event_id = :event"
    " AND (:states IS NULL OR g.state IN (SELECT value FROM json_each(:states)))"
)
#: The name at sign-up. Old rows have none, so the person's name is used.
_NAME = "coalesce(nullif(g.name, ''), p.name)"
_EMAIL = "coalesce(nullif(g.email, ''), p.email)"
_MATCHES = f" AND ({_NAME} LIKE :like ESCAPE '\\' OR {_EMAIL} LIKE :like ESCAPE '\\')"
_STATE_ORDER = (
    "CASE g.state WHEN 'confirmed' THEN 0 WHEN 'offered' THEN 1 WHEN 'waiting' THEN 2"
    " WHEN 'pending' THEN 3 ELSE 4 END"
)
#: The ORDER BY of each order; `{0}` is the direction.
_ORDERS = {
    "name": f"{_NAME} COLLATE NOCASE {{0}}, g.guest_id",
    "joined": "g.joined_at {0}, g.guest_id",
    "line": f"{_STATE_ORDER} {{0}}, g.lapsed {{0}}, g.ticket {{0}}, g.guest_id",
    "state": f"{_STATE_ORDER} {{0}}, {_NAME} COLLATE NOCASE, g.guest_id",
}


def rows(
    db: Connection,
    event_id: str,
    *,
    states: frozenset[State] | None = None,
    search: str = "",
    order: str = "name",
    limit: int = 100,
    offset: int = 0,
) -> list[GuestRow]:
    by = _ORDERS[order.removeprefix("-")].format("DESC" if order.startswith("-") else "ASC")
    matches = _MATCHES if search else ""
    found = db.execute(
        f"SELECT {GUEST_COLUMNS}, {PERSON_COLUMNS} {_FROM}{matches}"
        f" ORDER BY {by} LIMIT :limit OFFSET :offset",
        _values(event_id, states, search) | {"limit": limit, "offset": offset},
    )
    return [guest_row(GUEST.read(row[:_WIDTH]), PERSON.read(row[_WIDTH:])) for row in found]


def count(
    db: Connection, event_id: str, *, states: frozenset[State] | None = None, search: str = ""
) -> int:
    matches = _MATCHES if search else ""
    values = _values(event_id, states, search)
    number: int = db.execute(f"SELECT count(*) {_FROM}{matches}", values).fetchone()[0]
    return number


def counts(db: Connection, event_id: str) -> dict[State, tuple[int, int]]:
    """Returns guests and seats for every state, (0, 0) if there are none."""
    found = db.execute(
        "SELECT state, count(*), sum(party) FROM ev_guest WHERE event_id = ? GROUP BY state",
        (event_id,),
    )
    by_state = {State(state): (guests, seats) for state, guests, seats in found}
    return {state: by_state.get(state, (0, 0)) for state in State}


def _values(
    event_id: str, states: frozenset[State] | None, search: str
) -> dict[str, str | int | None]:
    escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return {
        "event": event_id,
        "states": None if states is None else to_text(sorted(states)),
        "like": f"%{escaped}%",
    }
