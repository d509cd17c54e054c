"""The booking desk in DynamoDB: bookings, claims, holds, handovers, tallies and requests."""

from __future__ import annotations

from frontdesk.desks.booking import facts
from frontdesk.store.dynamodb.booking import bookings, requests
from frontdesk.store.dynamodb.booking.bookings import BOOKING_WRITES
from frontdesk.store.dynamodb.booking.claims import CLAIM_WRITES
from frontdesk.store.dynamodb.booking.reads import DynamoBookingReads
from frontdesk.store.dynamodb.booking.requests import REQUEST_WRITES
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import DeskItems
from frontdesk.store.fact_json import facts_in


def forget(reader: TableReader, contact_key: str) -> None:
    """Erases names and contacts in bookings and requests with this address or number."""
    found = bookings.forget(reader, contact_key)
    requests.forget(reader, contact_key=contact_key, bookings=found)


def forget_person(reader: TableReader, person_id: str) -> None:
    bookings.forget_person(reader, person_id)
    requests.forget(reader, person_id=person_id)


BOOKING = DeskItems(
    code="bk",
    writes={**BOOKING_WRITES, **CLAIM_WRITES, **REQUEST_WRITES},
    reads=DynamoBookingReads,
    facts=facts_in(facts),
    forget=forget,
    forget_person=forget_person,
)
