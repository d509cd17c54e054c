"""The job that writes a booking into the calendars of its resources.

Before it confirms a booking, it reads the span from the calendars once more: an event that staff
added meanwhile wins, unless staff knew that the calendar is busy and booked anyway. Every call
may be repeated: events have a stable key, the booking's id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from frontdesk.connect.calendars.port import (
    BusySource,
    CalendarDown,
    CalendarEntry,
    CalendarError,
    CalendarPort,
    CalendarRefused,
    CalendarUnknown,
    WrittenEvent,
)
from frontdesk.core.contacts import plain_name
from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job, JobId
from frontdesk.desks.booking.commands import (
    ConfirmBooking,
    NoteCalendarWrite,
    ReleaseBooking,
    ReportCalendarTrouble,
)
from frontdesk.desks.booking.decide.claims import BUSY_IN_CALENDAR
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingId, BookingStatus, CalendarLink
from frontdesk.desks.booking.rules import BookingRules, Resource
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen, replace

Calendars = Callable[[], Mapping[str, BusySource]]
"""Returns the connected calendars by name. One that can be written is a `CalendarPort`."""

NOT_CONNECTED: Final = "This calendar is not connected."
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


class CalendarWriter(Frozen):
    """Runs the job: reads, writes, and returns the command with the result."""

    reads: Callable[[], Reads]
    calendars: Calendars

    def run(self, job: Job) -> Command:
        bk = booking_reads(self.reads())
        booking, rules = bk.booking(BookingId(job.subject)), bk.rules()
        if booking is None:
            return ConfirmBooking(BookingId(job.subject), job.id)
        if not booking.takes_time:
            return self._clear(booking, job.id)
        is_known_clash = BUSY_IN_CALENDAR in booking.overrides
        if booking.status is BookingStatus.CLAIMED and not is_known_clash:
            stopped = self._read_again(booking, rules, job.id)
            if stopped is not None:
                return stopped
        return self._write(booking, rules, job.id)

    def _read_again(self, booking: Booking, rules: BookingRules, job_id: JobId) -> Command | None:
        """Releases a claim if a calendar is busy after all. Reports a calendar that cannot be read,
        and keeps the claim, which excludes other bookings."""
        start = booking.starts_at - booking.buffer_before
        end = booking.ends_at + booking.buffer_after
        for name in calendar_names(_resources(booking, rules)):
            source = self.calendars().get(name)
            try:
                if source is not None and _is_busy(source, start, end):
                    why = f"The calendar {name} has another event at this time."
                    return self._released(booking, job_id, why)
            except CalendarError as error:
                links = self._wanted_links(booking, rules).values()
                return self._trouble(booking, job_id, name, str(error), links)
        return None

    def _wanted_links(self, booking: Booking, rules: BookingRules) -> dict[str, CalendarLink]:
        """The events of the booking by calendar, including those that are not written yet."""
        wanted = self._writable(written_calendars(_resources(booking, rules)))
        known = {link.calendar: link for link in booking.calendars}
        return {name: CalendarLink(name) for name in wanted} | known

    def _released(self, booking: Booking, job_id: JobId, why: str) -> Command:
        """Removes events that an earlier run of the job may have written."""
        cleared = self._clear(booking, job_id)
        if isinstance(cleared, ReportCalendarTrouble):
            return cleared
        return ReleaseBooking(booking.id, job_id, why)

    def _write(self, booking: Booking, rules: BookingRules, job_id: JobId) -> Command:
        links = {link.calendar: link for link in booking.calendars}
        entry = calendar_entry(booking, rules)
        wanted = self._writable(written_calendars(_resources(booking, rules)))
        for name in wanted:
            link = links.get(name, CalendarLink(name))
            try:
                written = self._put(name, replace(entry, generation=link.generation), link.event_id)
            except CalendarRefused as refused:
                if booking.status is BookingStatus.CLAIMED:
                    return self._released(booking, job_id, f"The calendar {name}: {refused}")
                return self._trouble(booking, job_id, name, str(refused), links.values())
            except CalendarError as error:
                links.setdefault(name, link)
                return self._trouble(booking, job_id, name, str(error), links.values())
            links[name] = replace(
                link, event_id=written.event_id, written_sequence=booking.sequence
            )
        try:
            self._remove_from(booking, [link for name, link in links.items() if name not in wanted])
        except CalendarError as error:
            return self._trouble(booking, job_id, "", str(error), links.values())
        result = NoteCalendarWrite if booking.status is BookingStatus.CONFIRMED else ConfirmBooking
        return result(booking.id, job_id, tuple(links[name] for name in wanted))

    def _writable(self, names: Iterable[str]) -> list[str]:
        """Leaves out calendars that can only be read. Keeps those that are not connected, so that
        writing reports them."""
        known = self.calendars()
        return [name for name in names if isinstance(known.get(name), CalendarPort | None)]

    def _put(self, name: str, entry: CalendarEntry, event_id: str) -> WrittenEvent:
        """Writes the event. After an unknown outcome, looks it up before it writes again."""
        calendar = self._port(name)
        try:
            return calendar.put(entry, event_id)
        except CalendarUnknown:
            found = calendar.find(entry.key, event_id)
        if found is not None and not found.cancelled and _is_like(found, entry):
            return found
        return calendar.put(entry, found.event_id if found else event_id)

    def _clear(self, booking: Booking, job_id: JobId) -> Command:
        """Removes the events of a booking that has ended."""
        try:
            self._remove_from(booking, booking.calendars)
        except CalendarError as error:
            return self._trouble(booking, job_id, "", str(error), booking.calendars)
        gone = (replace(link, written_sequence=booking.sequence) for link in booking.calendars)
        return NoteCalendarWrite(booking.id, job_id, tuple(gone))

    def _remove_from(self, booking: Booking, links: Iterable[CalendarLink]) -> None:
        for link in links:
            self._port(link.calendar).remove(booking.id, link.event_id)

    def _port(self, name: str) -> CalendarPort:
        calendar = self.calendars().get(name)
        if not isinstance(calendar, CalendarPort):
            raise CalendarDown(NOT_CONNECTED)
        return calendar

    @staticmethod
    def _trouble(
        booking: Booking, job_id: JobId, name: str, why: str, links: Iterable[CalendarLink]
    ) -> Command:
        return ReportCalendarTrouble(booking.id, job_id, name, why, tuple(links))


def calendar_entry(booking: Booking, rules: BookingRules) -> CalendarEntry:
    """The event for staff: the title that the business chose, and no answers."""
    name = plain_name(booking.name)
    shown = {
        "service": booking.service,
        "name": name,
        "first_name": name.split()[0] if name else "",
        "party": str(booking.party),
        "price": f"{booking.price_cents / 100:.2f}",
    }
    title = _PLACEHOLDER.sub(lambda found: shown.get(found[1], found[0]), rules.event_title)
    return CalendarEntry(
        key=booking.id,
        starts_at=booking.starts_at,
        ends_at=booking.ends_at,
        zone=rules.zone,
        title=title.strip(" ,") or booking.service,
        sequence=booking.sequence,
    )


def calendar_names(resources: Iterable[Resource]) -> list[str]:
    """The calendars of the resources, each once."""
    return list(dict.fromkeys(ref.name for one in resources for ref in one.calendars))


def written_calendars(resources: Iterable[Resource]) -> list[str]:
    """The calendars that bookings of the resources are written into, each once."""
    refs = (ref for one in resources for ref in one.calendars)
    return list(dict.fromkeys(ref.name for ref in refs if ref.write))


def _resources(booking: Booking, rules: BookingRules) -> Sequence[Resource]:
    return [one for one in map(rules.resource, booking.resources) if one is not None]


def _is_busy(source: BusySource, start: datetime, end: datetime) -> bool:
    spans = source.busy(start, end)
    return any(span.starts_at < end and start < span.ends_at for span in spans)


def _is_like(found: WrittenEvent, entry: CalendarEntry) -> bool:
    return (found.starts_at, found.ends_at) == (entry.starts_at, entry.ends_at)
