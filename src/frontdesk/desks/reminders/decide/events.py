"""Keeps the calendar event of an appointment in step with changes that are made here.

A change is due from its commit until a sync reads it from the calendar. Until then the old event
does not move the appointment back. If staff edit the event meanwhile, they are asked which time is
right.
"""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.jobs import AdvanceJob, Job
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.reminders import commands, facts
from frontdesk.desks.reminders.changes import WriteAppointment
from frontdesk.desks.reminders.decide.appointments import cancelled_by_staff, moved
from frontdesk.desks.reminders.decide.event_changes import sync_job
from frontdesk.desks.reminders.model import (
    CODE,
    Appointment,
    EventTrouble,
    PendingEventChange,
    next_version,
)
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.views import AppointmentView, CalendarEventView
from frontdesk.features.calendars.state import calendar_setting
from frontdesk.values import replace


def note(view: AppointmentView, command: commands.NoteEvent, now: datetime) -> Decision:
    """Notes that the calendar has the event at this time, or has no event. If the appointment has
    changed again since, that change is due."""
    known = view.appointment
    if known is None or known.event is None:
        return Refused(Reason.UNCHANGED)
    is_done = command.starts_at == (known.starts_at if known.is_live else None)
    after = None if is_done else replace(known.event, starts_at=command.starts_at)
    if after == known.event or (after is not None and command.starts_at is None):
        return Refused(Reason.UNCHANGED)
    return _written(known, after, facts.EventNoted, now)


def ask(view: AppointmentView, command: commands.AskAboutEvent, now: datetime) -> Decision:
    """Notes that the event cannot follow, so that Today asks staff."""
    known = view.appointment
    if known is None or known.event is None:
        return Refused(Reason.UNCHANGED)
    after = replace(known.event, trouble=command.trouble, found_at=command.found_at)
    if after == known.event:
        return Refused(Reason.UNCHANGED)
    return _written(known, after, facts.EventAsked, now)


def answer(view: CalendarEventView, command: commands.AnswerEvent, now: datetime) -> Decision:
    """Applies the decision of staff between the appointment and its event."""
    known = view.at.appointment
    if known is None or known.event is None or known.event.trouble is None:
        return Refused(Reason.UNCHANGED)
    if not command.keep:
        return _follow_event(view.at, known, known.event, now)
    if known.event.trouble is EventTrouble.GONE:
        return _kept_without_event(view, known, now)
    at = now.replace(microsecond=0)
    fresh = PendingEventChange(known.event.found_at or known.event.starts_at, at)
    decided = _written(known, fresh, facts.EventNoted, now)
    return replace(decided, changes=(*decided.changes, *_job(decided)))


def _follow_event(
    view: AppointmentView, known: Appointment, due: PendingEventChange, now: datetime
) -> Decision:
    """Updates the appointment from its event."""
    if not known.is_live or due.trouble not in (EventTrouble.CHANGED, EventTrouble.GONE):
        return _written(known, None, facts.EventNoted, now)
    if due.trouble is EventTrouble.GONE:
        return cancelled_by_staff(known, now)
    if due.found_at is None or due.found_at <= now:
        return Refused(Reason.TOO_LATE)
    return moved(view, known, due.found_at, facts.ChangedBy.STAFF, now)


def _kept_without_event(view: CalendarEventView, known: Appointment, now: datetime) -> Decision:
    kept = replace(view.calendar, kept=(*view.calendar.kept, known.id))
    decided = _written(known, None, facts.EventNoted, now)
    write = WriteSetting(calendar_setting(CODE), view.calendar, kept)
    return replace(decided, changes=(*decided.changes, write))


def _written(
    known: Appointment,
    event: PendingEventChange | None,
    kind: type[facts.CalendarEventFact],
    now: datetime,
) -> Accepted:
    after = next_version(replace(known, event=event))
    at = now.replace(microsecond=0)
    fact = kind(after.id, after.person_id, after.version, at, event)
    return Accepted((WriteAppointment(after),), (fact,))


def _job(decided: Accepted) -> tuple[Change, ...]:
    [write] = decided.changes
    assert isinstance(write, WriteAppointment)
    return sync_job(write.appointment)


def finish_calendar_sync(
    job: Job | None, command: commands.FinishCalendarSync, _now: datetime
) -> Decision:
    """Finishes the job of a sync. Later syncs write the changes that are still due."""
    if job is None or job.finished:
        return Refused(Reason.UNCHANGED)
    return Accepted((AdvanceJob(command.job_id, job.cursor, "looked", 1, finished=True),))
