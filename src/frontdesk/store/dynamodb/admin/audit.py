"""Finds the newest facts of all desks and the open dead letters for staff."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from itertools import islice
from typing import Any

from frontdesk.desks.admin.changes import SettleLetter
from frontdesk.desks.admin.reads import FactFilter
from frontdesk.engine.ports import DeadLetter
from frontdesk.store.dynamodb import dead_letters
from frontdesk.store.dynamodb.facts import AFTER_ALL
from frontdesk.store.dynamodb.items import TransactItem, update
from frontdesk.store.dynamodb.schema import AUDITS, FD_DEADLETTERS
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.dynamodb.tables import Writes, one
from frontdesk.store.rows import seconds


def newest(reader: TableReader, wanted: FactFilter, limit: int) -> list[Row]:
    desks = [desk for desk in AUDITS if wanted.desk in ("", desk)]
    runs = [_of_desk(reader, desk, wanted) for desk in desks]
    return list(islice(merge(*runs, key=lambda row: row["seq"], reverse=True), limit))


def _of_desk(reader: TableReader, desk: str, wanted: FactFilter) -> Iterator[Row]:
    index, name, value = "by-desk", "desk", desk
    if wanted.about:
        index, name, value = "by-about", "about", wanted.about
    kind: dict[str, Any] = {"kind": wanted.kind} if wanted.kind else {}
    return reader.query(
        AUDITS[desk],
        f"{name} = :value AND seq < :before",
        index=index,
        only="kind = :kind" if kind else "",
        backwards=True,
        value=value,
        before=wanted.before or AFTER_ALL,
        **kind,
    )


def problems(reader: TableReader, limit: int) -> list[DeadLetter]:
    rows = reader.query(
        FD_DEADLETTERS,
        "#open = :open",
        index="open",
        backwards=True,
        limit=limit,
        open=dead_letters.OPEN,
    )
    return [dead_letters.LETTER.read(row) for row in rows]


def dead_letter(reader: TableReader, letter_id: int) -> DeadLetter | None:
    found = dead_letters.letter(reader, letter_id)
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
    return dead_letters.open_count(reader)


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
