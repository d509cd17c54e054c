"""Writes bookings, holds and handovers."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.booking import changes as c
from frontdesk.desks.booking.model import Booking, Handover, Hold
from frontdesk.desks.booking.ticks import Span
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import Write, Writes, add_row, statement, writes_one

_SPAN: Final = {"start": "span_start", "end": "span_end"}
BOOKING: Final = SqliteRows(Booking, {"id": "booking_id"}, remembered=2_000)
HOLD: Final = SqliteRows(Hold, {"id": "hold_id", **_SPAN}, flat={"span": Span})
HANDOVER: Final = SqliteRows(
    Handover, {"id": "handover_id", **_SPAN}, flat={"span": Span}, remembered=500
)


def add(db: Connection, change: c.AddBooking) -> bool:
    return add_row(db, "bk_booking", BOOKING, change.booking)


def write(db: Connection, change: c.WriteBooking) -> bool:
    booking = change.booking
    return writes_one(
        db,
        f"UPDATE bk_booking SET {BOOKING.sets(1)} WHERE booking_id = ? AND version = ?",
        (*BOOKING.values(booking)[1:], booking.id, booking.version - 1),
    )


def write_hold(db: Connection, change: c.WriteHold) -> bool:
    """The first version is inserted; later ones replace the version before."""
    hold = change.hold
    if hold.version == 1:
        return add_row(db, "bk_hold", HOLD, hold)
    return writes_one(
        db,
        f"UPDATE bk_hold SET {HOLD.sets(1)} WHERE hold_id = ? AND version = ?",
        (*HOLD.values(hold)[1:], hold.id, hold.version - 1),
    )


def delete_hold(db: Connection, change: c.DeleteHold) -> bool:
    return writes_one(
        db,
        "DELETE FROM bk_hold WHERE hold_id = ? AND version = ?",
        (change.hold_id, change.version),
    )


def add_handover(db: Connection, change: c.AddHandover) -> bool:
    return add_row(db, "bk_handover", HANDOVER, change.handover)


def write_handover(db: Connection, change: c.WriteHandover) -> bool:
    handover = change.handover
    return writes_one(
        db,
        f"UPDATE bk_handover SET {HANDOVER.sets(1)} WHERE handover_id = ? AND version = ?",
        (*HANDOVER.values(handover)[1:], handover.id, handover.version - 1),
    )


_booking = attrgetter("booking.id")
_handover = attrgetter("handover.id")
BOOKING_WRITES: Writes = {
    c.AddBooking: Write("bk_booking", _booking, add),
    c.WriteBooking: Write("bk_booking", _booking, write),
    c.BookingAsRead: Write(
        "bk_booking",
        attrgetter("booking_id"),
        statement("SELECT 1 FROM bk_booking WHERE booking_id = :booking_id AND version = :version"),
    ),
    c.WriteHold: Write("bk_hold", attrgetter("hold.id"), write_hold),
    c.DeleteHold: Write("bk_hold", attrgetter("hold_id"), delete_hold),
    c.AddHandover: Write("bk_handover", _handover, add_handover),
    c.WriteHandover: Write("bk_handover", _handover, write_handover),
}
