"""Defines the rows that each decision of the booking desk sees."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from frontdesk.core.consents import ConsentRecord
from frontdesk.core.jobs import Job
from frontdesk.core.people import Person, PersonId
from frontdesk.desks.booking.model import Booking, BookingRequest, Handover, Hold
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.search.query import Occupancy
from frontdesk.desks.booking.ticks import Cell
from frontdesk.values import Frozen


class DeskOptions(Frozen):
    """How the desk works with other desks."""

    hands_over: bool = False
    """Whether the waitlist desk is on, which gets each time that comes free."""
    reminds: bool = True
    """Whether this desk reminds; otherwise the reminders desk does."""


class TimeView(Frozen):
    """The state of the resources that a service can use, around a time."""

    rules: BookingRules
    options: DeskOptions
    cells: Sequence[Cell]
    occupancy: Occupancy


class ProposalsView(Frozen):
    """The holds of a request, and the state around the times that are proposed now."""

    holds: Sequence[Hold] = ()
    cells: Sequence[Cell] = ()
    """The cells of the holds and of the proposed times."""
    times: Sequence[TimeView] = ()
    """One for each proposed time; empty if they are not held."""


class RequestView(Frozen):
    """A request with the other rows that its decision settles."""

    request: BookingRequest | None = None
    person: Person | None = None
    """The person with the requester's contact."""
    job: Job | None = None
    mail_kept: bool = False
    """Whether its mail still exists."""
    proposals: ProposalsView = ProposalsView()
    consent: ConsentRecord | None = None
    """Of the known person; only read if the requester gave consent."""


class BookView(Frozen):
    time: TimeView
    known: Booking | None
    person: Person | None
    of_person: Sequence[Booking]
    """The person's bookings."""
    holds: Sequence[Hold]
    """The visitor's hold, and those of the request. This booking replaces them."""
    request: RequestView | None = None
    """The request that the booking answers."""
    consent: ConsentRecord | None = None
    """Of the known person; only read if the command has consent."""


class BookingView(Frozen):
    """A booking, with the cells of its span."""

    rules: BookingRules
    options: DeskOptions
    booking: Booking
    cells: Sequence[Cell]


class MoveView(Frozen):
    time: TimeView
    """Includes the cells of the booking's span."""
    booking: Booking
    hold: Hold | None


class CalendarView(Frozen):
    booking: BookingView
    job: Job | None


class HoldView(Frozen):
    time: TimeView
    hold: Hold | None
    """The hold that the visitor has already; `time.cells` has its cells."""


class SlotState(StrEnum):
    OPEN = "open"
    BOOKED = "booked"
    CLOSED = "closed"


class WaitlistSlot(Frozen):
    """The current state of a slot of the waitlist desk."""

    id: str
    origin: str
    state: SlotState
    service: str
    staff: str
    starts_at: datetime
    ends_at: datetime
    price_cents: int = 0
    person_id: PersonId = PersonId("")
    party: int = 1
    next_origin: str = ""
    """The origin of the slot that its time became, if its booking ended."""
    no_show: bool = False
    mail_only: bool = False
    """Whether its customer gets only mails: see the waitlist's `Entry.is_told_by_mail`."""


class HandoverView(Frozen):
    time: TimeView
    handover: Handover | None
    slot: WaitlistSlot | None
    booking: Booking | None
    """The booking that the handover became."""
    person: Person | None
