"""Adds, changes, moves and ends appointments for their source or for staff."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.localtime import zone
from frontdesk.desks.reminders import commands, facts
from frontdesk.desks.reminders.changes import AddAppointment, ArchiveReminder, WriteAppointment
from frontdesk.desks.reminders.decide.alerts import with_alert
from frontdesk.desks.reminders.decide.event_changes import (
    change_after_end,
    change_after_move,
    sync_job,
)
from frontdesk.desks.reminders.decide.timers import look_before_tick, no_more_looks
from frontdesk.desks.reminders.decide.windows import windows_before_booking
from frontdesk.desks.reminders.figures import was_asked
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentSource,
    AppointmentState,
    PendingEventChange,
    appointment_id,
    next_version,
)
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.desks.reminders.views import AppointmentView, SourceView, SourceVisit
from frontdesk.values import replace

CALENDAR: Final = AppointmentSource.CALENDAR


def follow_source(view: SourceView, command: commands.FollowSource, now: datetime) -> Decision:
    """Updates the row from the current state of its source."""
    visit, known = view.visit, view.at.appointment
    if visit is not None and visit.is_live:
        return match_visit(view.at, visit, command, now)
    if known is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    if visit is not None and visit.is_missed:
        return _missed(known, now, facts.ChangedBy.SOURCE)
    if not known.is_live:
        return Refused(Reason.UNCHANGED)
    cancelled = AppointmentState.CANCELLED
    ended = closed(known, cancelled, facts.AppointmentCancelled, facts.ChangedBy.SOURCE, now)
    if known.source is CALENDAR:  # the desk that ended it does not know the event
        ended = cancelled_by_staff(known, now)
    return with_alert(ended, view.at.planner, known, now) if command.by_customer else ended


def match_visit(
    view: AppointmentView,
    visit: SourceVisit,
    command: commands.RecordAppointment | commands.FollowSource,
    now: datetime,
    *,
    corrected: bool = False,
) -> Accepted | Refused:
    """Updates the row to match `visit`. `corrected` says that the person's contact changes in the
    same commit."""
    known = view.appointment
    if known is None:
        return _added(view, visit, command, now)
    if not known.is_live:
        return Refused(Reason.ENDED)
    after = replace(
        known,
        person_id=visit.person_id,
        service=visit.service,
        staff=visit.staff,
        duration=visit.duration,
        tags=visit.tags,
        phone=visit.phone,
        name=visit.name,
        consent=visit.consent,
        calendar=visit.calendar or known.calendar,
    )
    is_written = isinstance(command, commands.RecordAppointment)  # may have a wrong date
    if is_written and visit.starts_at != known.starts_at and visit.starts_at <= now:
        return Refused(Reason.TOO_LATE)
    if visit.starts_at != known.starts_at or visit.person_id != known.person_id:
        return moved(view, after, visit.starts_at, facts.ChangedBy.SOURCE, now)
    if after == known and not corrected:
        return Refused(Reason.UNCHANGED)
    after = next_version(after)
    fact = facts.AppointmentChanged(after.id, after.person_id, after.version, after.without_person)
    timer = look_before_tick(view.planner, after, view.no_shows, now)
    write = WriteAppointment(after, new_person=after.person_id != known.person_id)
    return Accepted((write,), (fact,), (timer,))


def _added(
    view: AppointmentView,
    visit: SourceVisit,
    command: commands.RecordAppointment | commands.FollowSource,
    now: datetime,
) -> Accepted | Refused:
    if visit.starts_at <= now:
        return Refused(Reason.TOO_LATE)
    is_claimed = isinstance(command, commands.FollowSource) and command.source is CALENDAR
    fresh = Appointment(
        appointment_id(command.source, command.ref),
        command.source,
        command.ref,
        visit.person_id,
        visit.service,
        visit.starts_at,
        visit.duration,
        visit.booked_at,
        visit.staff,
        tags=visit.tags,
        phone=visit.phone,
        name=visit.name,
        consent=visit.consent,
        calendar=visit.calendar,
        event=PendingEventChange(None, now.replace(microsecond=0)) if is_claimed else None,
    )
    known = replace(fresh, booked_at=max(fresh.booked_at, now))
    appointment = replace(fresh, settled=windows_before_booking(view.planner, known, view.no_shows))
    fact = facts.AppointmentAdded(
        appointment.id, appointment.person_id, appointment.version, appointment.without_person
    )
    timer = look_before_tick(view.planner, appointment, view.no_shows, now)
    return Accepted((AddAppointment(appointment), *sync_job(appointment)), (fact,), (timer,))


# --- moves ----------------------------------------------------------------------------------


def move(view: AppointmentView, command: commands.MoveAppointment, now: datetime) -> Decision:
    """Moves the appointment for staff. A customer's own choice comes as a reply."""
    known = view.appointment
    if known is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    if not known.is_live:
        return Refused(Reason.ENDED)
    if command.starts_at == known.starts_at:
        return Refused(Reason.UNCHANGED)
    if command.starts_at <= now:
        return Refused(Reason.TOO_LATE)
    return moved(view, known, command.starts_at, facts.ChangedBy.STAFF, now)


def moved(
    view: AppointmentView,
    known: Appointment,
    starts_at: datetime,
    by: facts.ChangedBy,
    now: datetime,
) -> Accepted:
    """Starts a new chain at another time, and archives the reminders of the old one."""
    assert view.appointment is not None
    fresh = replace(
        known,
        starts_at=starts_at,
        chain=known.chain + 1,
        state=AppointmentState.EXPECTED,
        settled=(),
        answered_at=None,
        booked_at=now.replace(microsecond=0),
        event=change_after_move(view.appointment, starts_at, by, now),
    )
    after = next_version(
        replace(fresh, settled=windows_before_booking(view.planner, fresh, view.no_shows)),
    )
    fact = facts.AppointmentMoved(
        after.id,
        after.person_id,
        after.version,
        after.without_person,
        view.appointment.starts_at,
        by,
    )
    archived = tuple(ArchiveReminder(each) for each in view.reminders)
    timer = look_before_tick(view.planner, after, view.no_shows, now)
    write = WriteAppointment(after, new_person=after.person_id != view.appointment.person_id)
    return Accepted((write, *archived, *sync_job(after)), (fact,), (timer,))


# --- ends -----------------------------------------------------------------------------------


def end(view: AppointmentView, _: commands.EndAppointment, now: datetime) -> Decision:
    """Cancels an appointment that its source no longer has."""
    known = view.appointment
    if known is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    if not known.is_live:
        return Refused(Reason.UNCHANGED)
    state, by = AppointmentState.CANCELLED, facts.ChangedBy.SOURCE
    return closed(known, state, facts.AppointmentCancelled, by, now)


def cancelled_by_staff(known: Appointment, now: datetime) -> Accepted:
    """Cancels for staff or for another desk. Counts as the answer."""
    state, by, at = AppointmentState.CANCELLED, facts.ChangedBy.STAFF, now.replace(microsecond=0)
    return closed(known, state, facts.AppointmentCancelled, by, now, answered_at=at)


def release(view: AppointmentView, _: commands.ReleaseAppointment, now: datetime) -> Decision:
    """Gives away the time of an appointment that nobody confirmed in time."""
    known = view.appointment
    if known is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    if not known.is_live or now >= known.starts_at:
        return Refused(Reason.ENDED)
    if not is_overdue(view.planner.rules, known, now):
        return Refused(Reason.NOT_OVERDUE)
    return closed(
        known, AppointmentState.CANCELLED, facts.AppointmentReleased, facts.ChangedBy.STAFF, now
    )


def is_overdue(rules: ReminderRules, one: Appointment, now: datetime) -> bool:
    """Whether a customer who was asked has not answered by the time in the rules."""
    confirm_by = rules.schedule(one.service).confirm_by
    if confirm_by is None or one.tags.skip or not one.is_unanswered or not was_asked(one):
        return False
    return now >= confirm_by.at(one.starts_at, zone(rules.zone))


def mark_no_show(view: AppointmentView, _: commands.MarkNoShow, now: datetime) -> Decision:
    known = view.appointment
    if known is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    return _missed(known, now, facts.ChangedBy.STAFF)


def _missed(known: Appointment, now: datetime, by: facts.ChangedBy) -> Decision:
    """Notes a no-show after the start, even if staff noted a visit by mistake."""
    if known.state in (AppointmentState.NO_SHOW, AppointmentState.CANCELLED):
        return Refused(Reason.ENDED)
    if now < known.starts_at:
        return Refused(Reason.NOT_BEGUN)
    return closed(known, AppointmentState.NO_SHOW, facts.AppointmentMissed, by, now)


def mark_came(view: AppointmentView, _: commands.MarkCame, now: datetime) -> Decision:
    known = view.appointment
    if known is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    if not known.is_live:
        return Refused(Reason.ENDED)
    if now < known.starts_at:
        return Refused(Reason.NOT_BEGUN)
    return closed(known, AppointmentState.CAME, facts.AppointmentKept, facts.ChangedBy.STAFF, now)


def closed(
    known: Appointment,
    state: AppointmentState,
    kind: type[facts.AppointmentClosed],
    by: facts.ChangedBy,
    now: datetime,
    *,
    changes: Sequence[Change] = (),
    answered_at: datetime | None = None,
) -> Accepted:
    """Closes an appointment, and drops its timer."""
    at = now.replace(microsecond=0)
    after = next_version(
        replace(
            known,
            state=state,
            closed_at=at,
            answered_at=answered_at or known.answered_at,
            event=change_after_end(known, state, by, at),
        )
    )
    fact = kind(
        after.id,
        after.person_id,
        after.version,
        at,
        after.source,
        after.ref,
        after.service,
        after.staff,
        after.starts_at,
        after.duration,
        after.chain,
        by,
        known.state,
    )
    written = (WriteAppointment(after), *changes, *sync_job(after))
    return Accepted(written, (fact,), (no_more_looks(after),))
