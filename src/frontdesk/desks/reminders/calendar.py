"""Turns `#appt` events of calendars into appointments, or into proposals for staff."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.model import CalendarEvent
from frontdesk.connect.calendars.staff_events import StaffCalendar, event_uid
from frontdesk.core.decision import Command, Fact, Refused
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.mail import MailId
from frontdesk.core.people import PersonId
from frontdesk.desks.reminders.calendar_events import EventVisit, read_event
from frontdesk.desks.reminders.calendar_writes import EventWrites
from frontdesk.desks.reminders.commands import (
    DiscardProposal,
    EndAppointment,
    Propose,
    RecordAppointment,
)
from frontdesk.desks.reminders.facts import CalendarHalted
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    CODE,
    Appointment,
    AppointmentSource,
    AppointmentState,
    appointment_id,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.features.calendars.sync import (
    AHEAD,
    BY,
    ORIGIN,
    SERIES_AHEAD,
    Report,
    Unclear,
    in_series,
    series_of,
)
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.features.proposals.model import (
    Proposal,
    ProposalId,
    ProposalStatus,
    ReadField,
)
from frontdesk.reading.model import Confidence, Context, Reader, ServiceNames
from frontdesk.values import Frozen, field, replace

MOST_PROPOSED: Final = 500
MOST_TEXT: Final = 4_500
_SOURCE: Final = AppointmentSource.CALENDAR
#: The UID of an event that we wrote for an appointment.
_CLAIMED: Final = re.compile("([0-9a-f]{32})" + re.escape(event_uid("")))


class CalendarVisit(Frozen):
    """An appointment that came from an event, or an open proposal made from one."""

    id: str
    origin: str
    appointment: Appointment | None = None


class _Findings(Frozen):
    """Caches lookups of one sync. `reader` makes a new one."""

    approved: dict[str, Appointment] = field(default_factory=dict)
    """One appointment of each series that staff have approved."""
    proposed: set[str] = field(default_factory=set)
    """The series that were proposed: one approval is enough for all of it."""


class AppointmentCalendar(Frozen, kw_only=True):
    """The part of the calendar sync that knows appointments. Events of trusted calendars need no
    approval."""

    engine: Engine
    clock: Clock
    reader_of_text: Reader
    country: str
    trusted: frozenset[str] = frozenset()
    """The names of trusted calendars."""
    our_addresses: frozenset[str] = frozenset()
    calendars: Mapping[str, StaffCalendar] = field(default_factory=dict)
    """The calendars that we may write, by name."""
    code: str = CODE
    noun: str = "appointments"
    _look: list[_Findings] = field(default_factory=list)

    @property
    def _ar(self) -> ReminderReads:
        return reminder_reads(self.engine.reads())

    @property
    def _writes(self) -> EventWrites:
        return EventWrites(self.engine, self.clock, self.calendars)

    def zone(self) -> ZoneInfo:
        return zone(self._ar.rules().zone)

    def reader(
        self, _events: Sequence[CalendarEvent]
    ) -> Callable[[CalendarEvent], EventVisit | Unclear | None]:
        ar, tz = self._ar, self.zone()
        self._look[:] = [_Findings()]
        catalogue = ar.setting(CATALOGUE)
        team = (ar.person(each) for each in ar.staff())
        ours = {each.email.lower() for each in team if each} | self.our_addresses
        context = Context(
            today=to_wall(self.clock.now(), tz).date(),
            zone=tz,
            country=self.country,
            services=tuple(ServiceNames(one.name, one.aliases) for one in catalogue.services),
            staff=catalogue.staff,
        )
        return lambda event: read_event(
            event, catalogue, self.reader_of_text, context, frozenset(ours)
        )

    def origin_of(self, event: CalendarEvent) -> str:
        """The origin does not contain the time, because a moved event stays the same appointment.
        An event of a series has the day from the rule in its origin."""
        if found := _CLAIMED.fullmatch(event.uid):
            own = self._ar.appointment(appointment_id(_SOURCE, f"{ORIGIN}{found[1]}"))
            if own is not None and own.calendar == event.calendar:
                return own.ref
        uid = blake2b(f"{event.calendar}\0{event.uid or event.title}".encode(), digest_size=16)
        origin = f"{ORIGIN}{uid.hexdigest()}"
        if event.occurrence is None or self._was_single(origin, event):
            return origin
        return in_series(origin, event, self.zone())

    def _was_single(self, origin: str, event: CalendarEvent) -> bool:
        """Whether staff made a single event repeat. Its first appointment then keeps its origin."""
        one = self._ar.appointment(appointment_id(_SOURCE, origin))
        if one is None or event.occurrence is None:
            return False
        days = {to_wall(at, self.zone()).date() for at in (one.starts_at, event.occurrence)}
        return len(days) == 1 or one.starts_at == event.starts_at

    def items(self, start: datetime, end: datetime) -> Sequence[CalendarVisit]:
        ar = self._ar
        visits = [
            CalendarVisit(one.id, one.ref, one)
            for one in ar.appointments_between(start, end)
            if one.source is _SOURCE
        ]
        there = {one.origin for one in visits}
        waiting = [
            CalendarVisit(one.id, one.origin)
            for one in ar.proposals(ProposalStatus.OPEN, MOST_PROPOSED)
            if one.origin and one.origin not in there
        ]
        return [*visits, *waiting]

    def is_open(self, item: CalendarVisit) -> bool:
        """Whether the removal of the event would cancel an appointment. False for a proposal, and
        for an event that we have yet to change."""
        one = item.appointment
        return one is not None and one.is_live and one.event is None

    def put(
        self,
        origin: str,
        event: CalendarEvent,
        meant: EventVisit,
        _item: CalendarVisit | None,
        report: Report,
    ) -> None:
        known = self._ar.appointment(appointment_id(_SOURCE, origin))
        if known is not None and known.event is not None:
            self._writes.follow(known, event, report)
            return
        if known is not None and not known.is_live:
            if known.starts_at != event.starts_at and known.state is AppointmentState.CANCELLED:
                report.problem(event.title, event.starts_at, _ENDED)
            return
        if self._is_trusted(event, known, meant) and meant.is_complete:
            self._take(self._record(origin, meant), event, report)
        elif approved := known or self._approved(origin):
            self._take(self._moved(approved, origin, meant), event, report)
        else:
            self._propose_once(origin, meant, report)

    def _take(self, record: RecordAppointment, event: CalendarEvent, report: Report) -> None:
        outcome = self._run(record)
        if not isinstance(outcome, Refused):
            report.did += 1
        elif outcome.reason is not Reason.UNCHANGED:
            why = _REFUSED.get(outcome.reason, "It was not taken.")
            report.problem(event.title, event.starts_at, why)

    def _is_trusted(
        self, event: CalendarEvent, known: Appointment | None, meant: EventVisit
    ) -> bool:
        """Whether the event can name the customer. An event that we wrote says nothing new about
        the customer, unless staff have given it to somebody else."""
        if event.calendar not in self.trusted:
            return False
        return not _CLAIMED.fullmatch(event.uid) or self._is_of_another(known, meant)

    def _is_of_another(self, known: Appointment | None, meant: EventVisit) -> bool:
        """Whether both the name and the contact differ from those of the customer."""
        person = self._ar.person(known.person_id) if known else None
        if known is None or person is None:
            return False
        names = {each.casefold() for each in (known.name, person.name) if each}
        written = {meant.value("email").lower(), meant.value("phone")} - {""}
        is_theirs = bool(written & {person.email.lower(), person.mobile, known.phone})
        return meant.value("name").casefold() not in names and not is_theirs

    def _approved(self, origin: str) -> Appointment | None:
        """An appointment of the same series: staff approved its customer and service."""
        [look], now = self._look, self.clock.now()
        if not look.approved:
            for one in self._ar.appointments_between(now - SERIES_AHEAD, now + AHEAD):
                if one.source is _SOURCE:
                    look.approved.setdefault(series_of(one.ref) or one.ref, one)
        return look.approved.get(series_of(origin))

    def _propose_once(self, origin: str, meant: EventVisit, report: Report) -> None:
        """Proposes only the next event of a series."""
        [look], series = self._look, series_of(origin)
        if series not in look.proposed:
            self._propose(origin, meant, report)
        if series:
            look.proposed.add(series)

    def remove(self, item: CalendarVisit, report: Report) -> None:
        one = item.appointment
        if one is None:
            self._discard(ProposalId(item.id), report)
        elif one.event is not None:
            self._writes.miss(one, report)
        elif one.is_live:
            report.did += not isinstance(self._run(EndAppointment(one.id)), Refused)

    def halted(self, missing: int, at: datetime) -> Fact:
        return CalendarHalted(missing, at)

    # --- commands -----------------------------------------------------------------------------

    def _record(self, origin: str, meant: EventVisit) -> RecordAppointment:
        """Records the event with its customer. Corrects nobody's contact, because guests write
        their own names."""
        assert meant.event.starts_at is not None
        return RecordAppointment(
            source=_SOURCE,
            ref=origin,
            person_id=PersonId(self.engine.new_id()),
            name=meant.value("name"),
            email=meant.value("email"),
            mobile=meant.value("phone"),
            service=meant.value("service"),
            starts_at=meant.event.starts_at,
            duration=meant.duration,
            staff=meant.value("staff"),
            tags=meant.tags,
            calendar=meant.event.calendar,
        )

    def _moved(self, known: Appointment, origin: str, meant: EventVisit) -> RecordAppointment:
        """Records only time, length and tags: staff approved the customer and the service."""
        assert meant.event.starts_at is not None
        person = self._ar.person(known.person_id)
        return RecordAppointment(
            source=_SOURCE,
            ref=origin,
            person_id=known.person_id,
            name=person.name if person else "",
            email=person.email if person else "",
            mobile=person.mobile if person else "",
            service=known.service,
            starts_at=meant.event.starts_at,
            duration=meant.duration,
            staff=known.staff,
            tags=replace(meant.tags, mail_only=known.tags.mail_only),
            phone=known.phone,
            calendar=meant.event.calendar,
        )

    def _propose(self, origin: str, meant: EventVisit, report: Report) -> None:
        """Proposes an event once. A changed event replaces its earlier proposal."""
        ar, found = self._ar, self._proposal(origin, meant)
        for one in ar.proposals(ProposalStatus.OPEN, MOST_PROPOSED):
            if one.origin == origin and one.id != found.id:
                self._discard(one.id, report)
        if ar.proposal(found.id) is None:
            report.did += not isinstance(self._run(Propose(found)), Refused)

    def _proposal(self, origin: str, meant: EventVisit) -> Proposal:
        event = meant.event
        assert event.starts_at is not None
        wall = to_wall(event.starts_at, self.zone())
        sure = Confidence.CONFIDENT.value
        fields = (
            *meant.fields,
            ReadField("date", wall.date().isoformat(), sure, ""),
            ReadField("time", f"{wall:%H:%M}", sure, ""),
            ReadField("minutes", str(int(meant.duration.total_seconds()) // 60), sure, ""),
            ReadField("tags", str(meant.tags), sure, ""),
        )
        told = "\0".join((origin, str(event.starts_at), str(event.ends_at), meant.text))
        return Proposal(
            id=ProposalId(blake2b(told.encode(), digest_size=16).hexdigest()),
            mail_id=MailId(""),
            sender="",
            received_at=self.clock.now().replace(microsecond=0),
            fields=fields,
            text=f"{meant.text}{_SERIES if event.occurrence else ''}"[:MOST_TEXT],
            origin=origin,
        )

    def _discard(self, proposal_id: ProposalId, report: Report) -> None:
        report.did += not isinstance(self._run(DiscardProposal(proposal_id)), Refused)

    def _run(self, command: Command) -> object:
        return self.engine.run(command, by=BY, now=self.clock.now())


_SERIES: Final = "\n\nIt repeats: if you approve it, its next times need no approval."
_ENDED: Final = "It was cancelled. Please make a new event for another time."
_REFUSED: Final[Mapping[object, str]] = {
    Reason.TOO_LATE: "Its time has passed.",
    Reason.BAD_APPOINTMENT: "It names no customer, no contact or no service.",
}
