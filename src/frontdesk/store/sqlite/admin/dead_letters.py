"""Lists open dead letters for staff, and marks those that staff have replayed."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection

from frontdesk.desks.admin.changes import SettleLetter
from frontdesk.engine.ports import DeadLetter
from frontdesk.store.sqlite.engine_reads import LETTER
from frontdesk.store.sqlite.tables import Write, Writes, statement


def problems(db: Connection, limit: int) -> list[DeadLetter]:
    return _letters(db, "ORDER BY id DESC LIMIT ?", limit)


def dead_letter(db: Connection, letter_id: int) -> DeadLetter | None:
    found = _letters(db, "AND id = ?", letter_id)
    return found[0] if found else None


def letter_of_send(db: Connection, send_id: str) -> int | None:
    row = db.execute(
        "SELECT max(id) FROM fd_dead_letter"
        " WHERE replayed_at IS NULL AND what = 'send' AND ref = ?",
        (send_id,),
    ).fetchone()
    letter_id: int | None = row[0]
    return letter_id


def _letters(db: Connection, where: str, value: int) -> list[DeadLetter]:
    rows = db.execute(
        f"SELECT {LETTER.columns} FROM fd_dead_letter WHERE replayed_at IS NULL {where}",
        (value,),
    )
    return [LETTER.read(row) for row in rows]


def problem_count(db: Connection) -> int:
    row = db.execute("SELECT count(*) FROM fd_dead_letter WHERE replayed_at IS NULL").fetchone()
    count: int = row[0]
    return count


LETTER_WRITES: Writes = {
    SettleLetter: Write(
        "fd_dead_letter",
        attrgetter("letter_id"),
        statement(
            "UPDATE fd_dead_letter SET replayed_at = :at"
            " WHERE id = :letter_id AND replayed_at IS NULL"
        ),
    ),
}
