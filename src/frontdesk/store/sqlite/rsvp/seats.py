"""Changes the counters of an event, each by one statement whose WHERE is its condition.

After each change: free + offered + taken = cap. CHECKs of the table enforce it.
"""

from __future__ import annotations

from operator import attrgetter

from frontdesk.desks.rsvp import changes as c
from frontdesk.store.sqlite.tables import Write, Writes, statement


def _event(sql: str) -> Write:
    return Write("ev_event", attrgetter("event_id"), statement(sql))


SEAT_WRITES: Writes = {
    c.TakeSeats: _event(
        "UPDATE ev_event SET free = free - :seats, taken = taken + :seats,"
        " waiting = waiting - :waited"
        " WHERE event_id = :event_id AND version = :version AND free >= :seats AND owed = 0"
        " AND waiting >= :waited"
    ),
    c.JoinLine: _event(
        "UPDATE ev_event SET waiting = waiting + 1, owed = owed + 1, tickets = tickets + 1,"
        " rev = rev + 1"
        " WHERE event_id = :event_id AND version = :version AND rev = :rev"
        " AND (free < :seats OR owed > 0)"
    ),
    c.SeatFromLine: _event(
        "UPDATE ev_event SET free = free - :seats, taken = taken + :seats, waiting = waiting - 1,"
        " owed = owed - :owed, rev = rev + 1"
        " WHERE event_id = :event_id AND version = :version AND free >= :seats AND round = :round"
        " AND owed >= :owed AND waiting - 1 >= owed - :owed"
    ),
    c.ReleaseSeats: _event(
        "UPDATE ev_event SET free = free + :seats, taken = taken - :seats, rev = rev + 1,"
        " round = round + :opens, owed = CASE WHEN :opens THEN waiting ELSE owed END"
        " WHERE event_id = :event_id AND taken = :taken AND taken >= :seats AND round = :round"
        " AND (free > -:seats) = :opens"
    ),
    c.RaiseCap: _event(
        "UPDATE ev_event SET cap = cap + :by, free = free + :by, rev = rev + 1,"
        " round = round + :opens, owed = CASE WHEN :opens THEN waiting ELSE owed END"
        " WHERE event_id = :event_id AND cap = :cap AND round = :round AND (free > -:by) = :opens"
    ),
    c.LowerCap: _event(
        "UPDATE ev_event SET cap = cap - :by, free = free - :by, rev = rev + 1"
        " WHERE event_id = :event_id AND cap = :cap AND cap >= :by"
    ),
    c.HoldSeats: _event(
        "UPDATE ev_event SET free = free - :seats, offered = offered + :seats,"
        " waiting = waiting - 1,"
        " owed = owed - 1, rev = rev + 1"
        " WHERE event_id = :event_id AND version = :version AND rev = :rev AND free >= :seats"
        " AND owed >= 1"
    ),
    c.TakeBackSeats: _event(
        "UPDATE ev_event SET offered = offered - :seats, free = free + :seats,"
        " waiting = waiting + 1,"
        " owed = owed + 1, rev = rev + 1"
        " WHERE event_id = :event_id AND rev = :rev AND free < 0 AND offered >= :seats"
    ),
    c.NotInDebt: _event(
        "SELECT 1 FROM ev_event WHERE event_id = :event_id AND version = :version AND free >= 0"
    ),
    c.SameEvent: _event("SELECT 1 FROM ev_event WHERE event_id = :event_id AND version = :version"),
    c.ClaimSeats: _event(
        "UPDATE ev_event SET offered = offered - :seats, taken = taken + :seats"
        " WHERE event_id = :event_id AND version = :version AND cap - taken >= :seats"
        " AND offered >= :seats"
    ),
    c.KeepPlace: _event(
        "UPDATE ev_event SET offered = offered - :seats, free = free + :seats,"
        " waiting = waiting + 1,"
        " owed = owed + 1, rev = rev + 1"
        " WHERE event_id = :event_id AND cap - taken < :seats AND offered >= :seats"
    ),
    c.ReturnSeats: _event(
        "UPDATE ev_event SET offered = offered - :seats, free = free + :seats,"
        " waiting = waiting + 1,"
        " rev = rev + 1"
        " WHERE event_id = :event_id AND round = :round AND offered >= :seats"
    ),
    c.DropHeldSeats: _event(
        "UPDATE ev_event SET offered = offered - :seats, free = free + :seats, rev = rev + 1"
        " WHERE event_id = :event_id AND offered >= :seats"
    ),
    c.LeaveLine: _event(
        "UPDATE ev_event SET waiting = waiting - 1, owed = owed - :owed, rev = rev + 1"
        " WHERE event_id = :event_id AND round = :round"
        " AND owed >= :owed AND waiting - 1 >= owed - :owed"
    ),
    c.LineChanged: _event(
        "UPDATE ev_event SET rev = rev + 1, tickets = tickets + :tickets WHERE event_id = :event_id"
    ),
}
