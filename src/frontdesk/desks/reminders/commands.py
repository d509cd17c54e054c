"""The commands of the reminders desk."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from frontdesk.core.consents import Statement
from frontdesk.core.decision import Command
from frontdesk.core.jobs import JobId
from frontdesk.core.mail import MailId
from frontdesk.core.people import PersonId
from frontdesk.core.wording import Wording
from frontdesk.desks.reminders.model import (
    AppointmentId,
    AppointmentSource,
    EventTrouble,
    Means,
    ReplyAction,
    Window,
)
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.desks.reminders.tags import NO_TAGS, Tags
from frontdesk.features.proposals import model as proposals
from frontdesk.features.proposals.model import ProposalId

# --- appointments ---------------------------------------------------------------------------


class RecordAppointment(Command):
    """Records an appointment of a source: adds it, changes its details, or moves it."""

    source: AppointmentSource
    ref: str
    person_id: PersonId
    """The id of a new person, used if nobody has this contact yet."""
    name: str
    email: str
    mobile: str
    service: str
    starts_at: datetime
    duration: timedelta
    staff: str = ""
    tags: Tags = NO_TAGS
    phone: str = ""
    """The number as it was written, if it cannot be a mobile number."""
    consent: Statement | None = None
    """Consent to texts, in the words of the sheet."""
    corrects: bool = False
    """Staff wrote the name and the contact, so these replace ours."""
    calendar: str = ""
    """The calendar that has its event."""


class ReadRequest(proposals.ReadRequest):
    pass


class IgnoreRequest(proposals.IgnoreRequest):
    pass


class Propose(proposals.Propose):
    pass


class DiscardProposal(proposals.DiscardProposal):
    pass


class ApproveProposal(Command):
    """Staff approve a proposed appointment, with their corrections."""

    proposal_id: ProposalId
    record: RecordAppointment


class SettleCalendar(Command):
    """Keeps or ends the appointments whose events are gone from a calendar."""

    appointment_ids: tuple[str, ...]
    keep: bool


class FinishCalendarSync(Command):
    """Finishes a job that has synced the calendars with appointments."""

    job_id: JobId


class FollowSource(Command):
    """Updates the appointment from the current state of its source. Running it twice, early or late
    does no harm."""

    source: AppointmentSource
    ref: str
    by_customer: bool = False
    """The customer cancelled it at the source, so staff may not know."""


class AppointmentCommand(Command):
    appointment_id: AppointmentId


class EndAppointment(AppointmentCommand):
    """Cancels an appointment that its source no longer has."""


class MoveAppointment(AppointmentCommand):
    """Moves an appointment to another time for staff."""

    starts_at: datetime


class NoteEvent(AppointmentCommand):
    """Notes that the calendar has the event at this time; None means that it has no event."""

    starts_at: datetime | None


class AskAboutEvent(AppointmentCommand):
    """Asks staff about an event that does not follow its appointment."""

    trouble: EventTrouble
    found_at: datetime | None = None
    """The new start, if staff moved the event."""


class AnswerEvent(AppointmentCommand):
    """Staff decide which one is right: the appointment (`keep`) or its event."""

    keep: bool


class ReleaseAppointment(AppointmentCommand):
    """Gives away the time of an appointment that nobody confirmed in time."""


class MarkNoShow(AppointmentCommand):
    pass


class MarkCame(AppointmentCommand):
    pass


# --- answers --------------------------------------------------------------------------------


class ReplyCommand(AppointmentCommand):
    """The customer's answer to one message, or staff's answer for them."""

    chain: int
    """The chain of the message."""
    nonce: str
    means: Means


class Confirm(ReplyCommand):
    pass


class Cancel(ReplyCommand):
    pass


class Move(ReplyCommand):
    """Moves the appointment to a time that the customer chose. The page has checked that it is
    free."""

    starts_at: datetime


class AskToMove(ReplyCommand):
    """Asks staff for another time, with wishes in the customer's own words."""

    wishes: str = ""


class AnswerInWords(Command):
    """Acts on an answer that the customer wrote by text or mail. It may be about any of
    `visits`."""

    mail_id: MailId
    means: Means
    visits: tuple[AppointmentId, ...]
    choice: ReplyAction | None = None
    """None if the words are unclear."""
    at: time | None = None
    """The wall time of the visit that the answer names."""
    words: str = ""
    settles: bool = False
    """Whether the mail is stored already and waits for its outcome."""


class SettleIncomingMail(Command):
    """Settles a mail to the desk that is not an answer it can act on."""

    mail_id: MailId
    outcome: str


class NoteOptOut(Command):
    """Notes that a carrier's opt-out word came from the number of these visits' customers."""

    mail_id: MailId
    visits: tuple[AppointmentId, ...]
    """The next visit of each customer with the number."""


# --- the tick -------------------------------------------------------------------------------


class PlanTick(Command):
    """Sets the timer of the tick when the program starts. A missed tick runs at once."""


class SumUpWeek(Command):
    """Sums up the week before the one in which `due_at` is."""

    due_at: datetime
    paragraph: str = ""
    """A model's text for the week. It is checked against the figures."""


class RunTick(Command):
    """Checks a page of appointments and sets a timer for each with something due before the next
    tick.
    """

    due_at: datetime


class LookAtAppointment(AppointmentCommand):
    """Makes the next move for the customer of an appointment: a reminder, an alert to staff, or
    nothing."""

    due_at: datetime
    """The instant at which the timer was due."""


class AlertStaff(AppointmentCommand):
    """Tells staff about a cancelled appointment, in their own hours."""


class RemindNow(LookAtAppointment):
    """Sends the next reminder of an appointment at once, for staff."""


class SkipReminder(AppointmentCommand):
    """Leaves out one reminder, for staff."""

    window: Window


class ReminderCommand(AppointmentCommand):
    """A command about the message of one window."""

    chain: int
    window: Window
    together: tuple[AppointmentId, ...] = ()
    """Other appointments in the message."""


class ArmReminder(ReminderCommand):
    """Decides again just before the message goes out: it must be unanswered and the newest."""

    by_mail: bool = False
    """The message is the mail that replaces a refused text."""


class DisarmReminder(ReminderCommand):
    """Makes the reminder due again, because its message did not go out."""


class ReportUndelivered(ReminderCommand):
    """Reports that the message will never arrive."""

    why: str = ""
    by_text: bool = False


class PauseReminders(Command):
    """Stops all reminders to customers, for staff. Alerts to staff go on."""


class ResumeReminders(Command):
    """Ends the pause. Missed reminders go out if they still make sense."""


# --- the desk -------------------------------------------------------------------------------


class SetRules(Command):
    rules: ReminderRules


class TakeRules(Command):
    """Puts a text of `reminders.yml` in force. `zone` is the time zone of the business."""

    text: str
    zone: str
    replaces: str | None = None


class ConfirmRulesFile(Command):
    """Notes that the file has this text."""

    text: str


class TakeVoice(Command):
    """Puts a text of the document with all wordings in force."""

    text: str
    replaces: str | None = None


class ConfirmVoiceFile(Command):
    """Notes that the file has this text."""

    text: str


class SetWording(Command):
    """Changes the wording of a message; None restores the default."""

    mail_kind: str
    wording: Wording | None
