"""Changes the counters of an event, each by one conditional update.

After each change: free + offered + confirmed_count = cap, and room = cap - confirmed_count. `room`
is stored because a condition cannot compute it.
Also owed <= waitlist_len: a guest who is owed a chance is in line, so owed >= 1 means that
somebody waits.
"""

from __future__ import annotations

from frontdesk.desks.rsvp import changes as c
from frontdesk.store.dynamodb.items import TransactItem, apply, holds
from frontdesk.store.dynamodb.schema import EV_EVENT
from frontdesk.store.dynamodb.tables import Write, Writes, one


def _one(change: c.SeatChange, set_: str, *, when: str, **more: int) -> TransactItem:
    return apply(EV_EVENT.name, {"event_id": change.event_id}, change, set_, when=when, **more)


def take_seats(change: c.TakeSeats) -> TransactItem:
    return _one(
        change,
        "SET #free = #free - :seats, confirmed_count = confirmed_count + :seats,"
        " room = room - :seats, waitlist_len = waitlist_len - :waited",
        when="version = :version AND #free >= :seats AND owed = :none AND waitlist_len >= :waited",
        waited=int(change.waited),
    )


def seat_from_line(change: c.SeatFromLine) -> TransactItem:
    return _one(
        change,
        "SET #free = #free - :seats, confirmed_count = confirmed_count + :seats,"
        " room = room - :seats, waitlist_len = waitlist_len - :one, owed = owed - :owed,"
        " rev = rev + :one",
        when="version = :version AND #free >= :seats AND round = :round AND owed >= :owed"
        f" AND {_line_shrinks(owed=change.owed)}",
        owed=int(change.owed),
    )


def _line_shrinks(*, owed: bool) -> str:
    """Condition: waitlist_len - 1 >= owed - :owed, written without sums, which are not allowed."""
    return "waitlist_len >= owed" if owed else "waitlist_len > owed"


def release_seats(change: c.ReleaseSeats) -> TransactItem:
    return _one(
        change,
        "SET #free = #free + :seats, confirmed_count = confirmed_count - :seats,"
        f" room = room + :seats, rev = rev + :one{_opening(opens=change.opens)}",
        when="confirmed_count = :taken AND confirmed_count >= :seats AND round = :round"
        f" AND {_opens(opens=change.opens)}",
        debt=-change.seats,
    )


def _opening(*, opens: bool) -> str:
    return ", round = round + :one, owed = waitlist_len" if opens else ""


def _opens(*, opens: bool) -> str:
    return "#free > :debt" if opens else "#free <= :debt"


def raise_cap(change: c.RaiseCap) -> TransactItem:
    return _one(
        change,
        "SET cap = cap + :by, #free = #free + :by, room = room + :by, rev = rev + :one"
        f"{_opening(opens=change.opens)}",
        when=f"cap = :cap AND round = :round AND {_opens(opens=change.opens)}",
        debt=-change.by,
    )


def not_in_debt(change: c.NotInDebt) -> TransactItem:
    key = {"event_id": change.event_id}
    return holds(EV_EVENT.name, key, change, when="version = :version AND #free >= :none")


def same_event(change: c.SameEvent) -> TransactItem:
    key = {"event_id": change.event_id}
    return holds(EV_EVENT.name, key, change, when="version = :version")


def leave_line(change: c.LeaveLine) -> TransactItem:
    return _one(
        change,
        "SET waitlist_len = waitlist_len - :one, owed = owed - :owed, rev = rev + :one",
        when=f"round = :round AND owed >= :owed AND {_line_shrinks(owed=change.owed)}",
        owed=int(change.owed),
    )


def _event(set_: str, *, when: str) -> Write:
    """The fields of the change are the values: `:seats`."""
    return one(lambda change: _one(change, set_, when=when))


SEAT_WRITES: Writes = {
    c.TakeSeats: one(take_seats),
    c.JoinLine: _event(
        "SET waitlist_len = waitlist_len + :one, owed = owed + :one, tickets = tickets + :one,"
        " rev = rev + :one",
        when="version = :version AND rev = :rev AND (#free < :seats OR owed > :none)",
    ),
    c.SeatFromLine: one(seat_from_line),
    c.ReleaseSeats: one(release_seats),
    c.RaiseCap: one(raise_cap),
    c.LowerCap: _event(
        "SET cap = cap - :by, #free = #free - :by, room = room - :by, rev = rev + :one",
        when="cap = :cap AND cap >= :by",
    ),
    c.HoldSeats: _event(
        "SET #free = #free - :seats, offered = offered + :seats,"
        " waitlist_len = waitlist_len - :one, owed = owed - :one, rev = rev + :one",
        when="version = :version AND rev = :rev AND #free >= :seats AND owed >= :one",
    ),
    c.TakeBackSeats: _event(
        "SET offered = offered - :seats, #free = #free + :seats,"
        " waitlist_len = waitlist_len + :one, owed = owed + :one, rev = rev + :one",
        when="rev = :rev AND #free < :none AND offered >= :seats",
    ),
    c.NotInDebt: one(not_in_debt),
    c.SameEvent: one(same_event),
    c.ClaimSeats: _event(
        "SET offered = offered - :seats, confirmed_count = confirmed_count + :seats,"
        " room = room - :seats",
        when="version = :version AND room >= :seats AND offered >= :seats",
    ),
    c.KeepPlace: _event(
        "SET offered = offered - :seats, #free = #free + :seats,"
        " waitlist_len = waitlist_len + :one, owed = owed + :one, rev = rev + :one",
        when="room < :seats AND offered >= :seats",
    ),
    c.ReturnSeats: _event(
        "SET offered = offered - :seats, #free = #free + :seats,"
        " waitlist_len = waitlist_len + :one, rev = rev + :one",
        when="round = :round AND offered >= :seats",
    ),
    c.DropHeldSeats: _event(
        "SET offered = offered - :seats, #free = #free + :seats, rev = rev + :one",
        when="offered >= :seats",
    ),
    c.LeaveLine: one(leave_line),
    c.LineChanged: _event(
        "SET rev = rev + :one, tickets = tickets + :tickets",
        when="attribute_exists(event_id)",
    ),
}
