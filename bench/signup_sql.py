"""One confirmed sign-up in plain SQL, for the baseline in the product's own tables.

It matches the statements of the product for the same sign-up: change both together.
"""

import secrets
import sqlite3
from pathlib import Path

from frontdesk.store.sqlite.files import open_writer

EVENT = "event"
SEATS = 100_000_000
WEEK_SECONDS = 7 * 86_400

ADD_EVENT = (
    "INSERT INTO ev_event VALUES (:event, 'supper', 'Supper', :start, :start, 'Europe/Berlin',"
    " 'Hall', '', '{}', 'open', 0, 0, '', 0, :seats, :seats, 0, 0, 0, 0, 0, 0, 0)"
)
TAKE_SEAT = (
    "UPDATE ev_event SET free = free - 1, taken = taken + 1"
    " WHERE event_id = ? AND version = 0 AND free >= 1 AND owed = 0"
)
ADD_PERSON = "INSERT INTO fd_person (person_id, name, email, email_key) VALUES (?, ?, ?, ?)"
ADD_GUEST = (
    "INSERT INTO ev_guest (guest_id, event_id, person_id, state, party, lane, version, ticket,"
    " lapsed, seen, seq, live, claim_by, reminders, arrived, joined_at)"
    " VALUES (?, ?, ?, 'confirmed', 1, 'form', 1, 0, 0, -1, 0, 0, NULL, ?, 0, ?)"
)
ADD_FACT = (
    "INSERT INTO fd_fact (at, by, desk, kind, subject, about, body)"
    " VALUES (?, 'guest', 'ev', 'ev.confirmed', ?, ?, ?)"
)
ADD_TIMERS = "INSERT INTO fd_timer (name, due_at) VALUES (?, ?), (?, ?), (?, ?)"
COUNT_GUESTS = "SELECT count(*) FROM ev_guest"


def connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    return db


def create(path: Path, now: int) -> sqlite3.Connection:
    """Creates the product's tables with one event; returns a plain connection."""
    open_writer(path).close()
    db = connect(path)
    db.execute(ADD_EVENT, {"event": EVENT, "start": now + 2 * WEEK_SECONDS, "seats": SEATS})
    return db


def sign_up(db: sqlite3.Connection, name: str, email: str, now: int) -> bool:
    if db.execute(TAKE_SEAT, (EVENT,)).rowcount != 1:
        return False
    guest, person = secrets.token_hex(13), secrets.token_hex(13)
    week, day, morning = (f"ev/reminder/{guest}/{rule}" for rule in ("7d", "1d", "morning"))
    reminders = f'["{week}","{day}","{morning}"]'
    body = f'{{"guest_id":"{guest}","person_id":"{person}","party":1,"reminders":{reminders}}}'
    due_at = now + WEEK_SECONDS
    db.execute(ADD_PERSON, (person, name, email, email.lower()))
    db.execute(ADD_GUEST, (guest, EVENT, person, reminders, now))
    db.execute(ADD_FACT, (now, EVENT, guest, body))
    db.execute(ADD_TIMERS, (week, due_at, day, due_at + 1, morning, due_at + 2))
    return True
