"""The booking desk's reads, for decisions and for display."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from frontdesk.desks.booking.model import Booking, BookingStatus, Handover, Hold
from frontdesk.desks.booking.reads import BookingSettings
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.store.rows import seconds
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite.admin import members
from frontdesk.store.sqlite.booking import claims
from frontdesk.store.sqlite.booking import requests as request_rows
from frontdesk.store.sqlite.booking.bookings import BOOKING, HANDOVER, HOLD
from frontdesk.store.sqlite.desk_reads import SqliteDeskReads
from frontdesk.store.sqlite.tables import delegate


class SqliteBookingReads(SqliteDeskReads, BookingSettings):
    code = "bk"

    # To decide

    def booking(self, booking_id: str) -> Booking | None:
        found = self._bookings("WHERE booking_id = ?", booking_id)
        return found[0] if found else None

    def bookings_of(self, person_id: str) -> Sequence[Booking]:
        return self._bookings("WHERE person_id = ? ORDER BY starts_at, booking_id", person_id)

    def bookings_between(
        self, since: datetime, until: datetime, *, resources: Collection[ResourceId] = ()
    ) -> Sequence[Booking]:
        needs = (
            "AND EXISTS (SELECT 1 FROM json_each(resources) needed"
            " WHERE needed.value IN (SELECT value FROM json_each(?)))"
        )
        return self._bookings(
            f"WHERE starts_at >= ? AND starts_at < ? {needs if resources else ''}"
            " ORDER BY starts_at, booking_id",
            seconds(since),
            seconds(until),
            *([to_text(sorted(resources))] if resources else []),
        )

    cells = delegate(claims.cells)
    taken = delegate(claims.taken)
    tallies = delegate(claims.tallies)

    def hold(self, hold_id: str) -> Hold | None:
        sql = f"SELECT {HOLD.columns} FROM bk_hold WHERE hold_id = ?"
        return HOLD.read_or_none(self._db().execute(sql, (hold_id,)).fetchone())

    def ended_holds(self, before: datetime, limit: int) -> Sequence[Hold]:
        sql = f"SELECT {HOLD.columns} FROM bk_hold WHERE until < ? ORDER BY until LIMIT ?"
        return [HOLD.read(row) for row in self._db().execute(sql, (seconds(before), limit))]

    def handover(self, handover_id: str) -> Handover | None:
        found = self._handovers("WHERE handover_id = ?", handover_id)
        return found[0] if found else None

    request = delegate(request_rows.request)

    # To show

    def bookings_in(self, status: BookingStatus, limit: int) -> Sequence[Booking]:
        return self._bookings(
            "WHERE status = ? ORDER BY starts_at, booking_id LIMIT ?", status.value, limit
        )

    def bookings(self, *, limit: int = 100, after: str = "") -> Sequence[Booking]:
        return self._bookings("WHERE booking_id > ? ORDER BY booking_id LIMIT ?", after, limit)

    requests = delegate(request_rows.requests)

    owner_people = delegate(members.owner_people)

    # For the doctor

    every_cell = delegate(claims.every_cell)
    every_tally = delegate(claims.every_tally)
    all_requests = delegate(request_rows.all_requests)

    def handovers(self, *, limit: int = 100, after: str = "") -> Sequence[Handover]:
        return self._handovers("WHERE handover_id > ? ORDER BY handover_id LIMIT ?", after, limit)

    def _bookings(self, rest: str, *values: str | int) -> list[Booking]:
        rows = self._db().execute(f"SELECT {BOOKING.columns} FROM bk_booking {rest}", values)
        return [BOOKING.read(row) for row in rows]

    def _handovers(self, rest: str, *values: str | int) -> list[Handover]:
        rows = self._db().execute(f"SELECT {HANDOVER.columns} FROM bk_handover {rest}", values)
        return [HANDOVER.read(row) for row in rows]
