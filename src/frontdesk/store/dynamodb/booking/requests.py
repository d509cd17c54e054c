"""Reads and writes the records of requests, which are in one partition."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime
from typing import Any, Final

from frontdesk.core.contacts import email_key
from frontdesk.desks.booking.changes import AddRequest, WriteRequest
from frontdesk.desks.booking.model import BookingRequest, Lane, RequestStatus
from frontdesk.store.dynamodb.items import TransactItem, update
from frontdesk.store.dynamodb.partitions import Partition
from frontdesk.store.dynamodb.schema import TBL_REQUESTS
from frontdesk.store.dynamodb.sort_keys import moment
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Writes, one
from frontdesk.store.rows import DynamoRows

REQUESTS: Final = Partition(
    TBL_REQUESTS, "requests", DynamoRows(BookingRequest, {"id": "request_id"})
)


def requests(
    reader: TableReader,
    status: RequestStatus,
    limit: int,
    *,
    lane: Lane | None = None,
    since: datetime | None = None,
) -> list[BookingRequest]:
    """Queries by `filed`: '<status>#<moment><id>'. '$' sorts after '#', so it ends the status."""
    found = REQUESTS.query(
        reader,
        "filed BETWEEN :first AND :last",
        index="by-status",
        only="lane = :lane" if lane else "lane <> :lane",
        backwards=True,
        limit=limit,
        first=f"{status.value}#{moment(since) if since else ''}",
        last=f"{status.value}$",
        lane=lane.value if lane else "none",
    )
    return list(found)


def add(change: AddRequest) -> TransactItem:
    return REQUESTS.add(change.request, _places(change.request))


def write(change: WriteRequest) -> TransactItem:
    return REQUESTS.replace(change.request, _places(change.request))


def _places(request: BookingRequest) -> dict[str, Any]:
    return {"filed": f"{request.status.value}#{moment(request.received_at)}{request.id}"}


def forget(
    reader: TableReader,
    *,
    person_id: str = "",
    contact_key: str = "",
    bookings: Container[str] = (),
) -> None:
    """Erases the words of requests of a person, from an address, or of these bookings."""
    for each in REQUESTS.query(reader):
        is_theirs = bool(person_id) and each.person_id == person_id
        is_theirs = is_theirs or each.booking_id in bookings
        sender = each.sender
        if is_theirs or (sender and contact_key and email_key(sender) == contact_key):
            item = update(
                TBL_REQUESTS.name,
                REQUESTS.key(each.id),
                "SET sender = :empty, #text = :empty, #fields = :none",
                empty="",
                none="[]",
            )
            reader.write(item)


REQUEST_WRITES: Writes = {AddRequest: one(add), WriteRequest: one(write)}
