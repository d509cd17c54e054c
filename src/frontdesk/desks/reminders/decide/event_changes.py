"""Computes changes that are not yet written to the calendar event, and the job that writes them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.decision import Change
from frontdesk.core.jobs import AddJob, Job, JobId
from frontdesk.desks.reminders.facts import ChangedBy
from frontdesk.desks.reminders.model import (
    CODE,
    Appointment,
    AppointmentSource,
    AppointmentState,
    PendingEventChange,
)

#: The kind of the job that syncs the calendars with appointments.
EVENTS_JOB: Final = "events"


def change_after_move(
    known: Appointment, starts_at: datetime, by: ChangedBy, now: datetime
) -> PendingEventChange | None:
    """The change that moves the event; None if the event has that time already. `known` is the
    state before the move."""
    if known.source is not AppointmentSource.CALENDAR or by is ChangedBy.SOURCE:
        return None
    at = now.replace(microsecond=0)
    if known.event is None:
        return PendingEventChange(known.starts_at, at)
    stands_at = known.event.found_at or known.event.starts_at
    return None if stands_at == starts_at else PendingEventChange(known.event.starts_at, at)


def change_after_end(
    known: Appointment, state: AppointmentState, by: ChangedBy, at: datetime
) -> PendingEventChange | None:
    """The change that cancels the event of a cancelled appointment."""
    if known.source is not AppointmentSource.CALENDAR or by is ChangedBy.SOURCE:
        return None
    if state is not AppointmentState.CANCELLED:
        return None
    before = known.event.starts_at if known.event else None
    return PendingEventChange(before or known.starts_at, at)


def sync_job(appointment: Appointment) -> tuple[Change, ...]:
    """The job that syncs the calendars, if a change is due."""
    if appointment.event is None:
        return ()
    job_id = JobId(f"{CODE}-{EVENTS_JOB}-{appointment.id}-{appointment.version}")
    return (AddJob(Job(job_id, CODE, EVENTS_JOB, appointment.id, total=1)),)
