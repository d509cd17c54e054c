"""Finds the newest facts of all desks for staff."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from itertools import islice
from typing import Any

from frontdesk.desks.admin.reads import FactFilter
from frontdesk.store.dynamodb.facts import AFTER_ALL
from frontdesk.store.dynamodb.schema import AUDITS
from frontdesk.store.dynamodb.table_reader import Row, TableReader


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
