"""Reads the records of a table's stream, and reports those that failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from frontdesk.logs import failure, log
from frontdesk.store.dynamodb.values import row_of
from frontdesk.values import Frozen

Payload = Mapping[str, Any]
Row = Mapping[str, Any]


class NotFinished(Exception):
    """Raised to make AWS retry: the time did not suffice."""


class ChangedRow(Frozen):
    """A row before and after a change; either may be missing."""

    sequence: str
    table: str
    at: datetime
    """The approximate time of the write, by the clock of DynamoDB."""
    before: Row | None
    after: Row | None


def records(payload: Payload) -> list[ChangedRow]:
    return [_record(each) for each in payload["Records"]]


def _record(record: Payload) -> ChangedRow:
    stream = record["dynamodb"]
    return ChangedRow(
        stream["SequenceNumber"],
        record["eventSourceARN"].partition(":table/")[2].partition("/")[0],
        datetime.fromtimestamp(int(stream["ApproximateCreationDateTime"]), UTC),
        row_of(stream["OldImage"]) if stream.get("OldImage") else None,
        row_of(stream["NewImage"]) if stream.get("NewImage") else None,
    )


def handle_in_order(payload: Payload, do: Callable[[ChangedRow], None]) -> dict[str, Any]:
    """Handles the records in order. AWS retries from the first that failed."""
    for record in records(payload):
        if not _done(record, do):
            return failures(record.sequence)
    return failures()


def handle_all(payload: Payload, do: Callable[[ChangedRow], None]) -> dict[str, Any]:
    """Does each record, even if another fails. AWS retries from the first that failed."""
    return failures(*[one.sequence for one in records(payload) if not _done(one, do)])


def _done(record: ChangedRow, do: Callable[[ChangedRow], None]) -> bool:
    try:
        do(record)
    except NotFinished as rest:
        log("record.unfinished", table=record.table, what=str(rest))
        return False
    except Exception as error:
        log("record.failed", table=record.table, why=failure(error))
        return False
    return True


def failures(*sequences: str) -> dict[str, Any]:
    return {"batchItemFailures": [{"itemIdentifier": each} for each in sequences]}
