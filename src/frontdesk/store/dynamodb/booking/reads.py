"""The booking desk's reads, for decisions and for display."""

from __future__ import annotations

from frontdesk.desks.booking.reads import BookingSettings
from frontdesk.store.dynamodb.admin import members
from frontdesk.store.dynamodb.booking import bookings as booking_rows
from frontdesk.store.dynamodb.booking import claims
from frontdesk.store.dynamodb.booking import requests as request_rows
from frontdesk.store.dynamodb.desk_reads import DynamoDeskReads
from frontdesk.store.dynamodb.schema import TBL_AUDIT
from frontdesk.store.dynamodb.tables import delegate


class DynamoBookingReads(DynamoDeskReads, BookingSettings):
    audit = TBL_AUDIT

    # To decide

    booking = delegate(booking_rows.BOOKINGS.get)
    bookings_of = delegate(booking_rows.bookings_of)
    bookings_between = delegate(booking_rows.bookings_between)
    cells = delegate(claims.cells)
    taken = delegate(claims.taken)
    tallies = delegate(claims.tallies)
    hold = delegate(booking_rows.HOLDS.get)
    ended_holds = delegate(booking_rows.ended_holds)
    handover = delegate(booking_rows.HANDOVERS.get)
    request = delegate(request_rows.REQUESTS.get)

    # To show

    bookings_in = delegate(booking_rows.bookings_in)
    bookings = delegate(booking_rows.BOOKINGS.page)
    requests = delegate(request_rows.requests)

    owner_people = delegate(members.owner_people)

    # For the doctor

    every_cell = delegate(claims.every_cell)
    every_tally = delegate(claims.every_tally)
    all_requests = delegate(request_rows.REQUESTS.page)
    handovers = delegate(booking_rows.HANDOVERS.page)
