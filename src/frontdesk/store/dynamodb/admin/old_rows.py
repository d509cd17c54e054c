"""Counts and deletes old rows.

DynamoDB deletes expired sessions, sign-in links and idempotency keys itself. The other rows may be
too many for one transaction, so they are deleted before the one that records it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Final

from frontdesk.desks.admin.changes import DeleteOldRows
from frontdesk.desks.admin.model import OldRows
from frontdesk.store.dynamodb import mail
from frontdesk.store.dynamodb.items import update
from frontdesk.store.dynamodb.schema import FD_MAIL, FD_MESSAGES
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.rows import seconds

_NO_TEXT: Final = zlib.compress(b"")


def _old_mails(reader: TableReader, before: int) -> Iterator[str]:
    where = "box = :box AND received_at < :before"
    rows = reader.query(FD_MAIL, where, index="by-time", box=mail.BOX, before=before)
    return (row["mail_id"] for row in rows)


def _old_messages(reader: TableReader, before: int) -> Iterator[str]:
    rows = reader.scan(
        FD_MESSAGES, only="sent_at < :before AND #text <> :none", before=before, none=_NO_TEXT
    )
    return (row["send_id"] for row in rows)


def _none(_reader: TableReader, _before: int) -> Iterator[str]:
    return iter(())


def _forget_text(reader: TableReader, send_id: str) -> None:
    """Deletes the text of a message and keeps the rest of its row. Condition: the row exists."""
    forgotten = update(
        FD_MESSAGES.name,
        {"send_id": send_id},
        "SET #text = :none, html = :none, unsubscribe_url = :nothing REMOVE calendar",
        when="attribute_exists(send_id)",
        none=_NO_TEXT,
        nothing="",
    )
    reader.write(forgotten)


_OLD: Final[Mapping[OldRows, Callable[[TableReader, int], Iterator[str]]]] = {
    OldRows.SESSIONS: _none,
    OldRows.SIGN_INS: _none,
    OldRows.KEYS: _none,
    OldRows.MAILS: _old_mails,
    OldRows.MESSAGES: _old_messages,
}
_FORGET: Final[Mapping[OldRows, Callable[[TableReader, str], None]]] = {
    OldRows.MAILS: mail.forget,
    OldRows.MESSAGES: _forget_text,
}


def old_count(reader: TableReader, what: OldRows, before: datetime, at_most: int) -> int:
    return sum(1 for _ in islice(_OLD[what](reader, seconds(before)), at_most))


def forget(reader: TableReader, change: DeleteOldRows) -> None:
    old = list(islice(_OLD[change.what](reader, seconds(change.before)), change.at_most))
    for row in old:
        _FORGET[change.what](reader, row)


TIDY_WRITES: Writes = {DeleteOldRows: Write(lambda _reader, _change: (), first=forget)}
