"""Changes the counters of an event, each by one conditional update.

After each change: free + offered + confirmed_count = cap, and room = cap - confirmed_count. `room`
is stored because a condition cannot compute it.
Also owed <= waitlist_len: a guest who is owed a chance is in line, so owed >= 1 means that
somebody waits.
"""

from __future__ import annotations

from frontdesk.desks.rsvp import changes as c
from frontdesk.store.dynamodb.items import TransactItem, check, update
from frontdesk.store.dynamodb.schema import EV_EVENT
from frontdesk.store.dynamodb.tables import Writes, one


def _one(change: c.SeatChange, set_: str, *, when: str, **values: int) -> TransactItem:
    return update(EV_EVENT.name, {"event_id": change.event_id}, set_, when=when, **values)


def take_seats(change: c.TakeSeats) -> TransactItem:
    return _one(
        change,
        "SET #free = #free - :n, confirmed_count = confirmed_count + :n, room = room - :n,"
        " waitlist_len = waitlist_len - :waited",
        when="version = :version AND #free >= :n AND owed = :none AND waitlist_len >= :waited",
        version=change.version,
        n=change.seats,
        none=0,
        waited=int(change.waited),
    )


def join_line(change: c.JoinLine) -> TransactItem:
    return _one(
        change,
        "SET waitlist_len = waitlist_len + :one, owed = owed + :one, tickets = tickets + :one,"
        " rev = rev + :one",
        when="version = :version AND rev = :rev AND (#free < :n OR owed > :none)",
        version=change.version,
        rev=change.rev,
        n=change.seats,
        one=1,
        none=0,
    )


def seat_from_line(change: c.SeatFromLine) -> TransactItem:
    return _one(
        change,
        "SET #free = #free - :n, confirmed_count = confirmed_count + :n, room = room - :n,"
        " waitlist_len = waitlist_len - :one, owed = owed - :owed, rev = rev + :one",
        when="version = :version AND #free >= :n AND round = :round AND owed >= :owed"
        f" AND {_somebody_goes(owed=change.owed)}",
        version=change.version,
        n=change.seats,
        round=change.round,
        owed=int(change.owed),
        one=1,
    )


def _somebody_goes(*, owed: bool) -> str:
    """waitlist_len - 1 >= owed - :owed"""
    return "waitlist_len >= owed" if owed else "waitlist_len > owed"


def release_seats(change: c.ReleaseSeats) -> TransactItem:
    return _one(
        change,
        "SET #free = #free + :n, confirmed_count = confirmed_count - :n, room = room + :n,"
        f" rev = rev + :one{_opening(opens=change.opens)}",
        when="confirmed_count = :taken AND confirmed_count >= :n AND round = :round"
        f" AND {_opens(opens=change.opens)}",
        n=change.seats,
        taken=change.taken,
        round=change.round,
        debt=-change.seats,
        one=1,
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
        by=change.by,
        cap=change.cap,
        round=change.round,
        debt=-change.by,
        one=1,
    )


def lower_cap(change: c.LowerCap) -> TransactItem:
    return _one(
        change,
        "SET cap = cap - :by, #free = #free - :by, room = room - :by, rev = rev + :one",
        when="cap = :cap AND cap >= :by",
        by=change.by,
        cap=change.cap,
        one=1,
    )


def hold_seats(change: c.HoldSeats) -> TransactItem:
    return _one(
        change,
        "SET #free = #free - :n, offered = offered + :n, waitlist_len = waitlist_len - :one,"
        " owed = owed - :one, rev = rev + :one",
        when="version = :version AND rev = :rev AND #free >= :n AND owed >= :one",
        version=change.version,
        rev=change.rev,
        n=change.seats,
        one=1,
    )


def take_back_seats(change: c.TakeBackSeats) -> TransactItem:
    return _one(
        change,
        "SET offered = offered - :n, #free = #free + :n, waitlist_len = waitlist_len + :one,"
        " owed = owed + :one, rev = rev + :one",
        when="rev = :rev AND #free < :none AND offered >= :n",
        n=change.seats,
        rev=change.rev,
        one=1,
        none=0,
    )


def not_in_debt(change: c.NotInDebt) -> TransactItem:
    return check(
        EV_EVENT.name,
        {"event_id": change.event_id},
        when="version = :version AND #free >= :none",
        version=change.version,
        none=0,
    )


def same_event(change: c.SameEvent) -> TransactItem:
    return check(
        EV_EVENT.name,
        {"event_id": change.event_id},
        when="version = :version",
        version=change.version,
    )


def claim_seats(change: c.ClaimSeats) -> TransactItem:
    return _one(
        change,
        "SET offered = offered - :n, confirmed_count = confirmed_count + :n, room = room - :n",
        when="version = :version AND room >= :n AND offered >= :n",
        version=change.version,
        n=change.seats,
    )


def keep_place(change: c.KeepPlace) -> TransactItem:
    return _one(
        change,
        "SET offered = offered - :n, #free = #free + :n, waitlist_len = waitlist_len + :one,"
        " owed = owed + :one, rev = rev + :one",
        when="room < :n AND offered >= :n",
        n=change.seats,
        one=1,
    )


def return_seats(change: c.ReturnSeats) -> TransactItem:
    return _one(
        change,
        "SET offered = offered - :n, #free = #free + :n, waitlist_len = waitlist_len + :one,"
        " rev = rev + :one",
        when="round = :round AND offered >= :n",
        n=change.seats,
        round=change.round,
        one=1,
    )


def drop_held_seats(change: c.DropHeldSeats) -> TransactItem:
    return _one(
        change,
        "SET offered = offered - :n, #free = #free + :n, rev = rev + :one",
        when="offered >= :n",
        n=change.seats,
        one=1,
    )


def leave_line(change: c.LeaveLine) -> TransactItem:
    return _one(
        change,
        "SET waitlist_len = waitlist_len - :one, owed = owed - :owed, rev = rev + :one",
        when=f"round = :round AND owed >= :owed AND {_somebody_goes(owed=change.owed)}",
        round=change.round,
        owed=int(change.owed),
        one=1,
    )


def line_changed(change: c.LineChanged) -> TransactItem:
    return _one(
        change,
        "SET rev = rev + :one, tickets = tickets + :tickets",
        when="attribute_exists(event_id)",
        tickets=change.tickets,
        one=1,
    )


SEAT_WRITES: Writes = {
    c.TakeSeats: one(take_seats),
    c.JoinLine: one(join_line),
    c.SeatFromLine: one(seat_from_line),
    c.ReleaseSeats: one(release_seats),
    c.RaiseCap: one(raise_cap),
    c.LowerCap: one(lower_cap),
    c.HoldSeats: one(hold_seats),
    c.TakeBackSeats: one(take_back_seats),
    c.NotInDebt: one(not_in_debt),
    c.SameEvent: one(same_event),
    c.ClaimSeats: one(claim_seats),
    c.KeepPlace: one(keep_place),
    c.ReturnSeats: one(return_seats),
    c.DropHeldSeats: one(drop_held_seats),
    c.LeaveLine: one(leave_line),
    c.LineChanged: one(line_changed),
}
