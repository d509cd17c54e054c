"""Reads and writes the records of requests, which are in one partition."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime
from typing import Any, Final

from frontdesk.core.contacts import email_key
from frontdesk.desks.booking.changes import AddRequest, WriteRequest
from frontdesk.desks.booking.model import BookingRequest, Lane, RequestStatus
from frontdesk.store.dynamodb.booking.bookings import BEFORE_ALL
from frontdesk.store.dynamodb.items import TransactItem, put, put_new, update
from frontdesk.store.dynamodb.schema import TBL_REQUESTS
from frontdesk.store.dynamodb.sort_keys import moment
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Writes, one
from frontdesk.store.rows import DynamoRows

REQUEST: Final = DynamoRows(BookingRequest, {"id": "request_id"})
SHELF: Final = "requests"
_KEYS: Final = TBL_REQUESTS.key.names


def request(reader: TableReader, request_id: str) -> BookingRequest | None:
    return REQUEST.read_or_none(reader.get(TBL_REQUESTS, SHELF, request_id))


def requests(
    reader: TableReader,
    status: RequestStatus,
    limit: int,
    *,
    lane: Lane | None = None,
    since: datetime | None = None,
) -> list[BookingRequest]:
    """`filed` is the state, the moment and the id; '$' sorts after '#'."""
    rows = reader.query(
        TBL_REQUESTS,
        "shelf = :shelf AND filed BETWEEN :first AND :last",
        index="by-status",
        only="lane = :lane" if lane else "lane <> :lane",
        backwards=True,
        limit=limit,
        shelf=SHELF,
        first=f"{status.value}#{moment(since) if since else ''}",
        last=f"{status.value}$",
        lane=lane.value if lane else "none",
    )
    return [REQUEST.read(row) for row in rows]


def all_requests(reader: TableReader, *, limit: int = 100, after: str = "") -> list[BookingRequest]:
    rows = reader.query(
        TBL_REQUESTS,
        "shelf = :shelf AND request_id > :after",
        limit=limit,
        shelf=SHELF,
        after=after or BEFORE_ALL,
    )
    return [REQUEST.read(row) for row in rows]


def add(change: AddRequest) -> TransactItem:
    return put_new(TBL_REQUESTS.name, _KEYS, _row(change.request))


def write(change: WriteRequest) -> TransactItem:
    request = change.request
    return put(
        TBL_REQUESTS.name,
        _KEYS,
        _row(request),
        when="version = :before",
        before=request.version - 1,
    )


def _row(request: BookingRequest) -> dict[str, Any]:
    filed = f"{request.status.value}#{moment(request.received_at)}{request.id}"
    return {"shelf": SHELF, **REQUEST.row(request), "filed": filed}


def forget(
    reader: TableReader,
    *,
    person_id: str = "",
    contact_key: str = "",
    bookings: Container[str] = (),
) -> None:
    """Erases the words of requests of a person, from an address, or of these bookings."""
    for row in reader.query(TBL_REQUESTS, "shelf = :shelf", shelf=SHELF):
        sender = row.get("sender", "")
        is_theirs = bool(person_id) and row.get("person_id") == person_id
        is_theirs = is_theirs or row.get("booking_id") in bookings
        if is_theirs or (sender and contact_key and email_key(sender) == contact_key):
            item = update(
                TBL_REQUESTS.name,
                {"shelf": SHELF, "request_id": row["request_id"]},
                "SET sender = :empty, #text = :empty, #fields = :none",
                empty="",
                none="[]",
            )
            reader.write(item)


REQUEST_WRITES: Writes = {AddRequest: one(add), WriteRequest: one(write)}
