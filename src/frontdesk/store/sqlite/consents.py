"""Reads and writes people's consent to texts."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Final

from frontdesk.core.consents import ConsentRecord, WriteConsent
from frontdesk.core.people import PersonId
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import Write, Writes, writes_one

RECORD: Final = SqliteRows(ConsentRecord)


def record(db: Connection, person_id: PersonId) -> ConsentRecord:
    row = db.execute(
        f"SELECT {RECORD.columns} FROM fd_consent WHERE person_id = ?", (person_id,)
    ).fetchone()
    return RECORD.read_or_none(row) or ConsentRecord(person_id)


def write(db: Connection, change: WriteConsent) -> bool:
    after = change.record
    person_id, statements, version = RECORD.values(after)
    if after.version == 1:
        return writes_one(
            db,
            "INSERT INTO fd_consent (person_id, statements, version) VALUES (?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (person_id, statements, version),
        )
    return writes_one(
        db,
        "UPDATE fd_consent SET statements = ?, version = ? WHERE person_id = ? AND version = ?",
        (statements, version, person_id, version - 1),
    )


def forget(db: Connection, person_id: str) -> None:
    db.execute("DELETE FROM fd_consent WHERE person_id = ?", (person_id,))


CONSENT_WRITES: Writes = {
    WriteConsent: Write("fd_consent", lambda change: change.record.person_id, write)
}
