"""Writes changes of appointments into the calendar events that they came from.

A write is done only when a sync reads it back: a server may answer and still show the old event for
a while. So after a write without an answer, the sync reads the event before it writes again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from frontdesk.connect.calendars.model import CalendarEvent
from frontdesk.connect.calendars.port import CalendarConflict, CalendarError, CalendarUnknown
from frontdesk.connect.calendars.staff_events import NewEvent, StaffCalendar
from frontdesk.core.contacts import plain_name
from frontdesk.core.decision import Command, Refused
from frontdesk.core.people import Person
from frontdesk.desks.reminders.calendar_events import MARK
from frontdesk.desks.reminders.commands import AskAboutEvent, NoteEvent
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import Appointment, EventTrouble
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.features.calendars.sync import BY, ORIGIN, Report
from frontdesk.logs import log
from frontdesk.values import Frozen


class EventWrites(Frozen):
    """Writes due changes. `calendars` has the calendars that we may write, by name."""

    engine: Engine
    clock: Clock
    calendars: Mapping[str, StaffCalendar]

    def follow(self, known: Appointment, event: CalendarEvent, report: Report) -> None:
        """Changes the event to match its appointment, unless staff changed it meanwhile."""
        due = known.event
        assert due is not None
        assert event.starts_at is not None
        if due.starts_at is None or (known.is_live and event.starts_at == known.starts_at):
            self._note(known, event.starts_at, report)
        elif event.starts_at != due.starts_at:
            self._ask(known, EventTrouble.CHANGED, report, event.starts_at)
        elif known.is_live:
            starts_at = known.starts_at
            self._write(known, event.calendar, report, lambda to: to.move(event, starts_at))
        else:
            self._write(known, event.calendar, report, lambda to: to.cancel(event))

    def miss(self, known: Appointment, report: Report) -> None:
        """Handles an appointment whose event is not in the calendar."""
        due = known.event
        assert due is not None
        if not known.is_live:
            self._note(known, None, report)
        elif due.starts_at is None:
            self._add(known, report)
        elif due.starts_at <= self.clock.now():  # the sync does not read past events
            self._ask(known, EventTrouble.FAILED, report)
        else:
            self._ask(known, EventTrouble.GONE, report)

    def _add(self, known: Appointment, report: Report) -> None:
        ar = reminder_reads(self.engine.reads())
        new = new_event(known, ar.person(known.person_id), ar.rules().zone)
        self._write(known, known.calendar, report, lambda to: to.add(new))

    def _write(
        self,
        known: Appointment,
        calendar: str,
        report: Report,
        change: Callable[[StaffCalendar], None],
    ) -> None:
        to = self.calendars.get(calendar)
        if to is None:
            self._ask(known, EventTrouble.READ_ONLY, report)
            return
        try:
            change(to)
        except (CalendarConflict, CalendarUnknown):
            pass  # the next sync reads the event again
        except CalendarError as error:
            log("calendar.not_written", why=str(error))
            self._ask(known, EventTrouble.FAILED, report)
            return
        report.sync_again = True

    def _note(self, known: Appointment, starts_at: datetime | None, report: Report) -> None:
        self._run(NoteEvent(known.id, starts_at), report)

    def _ask(
        self,
        known: Appointment,
        trouble: EventTrouble,
        report: Report,
        found_at: datetime | None = None,
    ) -> None:
        self._run(AskAboutEvent(known.id, trouble, found_at), report)

    def _run(self, command: Command, report: Report) -> None:
        outcome = self.engine.run(command, by=BY, now=self.clock.now())
        report.did += not isinstance(outcome, Refused)


def new_event(known: Appointment, person: Person | None, zone: str) -> NewEvent:
    """The event of an appointment that was made here. It is read like one that staff wrote."""
    name = plain_name(known.name or (person.name if person else ""))
    what = f"{known.service} with {known.staff}" if known.staff else known.service
    contact = (person.email, person.mobile) if person else ()
    found = filter(None, (*contact, str(known.tags)))
    lines = [MARK, f"Name: {name}", f"Service: {known.service}", *found]
    return NewEvent(
        key=known.ref.removeprefix(ORIGIN),
        starts_at=known.starts_at,
        duration=known.duration,
        zone=zone,
        title=" - ".join(filter(None, (name, what))),
        description="\n".join(lines),
    )
