"""Reads and writes dead letters: items that failed after their retries."""

from __future__ import annotations

import secrets
import time
from datetime import datetime
from typing import Final

from frontdesk.engine.ports import DeadLetter
from frontdesk.store.dynamodb.items import TransactItem, put_new
from frontdesk.store.dynamodb.schema import FD_DEADLETTERS
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.values import Item
from frontdesk.store.rows import DynamoRows, seconds

LETTER: Final = DynamoRows(DeadLetter)
#: A replayed letter does not have this value, so it is not in the index of open letters.
OPEN: Final = "open"
#: An id is microseconds, then a random number, so that two letters rarely have one id.
_CHANCE: Final = 1_000


def add_dead_letter(what: str, ref: str, why: str, at: datetime) -> TransactItem:
    row: Item = {
        "id": time.time_ns() // 1_000 * _CHANCE + secrets.randbelow(_CHANCE),
        "open": OPEN,
        "at": seconds(at),
        "what": what,
        "ref": ref,
        "why": why,
    }
    return put_new(FD_DEADLETTERS.name, FD_DEADLETTERS.key.names, row)


def letter(reader: TableReader, letter_id: int) -> DeadLetter | None:
    row = reader.get(FD_DEADLETTERS, letter_id)
    return LETTER.read_or_none(row)


def letters(reader: TableReader, limit: int) -> list[DeadLetter]:
    """Returns the newest first, including replayed ones. There are few, so it scans the table."""
    rows = sorted(reader.scan(FD_DEADLETTERS), key=lambda row: row["id"], reverse=True)
    return [LETTER.read(row) for row in rows[:limit]]


def open_count(reader: TableReader) -> int:
    return reader.count(FD_DEADLETTERS, "#open = :open", index="open", open=OPEN)
