"""Facts about appointments, their reminders and replies. Together they are the audit.

Facts name people by id only. `version` is the appointment row's version after the change.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import ClassVar

from frontdesk.core.decision import Fact
from frontdesk.core.mail import MailFact, MailId
from frontdesk.core.people import PersonId
from frontdesk.desks.reminders.figures import WeekFigures
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    AppointmentSource,
    AppointmentState,
    Means,
    PendingEventChange,
    ReplyAction,
    Window,
)
from frontdesk.features.proposals.model import ProposalFact


class ChangedBy(StrEnum):
    """Identifies the side that moved or ended an appointment."""

    CUSTOMER = "customer"
    STAFF = "staff"
    SOURCE = "source"
    """The sheet, the calendar or the booking desk, which already has the change."""


class AppointmentFact(Fact):
    appointment_id: AppointmentId
    person_id: PersonId
    version: int

    @property
    def subject(self) -> str:
        return self.appointment_id

    @property
    def about(self) -> str:
        return self.person_id


class AppointmentAdded(AppointmentFact):
    kind: ClassVar[str] = "ar.added"
    appointment: Appointment
    """The appointment without personal data other than the person's id."""


class AppointmentChanged(AppointmentFact):
    """The service, staff, length, contact or tags changed, but not the time."""

    kind: ClassVar[str] = "ar.changed"
    appointment: Appointment


class AppointmentMoved(AppointmentFact):
    """The appointment has another time and a new chain; the reminders of the old chain are
    archived."""

    kind: ClassVar[str] = "ar.moved"
    appointment: Appointment
    starts_at_before: datetime
    by: ChangedBy


class CalendarEventFact(AppointmentFact):
    """`event` is the change that the appointment's calendar event has yet to follow."""

    at: datetime
    event: PendingEventChange | None


class EventNoted(CalendarEventFact):
    kind: ClassVar[str] = "ar.event_noted"


class EventAsked(CalendarEventFact):
    """The event does not follow the appointment, and staff are asked."""

    kind: ClassVar[str] = "ar.event_asked"


# --- answers --------------------------------------------------------------------------------


class AppointmentConfirmed(AppointmentFact):
    kind: ClassVar[str] = "ar.confirmed"
    at: datetime
    nonce: str
    means: Means


class MoveAsked(AppointmentFact):
    """The customer wishes another time. Their words are in the reply."""

    kind: ClassVar[str] = "ar.move_asked"
    at: datetime
    nonce: str
    means: Means
    after: AppointmentState | None = None
    """The state since then. None in facts of an earlier version, which left it as it was."""


class ReplyFact(AppointmentFact):
    """An answer in words that changes nothing. The words are in the mail `mail_id`."""

    at: datetime
    mail_id: str
    means: Means


class WhichVisitAsked(ReplyFact):
    """The answer could mean several visits, so the customer is asked which."""

    kind: ClassVar[str] = "ar.which_asked"
    visits: tuple[AppointmentId, ...]


class WordsReceived(ReplyFact):
    """Staff read the answer and act on it."""

    kind: ClassVar[str] = "ar.words_received"
    chain: int
    wanted: ReplyAction | None = None
    """The change that the customer wants, if it comes too late to be made."""


class AnsweredAgain(ReplyFact):
    """The customer confirmed once more."""

    kind: ClassVar[str] = "ar.answered_again"


class OptOutNoted(ReplyFact):
    """A carrier's opt-out word came from the customer's number. The visit stays as it is."""

    kind: ClassVar[str] = "ar.opted_out"


class AppointmentClosed(AppointmentFact):
    """An appointment that is over or was cancelled, with what other desks need to know."""

    at: datetime
    source: AppointmentSource
    ref: str
    service: str
    staff: str
    starts_at: datetime
    duration: timedelta
    chain: int
    by: ChangedBy
    before: AppointmentState


class AppointmentCancelled(AppointmentClosed):
    kind: ClassVar[str] = "ar.cancelled"


class AppointmentReleased(AppointmentClosed):
    """Nobody confirmed the appointment in time, and staff gave its time away."""

    kind: ClassVar[str] = "ar.released"


class AppointmentMissed(AppointmentClosed):
    """The customer did not come."""

    kind: ClassVar[str] = "ar.no_show"


class AppointmentKept(AppointmentClosed):
    """The customer came."""

    kind: ClassVar[str] = "ar.came"


# --- reminders ------------------------------------------------------------------------------


class ReminderFact(AppointmentFact):
    """A reminder is due. `together` are other appointments of the same day in its message."""

    window: ClassVar[Window]
    at: datetime
    chain: int
    starts_at: datetime
    together: tuple[AppointmentId, ...] = ()
    skipped: tuple[Window, ...] = ()
    """Earlier windows that this message replaces."""


class FirstReminder(ReminderFact):
    kind: ClassVar[str] = "ar.first_reminder"
    window: ClassVar[Window] = Window.FIRST


class SecondReminder(ReminderFact):
    kind: ClassVar[str] = "ar.second_reminder"
    window: ClassVar[Window] = Window.SECOND


class ThirdReminder(ReminderFact):
    kind: ClassVar[str] = "ar.third_reminder"
    window: ClassVar[Window] = Window.THIRD


class RemindedTogether(AppointmentFact):
    """The message of another appointment includes this one."""

    kind: ClassVar[str] = "ar.reminded_together"
    at: datetime
    window: Window
    lead: AppointmentId
    skipped: tuple[Window, ...] = ()


class WindowsSkipped(AppointmentFact):
    """Windows passed without a message, because it would have come too late."""

    kind: ClassVar[str] = "ar.skipped"
    windows: tuple[Window, ...]
    why: str


class GapReason(StrEnum):
    UNANSWERED = "unanswered"
    CANCELLED = "cancelled"


class GapFound(AppointmentFact):
    """Staff are told that an appointment is still unanswered shortly before its start, or was
    cancelled."""

    kind: ClassVar[str] = "ar.gap_alert"
    at: datetime
    chain: int
    starts_at: datetime
    skipped: tuple[Window, ...] = ()
    why: GapReason = GapReason.UNANSWERED
    source: AppointmentSource | None = None
    """The source of a cancelled appointment."""


class ReminderUndelivered(AppointmentFact):
    """A reminder will never arrive. Staff are told."""

    kind: ClassVar[str] = "ar.undelivered"
    chain: int
    window: Window
    why: str


class TextUndelivered(AppointmentFact):
    """The text of a reminder was refused, so it goes out as a mail. Staff are told."""

    kind: ClassVar[str] = "ar.text_undelivered"
    at: datetime
    chain: int
    window: Window
    starts_at: datetime
    together: tuple[AppointmentId, ...]
    why: str


# --- the desk -------------------------------------------------------------------------------


class DeskFact(Fact):
    @property
    def subject(self) -> str:
        return "reminders"


class RequestIgnored(MailFact):
    """A mail to the desk contained no appointment."""

    kind: ClassVar[str] = "ar.request_ignored"
    why: str


class ProposalMade(ProposalFact):
    """An appointment was read from a mail or a calendar, and waits for staff."""

    kind: ClassVar[str] = "ar.proposed"
    mail_id: MailId


class ProposalApproved(ProposalFact):
    kind: ClassVar[str] = "ar.proposal_approved"
    appointment_id: AppointmentId

    @property
    def about(self) -> str:
        return self.appointment_id


class ProposalDiscarded(ProposalFact):
    kind: ClassVar[str] = "ar.proposal_discarded"


class SheetHalted(DeskFact):
    """Many rows vanished from the sheet at once; the sync waits for staff."""

    kind: ClassVar[str] = "ar.sheet_halted"
    rows: int
    at: datetime


class CalendarHalted(DeskFact):
    """Many events vanished from a calendar at once; the sync waits for staff."""

    kind: ClassVar[str] = "ar.calendar_halted"
    events: int
    at: datetime


class CalendarSettled(DeskFact):
    """Staff decided about appointments whose events are gone."""

    kind: ClassVar[str] = "ar.calendar_settled"
    events: int
    kept: bool


class SheetTroubled(DeskFact):
    """The sheet could not be read or written for a long time."""

    kind: ClassVar[str] = "ar.sheet_troubled"
    since: datetime


class RemindersPaused(DeskFact):
    kind: ClassVar[str] = "ar.paused"
    at: datetime


class RemindersResumed(DeskFact):
    kind: ClassVar[str] = "ar.resumed"
    at: datetime


class WeekSummedUp(DeskFact):
    """The figures of the appointments of one week."""

    kind: ClassVar[str] = "ar.week_summed_up"
    week: date
    """The Monday of the week."""
    figures: WeekFigures
    paragraph: str = ""
    """A model's text that passed the checks; empty for the built-in text."""
