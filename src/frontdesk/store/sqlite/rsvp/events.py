"""Reads and writes events, and the imported guest lists."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.rsvp.changes import AddEvent, AddImport, ImportRow, SettleImportRow, WriteEvent
from frontdesk.desks.rsvp.model import Details, Event, Seats
from frontdesk.store.rows import SqliteRows, seconds
from frontdesk.store.sqlite.caching_connection import first
from frontdesk.store.sqlite.tables import PartWrite, Write, Writes, adds, writes_one

EVENT: Final = SqliteRows(Event, {"id": "event_id"}, flat={"details": Details, "seats": Seats})
_WRITTEN: Final = SqliteRows(WriteEvent, flat={"details": Details})


def event(db: Connection, event_id: str) -> Event | None:
    sql = f"SELECT {EVENT.columns} FROM ev_event WHERE event_id = ?"
    return first(db, sql, (event_id,), EVENT.read)


def event_by_slug(db: Connection, slug: str) -> Event | None:
    row = db.execute(f"SELECT {EVENT.columns} FROM ev_event WHERE slug = ?", (slug,)).fetchone()
    return EVENT.read_or_none(row)


def events(db: Connection, *, not_over_at: datetime | None = None) -> list[Event]:
    """Returns all events, or those that end after an instant, sorted by start."""
    rows = db.execute(
        f"SELECT {EVENT.columns} FROM ev_event WHERE ends_at > ? ORDER BY starts_at, event_id",
        (0 if not_over_at is None else seconds(not_over_at),),
    )
    return [EVENT.read(row) for row in rows]


def write(db: Connection, change: WriteEvent) -> bool:
    event_id, version, *written = _WRITTEN.values(change)
    return writes_one(
        db,
        f"UPDATE ev_event SET {_WRITTEN.sets(2)}, version = version + 1"
        " WHERE event_id = ? AND version = ?"
        " AND NOT EXISTS (SELECT 1 FROM ev_event o WHERE o.slug = ? AND o.event_id <> ?)",
        (*written, event_id, version, change.slug, event_id),
    )


EVENT_WRITES: Writes = {
    AddEvent: adds("ev_event", EVENT, "event"),
    WriteEvent: Write("ev_event", attrgetter("event_id"), write),
}


#: Other writes wait while a commit writes its rows.
ROWS_A_COMMIT: Final = 250
_COLUMNS = "line, name, email, party, outcome, guest_id"


def import_row(db: Connection, job_id: str, after_line: int) -> ImportRow | None:
    """Returns the first unsettled row after `after_line`."""
    row = db.execute(
        f"SELECT {_COLUMNS} FROM ev_import WHERE job_id = ? AND line > ? AND outcome = ''"
        " ORDER BY line LIMIT 1",
        (job_id, after_line),
    ).fetchone()
    return None if row is None else ImportRow(*row)


def import_rows(db: Connection, job_id: str) -> list[ImportRow]:
    found = db.execute(
        f"SELECT {_COLUMNS} FROM ev_import WHERE job_id = ? ORDER BY line", (job_id,)
    )
    return [ImportRow(*row) for row in found]


def missing_parts(db: Connection, change: AddImport) -> list[PartWrite]:
    """Returns the rows before the last `ROWS_A_COMMIT`, in parts. If the last of them is there, all
    are. Nothing reads rows without a job."""
    before = change.rows[:-ROWS_A_COMMIT]
    if not before or _is_there(db, change.job_id, before[-1].line):
        return []
    return [
        partial(_add_rows, job_id=change.job_id, rows=before[start : start + ROWS_A_COMMIT])
        for start in range(0, len(before), ROWS_A_COMMIT)
    ]


def drop_parts(db: Connection, change: AddImport) -> None:
    """Deletes the rows of an import that did not begin."""
    db.execute(
        "DELETE FROM ev_import WHERE job_id = :job_id"
        " AND NOT EXISTS (SELECT 1 FROM fd_job j WHERE j.job_id = :job_id)",
        {"job_id": change.job_id},
    )


def _is_there(db: Connection, job_id: str, line: int) -> bool:
    sql = "SELECT 1 FROM ev_import WHERE job_id = ? AND line = ?"
    return db.execute(sql, (job_id, line)).fetchone() is not None


def add_import(db: Connection, change: AddImport) -> bool:
    _add_rows(db, change.job_id, change.rows[-ROWS_A_COMMIT:])
    return True


def _add_rows(db: Connection, job_id: str, rows: Sequence[ImportRow]) -> None:
    """Inserts the rows. A row that is already settled has no name and no address."""
    db.executemany(
        "INSERT INTO ev_import (job_id, line, name, email, party, outcome, guest_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [
            (
                job_id,
                row.line,
                "" if row.outcome else row.name,
                "" if row.outcome else row.email,
                row.party,
                row.outcome,
                row.guest_id,
            )
            for row in rows
        ],
    )


def delete_rows_without_job(db: Connection) -> None:
    """Deletes the rows of imports that never began. Looks at each import once, not at each row."""
    found = db.execute(
        "WITH RECURSIVE import (job_id) AS (SELECT min(job_id) FROM ev_import UNION ALL"
        " SELECT (SELECT min(e.job_id) FROM ev_import e WHERE e.job_id > import.job_id)"
        " FROM import WHERE import.job_id IS NOT NULL)"
        " SELECT job_id FROM import WHERE job_id IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM fd_job j WHERE j.job_id = import.job_id)"
    ).fetchall()
    db.executemany("DELETE FROM ev_import WHERE job_id = ?", found)


def settle(db: Connection, change: SettleImportRow) -> bool:
    return writes_one(
        db,
        "UPDATE ev_import SET outcome = ?, guest_id = ?, name = '', email = ''"
        " WHERE job_id = ? AND line = ? AND outcome = ''",
        (change.outcome, change.guest_id, change.job_id, change.line),
    )


def forget(db: Connection, email_key: str) -> None:
    """Settles the rows of an erased person as 'erased', and deletes their name and address."""
    db.execute(
        "UPDATE ev_import SET name = '', email = '', outcome = 'erased'"
        " WHERE (outcome = '' AND email_key(email) = :key) OR instr(lower(outcome), :key) > 0",
        {"key": email_key},
    )


IMPORT_WRITES: Writes = {
    AddImport: Write(
        "ev_import",
        attrgetter("job_id"),
        add_import,
        missing_parts=missing_parts,
        drop_parts=drop_parts,
    ),
    SettleImportRow: Write("ev_import", attrgetter("job_id", "line"), settle),
}
