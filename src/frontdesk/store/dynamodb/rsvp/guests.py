"""Reads and writes guests, one by one and as a list for the console."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from frontdesk.desks.rsvp.changes import AddGuest, AddOffer, CutOffer, MoveOffer, WriteGuest
from frontdesk.desks.rsvp.model import Guest, Offer, OfferState, State
from frontdesk.desks.rsvp.reads import GuestRow, guest_row
from frontdesk.store.dynamodb.items import TransactItem, apply, check, put, put_new, update
from frontdesk.store.dynamodb.people import people
from frontdesk.store.dynamodb.schema import EV_GUESTS, EV_OFFERS
from frontdesk.store.dynamodb.sort_keys import is_in, nocase
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.rows import DynamoRows

GUEST: Final = DynamoRows(Guest, {"id": "guest_id"})
OFFER: Final = DynamoRows(Offer)
_KEY = EV_GUESTS.key.names
#: Tickets may be negative. With this offset they sort as text.
_TICKET_OFFSET: Final = 10**12


def guest_id_row(guest_id: str) -> tuple[str, str]:
    """Returns the key of the row that names the event of a guest."""
    return f"guest#{guest_id}", "-"


def person_rows(person_id: str) -> str:
    """Returns the partition of the rows that name a person's guest at each event."""
    return f"person#{person_id}"


def waiting_place(*, lapsed: bool, ticket: int) -> str:
    """Sorts like (lapsed, ticket)."""
    return f"w{int(lapsed)}{_TICKET_OFFSET + ticket:013}"


def offered_place(*, live: bool, lapsed: bool, ticket: int) -> str:
    """Sorts like (live, lapsed, ticket)."""
    return f"o{int(live)}{int(lapsed)}{_TICKET_OFFSET + ticket:013}"


def add(_reader: TableReader, change: AddGuest) -> tuple[TransactItem, ...]:
    guest = change.guest
    by_id, dash = guest_id_row(guest.id)
    at_event = {"event_id": by_id, "guest_id": dash, "of": guest.event_id}
    as_guest = {
        "event_id": person_rows(guest.person_id),
        "guest_id": guest.event_id,
        "of": guest.id,
    }
    rows: tuple[dict[str, Any], ...] = (_row(guest), at_event, as_guest)
    return tuple(put_new(EV_GUESTS.name, _KEY, row) for row in rows)


def write(change: WriteGuest) -> TransactItem:
    """Condition also: a name is written only if the person is not erased meanwhile."""
    guest = change.guest
    named = " AND attribute_not_exists(forgotten)" if guest.name else ""
    return put(
        EV_GUESTS.name,
        _KEY,
        _row(guest),
        when="person_id = :person AND version = :before" + named,
        person=guest.person_id,
        before=guest.version - 1,
    )


def _row(guest: Guest) -> dict[str, Any]:
    place = _place(guest)
    ticket = None if place is None else guest.ticket
    return {**GUEST.row(guest), "place": place, "open_ticket": ticket}


def forget_person(reader: TableReader, person_id: str) -> None:
    """Deletes the name and address in an erased person's sign-ups."""
    pointers = reader.query(EV_GUESTS, "event_id = :who", who=person_rows(person_id))
    for pointer in list(pointers):
        reader.write(
            update(
                EV_GUESTS.name,
                {"event_id": pointer["guest_id"], "guest_id": pointer["of"]},
                "SET #name = :nothing, email = :nothing, forgotten = :yes",
                when="attribute_exists(guest_id)",
                nothing="",
                yes=True,
            )
        )


def _place(guest: Guest) -> str | None:
    match guest.state:
        case State.WAITING:
            return waiting_place(lapsed=guest.lapsed, ticket=guest.ticket)
        case State.OFFERED:
            return offered_place(live=guest.live, lapsed=guest.lapsed, ticket=guest.ticket)
        case _:
            return None


def add_offer(_reader: TableReader, change: AddOffer) -> tuple[TransactItem, ...]:
    """Condition: the guest's offer before this one has ended."""
    offer = change.offer
    added = put_new(EV_OFFERS.name, EV_OFFERS.key.names, OFFER.row(offer))
    if offer.seq == 1:
        return (added,)
    before: dict[str, Any] = {"guest_id": offer.guest_id, "seq": offer.seq - 1}
    ended = "attribute_not_exists(guest_id) OR attribute_exists(ended_at)"
    return added, check(EV_OFFERS.name, before, when=ended)


def move_offer(change: MoveOffer) -> TransactItem:
    """Moves an offer. Live starts its window, pending clears it, any other state ends the offer."""
    match change.after:
        case OfferState.LIVE:
            assert change.claim_by is not None, "a live offer has an end"
            moves = "SET #state = :after, armed_at = :at, claim_by = :claim_by REMOVE ended_at"
        case OfferState.PENDING:
            moves = "SET #state = :after REMOVE armed_at, claim_by, ended_at"
        case _:
            moves = "SET #state = :after, ended_at = :at"
    key: dict[str, Any] = {"guest_id": change.guest_id, "seq": change.seq}
    when = "event_id = :event_id AND #state = :before"
    return apply(EV_OFFERS.name, key, change, moves, when=when)


def cut_offer(change: CutOffer) -> TransactItem:
    return apply(
        EV_OFFERS.name,
        {"guest_id": change.guest_id, "seq": change.seq},
        change,
        "SET claim_by = :claim_by",
        when="event_id = :event_id AND #state = :live AND claim_by > :claim_by",
        live=OfferState.LIVE.value,
    )


GUEST_WRITES: Writes = {
    AddGuest: Write(add),
    WriteGuest: one(write),
    AddOffer: Write(add_offer),
    MoveOffer: one(move_offer),
    CutOffer: one(cut_offer),
}


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
