"""The rows of the reminders desk: appointments, the reminders of their chains, and replies."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import blake2b
from typing import Final, NewType

from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.people import PersonId
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.desks.reminders.tags import NO_TAGS, Tags
from frontdesk.values import Frozen, replace

AppointmentId = NewType("AppointmentId", str)

CODE: Final = "ar"
SAVED_RULES: Final = SavedSetting("ar.rules", ReminderRules, ReminderRules())
MOST_TEXT: Final = 200
LONGEST_VISIT: Final = timedelta(days=1)


class AppointmentSource(StrEnum):
    """The place that an appointment comes from. Changes are written back to the same place."""

    SHEET = "sheet"
    CALENDAR = "calendar"
    MAIL = "mail"
    BOOKING = "booking"


#: Appointments of these sources are rows of the sheet.
IN_SHEET: Final = frozenset((AppointmentSource.SHEET, AppointmentSource.MAIL))


def appointment_id(source: AppointmentSource, ref: str) -> AppointmentId:
    """The id of the appointment that a source knows as `ref`; always the same."""
    digest = blake2b(f"{source.value}:{ref}".encode(), digest_size=ID_BYTES).digest()
    return AppointmentId(new_id(digest))


class AppointmentState(StrEnum):
    EXPECTED = "expected"
    """Nobody has answered yet."""
    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"
    NO_SHOW = "no_show"
    CAME = "came"


#: The customer is expected in these states.
LIVE: Final = frozenset((AppointmentState.EXPECTED, AppointmentState.CONFIRMED))


class Window(StrEnum):
    """A time before an appointment at which something may be due. Each chain has each
    window once."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    GAP = "gap"
    """The alert to staff that an appointment has no answer."""


#: The windows with a message to the customer, in order.
REMINDERS: Final = (Window.FIRST, Window.SECOND, Window.THIRD)


class EventTrouble(StrEnum):
    """Why a calendar event does not follow its appointment."""

    CHANGED = "changed"
    """Staff moved the event. It stays as it is until staff answer."""
    GONE = "gone"
    """Staff deleted the event of an appointment that was moved here."""
    READ_ONLY = "read only"
    """We may not change events of this calendar."""
    FAILED = "failed"
    """The calendar did not accept the change. Each sync tries again."""


class PendingEventChange(Frozen):
    """A change that has yet to be written to the calendar event of an appointment: a new time, a
    cancellation or a new event."""

    starts_at: datetime | None
    """The start of the event as last read; None if the event is to be added."""
    since: datetime
    trouble: EventTrouble | None = None
    found_at: datetime | None = None
    """The new start, if staff moved the event meanwhile."""


class Appointment(Frozen):
    """An appointment with the chain of its current time. A move starts a new chain."""

    id: AppointmentId
    source: AppointmentSource
    ref: str
    """The id of the appointment at its source: of a booking, a row or a calendar event."""
    person_id: PersonId
    service: str
    starts_at: datetime
    duration: timedelta
    booked_at: datetime
    """When the customer made or moved it, or when it was first seen."""
    staff: str = ""
    state: AppointmentState = AppointmentState.EXPECTED
    chain: int = 1
    """Increases with each move; links contain it."""
    settled: tuple[Window, ...] = ()
    """The windows of this chain that are decided, with or without a message."""
    told_at: datetime | None = None
    """When the last reminder was decided, even in an earlier chain."""
    answered_at: datetime | None = None
    """When the customer last answered in this chain."""
    closed_at: datetime | None = None
    tags: Tags = NO_TAGS
    phone: str = ""
    """The number as it was written, if it cannot be a mobile number."""
    name: str = ""
    """The name at the source if it differs from the person's, such as a child's."""
    consent: str = ""
    """Consent to texts, in the words of its row in the sheet."""
    version: int = 1
    """Each write compares it and raises it by one."""
    calendar: str = ""
    """The name of the calendar that has the event."""
    event: PendingEventChange | None = None
    """A change that has yet to be written to the event."""

    @property
    def ends_at(self) -> datetime:
        return self.starts_at + self.duration

    @property
    def is_live(self) -> bool:
        return self.state in LIVE

    @property
    def is_unanswered(self) -> bool:
        return self.state is AppointmentState.EXPECTED and self.answered_at is None

    @property
    def without_person(self) -> Appointment:
        """The appointment as facts store it: without personal data other than the person's id."""
        return replace(self, phone="", name="", consent="")


def next_version(appointment: Appointment) -> Appointment:
    return replace(appointment, version=appointment.version + 1)


class ReminderState(StrEnum):
    DUE = "due"
    """Decided; its message is on its way."""
    SENT = "sent"
    """Its message was handed to a channel, or is being handed over."""
    FAILED = "failed"
    """Its message cannot be delivered; staff know."""
    SKIPPED = "skipped"
    """No message: it would have come too late, or a later one says the same."""


class Reminder(Frozen):
    """The decision about one window of one chain."""

    appointment_id: AppointmentId
    window: Window
    chain: int
    person_id: PersonId
    starts_at: datetime
    """The start of the appointment in this chain."""
    state: ReminderState
    at: datetime
    """The instant of its state."""
    lead: AppointmentId
    """The appointment whose message includes this one: itself, or another on the same day."""
    why: str = ""
    lead_window: Window | None = None
    """The lead's window of that message, if it differs from `window`."""

    def is_of(self, lead: AppointmentId, window: Window) -> bool:
        """Whether the message of the lead for this window includes this appointment."""
        return self.lead == lead and self.message_window is window

    @property
    def message_window(self) -> Window:
        return self.lead_window or self.window


class ReplyAction(StrEnum):
    CONFIRM = "confirm"
    MOVE = "move"
    CANCEL = "cancel"
    WHICH = "which"
    """The answer could mean several visits, so we ask which."""
    STOP = "stop"
    """A carrier's opt-out word. It says nothing about the visit."""
    OTHER = "other"
    """Anything else; staff read it."""


class Means(StrEnum):
    """The way in which an answer came."""

    LINK = "link"
    TEXT = "text"
    MAIL = "mail"
    STAFF = "staff"


class Reply(Frozen):
    """One answer; at most one for each `nonce` and action. The nonce identifies the message whose
    link was used, or the answer itself if the customer wrote it."""

    appointment_id: AppointmentId
    nonce: str
    action: ReplyAction
    chain: int
    at: datetime
    means: Means
    before: AppointmentState
    after: AppointmentState
    wishes: str = ""
    """The times that the customer wishes, in their own words."""


def nonce_of(chain: int, window: Window) -> str:
    """Identifies one message of an appointment in links and replies."""
    return f"{chain}.{window.value}"


class TickState(Frozen):
    """The progress of the hourly tick, and its heartbeat."""

    begun_at: datetime | None = None
    done_at: datetime | None = None
    cursor: str = ""
    """The last appointment that was checked; empty between ticks."""
    looked: int = 0
    found: int = 0


#: The heartbeat: when the tick last ran through.
TICK_STATE: Final = SavedSetting("ar.tick", TickState, TickState())


class SummaryState(Frozen):
    """The next weekly summary."""

    next_at: datetime | None = None


SUMMARY_STATE: Final = SavedSetting("ar.summary", SummaryState, SummaryState())


class PauseState(Frozen):
    """Whether reminders are paused, and since when."""

    since: datetime | None = None


PAUSE_STATE: Final = SavedSetting("ar.pause", PauseState, PauseState())
