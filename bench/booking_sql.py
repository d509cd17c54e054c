"""A hold and a booking in plain SQL, for the baseline in the product's own tables.

They match the rows of the product for the same forms: change both together.
"""

import contextlib
import secrets
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from bench.signup_sql import connect
from frontdesk.store.sqlite.files import open_writer

SERVICE: Final = "Haircut"
MINUTES: Final = 45
BUFFER_MINUTES: Final = 10
TICKS: Final = (MINUTES + BUFFER_MINUTES) // 5
TICK_SECONDS: Final = 300
HOLD_SECONDS: Final = 300
DAY_SECONDS: Final = 86_400

TAKE_CELLS: Final = "INSERT INTO bk_claim (resource, tick, place, holder) VALUES " + ", ".join(
    f"(:staff, :tick + {n}, 0, :holder)" for n in range(TICKS)
)
GIVE_CELLS: Final = (
    "UPDATE bk_claim SET holder = :holder"
    f" WHERE resource = :staff AND tick >= :tick AND tick < :tick + {TICKS} AND holder = :hold"
)
ADD_HOLD: Final = (
    "INSERT INTO bk_hold (hold_id, service, starts_at, resources, span_start, span_end, until,"
    f" version) VALUES (?, '{SERVICE}', ?, ?, ?, ?, ?, 1)"
)
DROP_HOLD: Final = "DELETE FROM bk_hold WHERE hold_id = ?"
ADD_PERSON: Final = "INSERT INTO fd_person (person_id, name, email, email_key) VALUES (?, ?, ?, ?)"
ADD_BOOKING: Final = (
    "INSERT INTO bk_booking (booking_id, person_id, service, party, starts_at, ends_at, resources,"
    " places, capacities, lane, booked_at, local_on, status, buffer_before, buffer_after,"
    " price_cents, name, email, mobile, answers, note, anyone, why_resource, overrides, sequence,"
    " moves, decide_by, reminders, calendars, calendar_tries, request_id, waitlist_slot, closed_at,"
    f" version) VALUES (?, ?, '{SERVICE}', 1, ?, ?, ?, '[1]', '[1]', 'form', ?, ?, 'confirmed', 0,"
    f" {BUFFER_MINUTES * 60}, 0, ?, ?, '', '{{}}', '', 1, 'the only one free', '[]', 0, 0, NULL,"
    " '[86400,3600]', '[]', 0, '', '', NULL, 1)"
)
ADD_REQUEST: Final = (
    "INSERT INTO bk_request (request_id, lane, received_at, status, person_id, mail_id, sender,"
    " text, fields, reader, proposed, chosen, booking_id, settled_at, version)"
    " VALUES (?, 'form', ?, 'booked', ?, '', '', '', ?, 'form', ?, ?, ?, ?, 1)"
)
COUNT_TALLIES: Final = (
    "INSERT INTO bk_tally (scope, period, bookings, minutes, last_at) VALUES "
    + ", ".join([f"(?, ?, 1, {MINUTES}, ?)"] * 8)
    + " ON CONFLICT (scope, period) DO UPDATE SET bookings = bookings + 1,"
    f" minutes = minutes + {MINUTES}, last_at = coalesce(excluded.last_at, last_at)"
)
ADD_FACT: Final = "INSERT INTO fd_fact (at, by, desk, kind, subject, about, body) VALUES "
ONE_FACT: Final = f"{ADD_FACT}(?, ?, 'bk', ?, ?, ?, ?)"
TWO_FACTS: Final = f"{ONE_FACT}, (?, ?, 'bk', ?, ?, ?, ?)"
ADD_TIMERS: Final = "INSERT INTO fd_timer (name, due_at) VALUES (?, ?), (?, ?)"
ADD_KEY: Final = (
    "INSERT INTO fd_idempotency (key, at, first_seq, facts, content) VALUES (?, ?, ?, 2, '')"
)
COUNT_BOOKINGS: Final = "SELECT count(*) FROM bk_booking"

Form = Mapping[str, str]


def create(path: Path) -> sqlite3.Connection:
    """Creates the product's tables; returns a plain connection."""
    open_writer(path).close()
    return connect(path)


def hold(db: sqlite3.Connection, form: Form, now: int) -> str:
    """Holds a time of a staff member. Returns the id of the hold; empty if it is not free."""
    hold_id, staff = secrets.token_hex(13), form["slot"]
    starts_at, until = _seconds(form["at"]), now + HOLD_SECONDS
    tick = starts_at // TICK_SECONDS
    holder = f"hold:{hold_id}:{until}"
    if not _take(db, staff, tick, holder):
        return ""
    resources = f'["{staff}"]'
    db.execute(ADD_HOLD, (hold_id, starts_at, resources, tick, tick + TICKS, until))
    body = (
        f'{{"hold_id":"{hold_id}","service":"{SERVICE}","starts_at":"{form["at"]}",'
        f'"resources":{resources},"until":{until}}}'
    )
    db.execute(ONE_FACT, (now, f"guest:{hold_id}", "bk.time_held", hold_id, "", body))
    return f"{hold_id}:{until}"


def book(db: sqlite3.Connection, form: Form, now: int) -> bool:
    """Books a time of a staff member, free or held by this hold. Returns whether it was
    possible."""
    booking, person, staff = secrets.token_hex(16), secrets.token_hex(13), form["slot"]
    starts_at, on = _seconds(form["at"]), form["at"][:10]
    tick, held, holder = starts_at // TICK_SECONDS, form.get("hold", ""), f"booking:{booking}"
    if held:
        if not _give(db, staff, tick, f"hold:{held}", holder):
            return False
        db.execute(DROP_HOLD, (held.partition(":")[0],))
    elif not _take(db, staff, tick, holder):
        return False
    name, email, resources = form["name"], form["contact"], f'["{staff}"]'
    ends_at = starts_at + MINUTES * 60
    db.execute(ADD_PERSON, (person, name, email, email.lower()))
    db.execute(ADD_BOOKING, (booking, person, starts_at, ends_at, resources, now, on, name, email))
    db.execute(COUNT_TALLIES, _tallies(staff, person, on, now))
    chosen = f'{{"service":"{SERVICE}","starts_at":"{form["at"]}","resource":""}}'
    fields = _fields(service=SERVICE, when=form["at"], party="1", name=name, email=email)
    db.execute(ADD_REQUEST, (booking, now, person, fields, f"[{chosen}]", chosen, booking, now))
    body = (
        f'{{"booking_id":"{booking}","person_id":"{person}","version":1,"booking":{{"id":'
        f'"{booking}","person_id":"{person}","service":"{SERVICE}","party":1,"starts_at":'
        f'{starts_at},"ends_at":{ends_at},"resources":{resources},"places":[1],"lane":"form",'
        f'"booked_at":{now},"local_on":"{on}","status":"confirmed","reminders":[86400,3600]}},'
        f'"request":{{"id":"{booking}","person_id":"{person}","fields":{fields},'
        f'"proposed":[{chosen}],"chosen":{chosen},"booking_id":"{booking}"}}}}'
    )
    by = f"guest:{booking}"
    first = (now, by, "bk.booked", booking, person, body)
    second = (now, by, "bk.confirmed", booking, person, f'{{"booking_id":"{booking}"}}')
    last_seq = db.execute(TWO_FACTS, (*first, *second)).lastrowid or 0
    day, hour = (f"bk/remind/{booking}/{before}" for before in (86400, 3600))
    db.execute(ADD_TIMERS, (day, starts_at - DAY_SECONDS, hour, starts_at - 3600))
    db.execute(ADD_KEY, (f"bk/book/{form['once']}", now, last_seq - 1))
    return True


def stored(path: Path) -> int:
    """Counts the bookings on disk."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        number: int = db.execute(COUNT_BOOKINGS).fetchone()[0]
        return number


def _fields(**values: str) -> str:
    """Returns the values of a request as JSON."""
    one = '{{"name":"{}","value":"{}","confidence":"confident","words":""}}'
    return f"[{','.join(one.format(name, value) for name, value in values.items())}]"


def _take(db: sqlite3.Connection, staff: str, tick: int, holder: str) -> bool:
    try:
        db.execute(TAKE_CELLS, {"staff": staff, "tick": tick, "holder": holder})
    except sqlite3.IntegrityError:
        return False
    return True


def _give(db: sqlite3.Connection, staff: str, tick: int, hold: str, holder: str) -> bool:
    values = {"staff": staff, "tick": tick, "hold": hold, "holder": holder}
    return db.execute(GIVE_CELLS, values).rowcount == TICKS


def _tallies(staff: str, person: str, on: str, now: int) -> list[str | int | None]:
    year, week, _ = datetime.fromisoformat(on).isocalendar()
    periods = on, f"{year}-W{week:02}"
    scopes = "business", f"service:{SERVICE}", f"resource:{staff}"
    found: list[str | int | None] = []
    for scope in scopes:
        for period in periods:
            found += (scope, period, None)
    return [*found, f"resource:{staff}", "all", now, f"person:{person}", "all", now]


def _seconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp())
