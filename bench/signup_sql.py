"""The rows of one confirmed sign-up in plain SQL, as the bare limit writes them."""

# Matched to what the product writes for the same sign-up: a row more there is a row more here.

import sqlite3
from itertools import count
from pathlib import Path

EVENT = "event"
SEATS = 100_000_000
REMINDERS = 3

SCHEMA = """
CREATE TABLE ev_event (
    event_id TEXT PRIMARY KEY,
    cap INTEGER NOT NULL, free INTEGER NOT NULL, offered INTEGER NOT NULL,
    taken INTEGER NOT NULL, room INTEGER NOT NULL, owed INTEGER NOT NULL,
    CHECK (free + offered + taken = cap)
) STRICT;
CREATE TABLE fd_person (
    person_id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE ev_guest (
    guest_id TEXT PRIMARY KEY,
    event_id TEXT NOT NULL REFERENCES ev_event, person_id TEXT NOT NULL REFERENCES fd_person,
    state TEXT NOT NULL, party INTEGER NOT NULL, lane TEXT NOT NULL, joined_at INTEGER NOT NULL,
    UNIQUE (event_id, person_id)
) STRICT;
CREATE TABLE fd_fact (
    seq INTEGER PRIMARY KEY, subject TEXT NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX fd_fact_by_subject ON fd_fact (subject, seq);
CREATE TABLE fd_timer (
    name TEXT PRIMARY KEY, due_at INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX fd_timer_by_due_at ON fd_timer (due_at);
"""

TAKE_SEAT = (
    "UPDATE ev_event SET free = free - 1, taken = taken + 1, room = room - 1"
    " WHERE event_id = ? AND free >= 1 AND owed = 0"
)
ADD_PERSON = "INSERT INTO fd_person VALUES (?, ?, ?)"
ADD_GUEST = "INSERT INTO ev_guest VALUES (?, ?, ?, 'confirmed', 1, 'form', ?)"
ADD_FACT = "INSERT INTO fd_fact (subject, kind, body, at) VALUES (?, ?, ?, ?)"
ADD_TIMER = "INSERT INTO fd_timer VALUES (?, ?, ?)"
COUNT_GUESTS = "SELECT count(*) FROM ev_guest"

numbers = count(1)


def connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    return db


def create(db: sqlite3.Connection) -> None:
    db.executescript(SCHEMA)
    db.execute("INSERT INTO ev_event VALUES (?, ?, ?, 0, 0, ?, 0)", (EVENT, SEATS, SEATS, SEATS))


def sign_up(db: sqlite3.Connection, name: str, email: str, now: int) -> bool:
    if db.execute(TAKE_SEAT, (EVENT,)).rowcount != 1:
        return False
    number = next(numbers)
    guest, person = f"g{number:020}", f"p{number:020}"
    db.execute(ADD_PERSON, (person, name, email))
    db.execute(ADD_GUEST, (guest, EVENT, person, now))
    body = f'{{"guest":"{guest}","party":1}}'
    db.execute(ADD_FACT, (EVENT, "ev.confirmed", body, now))
    for reminder in range(REMINDERS):
        due_at = now + 86_400 * (reminder + 1)
        db.execute(ADD_TIMER, (f"ev/{EVENT}/{guest}/reminder/{reminder}", due_at, body))
    return True
