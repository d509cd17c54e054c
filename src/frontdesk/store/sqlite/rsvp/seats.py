"""Changes the counters of an event, each by one statement whose WHERE is its condition.

After each change: free + offered + taken = cap. CHECKs of the table enforce it.
"""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection

from frontdesk.desks.rsvp import changes as c
from frontdesk.store.sqlite.tables import Write, Writes, writes_one


def take_seats(db: Connection, change: c.TakeSeats) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET free = free - :n, taken = taken + :n, waiting = waiting - :waited"
        " WHERE event_id = :event AND version = :version AND free >= :n AND owed = 0"
        " AND waiting >= :waited",
        {
            "event": change.event_id,
            "version": change.version,
            "n": change.seats,
            "waited": int(change.waited),
        },
    )


def join_line(db: Connection, change: c.JoinLine) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET waiting = waiting + 1, owed = owed + 1, tickets = tickets + 1,"
        " rev = rev + 1"
        " WHERE event_id = :event AND version = :version AND rev = :rev"
        " AND (free < :n OR owed > 0)",
        {
            "event": change.event_id,
            "version": change.version,
            "rev": change.rev,
            "n": change.seats,
        },
    )


def seat_from_line(db: Connection, change: c.SeatFromLine) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET free = free - :n, taken = taken + :n, waiting = waiting - 1,"
        " owed = owed - :owed, rev = rev + 1"
        " WHERE event_id = :event AND version = :version AND free >= :n AND round = :round"
        " AND owed >= :owed AND waiting - 1 >= owed - :owed",
        {
            "event": change.event_id,
            "version": change.version,
            "n": change.seats,
            "round": change.round,
            "owed": int(change.owed),
        },
    )


def release_seats(db: Connection, change: c.ReleaseSeats) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET free = free + :n, taken = taken - :n, rev = rev + 1,"
        " round = round + :opens, owed = CASE WHEN :opens THEN waiting ELSE owed END"
        " WHERE event_id = :event AND taken = :taken AND taken >= :n AND round = :round"
        " AND (free > -:n) = :opens",
        {
            "event": change.event_id,
            "n": change.seats,
            "taken": change.taken,
            "round": change.round,
            "opens": int(change.opens),
        },
    )


def raise_cap(db: Connection, change: c.RaiseCap) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET cap = cap + :by, free = free + :by, rev = rev + 1,"
        " round = round + :opens, owed = CASE WHEN :opens THEN waiting ELSE owed END"
        " WHERE event_id = :event AND cap = :cap AND round = :round AND (free > -:by) = :opens",
        {
            "event": change.event_id,
            "by": change.by,
            "cap": change.cap,
            "round": change.round,
            "opens": int(change.opens),
        },
    )


def lower_cap(db: Connection, change: c.LowerCap) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET cap = cap - :by, free = free - :by, rev = rev + 1"
        " WHERE event_id = :event AND cap = :cap AND cap >= :by",
        {"event": change.event_id, "by": change.by, "cap": change.cap},
    )


def hold_seats(db: Connection, change: c.HoldSeats) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET free = free - :n, offered = offered + :n, waiting = waiting - 1,"
        " owed = owed - 1, rev = rev + 1"
        " WHERE event_id = :event AND version = :version AND rev = :rev AND free >= :n"
        " AND owed >= 1",
        {
            "event": change.event_id,
            "version": change.version,
            "n": change.seats,
            "rev": change.rev,
        },
    )


def take_back_seats(db: Connection, change: c.TakeBackSeats) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET offered = offered - :n, free = free + :n, waiting = waiting + 1,"
        " owed = owed + 1, rev = rev + 1"
        " WHERE event_id = :event AND rev = :rev AND free < 0 AND offered >= :n",
        {"event": change.event_id, "n": change.seats, "rev": change.rev},
    )


def not_in_debt(db: Connection, change: c.NotInDebt) -> bool:
    found = db.execute(
        "SELECT 1 FROM ev_event WHERE event_id = :event AND version = :version AND free >= 0",
        {"event": change.event_id, "version": change.version},
    ).fetchone()
    return found is not None


def same_event(db: Connection, change: c.SameEvent) -> bool:
    found = db.execute(
        "SELECT 1 FROM ev_event WHERE event_id = :event AND version = :version",
        {"event": change.event_id, "version": change.version},
    ).fetchone()
    return found is not None


def claim_seats(db: Connection, change: c.ClaimSeats) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET offered = offered - :n, taken = taken + :n"
        " WHERE event_id = :event AND version = :version AND cap - taken >= :n AND offered >= :n",
        {"event": change.event_id, "version": change.version, "n": change.seats},
    )


def keep_place(db: Connection, change: c.KeepPlace) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET offered = offered - :n, free = free + :n, waiting = waiting + 1,"
        " owed = owed + 1, rev = rev + 1"
        " WHERE event_id = :event AND cap - taken < :n AND offered >= :n",
        {"event": change.event_id, "n": change.seats},
    )


def return_seats(db: Connection, change: c.ReturnSeats) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET offered = offered - :n, free = free + :n, waiting = waiting + 1,"
        " rev = rev + 1"
        " WHERE event_id = :event AND round = :round AND offered >= :n",
        {"event": change.event_id, "n": change.seats, "round": change.round},
    )


def drop_held_seats(db: Connection, change: c.DropHeldSeats) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET offered = offered - :n, free = free + :n, rev = rev + 1"
        " WHERE event_id = :event AND offered >= :n",
        {"event": change.event_id, "n": change.seats},
    )


def leave_line(db: Connection, change: c.LeaveLine) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET waiting = waiting - 1, owed = owed - :owed, rev = rev + 1"
        " WHERE event_id = :event AND round = :round"
        " AND owed >= :owed AND waiting - 1 >= owed - :owed",
        {"event": change.event_id, "round": change.round, "owed": int(change.owed)},
    )


def line_changed(db: Connection, change: c.LineChanged) -> bool:
    return writes_one(
        db,
        "UPDATE ev_event SET rev = rev + 1, tickets = tickets + :tickets WHERE event_id = :event",
        {"event": change.event_id, "tickets": change.tickets},
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
