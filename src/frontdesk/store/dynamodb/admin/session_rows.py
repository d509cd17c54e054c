"""The rows of sessions and sign-in links, and the writes that end all of one member's.

DynamoDB deletes a row some days after its end. Until then the page can say why a link is invalid.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from frontdesk.store.dynamodb.items import TransactItem, delete, update
from frontdesk.store.dynamodb.schema import FD_SESSIONS
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.rows import seconds

STAYS: Final = timedelta(days=7)
#: The most rows that end in the transaction. Older ones end before it.
AT_ONCE: Final = 50


def link_key(member_id: str, nonce: int) -> str:
    return f"sign-in#{member_id}#{nonce}"


def is_link(row: Row) -> bool:
    return "nonce" in row


def ends(at: datetime) -> dict[str, int]:
    """Returns when it ends, and when DynamoDB deletes its row."""
    return {"ends_at": seconds(at), "expires_at": seconds(at + STAYS)}


def open_rows(reader: TableReader, member_id: str, *, but: str = "") -> list[Row]:
    """Returns sessions that are not ended and links that are not spent, the newest first."""
    rows = reader.scan(
        FD_SESSIONS,
        only="member_id = :member AND attribute_not_exists(ended_at)"
        " AND attribute_not_exists(spent_at)",
        member=member_id,
    )
    found = [row for row in rows if row["token_hash"] != but]
    return sorted(found, key=lambda row: row["ends_at"], reverse=True)


def end_newest(rows: Sequence[Row], at: datetime) -> tuple[TransactItem, ...]:
    return tuple(_end(row, at) for row in rows[:AT_ONCE])


def end_older(reader: TableReader, rows: Sequence[Row], at: datetime) -> None:
    for start in range(AT_ONCE, len(rows), AT_ONCE):
        items = [_end(row, at).wire(reader.prefix) for row in rows[start : start + AT_ONCE]]
        reader.client.transact_write_items(TransactItems=items)


def _end(row: Row, at: datetime) -> TransactItem:
    """Condition: a link is still unspent. Otherwise the commit is retried, with the session that
    the link opened."""
    key = {"token_hash": row["token_hash"]}
    if is_link(row):
        return delete(FD_SESSIONS.name, key, when="attribute_not_exists(spent_at)")
    when = "attribute_exists(token_hash)"
    return update(FD_SESSIONS.name, key, "SET ended_at = :at", when=when, at=seconds(at))
