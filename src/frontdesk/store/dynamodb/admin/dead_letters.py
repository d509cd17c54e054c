"""Dead letters as staff see them, and those that staff dealt with."""

from __future__ import annotations

from frontdesk.desks.admin.changes import SettleLetter
from frontdesk.engine.ports import DeadLetter
from frontdesk.store.dynamodb import letters
from frontdesk.store.dynamodb.items import TransactItem, update
from frontdesk.store.dynamodb.look import Look
from frontdesk.store.dynamodb.schema import FD_DEADLETTERS
from frontdesk.store.dynamodb.tables import Writes, one
from frontdesk.store.rows import seconds


def problems(look: Look, limit: int) -> list[DeadLetter]:
    rows = look.query(
        FD_DEADLETTERS,
        "#open = :open",
        index="open",
        backwards=True,
        limit=limit,
        open=letters.OPEN,
    )
    return [letters.LETTER.read(row) for row in rows]


def dead_letter(look: Look, letter_id: int) -> DeadLetter | None:
    found = letters.letter(look, letter_id)
    return None if found is None or found.replayed_at else found


def letter_of_send(look: Look, send_id: str) -> int | None:
    rows = look.scan(
        FD_DEADLETTERS,
        only="attribute_not_exists(replayed_at) AND what = :send AND #ref = :ref",
        send="send",
        ref=send_id,
    )
    return max((row["id"] for row in rows), default=None)


def problem_count(look: Look) -> int:
    return letters.open_count(look)


def settle(change: SettleLetter) -> TransactItem:
    return update(
        FD_DEADLETTERS.name,
        {"id": change.letter_id},
        "SET replayed_at = :at REMOVE #open",
        when="attribute_exists(id) AND attribute_not_exists(replayed_at)",
        at=seconds(change.at),
    )


LETTER_WRITES: Writes = {
    SettleLetter: one(settle),
}
