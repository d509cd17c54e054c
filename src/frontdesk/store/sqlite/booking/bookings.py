"""Writes bookings, holds and handovers."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.booking import changes as c
from frontdesk.desks.booking.model import Booking, Handover, Hold
from frontdesk.desks.booking.ticks import Span
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import (
    Write,
    Writes,
    add_row,
    adds,
    replace_row,
    replaces,
    statement,
)

_SPAN: Final = {"start": "span_start", "end": "span_end"}
BOOKING: Final = SqliteRows(Booking, {"id": "booking_id"}, remembered=2_000)
HOLD: Final = SqliteRows(Hold, {"id": "hold_id", **_SPAN}, flat={"span": Span})
HANDOVER: Final = SqliteRows(
    Handover, {"id": "handover_id", **_SPAN}, flat={"span": Span}, remembered=500
)


def write_hold(db: Connection, change: c.WriteHold) -> bool:
    """Inserts the first version of a hold; a later one replaces the version before."""
    hold = change.hold
    if hold.version == 1:
        return add_row(db, "bk_hold", HOLD, hold)
    return replace_row(db, "bk_hold", HOLD, hold)


BOOKING_WRITES: Writes = {
    c.AddBooking: adds("bk_booking", BOOKING, "booking"),
    c.WriteBooking: replaces("bk_booking", BOOKING, "booking"),
    c.BookingAsRead: Write(
        "bk_booking",
        attrgetter("booking_id"),
        statement("SELECT 1 FROM bk_booking WHERE booking_id = :booking_id AND version = :version"),
    ),
    c.WriteHold: Write("bk_hold", attrgetter("hold.id"), write_hold),
    c.DeleteHold: Write(
        "bk_hold",
        attrgetter("hold_id"),
        statement("DELETE FROM bk_hold WHERE hold_id = :hold_id AND version = :version"),
    ),
    c.AddHandover: adds("bk_handover", HANDOVER, "handover"),
    c.WriteHandover: replaces("bk_handover", HANDOVER, "handover"),
}
