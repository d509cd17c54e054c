"""Rows of a table as its stream brings them, one by one, with what could not be done told back."""

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
    """Raised so that AWS brings it again: there was no time for all of it."""


class Record(Frozen):
    """A row as it was and as it is now; either may be missing."""

    sequence: str
    table: str
    at: datetime
    """About when it was written, by the clock of the table."""
    before: Row | None
    after: Row | None


def records(payload: Payload) -> list[Record]:
    return [_record(each) for each in payload["Records"]]


def _record(record: Payload) -> Record:
    stream = record["dynamodb"]
    return Record(
        stream["SequenceNumber"],
        record["eventSourceARN"].partition(":table/")[2].partition("/")[0],
        datetime.fromtimestamp(int(stream["ApproximateCreationDateTime"]), UTC),
        row_of(stream["OldImage"]) if stream.get("OldImage") else None,
        row_of(stream["NewImage"]) if stream.get("NewImage") else None,
    )


def each(payload: Payload, do: Callable[[Record], None]) -> dict[str, Any]:
    """In order. The first that fails is brought again, with all behind it."""
    for record in records(payload):
        if not _done(record, do):
            return failures(record.sequence)
    return failures()


def every(payload: Payload, do: Callable[[Record], None]) -> dict[str, Any]:
    """Does each record, even if another fails. AWS retries from the first that failed."""
    return failures(*[one.sequence for one in records(payload) if not _done(one, do)])


def _done(record: Record, do: Callable[[Record], None]) -> bool:
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
