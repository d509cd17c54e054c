"""Finds messages and incoming mail for staff."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any, Final

from frontdesk.core.mail import FOR_A_PERSON
from frontdesk.core.sends import SendState
from frontdesk.desks.admin.reads import MailFilter, MailRow, MessageFilter, MessageRow
from frontdesk.store.rows import SqliteRows
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite.people import PERSON, PERSON_COLUMNS
from frontdesk.store.sqlite.sends import SEND

_SEND = SEND.of("s")
_SENDS = len(SEND)
_RECENT_SENDS = 2_000
#: CROSS JOIN keeps the order of the join: SQLite reads sends in list order, then each person.
_FROM = (
    " FROM fd_send s CROSS JOIN fd_person p USING (person_id)"
    " LEFT JOIN fd_message k ON k.send_id = s.send_id"
)
_FOUND = (
    " AND (p.name LIKE :like ESCAPE '\\' OR p.email LIKE :like ESCAPE '\\'"
    " OR k.subject LIKE :like ESCAPE '\\')"
)


def messages(
    db: Connection, wanted: MessageFilter, *, limit: int, offset: int = 0
) -> list[MessageRow]:
    rows = db.execute(
        f"SELECT {_SEND}, coalesce(k.subject, ''), {PERSON_COLUMNS}{_FROM}"
        f"{_where(wanted)}{_in_state(wanted)}"
        " ORDER BY s.queued_at DESC, s.send_id DESC LIMIT :limit OFFSET :offset",
        {**_values(wanted), "limit": limit, "offset": offset},
    )
    return [
        MessageRow(SEND.read(row[:_SENDS]), PERSON.read(row[_SENDS + 1 :]), row[_SENDS])
        for row in rows
    ]


def counts(db: Connection, wanted: MessageFilter) -> dict[SendState, int]:
    """Counts messages by state. Reads names and subjects only for a search."""
    source = _FROM if wanted.search else " FROM fd_send s"
    rows = db.execute(
        f"SELECT s.state, count(*){source}{_where(wanted)}{_in_state(wanted)} GROUP BY s.state",
        _values(wanted),
    )
    return {SendState(state): count for state, count in rows}


def _where(wanted: MessageFilter) -> str:
    """Returns only the conditions that are set, so that SQLite can use an index."""
    return " WHERE true" + "".join(
        (
            " AND s.kind = :kind" if wanted.kind else "",
            " AND s.desk <> :but_desk" if wanted.but_desk else "",
            " AND s.person_id = :person" if wanted.person_id else "",
            _FOUND if wanted.search else "",
        )
    )


def _in_state(wanted: MessageFilter) -> str:
    """For one state SQLite uses the order of the index; for several it sorts the few rows."""
    if len(wanted.states) == 1:
        return " AND s.state = json_extract(:states, '$[0]')"
    return " AND s.state IN (SELECT value FROM json_each(:states))" if wanted.states else ""


def kinds(db: Connection, but_desk: str = "") -> list[str]:
    """Returns the kinds of recent messages, for the filter on the page."""
    rows = db.execute(
        "SELECT DISTINCT kind FROM (SELECT kind, desk FROM fd_send ORDER BY queued_at DESC LIMIT ?)"
        " WHERE desk <> ? ORDER BY kind",
        (_RECENT_SENDS, but_desk),
    )
    return [kind for (kind,) in rows]


def like(search: str) -> str:
    """Returns a LIKE pattern for text that contains `search`, with wildcards escaped."""
    escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _values(wanted: MessageFilter) -> dict[str, Any]:
    return {
        "kind": wanted.kind,
        "but_desk": wanted.but_desk,
        "person": wanted.person_id,
        "like": like(wanted.search),
        "states": to_text(sorted(state.value for state in wanted.states)),
    }


_MAIL: Final = SqliteRows(MailRow)
#: Enough for the headers of nearly every mail.
HEAD_BYTES: Final = 16_000
#: The same literal as in the partial index for these mails.
_FOR_A_PERSON: Final = f" AND m.outcome = '{FOR_A_PERSON}'"
_FOUND_MAIL: Final = (
    " AND (m.sender LIKE :like ESCAPE '\\' OR m.recipient LIKE :like ESCAPE '\\'"
    " OR m.outcome LIKE :like ESCAPE '\\' OR p.name LIKE :like ESCAPE '\\'"
    " OR p.email LIKE :like ESCAPE '\\')"
)


def mails(db: Connection, wanted: MailFilter, *, limit: int, offset: int = 0) -> list[MailRow]:
    rows = db.execute(
        "SELECT m.mail_id, m.received_at, m.sender, m.recipient, m.outcome,"
        f" substr(m.raw, 1, {HEAD_BYTES}){_from(wanted)}"
        " ORDER BY m.received_at DESC, m.mail_id DESC LIMIT :limit OFFSET :offset",
        {**_mail_values(wanted), "limit": limit, "offset": offset},
    )
    return [_MAIL.read(row) for row in rows]


def count(db: Connection, wanted: MailFilter) -> int:
    row = db.execute(f"SELECT count(*){_from(wanted)}", _mail_values(wanted)).fetchone()
    found: int = row[0]
    return found


def _from(wanted: MailFilter) -> str:
    """Joins people only for a search."""
    people = " LEFT JOIN fd_person p USING (person_id)" if wanted.search else ""
    only = _FOR_A_PERSON if wanted.for_a_person else ""
    return f" FROM fd_mail m{people} WHERE true{only}{_FOUND_MAIL if wanted.search else ''}"


def _mail_values(wanted: MailFilter) -> dict[str, Any]:
    return {"like": like(wanted.search)}
