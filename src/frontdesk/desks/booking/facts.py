"""Facts about bookings, holds, handovers and requests. Together they are the audit.

Facts name people by id only. `version` is the booking row's version after the change. The actor of
each commit is recorded with its facts.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from frontdesk.core.decision import Fact
from frontdesk.core.mail import MailFact
from frontdesk.core.people import PersonId
from frontdesk.desks.booking.model import (
    Booking,
    BookingId,
    BookingRequest,
    CalendarLink,
    Handover,
    HandoverId,
    HoldId,
    Lane,
    RequestId,
    RequestStatus,
)
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.desks.booking.ticks import Span

# --- bookings -------------------------------------------------------------------------------


class BookingFact(Fact):
    booking_id: BookingId
    person_id: PersonId
    version: int

    @property
    def subject(self) -> str:
        return self.booking_id

    @property
    def about(self) -> str:
        return self.person_id


class BookingMade(BookingFact):
    """A booking got its time. Its status says whether it is pending, claimed or confirmed."""

    kind: ClassVar[str] = "bk.booked"
    booking: Booking
    """The new booking, without anything personal but the person's id."""
    request: BookingRequest | None = None
    """The record of its request, if this commit added it; without anything personal, too."""


class BookingConfirmed(BookingFact):
    """The booking is confirmed: at once, after approval, or after its calendars were written."""

    kind: ClassVar[str] = "bk.confirmed"
    lane: Lane
    starts_at: datetime
    reminders: tuple[int, ...] = ()
    links: tuple[CalendarLink, ...] = ()


class BookingApproved(BookingFact):
    """Staff approved a pending booking, which became claimed or confirmed."""

    kind: ClassVar[str] = "bk.approved"
    confirmed: bool


class BookingMoved(BookingFact):
    """The booking got another time or resource. Its former time became free or was handed over."""

    kind: ClassVar[str] = "bk.moved"
    booking: Booking
    """Afterwards, without anything personal but the person's id."""
    starts_at_before: datetime
    resources_before: tuple[ResourceId, ...]
    by_staff: bool
    waitlist_slot: str = ""
    """The slot of the waitlist desk that the booking had before."""


class BookingEnded(BookingFact):
    """A booking ended and gave up its time. `sequence` is that of its calendar files."""

    starts_at: datetime
    sequence: int
    waitlist_slot: str = ""
    """The slot of the waitlist desk that the booking had."""
    by_waitlist: bool = False
    """Whether it ended at the waitlist desk, which then tells the customer."""


class BookingCancelled(BookingEnded):
    """The customer cancelled."""

    kind: ClassVar[str] = "bk.cancelled"


class BookingCancelledByStaff(BookingEnded):
    kind: ClassVar[str] = "bk.cancelled_by_staff"


class BookingMissed(BookingEnded):
    """The customer did not come."""

    kind: ClassVar[str] = "bk.no_show"


class BookingDeclined(BookingEnded):
    """Staff did not approve it."""

    kind: ClassVar[str] = "bk.declined"


class BookingLapsed(BookingEnded):
    """Nobody approved it in time."""

    kind: ClassVar[str] = "bk.lapsed"


class BookingReleased(BookingEnded):
    """A calendar was busy after all or refused the event, before the booking was confirmed."""

    kind: ClassVar[str] = "bk.released"
    why: str = ""


class BookingEdited(BookingFact):
    """Staff changed name, contact or note."""

    kind: ClassVar[str] = "bk.edited"


class LinkAsked(BookingFact):
    """The customer asked for their link again. There is one message in each window."""

    kind: ClassVar[str] = "bk.link_asked"
    window: int


class ReminderDue(BookingFact):
    """A reminder is due."""

    kind: ClassVar[str] = "bk.reminder_due"
    starts_at: datetime
    seconds_before: int


class CalendarWritten(BookingFact):
    """The current state of the booking was written into its calendars."""

    kind: ClassVar[str] = "bk.calendar_written"
    links: tuple[CalendarLink, ...]


class CalendarTroubled(BookingFact):
    """A calendar could not be written. Staff get a task; the write is repeated."""

    kind: ClassVar[str] = "bk.calendar_troubled"
    calendar: str
    why: str
    links: tuple[CalendarLink, ...] = ()
    again: int = 0
    """How often it was tried before."""


class CalendarRetried(BookingFact):
    """The job for the calendars was started again."""

    kind: ClassVar[str] = "bk.calendar_retried"


# --- calendars ------------------------------------------------------------------------------


class CalendarFact(Fact):
    calendar: str

    @property
    def subject(self) -> str:
        return f"calendar:{self.calendar}"


class CalendarUnusable(CalendarFact):
    """A calendar could not be read for too long: its resources offer no times."""

    kind: ClassVar[str] = "bk.calendar_unusable"
    why: str
    at: datetime


class CalendarChanged(CalendarFact):
    """Staff moved or deleted events of bookings in a calendar. They are asked what to do."""

    kind: ClassVar[str] = "bk.calendar_changed"
    bookings: int
    at: datetime


# --- holds ----------------------------------------------------------------------------------


class HoldFact(Fact):
    hold_id: HoldId

    @property
    def subject(self) -> str:
        return self.hold_id


class TimeHeld(HoldFact):
    kind: ClassVar[str] = "bk.time_held"
    service: str
    starts_at: datetime
    resources: tuple[ResourceId, ...]
    until: datetime


class HoldDropped(HoldFact):
    kind: ClassVar[str] = "bk.hold_dropped"


# --- the waitlist desk ----------------------------------------------------------------------


class HandoverFact(Fact):
    handover_id: HandoverId

    @property
    def subject(self) -> str:
        return self.handover_id


class TimeFreed(HandoverFact):
    """A time came free. It is held, so that the waitlist desk can offer it."""

    kind: ClassVar[str] = "bk.time_freed"
    handover: Handover
    staff: str
    """The name of the first resource."""
    capacity: int
    """The largest party that it fits."""
    duration: timedelta
    booking_id: BookingId
    waitlist_slot: str = ""
    """The slot of the waitlist desk that the ended booking had."""


class HandoverTaken(HandoverFact):
    """A time that the waitlist desk found is held, before that desk offers it."""

    kind: ClassVar[str] = "bk.handover_taken"
    handover: Handover


class HandoverBooked(HandoverFact):
    kind: ClassVar[str] = "bk.handover_booked"
    booking_id: BookingId


class HandoverReleased(HandoverFact):
    kind: ClassVar[str] = "bk.handover_released"
    span: Span


class HandoverRefused(HandoverFact):
    """The waitlist desk has a slot at a time that somebody else has. It must not offer it."""

    kind: ClassVar[str] = "bk.handover_refused"
    waitlist_slot: str


# --- requests -------------------------------------------------------------------------------


class RequestFact(Fact):
    request_id: RequestId
    version: int
    lane: Lane
    status: RequestStatus
    person_id: PersonId = PersonId("")
    booking_id: BookingId = BookingId("")
    request: BookingRequest | None = None
    """Afterwards, without anything personal but the person's id."""

    @property
    def subject(self) -> str:
        return self.request_id

    @property
    def about(self) -> str:
        return self.person_id


class RequestReceived(RequestFact):
    kind: ClassVar[str] = "bk.request_received"


class RequestChanged(RequestFact):
    kind: ClassVar[str] = "bk.request_changed"


class RequestMailIgnored(MailFact):
    """A mail to the booking desk was no request, or could not be read."""

    kind: ClassVar[str] = "bk.mail_ignored"
    why: str


# --- the desk -------------------------------------------------------------------------------


class DeskFact(Fact):
    @property
    def subject(self) -> str:
        return "booking"


class DocumentTaken(DeskFact):
    """A text of `rules.yml` was understood and is in force."""

    kind: ClassVar[str] = "bk.document_taken"
    name: str
    text: str


class DocumentUnclear(DeskFact):
    """A text of `rules.yml` has mistakes; the last good rules stay in force."""

    kind: ClassVar[str] = "bk.document_unclear"
    name: str
    digest: str
    problems: int


class RulesChanged(DeskFact):
    kind: ClassVar[str] = "bk.rules_changed"
    rules: BookingRules


class FeedRenewed(DeskFact):
    """The calendar file of a staff member has a new address."""

    kind: ClassVar[str] = "bk.feed_renewed"
    resource: ResourceId


class DirectLaneChanged(DeskFact):
    """The business changed which mail is forwarded unread. Only the setting has the addresses."""

    kind: ClassVar[str] = "bk.direct_lane_changed"
    senders: int


class WordingChanged(DeskFact):
    """The business changed the wording of a message."""

    kind: ClassVar[str] = "bk.wording_changed"
    mail_kind: str
