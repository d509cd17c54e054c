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
    """The id of the person, if nobody has this contact yet."""
    name: str
    email: str
    mobile: str
    service: str
    starts_at: datetime
    duration: timedelta
    staff: str = ""
    tags: Tags = NO_TAGS
    phone: str = ""
    """A number that cannot be a mobile, as it was written."""
    consent: Statement | None = None
    """Consent to texts, in the words of the sheet."""
    corrects: bool = False
    """Staff wrote the name and the contact: they are right where ours differ."""
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


class FinishLook(Command):
    """The job has synced the calendars with appointments."""

    job_id: JobId


class FollowSource(Command):
    """Updates the appointment from the current state of its source. It may run twice, early or
    late.
    """

    source: AppointmentSource
    ref: str
    by_customer: bool = False
    """The customer cancelled it there, so staff may not know."""


class AppointmentCommand(Command):
    appointment_id: AppointmentId


class EndAppointment(AppointmentCommand):
    """The source has it no longer."""


class MoveAppointment(AppointmentCommand):
    """Staff chose another time."""

    starts_at: datetime


class NoteEvent(AppointmentCommand):
    """The calendar has the event of the appointment at this time, or no longer."""

    starts_at: datetime | None


class AskAboutEvent(AppointmentCommand):
    """The event does not follow the appointment."""

    trouble: EventTrouble
    found_at: datetime | None = None
    """The start that staff gave to the event."""


class AnswerEvent(AppointmentCommand):
    """Staff decide: the appointment stays as it is and its event follows, or the other way."""

    keep: bool


class ReleaseAppointment(AppointmentCommand):
    """Staff give away the time of an appointment that nobody confirmed in time."""


class MarkNoShow(AppointmentCommand):
    pass


class MarkCame(AppointmentCommand):
    pass


# --- answers --------------------------------------------------------------------------------


class ReplyCommand(AppointmentCommand):
    """An answer of the customer to one message, or by staff for them."""

    chain: int
    """The chain of the message."""
    nonce: str
    means: Means


class Confirm(ReplyCommand):
    pass


class Cancel(ReplyCommand):
    pass


class Move(ReplyCommand):
    """The customer chose another time. The page has checked that it is free."""

    starts_at: datetime


class AskToMove(ReplyCommand):
    """Asks staff for another time, with wishes in the customer's own words."""

    wishes: str = ""


class AnswerInWords(Command):
    """The customer wrote an answer by text or mail. `visits` are those that it may mean."""

    mail_id: MailId
    means: Means
    visits: tuple[AppointmentId, ...]
    choice: ReplyAction | None = None
    """None if the words are not clear."""
    at: time | None = None
    """The wall time of the visit that the answer names."""
    words: str = ""
    settles: bool = False
    """Whether the mail is stored already and waits for its outcome."""


class SettleIncomingMail(Command):
    """A mail to the desk is no answer that it can act on."""

    mail_id: MailId
    outcome: str


class NoteOptOut(Command):
    """A carrier's opt-out word came from the number of these visits' customers."""

    mail_id: MailId
    visits: tuple[AppointmentId, ...]
    """The next visit of each customer with the number."""


# --- the tick -------------------------------------------------------------------------------


class PlanTick(Command):
    """Sets the timer of the tick at the start of the program; at once if the last was missed."""


class SumUpWeek(Command):
    """Sums up the week before the one in which it is due."""

    due_at: datetime
    paragraph: str = ""
    """A model's text for the week. It is checked against the figures."""


class RunTick(Command):
    """Checks a page of appointments and sets a timer for each with something due before the next
    tick.
    """

    due_at: datetime


class LookAtAppointment(AppointmentCommand):
    """Makes the next move of its customer: a reminder, an alert to staff, or nothing."""

    due_at: datetime
    """The instant of the timer."""


class AlertStaff(AppointmentCommand):
    """Tells staff about a cancelled appointment, in their own hours."""


class RemindNow(LookAtAppointment):
    """Staff send the next reminder of an appointment at once."""


class SkipReminder(AppointmentCommand):
    """Staff leave one reminder out."""

    window: Window


class ReminderCommand(AppointmentCommand):
    """About the message of one window."""

    chain: int
    window: Window
    together: tuple[AppointmentId, ...] = ()
    """Other appointments in the message."""


class ArmReminder(ReminderCommand):
    """Decides again before the message goes out: still unanswered, and the newest."""

    by_mail: bool = False
    """It is the mail that goes out instead of a text."""


class DisarmReminder(ReminderCommand):
    """The message did not go out now; it is tried again."""


class ReportUndelivered(ReminderCommand):
    """The message will never arrive."""

    why: str = ""
    by_text: bool = False


class PauseReminders(Command):
    """Staff stop all reminders to customers. Alerts to staff go on."""


class ResumeReminders(Command):
    """Reminders go out again. Missed ones are sent where they still make sense."""


# --- the desk -------------------------------------------------------------------------------


class SetRules(Command):
    rules: ReminderRules


class TakeRules(Command):
    """Takes a text of `reminders.yml`. `zone` is that of the business."""

    text: str
    zone: str
    replaces: str | None = None


class ConfirmRulesFile(Command):
    """The file has this text now."""

    text: str


class TakeVoice(Command):
    """Takes a text of the document with the words of all messages."""

    text: str
    replaces: str | None = None


class ConfirmVoiceFile(Command):
    """The file has this text now."""

    text: str


class SetWording(Command):
    """Changes the wording of a message; None restores the default."""

    mail_kind: str
    wording: Wording | None
