"""Changes the counters of an event, each by one statement whose WHERE is its condition.

After each change: free + offered + taken = cap. CHECKs of the table enforce it.
"""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection

from frontdesk.desks.rsvp import changes as c
from frontdesk.store.sqlite.tables import Write, Writes, apply, holds


def take_seats(db: Connection, change: c.TakeSeats) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET free = free - :seats, taken = taken + :seats,"
        " waiting = waiting - :waited"
        " WHERE event_id = :event_id AND version = :version AND free >= :seats AND owed = 0"
        " AND waiting >= :waited",
        change,
    )


def join_line(db: Connection, change: c.JoinLine) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET waiting = waiting + 1, owed = owed + 1, tickets = tickets + 1,"
        " rev = rev + 1"
        " WHERE event_id = :event_id AND version = :version AND rev = :rev"
        " AND (free < :seats OR owed > 0)",
        change,
    )


def seat_from_line(db: Connection, change: c.SeatFromLine) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET free = free - :seats, taken = taken + :seats, waiting = waiting - 1,"
        " owed = owed - :owed, rev = rev + 1"
        " WHERE event_id = :event_id AND version = :version AND free >= :seats AND round = :round"
        " AND owed >= :owed AND waiting - 1 >= owed - :owed",
        change,
    )


def release_seats(db: Connection, change: c.ReleaseSeats) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET free = free + :seats, taken = taken - :seats, rev = rev + 1,"
        " round = round + :opens, owed = CASE WHEN :opens THEN waiting ELSE owed END"
        " WHERE event_id = :event_id AND taken = :taken AND taken >= :seats AND round = :round"
        " AND (free > -:seats) = :opens",
        change,
    )


def raise_cap(db: Connection, change: c.RaiseCap) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET cap = cap + :by, free = free + :by, rev = rev + 1,"
        " round = round + :opens, owed = CASE WHEN :opens THEN waiting ELSE owed END"
        " WHERE event_id = :event_id AND cap = :cap AND round = :round AND (free > -:by) = :opens",
        change,
    )


def lower_cap(db: Connection, change: c.LowerCap) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET cap = cap - :by, free = free - :by, rev = rev + 1"
        " WHERE event_id = :event_id AND cap = :cap AND cap >= :by",
        change,
    )


def hold_seats(db: Connection, change: c.HoldSeats) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET free = free - :seats, offered = offered + :seats,"
        " waiting = waiting - 1,"
        " owed = owed - 1, rev = rev + 1"
        " WHERE event_id = :event_id AND version = :version AND rev = :rev AND free >= :seats"
        " AND owed >= 1",
        change,
    )


def take_back_seats(db: Connection, change: c.TakeBackSeats) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET offered = offered - :seats, free = free + :seats,"
        " waiting = waiting + 1,"
        " owed = owed + 1, rev = rev + 1"
        " WHERE event_id = :event_id AND rev = :rev AND free < 0 AND offered >= :seats",
        change,
    )


def not_in_debt(db: Connection, change: c.NotInDebt) -> bool:
    return holds(
        db,
        "SELECT 1 FROM ev_event WHERE event_id = :event_id AND version = :version AND free >= 0",
        change,
    )


def same_event(db: Connection, change: c.SameEvent) -> bool:
    return holds(
        db,
        "SELECT 1 FROM ev_event WHERE event_id = :event_id AND version = :version",
        change,
    )


def claim_seats(db: Connection, change: c.ClaimSeats) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET offered = offered - :seats, taken = taken + :seats"
        " WHERE event_id = :event_id AND version = :version AND cap - taken >= :seats"
        " AND offered >= :seats",
        change,
    )


def keep_place(db: Connection, change: c.KeepPlace) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET offered = offered - :seats, free = free + :seats,"
        " waiting = waiting + 1,"
        " owed = owed + 1, rev = rev + 1"
        " WHERE event_id = :event_id AND cap - taken < :seats AND offered >= :seats",
        change,
    )


def return_seats(db: Connection, change: c.ReturnSeats) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET offered = offered - :seats, free = free + :seats,"
        " waiting = waiting + 1,"
        " rev = rev + 1"
        " WHERE event_id = :event_id AND round = :round AND offered >= :seats",
        change,
    )


def drop_held_seats(db: Connection, change: c.DropHeldSeats) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET offered = offered - :seats, free = free + :seats, rev = rev + 1"
        " WHERE event_id = :event_id AND offered >= :seats",
        change,
    )


def leave_line(db: Connection, change: c.LeaveLine) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET waiting = waiting - 1, owed = owed - :owed, rev = rev + 1"
        " WHERE event_id = :event_id AND round = :round"
        " AND owed >= :owed AND waiting - 1 >= owed - :owed",
        change,
    )


def line_changed(db: Connection, change: c.LineChanged) -> bool:
    return apply(
        db,
        "UPDATE ev_event SET rev = rev + 1, tickets = tickets + :tickets"
        " WHERE event_id = :event_id",
        change,
    )


_row = attrgetter("event_id")
SEAT_WRITES: Writes = {
    c.TakeSeats: Write("ev_event", _row, take_seats),
    c.JoinLine: Write("ev_event", _row, join_line),
    c.SeatFromLine: Write("ev_event", _row, seat_from_line),
    c.ReleaseSeats: Write("ev_event", _row, release_seats),
    c.RaiseCap: Write("ev_event", _row, raise_cap),
    c.LowerCap: Write("ev_event", _row, lower_cap),
    c.HoldSeats: Write("ev_event", _row, hold_seats),
    c.TakeBackSeats: Write("ev_event", _row, take_back_seats),
    c.NotInDebt: Write("ev_event", _row, not_in_debt),
    c.SameEvent: Write("ev_event", _row, same_event),
    c.ClaimSeats: Write("ev_event", _row, claim_seats),
    c.KeepPlace: Write("ev_event", _row, keep_place),
    c.ReturnSeats: Write("ev_event", _row, return_seats),
    c.DropHeldSeats: Write("ev_event", _row, drop_held_seats),
    c.LeaveLine: Write("ev_event", _row, leave_line),
    c.LineChanged: Write("ev_event", _row, line_changed),
}
