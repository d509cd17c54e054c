"""The invariants of reminders, checked on the current rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from frontdesk.desks.reminders.decide.allowed_times import AllowedTimes
from frontdesk.desks.reminders.decide.timers import look_timer
from frontdesk.desks.reminders.model import Appointment, Reminder, ReminderState, Window


def chain_problems(appointment: Appointment, reminders: Iterable[Reminder]) -> Iterator[str]:
    """Reports reminders that are of an older chain, or missing in the row of the appointment."""
    for each in reminders:
        said = f"appointment {appointment.id} has the reminder {each.window}"
        if each.chain != appointment.chain:
            yield f"{said} of chain {each.chain}, and is in chain {appointment.chain}"
        if each.window not in appointment.settled:
            yield f"{said}, and its row does not know it"
    if len(set(appointment.settled)) < len(appointment.settled):
        yield f"appointment {appointment.id} has settled a window twice: {appointment.settled}"


def answer_problems(appointment: Appointment, reminders: Iterable[Reminder]) -> Iterator[str]:
    """Reports reminders after an answer or a cancellation."""
    ends = [each for each in (appointment.answered_at, appointment.closed_at) if each is not None]
    first = min(ends, default=None)
    if first is None:
        return
    for each in _sent(reminders):
        if each.at > first:
            yield f"appointment {appointment.id} was reminded at {each.at}, after {first}"


def quiet_problems(
    reminders: Iterable[Reminder], history: Sequence[tuple[datetime, AllowedTimes]]
) -> Iterator[str]:
    """Reports reminders that went out in quiet hours or on a holiday, by the rules of that time."""
    for each in _sent(reminders):
        then = [allowed for since, allowed in history if since <= each.at]
        if then and not then[-1].is_allowed(each.at):
            yield f"appointment {each.appointment_id} was reminded at {each.at}, in quiet hours"


def timer_problems(appointment: Appointment, timers: Mapping[str, datetime]) -> Iterator[str]:
    """Reports timers of appointments that are over."""
    if not appointment.is_live and look_timer(appointment.id) in timers:
        yield f"appointment {appointment.id} is {appointment.state}, and its timer is still set"


def _sent(reminders: Iterable[Reminder]) -> Iterator[Reminder]:
    return (
        each
        for each in reminders
        if each.state is ReminderState.SENT and each.window is not Window.GAP
    )
