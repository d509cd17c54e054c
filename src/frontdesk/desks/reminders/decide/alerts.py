"""Tells staff about cancelled appointments, within their own hours."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted, Decision, Refused, SetTimer
from frontdesk.desks.reminders.changes import AppointmentAsRead
from frontdesk.desks.reminders.commands import AlertStaff
from frontdesk.desks.reminders.decide.timers import alert_timer
from frontdesk.desks.reminders.decide.windows import Planner
from frontdesk.desks.reminders.facts import GapFound, GapReason
from frontdesk.desks.reminders.model import Appointment, AppointmentState
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.views import AppointmentView
from frontdesk.values import replace


def with_alert(
    cancelled: Accepted, planner: Planner, appointment: Appointment, now: datetime
) -> Accepted:
    """Adds the timer of the alert to the cancellation of an upcoming appointment."""
    starts_at = appointment.starts_at
    if appointment.tags.skip or now >= starts_at:
        return cancelled
    timer = SetTimer(alert_timer(appointment.id), planner.alert_at(starts_at, now))
    return replace(cancelled, timers=(*cancelled.timers, timer))


def alert(view: AppointmentView, _: AlertStaff, now: datetime) -> Decision:
    """Records the alert. The same commit deletes the timer, so staff get one alert."""
    one = view.appointment
    if one is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    if one.state is not AppointmentState.CANCELLED or now >= one.starts_at:
        return Refused(Reason.NOTHING_DUE)
    fact = GapFound(
        one.id,
        one.person_id,
        one.version,
        now.replace(microsecond=0),
        one.chain,
        one.starts_at,
        why=GapReason.CANCELLED,
        source=one.source,
    )
    return Accepted((AppointmentAsRead(one.id, one.version),), (fact,))
