"""Every message, as staff look for it."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

from frontdesk.core.sends import SendState
from frontdesk.desks.house.reads import MessageFilter, MessageRow
from frontdesk.store.sqlite.people import PERSON_COLUMNS, read_person
from frontdesk.store.sqlite.sends import SEND_COLUMNS, read_send
from frontdesk.store.sqlite.values import to_json

_SEND = ", ".join(f"s.{column}" for column in SEND_COLUMNS.split(", "))
_SENDS = len(SEND_COLUMNS.split(", "))
_FROM = (
    " FROM fd_send s JOIN fd_person p USING (person_id)"
    " LEFT JOIN fd_message k ON k.send_id = s.send_id"
)
_WHERE = (
    " WHERE (:kind = '' OR s.kind = :kind)"
    " AND s.desk <> :but_desk"
    " AND (:person = '' OR s.person_id = :person)"
    " AND (:like = '%%' OR p.name LIKE :like ESCAPE '\\' OR p.email LIKE :like ESCAPE '\\'"
    " OR coalesce(k.subject, '') LIKE :like ESCAPE '\\')"
)
_IN_STATE = " AND (:states = '[]' OR s.state IN (SELECT value FROM json_each(:states)))"


def messages(db: Connection, wanted: MessageFilter, *, limit: int, offset: int) -> list[MessageRow]:
    rows = db.execute(
        f"SELECT {_SEND}, coalesce(k.subject, ''), {PERSON_COLUMNS}{_FROM}{_WHERE}{_IN_STATE}"
        " ORDER BY s.queued_at DESC, s.send_id DESC LIMIT :limit OFFSET :offset",
        {**_values(wanted), "limit": limit, "offset": offset},
    )
    return [
        MessageRow(read_send(row[:_SENDS]), read_person(row[_SENDS + 1 :]), row[_SENDS])
        for row in rows
    ]


def counts(db: Connection, wanted: MessageFilter) -> dict[SendState, int]:
    rows = db.execute(f"SELECT s.state, count(*){_FROM}{_WHERE} GROUP BY s.state", _values(wanted))
    return {SendState(state): count for state, count in rows}


def kinds(db: Connection, but_desk: str) -> list[str]:
    rows = db.execute(
        "SELECT DISTINCT kind FROM fd_send WHERE desk <> ? ORDER BY kind", (but_desk,)
    )
    return [kind for (kind,) in rows]


def like(search: str) -> str:
    """A pattern for what somebody typed, in which it means itself."""
    escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _values(wanted: MessageFilter) -> dict[str, Any]:
    return {
        "kind": wanted.kind,
        "but_desk": wanted.but_desk,
        "person": wanted.person_id,
        "like": like(wanted.search),
        "states": to_json(sorted(state.value for state in wanted.states)).decode(),
    }
