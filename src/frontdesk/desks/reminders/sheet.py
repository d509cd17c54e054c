"""The appointments as a sheet: its columns, their parsers, and the commands for changed rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

from frontdesk.core.consents import statement_in_cell
from frontdesk.core.localtime import to_instant, to_wall, zone
from frontdesk.core.people import Person, PersonId
from frontdesk.desks.reminders.commands import EndAppointment, RecordAppointment
from frontdesk.desks.reminders.facts import SheetHalted, SheetTroubled
from frontdesk.desks.reminders.model import (
    CODE,
    LONGEST_VISIT,
    MOST_TEXT,
    Appointment,
    AppointmentId,
    AppointmentSource,
    AppointmentState,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.desks.reminders.tags import parse_tags
from frontdesk.features.catalogue.model import CATALOGUE, Catalogue
from frontdesk.features.sheet_sync import schema as sheet
from frontdesk.features.sheet_sync.dates import read_clock, read_day, read_moment
from frontdesk.features.sheet_sync.schema import (
    ERASED,
    NOTHING,
    BadCell,
    ColumnKind,
    Columns,
    Fields,
    SheetColumn,
    SheetTable,
)
from frontdesk.values import Frozen

#: The sync does not change rows of older visits.
KEPT: Final = timedelta(days=90)
USUAL: Final = timedelta(hours=1)
_LONGEST_MINUTES: Final = int(LONGEST_VISIT.total_seconds()) // 60
_MINUTES: Final = re.compile(
    r"(\d{1,4})(?:\.0+)? ?(?:m|min|mins|minutes|minuten|')?", re.IGNORECASE
)
_E164: Final = re.compile(r"\+\d{6,15}")


class VisitColumn(StrEnum):
    """The keys of the columns. The feature defines those for a person, the id and the status."""

    NAME = sheet.NAME
    MOBILE = sheet.MOBILE
    EMAIL = sheet.EMAIL
    SERVICE = "service"
    DATE = sheet.DATE
    TIME = sheet.TIME
    WHEN = sheet.WHEN
    MINUTES = "minutes"
    STAFF = "with"
    TAGS = "notes"
    CONSENT = sheet.CONSENT
    ID = sheet.ID
    STATUS = sheet.STATUS


# --- parsing cells --------------------------------------------------------------------------


def _service(cell: str, schema: VisitSchema) -> Fields:
    if not cell:
        return {}
    if len(cell) > MOST_TEXT:
        raise BadCell("That is too long for a service.")
    known = schema.catalogue.service(cell)
    return {VisitColumn.SERVICE: known.name if known else " ".join(cell.split())}


def _date(cell: str, schema: VisitSchema) -> Fields:
    if cell.casefold() in NOTHING:
        return {}
    return {VisitColumn.DATE: read_day(cell, schema.country, schema.today).isoformat()}


def _time(cell: str, _schema: VisitSchema) -> Fields:
    if cell.casefold() in NOTHING:
        return {}
    return {VisitColumn.TIME: f"{read_clock(cell):%H:%M}"}


def _when(cell: str, schema: VisitSchema) -> Fields:
    if cell.casefold() in NOTHING:
        return {}
    day, clock = read_moment(cell, schema.country, schema.today)
    return {VisitColumn.DATE: day.isoformat(), VisitColumn.TIME: f"{clock:%H:%M}"}


def _minutes(cell: str, _schema: VisitSchema) -> Fields:
    if cell.casefold() in NOTHING:
        return {}
    found = _MINUTES.fullmatch(cell)
    if found is None or not 1 <= int(found[1]) <= _LONGEST_MINUTES:
        raise BadCell("The length should be a number of minutes.")
    return {VisitColumn.MINUTES: str(int(found[1]))}


def _staff(cell: str, schema: VisitSchema) -> Fields:
    if cell.casefold() in NOTHING:
        return {}
    if len(cell) > MOST_TEXT:
        raise BadCell("That is too long for a name.")
    return {VisitColumn.STAFF: schema.catalogue.member(cell) or " ".join(cell.split())}


def _tags(cell: str, _schema: VisitSchema) -> Fields:
    """Reads the tags alone: notes stay in the sheet."""
    found = str(parse_tags(cell))
    return {VisitColumn.TAGS: found} if found else {}


COLUMNS: Final = Columns(
    SheetColumn(
        VisitColumn.SERVICE,
        "service, services, treatment, appointment type, type, for, what, reason, Leistung,"
        " Behandlung, prestation, servicio, tratamiento",
        _service,
        required="It does not say for which service.",
    ),
    SheetColumn(
        VisitColumn.DATE,
        "date, day, on, appointment date, visit date, Datum, Tag, jour, fecha, día",
        _date,
        ColumnKind.DATE,
        required="It does not say on which day.",
    ),
    SheetColumn(
        VisitColumn.TIME,
        "time, at, start time, appointment time, hour, from, Uhrzeit, Zeit, um, heure, hora",
        _time,
        ColumnKind.CLOCK,
        required="It does not say at what time.",
    ),
    SheetColumn(
        VisitColumn.WHEN,
        "when, date and time, date time, datetime, starts, start, starts at, begins, appointment,"
        " Termin, rendez-vous, cita",
        _when,
        ColumnKind.TIME,
    ),
    SheetColumn(
        VisitColumn.MINUTES,
        "minutes, min, mins, duration, length, how long, Dauer, Minuten, durée, duración",
        _minutes,
        ColumnKind.NUMBER,
    ),
    SheetColumn(
        VisitColumn.STAFF,
        "with, with whom, staff, stylist, therapist, doctor, dentist, barber, team member,"
        " practitioner, provider, Mitarbeiter, Mitarbeiterin, bei, avec, con, profesional",
        _staff,
        can_be_cleared=True,
    ),
    SheetColumn(
        VisitColumn.TAGS,
        "notes, note, tags, tag, remarks, remark, comment, comments, Notiz, Notizen, Bemerkung,"
        " remarque, notas",
        _tags,
        can_be_cleared=True,
    ),
    topic="time",
    topic_keys=(VisitColumn.DATE, VisitColumn.TIME, VisitColumn.STAFF),
)


# --- rows and commands ----------------------------------------------------------------------

NO_ANSWER: Final = "no answer yet"
WANTS_TO_MOVE: Final = "wants another time"
_STATUS: Final[Mapping[AppointmentState, str]] = {
    AppointmentState.EXPECTED: NO_ANSWER,
    AppointmentState.CONFIRMED: "confirmed",
    AppointmentState.CANCELLED: "cancelled",
    AppointmentState.NO_SHOW: "no-show",
    AppointmentState.CAME: "came",
}


class VisitRow(Frozen):
    """An appointment with its customer, as of one moment."""

    appointment: Appointment
    person: Person
    zone: ZoneInfo
    now: datetime
    why_fixed: ClassVar[str] = ""

    @property
    def id(self) -> str:
        return self.appointment.id

    @property
    def person_id(self) -> str:
        return self.person.id

    @property
    def name(self) -> str:
        return self.appointment.name or self.person.name

    @property
    def email(self) -> str:
        return self.person.email

    @property
    def mobile(self) -> str:
        """The number, or the text that staff wrote instead of a valid one."""
        return self.person.mobile or self.appointment.phone

    @property
    def wall(self) -> datetime:
        return to_wall(self.appointment.starts_at, self.zone)

    @property
    def topic(self) -> str:
        return " ".join(filter(None, (f"{self.wall:%Y-%m-%d %H:%M}", self.appointment.staff)))

    @property
    def is_listed(self) -> bool:
        """False for past visits, so that staff may remove their rows without a cancellation."""
        return self.appointment.is_live and self.appointment.ends_at > self.now

    @property
    def is_erased(self) -> bool:
        return self.person.erased

    @property
    def can_return(self) -> bool:
        return not self.is_erased

    @property
    def position(self) -> tuple[Any, ...]:
        return (self.appointment.starts_at, self.appointment.id)

    @property
    def status(self) -> str:
        one = self.appointment
        if one.state is AppointmentState.EXPECTED and one.answered_at is not None:
            return WANTS_TO_MOVE
        return _STATUS[one.state]


class VisitSchema(Frozen):
    """The sheet's schema: its columns, and how this business reads and changes its rows."""

    country: str
    zone: ZoneInfo
    wall: datetime
    """The local time, rounded to the hour: equal schemas read cells in the same way."""
    catalogue: Catalogue = Catalogue()

    columns: ClassVar[Columns] = COLUMNS
    #: Without the name: each row may have its own, such as a child's.
    shared: ClassVar[Collection[str]] = frozenset((sheet.MOBILE, sheet.EMAIL))
    listed: ClassVar[Collection[str]] = frozenset(
        (NO_ANSWER, WANTS_TO_MOVE, _STATUS[AppointmentState.CONFIRMED])
    )

    @property
    def today(self) -> date:
        return self.wall.date()

    def fields_of(self, row: VisitRow) -> Fields:
        one = row.appointment
        fields = {
            VisitColumn.NAME: row.name,
            VisitColumn.MOBILE: row.mobile,
            VisitColumn.EMAIL: row.email,
            VisitColumn.SERVICE: one.service,
            VisitColumn.DATE: row.wall.date().isoformat(),
            VisitColumn.TIME: f"{row.wall:%H:%M}",
            VisitColumn.MINUTES: str(int(one.duration.total_seconds()) // 60),
            VisitColumn.STAFF: one.staff,
            VisitColumn.TAGS: str(one.tags),
            VisitColumn.CONSENT: one.consent,
            VisitColumn.ID: one.id,
            VisitColumn.STATUS: ERASED if row.is_erased else row.status,
        }
        return {key: text for key, text in fields.items() if text}

    def complete(self, fields: Fields) -> Fields:
        """Adds the usual length of the service to a visit without a length."""
        if VisitColumn.MINUTES in fields:
            return fields
        known = self.catalogue.service(fields[VisitColumn.SERVICE])
        usual = known.duration if known else USUAL
        return {**fields, VisitColumn.MINUTES: str(max(int(usual.total_seconds()) // 60, 1))}

    def is_over(self, fields: Fields) -> bool:
        day, clock = fields.get(VisitColumn.DATE, ""), fields.get(VisitColumn.TIME, "23:59")
        return bool(day) and f"{day} {clock}" < f"{self.wall:%Y-%m-%d %H:%M}"

    def problems(self, _fields: Fields) -> Iterable[tuple[str, str]]:
        return ()

    def change_problems(self, before: Fields, after: Fields) -> Iterable[tuple[str, str]]:
        if self.is_over(after) and _moment(after) != _moment(before):
            yield VisitColumn.DATE, _PASSED

    def is_revived(self, _row: VisitRow, before: Fields, after: Fields) -> bool:
        """Whether staff gave a past or cancelled visit another time."""
        return _moment(before) != _moment(after) and not self.is_over(after)

    def add(
        self, fields: Fields, new_id: Callable[[], str], _row: VisitRow | None
    ) -> RecordAppointment:
        """Adds an appointment. A row that returns makes a new appointment, because the old one has
        ended."""
        return self.record(fields, AppointmentSource.SHEET, new_id(), PersonId(new_id()))

    def edit(self, row: VisitRow, fields: Fields, new_id: Callable[[], str]) -> RecordAppointment:
        one = row.appointment
        return self.record(fields, one.source, one.ref, PersonId(new_id()))

    def record(
        self, fields: Fields, source: AppointmentSource, ref: str, person_id: PersonId
    ) -> RecordAppointment:
        """The command for a row. `person_id` is used for a new person."""
        number = fields.get(VisitColumn.MOBILE, "")
        is_known = _E164.fullmatch(number) is not None
        return RecordAppointment(
            source=source,
            ref=ref,
            person_id=person_id,
            name=fields[VisitColumn.NAME],
            email=fields.get(VisitColumn.EMAIL, ""),
            mobile=number if is_known else "",
            service=fields[VisitColumn.SERVICE],
            starts_at=self.starts_at(fields),
            duration=timedelta(minutes=int(fields[VisitColumn.MINUTES])),
            staff=fields.get(VisitColumn.STAFF, ""),
            tags=parse_tags(fields.get(VisitColumn.TAGS, "")),
            phone="" if is_known else number,
            consent=statement_in_cell(fields.get(VisitColumn.CONSENT, "")),
            corrects=True,
        )

    def remove(self, row_id: str) -> EndAppointment:
        return EndAppointment(AppointmentId(row_id))

    def starts_at(self, fields: Fields) -> datetime:
        day = date.fromisoformat(fields[VisitColumn.DATE])
        clock = time.fromisoformat(fields[VisitColumn.TIME])
        return to_instant(datetime.combine(day, clock), self.zone)


_PASSED: Final = "This time has passed."


def _moment(fields: Fields) -> tuple[str, str]:
    return fields.get(VisitColumn.DATE, ""), fields.get(VisitColumn.TIME, "")


def visit_schema(
    rules: ReminderRules, catalogue: Catalogue, country: str, now: datetime
) -> VisitSchema:
    here = zone(rules.zone)
    wall = to_wall(now, here).replace(minute=0, second=0, microsecond=0)
    return VisitSchema(country, here, wall, catalogue)


def visit_rows(ar: ReminderReads, now: datetime) -> Sequence[VisitRow]:
    here = zone(ar.rules().zone)
    return [VisitRow(one, person, here, now) for one, person in ar.sheet_rows(now - KEPT)]


def visit_table(country: str) -> SheetTable:
    return SheetTable(
        CODE,
        rows=visit_rows,
        schema=lambda ar, now: visit_schema(ar.rules(), ar.setting(CATALOGUE), country, now),
        refusals=REFUSALS,
        unchanged=Reason.UNCHANGED,
        changed_meanwhile=Reason.ENDED,
        halted=SheetHalted,
        troubled=SheetTroubled,
        local_times=(VisitColumn.DATE, VisitColumn.TIME),
        zone=lambda ar: ar.rules().zone,
    )


REFUSALS: Final[Mapping[Reason, str]] = {
    Reason.TOO_LATE: _PASSED,
    Reason.BAD_APPOINTMENT: "Give an e-mail address, or the number with + and the country's code.",
    Reason.OF_THE_TEAM: "They sign in here: their contact is changed under Team.",
}
