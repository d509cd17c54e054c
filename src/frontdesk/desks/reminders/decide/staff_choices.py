"""Decisions of staff about reminders: send one now, leave one out, pause all of them."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted, Decision, Refused, SetTimer
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.reminders import commands
from frontdesk.desks.reminders.changes import AddReminder, WriteAppointment
from frontdesk.desks.reminders.decide.moves import NOTHING, CustomerMoves, visits_to_join
from frontdesk.desks.reminders.decide.tick import CustomerCommit
from frontdesk.desks.reminders.decide.timers import TICK_TIMER
from frontdesk.desks.reminders.facts import RemindersPaused, RemindersResumed, WindowsSkipped
from frontdesk.desks.reminders.model import (
    PAUSE_STATE,
    PauseState,
    Reminder,
    ReminderState,
    Window,
    next_version,
)
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.views import AppointmentView, CustomerView
from frontdesk.values import replace

BY_STAFF = "staff left it out"


def remind_now(view: CustomerView | None, command: commands.RemindNow, now: datetime) -> Decision:
    """Makes the next reminder due, with other visits of the day as usual. Quiet hours still delay
    its message."""
    mine = view.appointments if view else ()
    one = next((each for each in mine if each.id == command.appointment_id), None)
    if view is None or one is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    if not one.is_unanswered or now >= one.starts_at:
        return Refused(Reason.ANSWERED)
    if view.planner.is_paused:
        return Refused(Reason.PAUSED)
    open_ = view.planner.open_windows(one, view.no_shows)
    window = next((each.window for each in open_ if each.window is not Window.GAP), None)
    if window is None:
        return Refused(Reason.NOTHING_DUE)
    joined = visits_to_join(view.planner, one, window, mine, now, view.no_shows)
    moves = CustomerMoves(one, window, joined, tuple((each, NOTHING) for each in mine))
    commit = CustomerCommit(view, moves, now.replace(microsecond=0))
    for appointment, move in moves.moves:
        commit.take(appointment, move)
    return commit.accepted()


def skip(view: AppointmentView, command: commands.SkipReminder, now: datetime) -> Decision:
    one, window = view.appointment, command.window
    if one is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    if not one.is_unanswered or now >= one.starts_at:
        return Refused(Reason.ANSWERED)
    if window in one.settled:
        return Refused(Reason.UNCHANGED)
    after = replace(next_version(one), settled=(*one.settled, window))
    row = Reminder(
        one.id,
        window,
        one.chain,
        one.person_id,
        one.starts_at,
        ReminderState.SKIPPED,
        now.replace(microsecond=0),
        one.id,
        BY_STAFF,
    )
    fact = WindowsSkipped(after.id, after.person_id, after.version, (window,), BY_STAFF)
    return Accepted((WriteAppointment(after), AddReminder(row)), (fact,))


def pause(view: PauseState, _: commands.PauseReminders, now: datetime) -> Decision:
    if view.since is not None:
        return Refused(Reason.UNCHANGED)
    at = now.replace(microsecond=0)
    return Accepted((WriteSetting(PAUSE_STATE, view, PauseState(at)),), (RemindersPaused(at),))


def resume(view: PauseState, _: commands.ResumeReminders, now: datetime) -> Decision:
    """Ends the pause and checks all appointments at once."""
    if view.since is None:
        return Refused(Reason.UNCHANGED)
    at = now.replace(microsecond=0)
    write = WriteSetting(PAUSE_STATE, view, PauseState())
    return Accepted((write,), (RemindersResumed(at),), (SetTimer(TICK_TIMER, now),))
