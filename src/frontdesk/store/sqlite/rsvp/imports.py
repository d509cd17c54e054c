"""Reads and writes the rows of an imported guest list until each is processed."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection

from frontdesk.desks.rsvp.changes import AddImport, ImportRow, SettleImportRow
from frontdesk.store.sqlite.tables import Write, Writes, writes_one

_COLUMNS = "line, name, email, party, outcome, guest_id"


def next_row(db: Connection, job_id: str, after_line: int) -> ImportRow | None:
    """Returns the first unsettled row after `after_line`."""
    row = db.execute(
        f"SELECT {_COLUMNS} FROM ev_import WHERE job_id = ? AND line > ? AND outcome = ''"
        " ORDER BY line LIMIT 1",
        (job_id, after_line),
    ).fetchone()
    return None if row is None else ImportRow(*row)


def rows(db: Connection, job_id: str) -> list[ImportRow]:
    found = db.execute(
        f"SELECT {_COLUMNS} FROM ev_import WHERE job_id = ? ORDER BY line", (job_id,)
    )
    return [ImportRow(*row) for row in found]


def add(db: Connection, change: AddImport) -> bool:
    """Inserts the rows. A row that is already settled has no name and no address."""
    db.executemany(
        "INSERT INTO ev_import (job_id, line, name, email, party, outcome, guest_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                change.job_id,
                row.line,
                "" if row.outcome else row.name,
                "" if row.outcome else row.email,
                row.party,
                row.outcome,
                row.guest_id,
            )
            for row in change.rows
        ],
    )
    return True


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
    AddImport: Write("ev_import", attrgetter("job_id"), add),
    SettleImportRow: Write("ev_import", attrgetter("job_id", "line"), settle),
}
