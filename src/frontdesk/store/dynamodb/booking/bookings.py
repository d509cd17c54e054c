"""Reads and writes bookings, holds and handovers, each in one partition."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

from frontdesk.desks.booking import changes as c
from frontdesk.desks.booking.model import Booking, BookingStatus, Handover, Hold
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.desks.booking.ticks import Span
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.partitions import Partition, person_shelf
from frontdesk.store.dynamodb.schema import TBL_BOOKINGS
from frontdesk.store.dynamodb.sort_keys import moment
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.rows import DynamoRows, seconds

_SPAN: Final = {"start": "span_start", "end": "span_end"}
BOOKINGS: Final = Partition(TBL_BOOKINGS, "bookings", DynamoRows(Booking))
HOLDS: Final = Partition(TBL_BOOKINGS, "holds", DynamoRows(Hold, _SPAN, flat={"span": Span}))
HANDOVERS: Final = Partition(
    TBL_BOOKINGS, "handovers", DynamoRows(Handover, _SPAN, flat={"span": Span})
)


def bookings_of(reader: TableReader, person_id: str) -> list[Booking]:
    found = BOOKINGS.of_person(reader, person_id)
    return sorted(found, key=lambda each: (each.starts_at, each.id))


def bookings_between(
    reader: TableReader,
    since: datetime,
    until: datetime,
    *,
    resources: Collection[ResourceId] = (),
) -> list[Booking]:
    found = BOOKINGS.between(reader, since, until)
    wanted = set(resources)
    return [each for each in found if not wanted or wanted.intersection(each.resources)]


def bookings_in(reader: TableReader, status: BookingStatus, limit: int) -> list[Booking]:
    return BOOKINGS.filed(reader, status.value, limit)


def add(_reader: TableReader, change: c.AddBooking) -> tuple[TransactItem, ...]:
    """Adds a second row, too, which finds the booking by its person."""
    booking = change.booking
    of_person = {"shelf": person_shelf(booking.person_id), "id": booking.id}
    found_by = put_new(TBL_BOOKINGS.name, TBL_BOOKINGS.key.names, of_person)
    return BOOKINGS.add(booking, _places(booking)), found_by


def write(change: c.WriteBooking) -> TransactItem:
    return BOOKINGS.replace(change.booking, _places(change.booking))


def as_read(change: c.BookingAsRead) -> TransactItem:
    return BOOKINGS.as_read(change.booking_id, change.version)


def _places(booking: Booking) -> dict[str, Any]:
    start = moment(booking.starts_at) + booking.id
    return {"start": start, "filed": f"{booking.status.value}#{start}"}


def forget(reader: TableReader, contact_key: str) -> set[str]:
    """Erases the name and contact that a booking was made with, whoever the person is. Returns the
    ids of these bookings."""
    found: set[str] = {
        booking.id
        for booking in BOOKINGS.query(reader)
        if contact_key in (booking.email.lower(), booking.mobile)
    }
    for booking_id in found:
        _erase(reader, booking_id)
    return found


def forget_person(reader: TableReader, person_id: str) -> None:
    for each in bookings_of(reader, person_id):
        _erase(reader, each.id)


def _erase(reader: TableReader, booking_id: str) -> None:
    item = update(
        TBL_BOOKINGS.name,
        BOOKINGS.key(booking_id),
        "SET #name = :empty, email = :empty, mobile = :empty, answers = :no_answers, note = :empty",
        empty="",
        no_answers={},
    )
    reader.write(item)


# --- holds ----------------------------------------------------------------------------------


def ended_holds(reader: TableReader, before: datetime, limit: int) -> list[Hold]:
    only = "#until < :before"
    return list(HOLDS.query(reader, only=only, limit=limit, before=seconds(before)))


def write_hold(change: c.WriteHold) -> TransactItem:
    """Adds the first version of a hold; a later one replaces the version before."""
    return HOLDS.add(change.hold) if change.hold.version == 1 else HOLDS.replace(change.hold)


def delete_hold(change: c.DeleteHold) -> TransactItem:
    key = HOLDS.key(change.hold_id)
    return delete(TBL_BOOKINGS.name, key, when="version = :version", version=change.version)


# --- handovers ------------------------------------------------------------------------------


def add_handover(change: c.AddHandover) -> TransactItem:
    return HANDOVERS.add(change.handover)


def write_handover(change: c.WriteHandover) -> TransactItem:
    return HANDOVERS.replace(change.handover)


BOOKING_WRITES: Writes = {
    c.AddBooking: Write(add),
    c.WriteBooking: one(write),
    c.BookingAsRead: one(as_read),
    c.WriteHold: one(write_hold),
    c.DeleteHold: one(delete_hold),
    c.AddHandover: one(add_handover),
    c.WriteHandover: one(write_handover),
}
