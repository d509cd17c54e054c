"""The rows that each decision needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta

from frontdesk.core.consents import ConsentRecord
from frontdesk.core.people import Person, PersonId
from frontdesk.desks.reminders.decide.windows import Planner
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    Reminder,
    Reply,
    SummaryState,
    TickState,
)
from frontdesk.desks.reminders.tags import NO_TAGS, Tags
from frontdesk.features.calendars.state import CalendarState
from frontdesk.features.proposals.model import ProposalView
from frontdesk.values import Frozen


class SourceVisit(Frozen):
    """An appointment as another desk has it."""

    person_id: PersonId
    service: str
    starts_at: datetime
    duration: timedelta
    booked_at: datetime
    staff: str = ""
    tags: Tags = NO_TAGS
    phone: str = ""
    name: str = ""
    consent: str = ""
    calendar: str = ""
    is_live: bool = True
    is_missed: bool = False


class AppointmentView(Frozen):
    """An appointment with the rows of its chain."""

    planner: Planner
    appointment: Appointment | None
    reminders: Sequence[Reminder] = ()
    """The reminders of its current chain."""
    no_shows: int = 0


class RecordView(Frozen):
    at: AppointmentView
    person: Person | None
    """The person with this contact."""
    current: Person | None = None
    """The person of the appointment."""
    signs_in: bool = False
    """Whether the person to correct is a member of the team."""
    consent: ConsentRecord | None = None
    """The consent of the known person; only read if the command states something."""


class ApprovalView(Frozen):
    at: ProposalView
    record: RecordView


class SourceView(Frozen):
    at: AppointmentView
    visit: SourceVisit | None
    """The appointment as its source has it now; None if the source has none."""


class CalendarEventView(Frozen):
    """An appointment whose calendar event does not follow, and the state of the sync."""

    at: AppointmentView
    calendar: CalendarState


class ReplyView(Frozen):
    at: AppointmentView
    spent: Sequence[Reply]
    """The replies to the same message."""


class WrittenView(Frozen):
    """The visits that a written answer may mean, with their replies."""

    visits: Sequence[ReplyView]


class CustomerView(Frozen):
    """A customer with their live appointments, including those of the last days."""

    planner: Planner
    appointments: Sequence[Appointment]
    no_shows: int


class MessageView(Frozen):
    """A message, with its appointments and their reminders."""

    lead: Appointment | None
    appointments: Sequence[Appointment]
    reminders: Sequence[Reminder]
    person: Person | None = None


class TickView(Frozen):
    planner: Planner
    state: TickState
    page: Sequence[Appointment]
    """Live appointments by their start, after the cursor."""
    is_last: bool
    """Whether no appointments are left after this page."""
    no_shows: Mapping[PersonId, int]
    is_on: bool
    summary: SummaryState = SummaryState()


class WeekView(Frozen):
    """The week that a summary is about."""

    zone: str
    week: date
    """The Monday of the week."""
    rows: Sequence[Appointment]
    refilled: Collection[AppointmentId]
    """Appointments whose time was filled at another desk."""
    state: SummaryState
    is_on: bool
