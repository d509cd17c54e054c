"""The desk's timers: their names, and checks that cannot wait for the next tick."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.decision import DropTimer, SetTimer, TimerChange, TimerName
from frontdesk.desks.reminders.decide.moves import next_move, next_tick, timer_at
from frontdesk.desks.reminders.decide.windows import Planner
from frontdesk.desks.reminders.model import CODE, Appointment, AppointmentId

TICK_TIMER: Final = TimerName(f"{CODE}/tick/hourly")


SUMMARY_TIMER: Final = TimerName(f"{CODE}/summary/weekly")


def look_timer(appointment_id: AppointmentId) -> TimerName:
    return TimerName(f"{CODE}/look/{appointment_id}")


def alert_timer(appointment_id: AppointmentId) -> TimerName:
    return TimerName(f"{CODE}/alert/{appointment_id}")


def look_before_tick(
    planner: Planner, appointment: Appointment, no_shows: int, now: datetime
) -> TimerChange:
    """A timer if something is due before the next tick, or earlier than ticks look ahead because of
    a tag; otherwise none."""
    move = next_move(planner, appointment, now, no_shows=no_shows)
    at = timer_at(planner, move, now, next_tick(now))
    if at is None and any(each.length > planner.longest_before for each in appointment.tags.remind):
        at = move.look_at
    name = look_timer(appointment.id)
    return DropTimer(name) if at is None else SetTimer(name, at)


def no_more_looks(appointment: Appointment) -> DropTimer:
    return DropTimer(look_timer(appointment.id))
