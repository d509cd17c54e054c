"""The reads of the booking desk: rows for decisions, and rows for display."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from frontdesk.core.people import PersonId
from frontdesk.core.saved_settings import SettingReads
from frontdesk.desks.booking.model import (
    SAVED_RULES,
    Booking,
    BookingId,
    BookingRequest,
    BookingStatus,
    Handover,
    HandoverId,
    Hold,
    HoldId,
    Lane,
    RequestId,
    RequestStatus,
    Tally,
)
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.desks.booking.ticks import Cell, Span, TakenTicks
from frontdesk.engine.ports import DeskReads


class BookingSettings(SettingReads, Protocol):
    """The saved settings of the desk. Each store's reads inherit these."""

    def rules(self) -> BookingRules:
        """The rules in force."""
        return self.setting(SAVED_RULES)


class BookingReads(BookingSettings, DeskReads, Protocol):
    # To decide
    def booking(self, booking_id: BookingId) -> Booking | None: ...
    def bookings_of(self, person_id: PersonId) -> Sequence[Booking]:
        """The person's bookings in every state, by their start."""

    def bookings_between(
        self, since: datetime, until: datetime, *, resources: Collection[ResourceId] = ()
    ) -> Sequence[Booking]:
        """Bookings in every state that start in this period, by their start. With `resources`, only
        those that have one of them."""

    def cells(self, resources: Collection[ResourceId], span: Span) -> Sequence[Cell]:
        """The cells that have a holder, including expired holds."""

    def taken(self, resources: Collection[ResourceId], span: Span) -> Sequence[TakenTicks]:
        """The same cells, as one row for each holder and resource, for the search. Cuts off rows at
        the ends of the span."""

    def tallies(self, keys: Collection[tuple[str, str]]) -> Sequence[Tally]:
        """The rows of these scopes and periods. Missing rows are left out."""

    def hold(self, hold_id: HoldId) -> Hold | None: ...
    def ended_holds(self, before: datetime, limit: int) -> Sequence[Hold]:
        """Holds that ended before this instant. No decision uses them."""

    def handover(self, handover_id: HandoverId) -> Handover | None: ...
    def request(self, request_id: RequestId) -> BookingRequest | None: ...

    # To show
    def bookings_in(self, status: BookingStatus, limit: int) -> Sequence[Booking]:
        """Bookings in this state, by their start."""

    def bookings(self, *, limit: int = 100, after: str = "") -> Sequence[Booking]:
        """All bookings by id, after the id `after`."""

    def requests(
        self,
        status: RequestStatus,
        limit: int,
        *,
        lane: Lane | None = None,
        since: datetime | None = None,
    ) -> Sequence[BookingRequest]:
        """Requests in this state, the newest first; with `lane`, only of this lane, and with
        `since`, only those received from then on."""

    def owner_people(self) -> Sequence[PersonId]:
        """Owners who have an address."""

    # For the doctor
    def every_cell(self) -> Sequence[Cell]: ...
    def every_tally(self) -> Sequence[Tally]: ...
    def all_requests(self, *, limit: int = 100, after: str = "") -> Sequence[BookingRequest]:
        """All requests by id, after the id `after`."""

    def handovers(self, *, limit: int = 100, after: str = "") -> Sequence[Handover]:
        """All handovers by id, after the id `after`."""
