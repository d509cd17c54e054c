"""Restores the tables to an instant: first as separate tables, then copied over the current."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from frontdesk.errors import Busy
from frontdesk.store.dynamodb.schema import TABLES, Table
from frontdesk.values import Frozen

#: All tables but those whose rows expire: sessions, rate limits, idempotency keys.
RESTORED: Final = tuple(table for table in TABLES if not table.expires)
LOOK_SECONDS: Final = 10.0
_AT_ONCE: Final = 25
_MOST_TRIES: Final = 10
_FIRST_PAUSE_SECONDS: Final = 0.1

Row = Mapping[str, Any]
"""A row in the wire format of DynamoDB."""
Progress = Callable[[int, int], None]
"""Called with the number of finished tables and the number of all."""


def restored_prefix(at: datetime, prefix: str = "") -> str:
    """Returns the name prefix of the tables that are restored to this instant."""
    return f"restored-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}-{prefix}"


class CopyCounts(Frozen):
    written: int
    deleted: int


class TableRestore:
    """Restores in steps that can be repeated. `prefix` starts the names of the current tables."""

    def __init__(
        self,
        client: Any,
        at: datetime,
        prefix: str = "",
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._at = at
        self._prefix = prefix
        self._beside = restored_prefix(at, prefix)
        self._pause = pause

    def begin(self) -> None:
        """Starts the restore of each table under another name, unless that table exists."""
        there = self._tables()
        for table in RESTORED:
            if self._beside + table.name not in there:
                self._client.restore_table_to_point_in_time(
                    SourceTableName=self._prefix + table.name,
                    TargetTableName=self._beside + table.name,
                    RestoreDateTime=self._at,
                )

    def wait(self, progress: Progress) -> None:
        """Waits until all restored tables are active: minutes, for large tables hours."""
        while True:
            ready = sum(self._is_ready(table) for table in RESTORED)
            progress(ready, len(RESTORED))
            if ready == len(RESTORED):
                return
            self._pause(LOOK_SECONDS)

    def copy(self, progress: Progress) -> CopyCounts:
        """Makes the current tables equal to the restored ones: puts their rows, deletes others."""
        written = deleted = 0
        for done, table in enumerate(RESTORED):
            progress(done, len(RESTORED))
            kept: set[tuple[str, ...]] = set()
            for batch in _batches(self._rows(self._beside, table)):
                kept.update(_key(table, row) for row in batch)
                self._write(table, [{"PutRequest": {"Item": row}} for row in batch])
                written += len(batch)
            gone = (row for row in self._rows(self._prefix, table) if _key(table, row) not in kept)
            for batch in _batches(gone):
                keys = [{name: row[name] for name in table.key.names} for row in batch]
                self._write(table, [{"DeleteRequest": {"Key": key}} for key in keys])
                deleted += len(batch)
        progress(len(RESTORED), len(RESTORED))
        return CopyCounts(written, deleted)

    def tidy_up(self) -> None:
        """Deletes the restored tables."""
        there = self._tables()
        for table in RESTORED:
            if (name := self._beside + table.name) in there:
                self._client.delete_table(TableName=name)

    def _tables(self) -> set[str]:
        pages = self._client.get_paginator("list_tables").paginate()
        return {name for page in pages for name in page["TableNames"]}

    def _is_ready(self, table: Table) -> bool:
        found = self._client.describe_table(TableName=self._beside + table.name)["Table"]
        return bool(found["TableStatus"] == "ACTIVE")

    def _rows(self, prefix: str, table: Table) -> Iterator[Row]:
        pages = self._client.get_paginator("scan").paginate(
            TableName=prefix + table.name, ConsistentRead=True
        )
        return (row for page in pages for row in page["Items"])

    def _write(self, table: Table, requests: list[dict[str, Any]]) -> None:
        name = self._prefix + table.name
        for turn in range(_MOST_TRIES):
            answer = self._client.batch_write_item(RequestItems={name: requests})
            requests = answer.get("UnprocessedItems", {}).get(name, [])
            if not requests:
                return
            self._pause(_FIRST_PAUSE_SECONDS * 2**turn)
        raise Busy(f"{name} takes no more rows just now. Please run the same command again.")


def _key(table: Table, row: Row) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in table.key.names)


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch
