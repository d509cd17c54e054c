"""Sign-in links, which work once, and the sessions that they open."""

from __future__ import annotations

from datetime import datetime
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.core.members import Member, Session
from frontdesk.desks.admin import changes
from frontdesk.desks.admin.model import SignInKind, SignInLink
from frontdesk.store.rows import SqliteRows, instant, seconds
from frontdesk.store.sqlite.admin.members import MEMBER_COLUMNS
from frontdesk.store.sqlite.tables import Write, Writes, add_row, statement, writes_one

SESSION: Final = SqliteRows(Session, flat={"member": Member})
SIGN_IN: Final = SqliteRows(SignInLink)
_SESSION: Final = (
    f"SELECT s.token_hash, {MEMBER_COLUMNS}, s.csrf, s.created_at, s.expires_at, s.device"
    " FROM fd_session s JOIN fd_member m USING (member_id) JOIN fd_person p USING (person_id)"
    " WHERE s.ended_at IS NULL AND m.removed_at IS NULL AND s.expires_at > ?"
)


def session(db: Connection, token_hash: str, now: datetime) -> Session | None:
    row = db.execute(f"{_SESSION} AND s.token_hash = ?", (seconds(now), token_hash)).fetchone()
    return SESSION.read_or_none(row)


def sessions_of(db: Connection, member_id: str, now: datetime) -> list[Session]:
    """Returns the member's sessions, the last used first."""
    rows = db.execute(
        f"{_SESSION} AND s.member_id = ? ORDER BY s.expires_at DESC, s.token_hash",
        (seconds(now), member_id),
    )
    return [SESSION.read(row) for row in rows]


def sign_in(db: Connection, member_id: str, nonce: int) -> SignInLink | None:
    """Returns None for an unspent link that a new address or a bounce has invalidated."""
    row = db.execute(
        f"SELECT {SIGN_IN.of('s')}, p.links_until"
        " FROM fd_sign_in s JOIN fd_member m USING (member_id) JOIN fd_person p USING (person_id)"
        " WHERE s.member_id = ? AND s.nonce = ?",
        (member_id, nonce),
    ).fetchone()
    if row is None:
        return None
    found = SIGN_IN.read(row[:-1])
    return None if found.is_invalid(instant(row[-1])) else found


def add_sign_in(db: Connection, change: changes.AddSignIn) -> bool:
    link = change.link
    if link.kind is SignInKind.PRINTED:
        db.execute("DELETE FROM fd_sign_in WHERE kind = 'printed' AND spent_at IS NULL")
    return add_row(db, "fd_sign_in", SIGN_IN, link)


def spend(db: Connection, change: changes.SpendSignIn) -> bool:
    if sign_in(db, change.member_id, change.nonce) is None:
        return False
    if change.address_works:
        db.execute(
            "UPDATE fd_person SET bounced = '' WHERE person_id ="
            " (SELECT person_id FROM fd_member WHERE member_id = ?)",
            (change.member_id,),
        )
    at = seconds(change.at)
    return writes_one(
        db,
        "UPDATE fd_sign_in SET spent_at = ?"
        " WHERE member_id = ? AND nonce = ? AND spent_at IS NULL AND expires_at > ?",
        (at, change.member_id, change.nonce, at),
    )


def end_one(db: Connection, change: changes.EndOneSession) -> bool:
    db.execute(
        "UPDATE fd_session SET ended_at = ? WHERE token_hash = ? AND ended_at IS NULL",
        (seconds(change.at), change.token_hash),
    )
    return True


def end_all(db: Connection, change: changes.EndSessionsOf) -> bool:
    db.execute(
        "UPDATE fd_session SET ended_at = ?"
        " WHERE member_id = ? AND ended_at IS NULL AND token_hash <> ?",
        (seconds(change.at), change.member_id, change.but),
    )
    db.execute(
        "DELETE FROM fd_sign_in WHERE member_id = ? AND spent_at IS NULL", (change.member_id,)
    )
    return True


_link = attrgetter("member_id", "nonce")
_session = attrgetter("token_hash")
SESSION_WRITES: Writes = {
    changes.AddSignIn: Write("fd_sign_in", attrgetter("link.member_id", "link.nonce"), add_sign_in),
    changes.SpendSignIn: Write("fd_sign_in", _link, spend),
    changes.AddSession: Write(
        "fd_session",
        _session,
        statement(
            "INSERT INTO fd_session (token_hash, member_id, csrf, device, created_at, expires_at)"
            " SELECT :token_hash, member_id, :csrf, :device, :created_at, :expires_at"
            " FROM fd_member WHERE member_id = :member_id AND removed_at IS NULL"
            " ON CONFLICT DO NOTHING"
        ),
    ),
    changes.MoveSessionEnd: Write(
        "fd_session",
        _session,
        statement(
            "UPDATE fd_session SET expires_at = :expires_at"
            " WHERE token_hash = :token_hash AND ended_at IS NULL"
        ),
    ),
    changes.EndOneSession: Write("fd_session", _session, end_one),
    changes.EndSessionsOf: Write("fd_session_of", attrgetter("member_id"), end_all),
}
