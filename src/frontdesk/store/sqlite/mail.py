"""Reads and writes incoming mail."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.core.mail import KeepMail, RawMail, SettleMail
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import Write, Writes, adds, writes_one

MAIL: Final = SqliteRows(RawMail, {"id": "mail_id"})


def raw_mail(db: Connection, mail_id: str) -> RawMail | None:
    row = db.execute(f"SELECT {MAIL.columns} FROM fd_mail WHERE mail_id = ?", (mail_id,)).fetchone()
    return MAIL.read_or_none(row)


def knows_mail(db: Connection, mail_id: str) -> bool:
    found = db.execute("SELECT 1 FROM fd_mail WHERE mail_id = ?", (mail_id,)).fetchone()
    return found is not None


def new_mail_to(db: Connection, mail_id: str) -> str:
    row = db.execute(
        "SELECT recipient FROM fd_mail WHERE mail_id = ? AND outcome = ''", (mail_id,)
    ).fetchone()
    return "" if row is None else str(row[0])


def settle(db: Connection, change: SettleMail) -> bool:
    return writes_one(
        db,
        "UPDATE fd_mail SET person_id = ?, outcome = ?, shelf = coalesce(?, shelf)"
        " WHERE mail_id = ?",
        (change.person_id, change.outcome, change.shelf, change.mail_id),
    )


MAIL_WRITES: Writes = {
    KeepMail: adds("fd_mail", MAIL, "mail"),
    SettleMail: Write("fd_mail", attrgetter("mail_id"), settle),
}
