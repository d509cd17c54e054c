"""Lists open dead letters for staff, and marks those that staff have replayed."""

from __future__ import annotations

from frontdesk.desks.admin.changes import SettleLetter
from frontdesk.engine.ports import DeadLetter
from frontdesk.store.dynamodb import letters
from frontdesk.store.dynamodb.items import TransactItem, update
from frontdesk.store.dynamodb.schema import FD_DEADLETTERS
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Writes, one
from frontdesk.store.rows import seconds


def problems(reader: TableReader, limit: int) -> list[DeadLetter]:
    rows = reader.query(
        FD_DEADLETTERS,
        "#open = :open",
        index="open",
        backwards=True,
        limit=limit,
        open=letters.OPEN,
    )
    return [letters.LETTER.read(row) for row in rows]


def dead_letter(reader: TableReader, letter_id: int) -> DeadLetter | None:
    found = letters.letter(reader, letter_id)
    return None if found is None or found.replayed_at else found


def letter_of_send(reader: TableReader, send_id: str) -> int | None:
    rows = reader.scan(
        FD_DEADLETTERS,
        only="attribute_not_exists(replayed_at) AND what = :send AND #ref = :ref",
        send="send",
        ref=send_id,
    )
    return max((row["id"] for row in rows), default=None)


def problem_count(reader: TableReader) -> int:
    return letters.open_count(reader)


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
