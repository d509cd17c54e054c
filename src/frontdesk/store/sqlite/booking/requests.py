"""Reads and writes the records of requests."""

from __future__ import annotations

from datetime import datetime
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.booking.changes import AddRequest, WriteRequest
from frontdesk.desks.booking.model import BookingRequest, Lane, RequestStatus
from frontdesk.store.rows import SqliteRows, seconds
from frontdesk.store.sqlite.tables import Writes, adds, replaces

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


REQUEST_WRITES: Writes = {
    AddRequest: adds("bk_request", REQUEST, "request"),
    WriteRequest: replaces("bk_request", REQUEST, "request"),
}
