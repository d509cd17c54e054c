"""Dead letters: what could not be processed after its retries."""

from __future__ import annotations

import secrets
import time
from datetime import datetime
from typing import Final

from frontdesk.engine.ports import DeadLetter
from frontdesk.store.dynamodb.items import TransactItem, put_new
from frontdesk.store.dynamodb.look import Look, Row
from frontdesk.store.dynamodb.schema import FD_DEADLETTERS
from frontdesk.store.dynamodb.values import Item, instant, instant_or_none, seconds

#: One that was replayed is not in the index of open ones.
OPEN: Final = "open"
#: After the microseconds: chance, so that two at one instant are two.
_CHANCE: Final = 1_000


def bury(what: str, ref: str, why: str, at: datetime) -> TransactItem:
    row: Item = {
        "id": time.time_ns() // 1_000 * _CHANCE + secrets.randbelow(_CHANCE),
        "open": OPEN,
        "at": seconds(at),
        "what": what,
        "ref": ref,
        "why": why,
    }
    return put_new(FD_DEADLETTERS.name, FD_DEADLETTERS.key.names, row)


def read_letter(row: Row) -> DeadLetter:
    return DeadLetter(
        row["id"],
        instant(row["at"]),
        row["what"],
        row["ref"],
        row["why"],
        instant_or_none(row.get("replayed_at")),
    )


def letter(look: Look, letter_id: int) -> DeadLetter | None:
    row = look.get(FD_DEADLETTERS, letter_id)
    return None if row is None else read_letter(row)


def letters(look: Look, limit: int) -> list[DeadLetter]:
    """The newest first, replayed ones too. There are few: each one is a fault."""
    rows = sorted(look.scan(FD_DEADLETTERS), key=lambda row: row["id"], reverse=True)
    return [read_letter(row) for row in rows[:limit]]


def open_count(look: Look) -> int:
    return look.count(FD_DEADLETTERS, "#open = :open", index="open", open=OPEN)
