"""Decides about the weekly summary and its timer."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted, Decision, Refused, SetTimer
from frontdesk.core.localtime import zone
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.reminders.commands import SumUpWeek
from frontdesk.desks.reminders.decide.timers import SUMMARY_TIMER
from frontdesk.desks.reminders.facts import WeekSummedUp
from frontdesk.desks.reminders.figures import week_figures
from frontdesk.desks.reminders.model import SUMMARY_STATE, SummaryState
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.views import TickView, WeekView
from frontdesk.desks.reminders.weeks import is_true_summary, last_summary_at, next_summary_at
from frontdesk.values import replace


def with_summary(planned: Accepted, view: TickView, now: datetime) -> Accepted:
    """Adds the timer of the next summary, which is in the past if it was missed."""
    before = view.summary
    after = replace(before, next_at=before.next_at or next_summary_at(now, view.planner.tz))
    assert after.next_at is not None
    timers = (*planned.timers, SetTimer(SUMMARY_TIMER, after.next_at))
    if after == before:
        return replace(planned, timers=timers)
    write = WriteSetting(SUMMARY_STATE, before, after)
    return replace(planned, changes=(*planned.changes, write), timers=timers)


def sum_up(view: WeekView, command: SumUpWeek, now: datetime) -> Decision:
    """Sums up one week and sets the next timer. After several missed weeks, sums up only the last
    one. Skips a week without appointments."""
    if not view.is_on:
        return Refused(Reason.SWITCHED_OFF)
    if view.state.next_at is None or command.due_at != view.state.next_at:
        return Refused(Reason.UNCHANGED)
    tz = zone(view.zone)
    newest_at = last_summary_at(now, tz)
    if newest_at > command.due_at:
        return _set(view, newest_at)
    decided = _set(view, next_summary_at(command.due_at, tz))
    them = week_figures(view.rows, view.refilled)
    if not them.appointments:
        return decided
    is_usable = is_true_summary(command.paragraph, view.week, them)
    fact = WeekSummedUp(view.week, them, command.paragraph if is_usable else "")
    return replace(decided, facts=(fact,))


def _set(view: WeekView, next_at: datetime) -> Accepted:
    write = WriteSetting(SUMMARY_STATE, view.state, SummaryState(next_at))
    return Accepted((write,), timers=(SetTimer(SUMMARY_TIMER, next_at),))
