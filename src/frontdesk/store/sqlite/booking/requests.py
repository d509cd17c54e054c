"""Reads and writes the records of requests."""

from __future__ import annotations

from datetime import datetime
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.booking.changes import AddRequest, WriteRequest
from frontdesk.desks.booking.model import BookingRequest, Lane, RequestStatus
from frontdesk.store.rows import SqliteRows, seconds
from frontdesk.store.sqlite.tables import Write, Writes, add_row, writes_one

REQUEST: Final = SqliteRows(BookingRequest, {"id": "request_id"})


def request(db: Connection, request_id: str) -> BookingRequest | None:
    sql = f"SELECT {REQUEST.columns} FROM bk_request WHERE request_id = ?"
    return REQUEST.read_or_none(db.execute(sql, (request_id,)).fetchone())


def requests(
    db: Connection,
    status: RequestStatus,
    limit: int,
    *,
    lane: Lane | None = None,
    since: datetime | None = None,
) -> list[BookingRequest]:
    rows = db.execute(
        f"SELECT {REQUEST.columns} FROM bk_request WHERE status = :status AND received_at >= :since"
        " AND (:lane IS NULL OR lane = :lane)"
        " ORDER BY received_at DESC, request_id DESC LIMIT :limit",
        {
            "status": status.value,
            "since": seconds(since) if since else 0,
            "lane": lane.value if lane else None,
            "limit": limit,
        },
    )
    return [REQUEST.read(row) for row in rows]


def all_requests(db: Connection, *, limit: int = 100, after: str = "") -> list[BookingRequest]:
    sql = f"SELECT {REQUEST.columns} FROM bk_request WHERE request_id > ? ORDER BY 1 LIMIT ?"
    return [REQUEST.read(row) for row in db.execute(sql, (after, limit))]


def add(db: Connection, change: AddRequest) -> bool:
    return add_row(db, "bk_request", REQUEST, change.request)


def write(db: Connection, change: WriteRequest) -> bool:
    request = change.request
    return writes_one(
        db,
        f"UPDATE bk_request SET {REQUEST.sets(1)} WHERE request_id = ? AND version = ?",
        (*REQUEST.values(request)[1:], request.id, request.version - 1),
    )


_row = attrgetter("request.id")
REQUEST_WRITES: Writes = {
    AddRequest: Write("bk_request", _row, add),
    WriteRequest: Write("bk_request", _row, write),
}
