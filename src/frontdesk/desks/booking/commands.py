"""Commands of the booking desk. The caller creates the ids of new rows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from frontdesk.core.consents import Statement
from frontdesk.core.decision import Command
from frontdesk.core.jobs import JobId
from frontdesk.core.mail import NO_MAIL, MailId
from frontdesk.core.people import PersonId
from frontdesk.core.wording import Wording
from frontdesk.desks.booking.lanes import DirectLane
from frontdesk.desks.booking.model import (
    BookingId,
    BookingRequest,
    CalendarLink,
    GivenBy,
    HandoverId,
    HoldId,
    Lane,
    RequestId,
)
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import Frozen, field

# --- a booking ------------------------------------------------------------------------------


class Book(Command):
    """Books a time. If it has an address and a number, the address identifies the person."""

    booking_id: BookingId
    person_id: PersonId
    """Used if the person is new."""
    service: str
    starts_at: datetime
    name: str
    email: str = ""
    mobile: str = ""
    party: int = 1
    resource: ResourceId = ResourceId("")
    """The choice for the first need of the service; empty: anyone."""
    answers: Mapping[str, str] = field(default_factory=dict)
    lane: Lane = Lane.FORM
    hold_id: HoldId = HoldId("")
    """The visitor's hold, which this booking replaces."""
    request_id: RequestId = RequestId("")
    """The request that it answers; empty if all values were given."""
    given_by: GivenBy = GivenBy.FORM
    override: bool = False
    """Staff knowingly break rules: overbook, or book outside hours. Only for `Lane.STAFF`."""
    note: str = ""
    job_id: JobId | None = None
    """The job that read the customer's choice, which ends with this command."""
    mail_id: MailId = NO_MAIL
    """The mail with the choice."""
    consent: Statement | None = None
    """Consent to texts, in the words that the form showed."""
    unless_same: bool = False
    """Refused if the customer has this service at that time already. So a form that was loaded
    twice and sent twice books once; for a second visit the customer has to confirm."""


class BookingCommand(Command):
    booking_id: BookingId


class MoveBooking(BookingCommand):
    """Moves a booking to another time, and to another resource if one is given."""

    starts_at: datetime
    resource: ResourceId = ResourceId("")
    """Empty: the same resource if possible, or else anyone if the customer had no wish."""
    by_staff: bool = False
    hold_id: HoldId = HoldId("")
    override: bool = False
    seen_version: int = 0
    """Refused if the booking has changed since; 0 skips this check."""


class CancelBooking(BookingCommand):
    by_staff: bool = False
    offer: bool = True
    """Lets the waitlist desk offer the time."""
    even_late: bool = False
    """Ignores the notice: the reminders desk let the customer cancel, by its own notice."""
    seen_starts_at: datetime | None = None
    """Refused if the booking has moved since; None skips this check."""


class MarkNoShow(BookingCommand):
    pass


class EditBooking(BookingCommand):
    """Changes name, contact and note of a booking."""

    name: str
    email: str
    mobile: str
    note: str


class ApproveBooking(BookingCommand):
    pass


class DeclineBooking(BookingCommand):
    pass


class LapseBooking(BookingCommand):
    """Ends a pending booking that nobody approved in time."""


class SendBookingLink(BookingCommand):
    """Sends the link of a booking again, to the known contact of the customer."""


class RemindOfBooking(BookingCommand):
    """Sends a reminder that is due. `seconds_before` is the time from the reminder to the start."""

    seconds_before: int


# --- its calendars --------------------------------------------------------------------------


class CalendarCommand(BookingCommand):
    """The result of the job that writes a booking into calendars. It finishes the job."""

    job_id: JobId


class ConfirmBooking(CalendarCommand):
    """Confirms a claimed booking: the calendars were free, and have their events."""

    links: tuple[CalendarLink, ...] = ()


class ReleaseBooking(CalendarCommand):
    """Releases a claimed booking: a calendar was busy after all, or refused the event."""

    why: str


class NoteCalendarWrite(CalendarCommand):
    """Notes that the calendars have the booking as it is now, moved or removed."""

    links: tuple[CalendarLink, ...]


class ReportCalendarTrouble(CalendarCommand):
    """Confirms the booking although a calendar could not be written. Staff get a task, and the
    write is tried again later."""

    calendar: str
    why: str
    links: tuple[CalendarLink, ...] = ()


class WriteCalendarAgain(BookingCommand):
    """Starts the job for the calendars again."""


# --- holds ----------------------------------------------------------------------------------


class HoldTime(Command):
    """Holds a time for a visitor, and gives up the time that they held before."""

    hold_id: HoldId
    service: str
    starts_at: datetime
    party: int = 1
    resource: ResourceId = ResourceId("")
    is_first: bool = False
    """Whether the id is new, so that the visitor holds no other time."""


class DropHold(Command):
    hold_id: HoldId


class ForgetHold(Command):
    """Deletes a hold that has ended. No decision depends on when that happens."""

    hold_id: HoldId


# --- the waitlist desk ----------------------------------------------------------------------


class TakeHandover(Command):
    """Holds a time that the waitlist desk found elsewhere, before it is offered."""

    origin: str
    service: str
    staff: str
    """The name of the staff member, as the waitlist desk has it."""
    starts_at: datetime
    ends_at: datetime
    price_cents: int = 0


class SettleHandover(Command):
    """Applies the current state of the waitlist's slot: keeps the time held, books it, or frees it.
    It is safe to repeat, and to run early or late.
    """

    handover_id: HandoverId
    origin: str = ""
    """The origin of the slot; only needed if there may be no such handover yet."""


# --- requests -------------------------------------------------------------------------------


class ReadMail(Command):
    """Starts the job that reads a mail."""

    mail_id: MailId

    @property
    def job_id(self) -> JobId:
        """One id per mail, so that it is read once."""
        return JobId(f"bk-read-{self.mail_id}")


class IgnoreMail(Command):
    """Ends the job of a mail without a request: a machine wrote it, or it cannot be read."""

    mail_id: MailId
    why: str
    job_id: JobId


class Requester(Frozen):
    """The customer who asks. The decision adds them, unless it knows this address or number."""

    person_id: PersonId
    """Used if the person is new."""
    name: str
    email: str = ""
    mobile: str = ""
    consent: Statement | None = None


class RecordRequest(Command):
    """Adds the record of a request, and settles its mail."""

    request: BookingRequest
    requester: Requester | None = None
    job_id: JobId | None = None
    """The job that read it, which ends with this command."""


class ChangeRequest(Command):
    """Writes the record of a request. Refused unless its version is the next one."""

    request: BookingRequest
    requester: Requester | None = None
    job_id: JobId | None = None


class SetDirectLane(Command):
    """Sets the senders whose mail is forwarded unread."""

    lane: DirectLane


# --- rules.yml ------------------------------------------------------------------------------


class TakeRules(Command):
    """Takes a text of `rules.yml`. A text with mistakes is kept, and changes no rules."""

    text: str
    zone: str
    """The time zone of the business."""
    replaces: str | None = None
    """The digest of an older text in the file; empty for none, None to keep the stored digest."""


class ConfirmRulesFile(Command):
    """Notes that the file has this text now."""

    text: str


class FollowBusiness(Command):
    """Applies a change of the catalogue or of the time zone that was made elsewhere."""

    zone: str


class EditCatalogue(Command):
    """Changes the services, the team and the currency, and `rules.yml` with them."""

    catalogue: Catalogue


# --- the desk -------------------------------------------------------------------------------


class SetRules(Command):
    rules: BookingRules


class RenewFeed(Command):
    """Gives the calendar file of a staff member a new address; the old one stops working."""

    resource: ResourceId


class SetWording(Command):
    """Saves the business's own wording of a message; None restores the default."""

    mail_kind: str
    wording: Wording | None
