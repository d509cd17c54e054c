"""Reads and writes bookings, holds and handovers.

All bookings are in one partition, so that decisions can query it strongly consistent: the rows are
small and few. Each booking has a second row that finds it by its person.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

from frontdesk.desks.booking import changes as c
from frontdesk.desks.booking.model import Booking, BookingStatus, Handover, HandoverStatus, Hold
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.desks.booking.ticks import Span
from frontdesk.store.dynamodb.items import TransactItem, check, delete, put, put_new, update
from frontdesk.store.dynamodb.schema import TBL_BOOKINGS
from frontdesk.store.dynamodb.sort_keys import moment
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import Value
from frontdesk.store.rows import DynamoRows, seconds

_SPAN: Final = {"start": "span_start", "end": "span_end"}
BOOKING: Final = DynamoRows(Booking)
HOLD: Final = DynamoRows(Hold, _SPAN, flat={"span": Span})
HANDOVER: Final = DynamoRows(Handover, _SPAN, flat={"span": Span})
BOOKINGS: Final = "bookings"
HOLDS: Final = "holds"
HANDOVERS: Final = "handovers"
_TABLE: Final = TBL_BOOKINGS.name
_KEYS: Final = TBL_BOOKINGS.key.names
#: DynamoDB rejects empty keys. A space sorts before all ids.
BEFORE_ALL: Final = " "


def booking(reader: TableReader, booking_id: str) -> Booking | None:
    return BOOKING.read_or_none(reader.get(TBL_BOOKINGS, BOOKINGS, booking_id))


def bookings_of(reader: TableReader, person_id: str) -> list[Booking]:
    mine = reader.query(TBL_BOOKINGS, "shelf = :person", person=_person_shelf(person_id))
    rows = reader.get_many(TBL_BOOKINGS, [(BOOKINGS, row["id"]) for row in mine]).values()
    return sorted((BOOKING.read(row) for row in rows), key=lambda each: (each.starts_at, each.id))


def bookings_between(
    reader: TableReader,
    since: datetime,
    until: datetime,
    *,
    resources: Collection[ResourceId] = (),
) -> list[Booking]:
    """A key is the moment and an id, so the keys of `until` sort after its moment."""
    rows = reader.query(
        TBL_BOOKINGS,
        "shelf = :shelf AND #start BETWEEN :since AND :until",
        index="by-start",
        shelf=BOOKINGS,
        since=moment(since),
        until=moment(until),
    )
    found = [BOOKING.read(row) for row in rows]
    wanted = set(resources)
    return [each for each in found if not wanted or wanted.intersection(each.resources)]


def bookings_in(reader: TableReader, status: BookingStatus, limit: int) -> list[Booking]:
    rows = reader.query(
        TBL_BOOKINGS,
        "shelf = :shelf AND begins_with(filed, :status)",
        index="by-status",
        limit=limit,
        shelf=BOOKINGS,
        status=f"{status.value}#",
    )
    return [BOOKING.read(row) for row in rows]


def bookings(reader: TableReader, *, limit: int = 100, after: str = "") -> list[Booking]:
    rows = reader.query(
        TBL_BOOKINGS,
        "shelf = :shelf AND id > :after",
        limit=limit,
        shelf=BOOKINGS,
        after=after or BEFORE_ALL,
    )
    return [BOOKING.read(row) for row in rows]


def add(_reader: TableReader, change: c.AddBooking) -> tuple[TransactItem, ...]:
    booking = change.booking
    of_person = {"shelf": _person_shelf(booking.person_id), "id": booking.id}
    return put_new(_TABLE, _KEYS, _row(booking)), put_new(_TABLE, _KEYS, of_person)


def write(change: c.WriteBooking) -> TransactItem:
    booking = change.booking
    return put(_TABLE, _KEYS, _row(booking), when="version = :before", before=booking.version - 1)


def as_read(change: c.BookingAsRead) -> TransactItem:
    key: dict[str, Value] = {"shelf": BOOKINGS, "id": change.booking_id}
    return check(_TABLE, key, when="version = :version", version=change.version)


def _row(booking: Booking) -> dict[str, Any]:
    start = moment(booking.starts_at) + booking.id
    filed = f"{booking.status.value}#{start}"
    return {"shelf": BOOKINGS, **BOOKING.row(booking), "start": start, "filed": filed}


def _person_shelf(person_id: str) -> str:
    return f"person#{person_id}"


def forget(reader: TableReader, contact_key: str) -> set[str]:
    """Erases the name and contact that a booking was made with, whoever the person is. Returns the
    ids of these bookings."""
    rows = reader.query(TBL_BOOKINGS, "shelf = :shelf", shelf=BOOKINGS)
    found = {
        row["id"]
        for row in rows
        if contact_key in (row.get("email", "").lower(), row.get("mobile"))
    }
    for booking_id in found:
        _erase(reader, booking_id)
    return found


def forget_person(reader: TableReader, person_id: str) -> None:
    for each in bookings_of(reader, person_id):
        _erase(reader, each.id)


def _erase(reader: TableReader, booking_id: str) -> None:
    item = update(
        _TABLE,
        {"shelf": BOOKINGS, "id": booking_id},
        "SET #name = :empty, email = :empty, mobile = :empty, answers = :no_answers, note = :empty",
        empty="",
        no_answers={},
    )
    reader.write(item)


# --- holds ----------------------------------------------------------------------------------


def hold(reader: TableReader, hold_id: str) -> Hold | None:
    return HOLD.read_or_none(reader.get(TBL_BOOKINGS, HOLDS, hold_id))


def ended_holds(reader: TableReader, before: datetime, limit: int) -> list[Hold]:
    rows = reader.query(
        TBL_BOOKINGS,
        "shelf = :shelf",
        only="#until < :before",
        limit=limit,
        shelf=HOLDS,
        before=seconds(before),
    )
    return [HOLD.read(row) for row in rows]


def write_hold(change: c.WriteHold) -> TransactItem:
    """The first version is new; later ones replace the version before."""
    hold = change.hold
    row = {"shelf": HOLDS, **HOLD.row(hold)}
    if hold.version == 1:
        return put_new(_TABLE, _KEYS, row)
    return put(_TABLE, _KEYS, row, when="version = :before", before=hold.version - 1)


def delete_hold(change: c.DeleteHold) -> TransactItem:
    key: dict[str, Value] = {"shelf": HOLDS, "id": change.hold_id}
    return delete(_TABLE, key, when="version = :version", version=change.version)


# --- handovers ------------------------------------------------------------------------------


def handover(reader: TableReader, handover_id: str) -> Handover | None:
    return HANDOVER.read_or_none(reader.get(TBL_BOOKINGS, HANDOVERS, handover_id))


def open_handovers(reader: TableReader, limit: int) -> list[Handover]:
    rows = reader.query(
        TBL_BOOKINGS,
        "shelf = :shelf AND begins_with(filed, :status)",
        index="by-status",
        limit=limit,
        shelf=HANDOVERS,
        status=f"{HandoverStatus.OPEN.value}#",
    )
    return [HANDOVER.read(row) for row in rows]


def handovers(reader: TableReader, *, limit: int = 100, after: str = "") -> list[Handover]:
    rows = reader.query(
        TBL_BOOKINGS,
        "shelf = :shelf AND id > :after",
        limit=limit,
        shelf=HANDOVERS,
        after=after or BEFORE_ALL,
    )
    return [HANDOVER.read(row) for row in rows]


def add_handover(change: c.AddHandover) -> TransactItem:
    return put_new(_TABLE, _KEYS, _handover_row(change.handover))


def write_handover(change: c.WriteHandover) -> TransactItem:
    handover = change.handover
    return put(
        _TABLE,
        _KEYS,
        _handover_row(handover),
        when="version = :before",
        before=handover.version - 1,
    )


def _handover_row(handover: Handover) -> dict[str, Any]:
    filed = f"{handover.status.value}#{moment(handover.handed_at)}{handover.id}"
    return {"shelf": HANDOVERS, **HANDOVER.row(handover), "filed": filed}


BOOKING_WRITES: Writes = {
    c.AddBooking: Write(add),
    c.WriteBooking: one(write),
    c.BookingAsRead: one(as_read),
    c.WriteHold: one(write_hold),
    c.DeleteHold: one(delete_hold),
    c.AddHandover: one(add_handover),
    c.WriteHandover: one(write_handover),
}
