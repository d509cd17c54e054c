"""Maps facts and timers of the reminders desk to the commands that they cause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Command, TimerName
from frontdesk.core.people import PersonId
from frontdesk.desks.reminders import commands
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import AppointmentId, AppointmentSource
from frontdesk.engine.ports import Reads, Recorded


def end_appointments(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    """Ends the upcoming appointments of an erased person. The booking desk ends bookings itself."""
    for one in reminder_reads(reads).appointments_of(PersonId(recorded.fact.subject)):
        if (
            one.is_live
            and one.starts_at > recorded.at
            and one.source is not AppointmentSource.BOOKING
        ):
            yield commands.EndAppointment(one.id)


def tick_is_due(_name: TimerName, due_at: datetime) -> Command:
    return commands.RunTick(due_at)


def look_is_due(name: TimerName, due_at: datetime) -> Command:
    return commands.LookAtAppointment(AppointmentId(name.split("/")[2]), due_at)


def alert_is_due(name: TimerName, _due_at: datetime) -> Command:
    return commands.AlertStaff(AppointmentId(name.split("/")[2]))


TIMERS: Final[Mapping[str, Callable[[TimerName, datetime], Command]]] = {
    "tick": tick_is_due,
    "look": look_is_due,
    "alert": alert_is_due,
}
