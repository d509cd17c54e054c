"""The conditional writes of the booking desk. A commit touches each row at most once."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Change
from frontdesk.desks.booking.model import Booking, BookingRequest, Handover, Hold
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.values import Frozen


class CellWrite(Frozen):
    """One cell: its holder as read and its holder afterwards, '' for free. If both are the same,
    it is only compared."""

    tick: int
    place: int
    before: str
    after: str


class WriteCells(Change):
    """Writes cells of one resource in one hour. Condition: each has the holder that was read."""

    resource: ResourceId
    hour: int
    """The number of hours since 1970 (UTC): its first tick is `12 * hour`."""
    cells: tuple[CellWrite, ...]


class AddBooking(Change):
    """Condition: the id is new."""

    booking: Booking


class WriteBooking(Change):
    """Writes the whole row. Condition: the row's version is `booking.version - 1`."""

    booking: Booking


class BookingAsRead(Change):
    """Writes nothing. Condition: the row's version is `version`."""

    booking_id: str
    version: int


class AddToTally(Change):
    """Adds to the numbers of a tally, or subtracts. Condition: each number before is at most its
    room, if it is given; and the number of bookings is `seen`, if given. A missing row is zero."""

    scope: str
    period: str
    bookings: int
    minutes: int
    at: datetime | None = None
    """The instant of a new booking."""
    bookings_room: int | None = None
    minutes_room: int | None = None
    seen: int | None = None


class WriteHold(Change):
    """Writes the whole row. Condition: the row's version is `hold.version - 1`; 0: no row."""

    hold: Hold


class DeleteHold(Change):
    """Condition: the row's version is `version`."""

    hold_id: str
    version: int


class AddHandover(Change):
    """Condition: the id is new."""

    handover: Handover


class WriteHandover(Change):
    """Writes the whole row. Condition: the row's version is `handover.version - 1`."""

    handover: Handover


class AddRequest(Change):
    """Condition: the id is new."""

    request: BookingRequest


class WriteRequest(Change):
    """Writes the whole row. Condition: the row's version is `request.version - 1`."""

    request: BookingRequest
