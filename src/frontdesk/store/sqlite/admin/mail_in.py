"""Finds incoming mail for staff."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any, Final

from frontdesk.core.mail import FOR_A_PERSON
from frontdesk.desks.admin.reads import MailFilter, MailRow
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.admin.mailbox import like

_MAIL: Final = SqliteRows(MailRow)
#: Enough for the headers of nearly every mail.
HEAD_BYTES: Final = 16_000
#: The same literal as in the partial index for these mails.
_FOR_A_PERSON: Final = f" AND m.outcome = '{FOR_A_PERSON}'"
_FOUND: Final = (
    " AND (m.sender LIKE :like ESCAPE '\\' OR m.recipient LIKE :like ESCAPE '\\'"
    " OR m.outcome LIKE :like ESCAPE '\\' OR p.name LIKE :like ESCAPE '\\'"
    " OR p.email LIKE :like ESCAPE '\\')"
)


def mails(db: Connection, wanted: MailFilter, *, limit: int, offset: int = 0) -> list[MailRow]:
    rows = db.execute(
        "SELECT m.mail_id, m.received_at, m.sender, m.recipient, m.outcome,"
        f" substr(m.raw, 1, {HEAD_BYTES}){_from(wanted)}"
        " ORDER BY m.received_at DESC, m.mail_id DESC LIMIT :limit OFFSET :offset",
        {**_values(wanted), "limit": limit, "offset": offset},
    )
    return [_MAIL.read(row) for row in rows]


def count(db: Connection, wanted: MailFilter) -> int:
    row = db.execute(f"SELECT count(*){_from(wanted)}", _values(wanted)).fetchone()
    found: int = row[0]
    return found


def _from(wanted: MailFilter) -> str:
    """Joins people only for a search."""
    people = " LEFT JOIN fd_person p USING (person_id)" if wanted.search else ""
    only = _FOR_A_PERSON if wanted.for_a_person else ""
    return f" FROM fd_mail m{people} WHERE true{only}{_FOUND if wanted.search else ''}"


def _values(wanted: MailFilter) -> dict[str, Any]:
    return {"like": like(wanted.search)}
