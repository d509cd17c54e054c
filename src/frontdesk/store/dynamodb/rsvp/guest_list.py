"""Lists the guests of an event for hosts: filtered, sorted, searched, counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from frontdesk.desks.rsvp.model import Guest, State
from frontdesk.desks.rsvp.reads import GuestRow, guest_row
from frontdesk.store.dynamodb.nocase import is_in, nocase
from frontdesk.store.dynamodb.people import people
from frontdesk.store.dynamodb.rsvp.guests import GUEST
from frontdesk.store.dynamodb.schema import EV_GUESTS
from frontdesk.store.dynamodb.table_reader import TableReader

_STATE_ORDER: Final = {
    State.CONFIRMED: 0,
    State.OFFERED: 1,
    State.WAITING: 2,
    State.PENDING: 3,
    State.CANCELLED: 4,
}


def _name(row: GuestRow) -> str:
    return nocase(row.person.name)


def _joined(row: GuestRow) -> float:
    """Sorts guests who never joined before all others."""
    joined_at = row.guest.joined_at
    return float("-inf") if joined_at is None else joined_at.timestamp()


def _line(row: GuestRow) -> tuple[int, bool, int]:
    return _STATE_ORDER[row.guest.state], row.guest.lapsed, row.guest.ticket


def _state(row: GuestRow) -> int:
    return _STATE_ORDER[row.guest.state]


def _id(row: GuestRow) -> str:
    return row.guest.id


#: The key of each order, which may be reversed, and the second key, which is not.
_ORDERS: Final[Mapping[str, tuple[Callable[[GuestRow], Any], Callable[[GuestRow], Any]]]] = {
    "name": (_name, _id),
    "joined": (_joined, _id),
    "line": (_line, _id),
    "state": (_state, lambda row: (_name(row), _id(row))),
}


def rows(
    reader: TableReader,
    event_id: str,
    *,
    states: frozenset[State] | None = None,
    search: str = "",
    order: str = "name",
    limit: int = 100,
    offset: int = 0,
) -> list[GuestRow]:
    by, then_by = _ORDERS[order.removeprefix("-")]
    found = sorted(_found(reader, event_id, states, search), key=then_by)
    found.sort(key=by, reverse=order.startswith("-"))
    return found[offset : offset + limit]


def count(
    reader: TableReader, event_id: str, *, states: frozenset[State] | None = None, search: str = ""
) -> int:
    """Counts guests. Reads people only for a search."""
    if not search:
        return len(_guests(reader, event_id, states))
    return len(_found(reader, event_id, states, search))


def counts(reader: TableReader, event_id: str) -> dict[State, tuple[int, int]]:
    """Returns guests and seats for every state, (0, 0) if there are none."""
    parties: dict[State, list[int]] = {state: [] for state in State}
    for guest in _guests(reader, event_id, None):
        parties[guest.state].append(guest.party)
    return {state: (len(each), sum(each)) for state, each in parties.items()}


def arrived(reader: TableReader, event_id: str) -> int:
    seated = _guests(reader, event_id, frozenset({State.CONFIRMED}))
    return sum(guest.arrived for guest in seated)


def _found(
    reader: TableReader, event_id: str, states: frozenset[State] | None, search: str
) -> list[GuestRow]:
    guests = _guests(reader, event_id, states)
    persons = people(reader, [guest.person_id for guest in guests])
    rows = [
        guest_row(guest, person) for guest in guests if (person := persons.get(guest.person_id))
    ]
    return [row for row in rows if not search or is_in(search, row.person.name, row.person.email)]


def _guests(reader: TableReader, event_id: str, states: frozenset[State] | None) -> Sequence[Guest]:
    found = reader.query(EV_GUESTS, "event_id = :event", event=event_id)
    guests = [GUEST.read(row) for row in found]
    return [guest for guest in guests if states is None or guest.state in states]
