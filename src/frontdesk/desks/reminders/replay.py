"""Rebuilds appointments from the audit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from frontdesk.desks.reminders import facts as f
from frontdesk.desks.reminders.decide.event_changes import change_after_end
from frontdesk.desks.reminders.model import Appointment, AppointmentState, Window
from frontdesk.engine.ports import Recorded
from frontdesk.values import replace

_STATES = {
    f.AppointmentCancelled: AppointmentState.CANCELLED,
    f.AppointmentReleased: AppointmentState.CANCELLED,
    f.AppointmentMissed: AppointmentState.NO_SHOW,
    f.AppointmentKept: AppointmentState.CAME,
}


def appointment_from(facts: Iterable[Recorded]) -> Appointment | None:
    """The appointment that results from its facts, without personal data."""
    appointment: Appointment | None = None
    for recorded in facts:
        fact = recorded.fact
        if isinstance(fact, f.AppointmentAdded):
            appointment = fact.appointment
        elif isinstance(fact, f.ReminderUndelivered | f.TextUndelivered | f.ReplyFact):
            continue
        elif appointment is not None and isinstance(fact, f.AppointmentFact):
            appointment = replace(_next(appointment, fact), version=fact.version)
    return appointment


def _next(before: Appointment, fact: f.AppointmentFact) -> Appointment:
    match fact:
        case f.AppointmentMoved() | f.AppointmentChanged():
            return fact.appointment
        case f.AppointmentConfirmed():
            return replace(before, state=AppointmentState.CONFIRMED, answered_at=fact.at)
        case f.MoveAsked():
            return replace(before, state=fact.after or before.state, answered_at=fact.at)
        case f.ReminderFact():
            settled = _settled(before, (*fact.skipped, fact.window))
            return replace(settled, told_at=fact.at)
        case f.RemindedTogether():
            settled = _settled(before, (*fact.skipped, fact.window))
            return replace(settled, told_at=fact.at)
        case f.GapFound(why=f.GapReason.CANCELLED):
            return before
        case f.GapFound():
            return _settled(before, (*fact.skipped, Window.GAP))
        case f.WindowsSkipped():
            return _settled(before, fact.windows)
        case f.AppointmentClosed():
            return _closed(before, fact)
        case f.CalendarEventFact():
            return replace(before, event=fact.event)
        case _:
            return before


def _settled(before: Appointment, windows: tuple[Window, ...]) -> Appointment:
    return replace(before, settled=(*before.settled, *windows))


def _closed(before: Appointment, fact: f.AppointmentClosed) -> Appointment:
    """Only a customer's own cancellation is an answer."""
    is_answer = isinstance(fact, f.AppointmentCancelled) and fact.by is not f.ChangedBy.SOURCE
    return replace(
        before,
        state=_STATES[type(fact)],
        closed_at=fact.at,
        answered_at=fact.at if is_answer else before.answered_at,
        event=change_after_end(before, _STATES[type(fact)], fact.by, fact.at),
    )


def appointment_differs(row: Appointment, facts: Iterable[Recorded]) -> Iterator[str]:
    """Reports a row that differs from the audit."""
    again = appointment_from(facts)
    if again != row.without_person:
        yield f"appointment {row.id}: the audit says {again}, the row says {row.without_person}"
