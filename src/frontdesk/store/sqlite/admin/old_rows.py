"""Counts and deletes old rows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.admin.changes import DeleteOldRows
from frontdesk.desks.admin.model import OldRows
from frontdesk.store.rows import seconds
from frontdesk.store.sqlite.tables import Write, Writes

#: The last session of a member is kept: it shows when they signed in last.
_OLD: Final[Mapping[OldRows, str]] = {
    OldRows.SESSIONS: (
        "SELECT token_hash FROM fd_session s WHERE expires_at < :before AND EXISTS"
        " (SELECT 1 FROM fd_session n"
        " WHERE n.member_id = s.member_id AND n.created_at > s.created_at)"
    ),
    OldRows.SIGN_INS: "SELECT member_id, nonce FROM fd_sign_in WHERE expires_at < :before",
    OldRows.KEYS: "SELECT key FROM fd_idempotency WHERE at < :before",
    OldRows.MAILS: "SELECT mail_id FROM fd_mail WHERE received_at < :before ORDER BY received_at",
    OldRows.MESSAGES: (
        "SELECT send_id FROM fd_message WHERE sent_at < :before AND text <> '' ORDER BY sent_at"
    ),
}
_FORGET: Final[Mapping[OldRows, str]] = {
    OldRows.SESSIONS: "DELETE FROM fd_session WHERE token_hash",
    OldRows.SIGN_INS: "DELETE FROM fd_sign_in WHERE (member_id, nonce)",
    OldRows.KEYS: "DELETE FROM fd_idempotency WHERE key",
    OldRows.MAILS: "DELETE FROM fd_mail WHERE mail_id",
    OldRows.MESSAGES: (
        "UPDATE fd_message SET text = '', html = '', calendar = NULL, unsubscribe_url = ''"
        " WHERE send_id"
    ),
}


def old_count(db: Connection, what: OldRows, before: datetime, at_most: int) -> int:
    row = db.execute(
        f"SELECT count(*) FROM ({_OLD[what]} LIMIT :most)",
        {"before": seconds(before), "most": at_most},
    ).fetchone()
    count: int = row[0]
    return count


def forget(db: Connection, change: DeleteOldRows) -> bool:
    """Deletes old rows and overwrites the freed pages of the file."""
    db.execute("PRAGMA secure_delete = ON")
    db.execute(
        f"{_FORGET[change.what]} IN ({_OLD[change.what]} LIMIT :most)",
        {"before": seconds(change.before), "most": change.at_most},
    )
    db.execute("PRAGMA secure_delete = FAST")
    return True


TIDY_WRITES: Writes = {DeleteOldRows: Write("old", attrgetter("what"), forget)}
