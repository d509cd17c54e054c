"""The waitlist as a sheet: its columns, their parsers, and the commands for changed rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

from frontdesk.core.consents import statement_in_cell
from frontdesk.core.localtime import to_instant, to_wall, zone
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import EditEntry, JoinList, LeaveList
from frontdesk.desks.waitlist.facts import SheetHalted, SheetTroubled
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane, Rules, Wish
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.features.sheet_sync.dates import read_day, read_wall
from frontdesk.features.sheet_sync.schema import (
    CONSENT,
    EMAIL,
    ERASED,
    MOBILE,
    NAME,
    NOTHING,
    BadCell,
    ColumnKind,
    Columns,
    Fields,
    SheetColumn,
    SheetTable,
)
from frontdesk.values import Frozen, replace

LARGEST_PARTY: Final = 1_000
MAX_CHARACTERS: Final = 200
#: The time span of a row without a last day.
OPEN_END: Final = timedelta(days=365)
_NOBODY: Final = NOTHING | {"anyone", "anybody", "no preference"}
_YES: Final = frozenset(("yes", "y", "x", "1", "true", "high", "vip", "priority", "urgent", "✓"))
_NO: Final = frozenset(("", "no", "n", "0", "false", "low", "normal", "-"))
_PARTY: Final = re.compile(r"(\d{1,4})(?:\.0+)?(?: ?(?:pax|people|persons?|p))?", re.IGNORECASE)


class ListColumn(StrEnum):
    """The keys of the columns. The feature defines those for a person, the id and the status."""

    NAME = "name"
    MOBILE = "mobile"
    EMAIL = "e-mail"
    CONTACT = "contact"
    SERVICE = "service"
    PARTY = "party size"
    EARLIEST = "earliest"
    LATEST = "latest"
    STAFF = "staff"
    PRIORITY = "priority"
    JOINED = "joined"
    CONSENT = CONSENT
    ID = "id"
    STATUS = "status"


# --- parsing cells --------------------------------------------------------------------------


def _service(cell: str, schema: ListSchema) -> Fields:
    if not cell:
        return {}
    if len(cell) > MAX_CHARACTERS:
        raise BadCell("That is too long for a service.")
    if not schema.catalogue.services:
        return {ListColumn.SERVICE: " ".join(cell.split())}
    service = schema.catalogue.service(cell)
    if service is None:
        raise BadCell(f"There is no such service. {_choose(schema.catalogue.names)}")
    return {ListColumn.SERVICE: service.name}


def _party(cell: str, _schema: ListSchema) -> Fields:
    if not cell:
        return {}
    found = _PARTY.fullmatch(cell)
    if found is None or not 1 <= int(found[1]) <= LARGEST_PARTY:
        raise BadCell(f"The party should be a number from 1 to {LARGEST_PARTY}.")
    return {ListColumn.PARTY: str(int(found[1]))}


def _day(column: ListColumn) -> Callable[[str, ListSchema], Fields]:
    def read(cell: str, schema: ListSchema) -> Fields:
        if cell.casefold() in NOTHING:
            return {}
        return {column: read_day(cell, schema.country, schema.today).isoformat()}

    return read


def _staff(cell: str, schema: ListSchema) -> Fields:
    if cell.casefold() in _NOBODY:
        return {}
    if len(cell) > MAX_CHARACTERS:
        raise BadCell("That is too long for a name.")
    member = schema.catalogue.member(cell) if schema.catalogue.staff else " ".join(cell.split())
    if member is None:
        raise BadCell(f"Nobody in the team has this name. {_choose(schema.catalogue.staff)}")
    return {ListColumn.STAFF: member}


def _choose(names: Sequence[str]) -> str:
    """'Choose one of these: Cut, Table.' If there are many, it says where to look."""
    if len(names) > _MOST_NAMED:
        return "Choose one that is listed under Services."
    return f"Choose one of these: {', '.join(names)}."


def _priority(cell: str, _schema: ListSchema) -> Fields:
    said = cell.casefold()
    if said not in _YES | _NO:
        raise BadCell("Write yes or no.")
    return {ListColumn.PRIORITY: "yes"} if said in _YES else {}


def _joined(cell: str, schema: ListSchema) -> Fields:
    if not cell:
        return {}
    joined = read_wall(cell, schema.country)
    if joined.date() > schema.today:
        raise BadCell("This is in the future.")
    return {ListColumn.JOINED: _minute(joined)}


COLUMNS: Final = Columns(
    SheetColumn(
        ListColumn.SERVICE,
        "service, services, treatment, appointment, appointment type, for, waiting for, what,"
        " type, Leistung, Behandlung, prestation, servicio, tratamiento",
        _service,
        required="It does not say for which service.",
    ),
    SheetColumn(
        ListColumn.PARTY,
        "party, party size, size, group size, pax, people, persons, guests, covers, how many,"
        " number of people, no of people, seats, Personen, Personenzahl, Anzahl, personnes,"
        " personas",
        _party,
        ColumnKind.NUMBER,
    ),
    SheetColumn(
        ListColumn.EARLIEST,
        "earliest, earliest date, from, from date, start, start date, after, not before,"
        " available from, frühestens, ab, von, au plus tôt, à partir de, desde",
        _day(ListColumn.EARLIEST),
        ColumnKind.DATE,
    ),
    SheetColumn(
        ListColumn.LATEST,
        "latest, latest date, until, till, to, to date, end, end date, before, by, not after,"
        " available until, spätestens, bis, au plus tard, jusqu'au, hasta",
        _day(ListColumn.LATEST),
        ColumnKind.DATE,
    ),
    SheetColumn(
        ListColumn.STAFF,
        "staff, staff preference, preferred staff, stylist, therapist, doctor, dentist, barber,"
        " with, with whom, team member, practitioner, prefers, Mitarbeiter, Mitarbeiterin, bei,"
        " avec, con, profesional",
        _staff,
        can_be_cleared=True,
    ),
    SheetColumn(
        ListColumn.PRIORITY,
        "priority, vip, urgent, important, priority customer, Priorität, dringend, priorité,"
        " prioridad",
        _priority,
        can_be_cleared=True,
    ),
    SheetColumn(
        ListColumn.JOINED,
        "joined, joined at, joined on, date joined, added, added at, added on, date added,"
        " since, waiting since, signed up, timestamp, requested, requested on, Eingetragen, seit,"
        " depuis, inscrit le",
        _joined,
        ColumnKind.TIME,
    ),
    topic=ListColumn.SERVICE,
)


# --- rows and commands ----------------------------------------------------------------------


class ListSchema(Frozen):
    """The list's schema: its columns, and how this business reads and changes its rows."""

    country: str
    zone: ZoneInfo
    today: date
    catalogue: Catalogue = Catalogue()

    columns: ClassVar[Columns] = COLUMNS
    shared: ClassVar[Collection[str]] = frozenset((NAME, MOBILE, EMAIL))
    listed: ClassVar[Collection[str]] = frozenset((EntryStatus.WAITING.value,))

    def fields_of(self, row: ListRow) -> Fields:
        entry, service = row.entry, self.catalogue.service(row.entry.service)
        fields = {
            ListColumn.NAME: row.name,
            ListColumn.MOBILE: row.mobile,
            ListColumn.EMAIL: row.email,
            ListColumn.SERVICE: service.name if service else entry.service,
            ListColumn.PARTY: str(entry.party),
            ListColumn.EARLIEST: entry.earliest_on.isoformat(),
            ListColumn.LATEST: entry.latest_on.isoformat(),
            ListColumn.STAFF: self.catalogue.member(entry.staff) or entry.staff,
            ListColumn.PRIORITY: "yes" if entry.priority else "",
            ListColumn.JOINED: _minute(to_wall(entry.joined_at, self.zone)),
            ListColumn.CONSENT: entry.consent,
            ListColumn.ID: entry.id,
            ListColumn.STATUS: ERASED if row.is_erased else entry.status.value,
        }
        return {key: text for key, text in fields.items() if text}

    def complete(self, fields: Fields) -> Fields:
        """Fills in missing days: from today, and for a year."""
        earliest = fields.get(ListColumn.EARLIEST) or self.today.isoformat()
        if ListColumn.LATEST in fields:
            return {**fields, ListColumn.EARLIEST: min(earliest, fields[ListColumn.LATEST])}
        latest = (date.fromisoformat(earliest) + OPEN_END).isoformat()
        return {**fields, ListColumn.EARLIEST: earliest, ListColumn.LATEST: latest}

    def is_over(self, _fields: Fields) -> bool:
        """Always False: a last day that has passed is a problem of the row instead."""
        return False

    def problems(self, fields: Fields) -> Iterable[tuple[str, str]]:
        earliest, latest = fields.get(ListColumn.EARLIEST, ""), fields.get(ListColumn.LATEST, "")
        if earliest and latest and latest < earliest:
            yield ListColumn.LATEST, _BEFORE_EARLIEST

    def change_problems(self, before: Fields, after: Fields) -> Iterable[tuple[str, str]]:
        latest = after.get(ListColumn.LATEST, "")
        if latest < self.today.isoformat() and latest != before.get(ListColumn.LATEST):
            yield ListColumn.LATEST, "The latest day has passed."
        elif after.get(ListColumn.EARLIEST, "") > latest:
            yield ListColumn.LATEST, _BEFORE_EARLIEST

    def is_revived(self, row: ListRow, before: Fields, after: Fields) -> bool:
        """Whether staff gave an expired entry a later last day."""
        later = after.get(ListColumn.LATEST, "") > before.get(ListColumn.LATEST, "")
        return row.entry.status is EntryStatus.EXPIRED and later

    def add(self, fields: Fields, new_id: Callable[[], str], row: ListRow | None) -> JoinList:
        """The command that adds or restores a row. A known row keeps the contact in our table."""
        if row is None:
            return self.join(fields, entry_id=new_id(), person_id=new_id(), lane=Lane.SHEET)
        known = {"entry_id": row.entry.id, "person_id": row.entry.person_id}
        joined_at = self.joined_at(fields, row)
        command = self.join(fields, **known, lane=Lane.SHEET)
        return replace(command, email=row.email, mobile=row.mobile, joined_at=joined_at)

    def join(self, fields: Fields, *, entry_id: str, person_id: str, lane: Lane) -> JoinList:
        return JoinList(
            EntryId(entry_id),
            PersonId(person_id),
            fields[ListColumn.NAME],
            fields.get(ListColumn.EMAIL, ""),
            wish_of(fields),
            lane,
            joined_at_of(fields, self.zone),
            fields.get(ListColumn.MOBILE, ""),
            consent=statement_in_cell(fields.get(ListColumn.CONSENT, "")),
        )

    def edit(self, row: ListRow, fields: Fields, new_id: Callable[[], str]) -> EditEntry:
        return EditEntry(
            row.entry.id,
            EntryId(new_id()),
            fields[ListColumn.NAME],
            fields.get(ListColumn.EMAIL, ""),
            fields.get(ListColumn.MOBILE, ""),
            wish_of(fields),
            self.joined_at(fields, row) or row.entry.joined_at,
            row.seen,
            consent=statement_in_cell(fields.get(ListColumn.CONSENT, "")),
        )

    def remove(self, row_id: str) -> LeaveList:
        return LeaveList(EntryId(row_id), quietly=True)

    def joined_at(self, fields: Fields, row: ListRow) -> datetime | None:
        """Keeps the exact time unless staff changed it, so that people who joined within the same
        minute stay in order."""
        if fields.get(ListColumn.JOINED) == self.fields_of(row)[ListColumn.JOINED]:
            return row.entry.joined_at
        return joined_at_of(fields, self.zone)


_BEFORE_EARLIEST: Final = "The latest day is before the earliest."


def wish_of(fields: Fields) -> Wish:
    """The wish of a completed row."""
    return Wish(
        fields[ListColumn.SERVICE],
        int(fields.get(ListColumn.PARTY, "1")),
        date.fromisoformat(fields[ListColumn.EARLIEST]),
        date.fromisoformat(fields[ListColumn.LATEST]),
        fields.get(ListColumn.STAFF, ""),
        fields.get(ListColumn.PRIORITY, "") == "yes",
    )


def joined_at_of(fields: Fields, zone: ZoneInfo) -> datetime | None:
    text = fields.get(ListColumn.JOINED, "")
    return to_instant(datetime.fromisoformat(text), zone) if text else None


def _minute(wall: datetime) -> str:
    return wall.strftime("%Y-%m-%d %H:%M")


# --- the table ------------------------------------------------------------------------------


def list_schema(rules: Rules, catalogue: Catalogue, country: str, now: datetime) -> ListSchema:
    here = zone(rules.zone)
    return ListSchema(country, here, to_wall(now, here).date(), catalogue)


def list_table(country: str) -> SheetTable:
    return SheetTable(
        "wl",
        rows=lambda wl, _now: wl.list_rows(),
        schema=lambda wl, now: list_schema(wl.rules(), wl.catalogue(), country, now),
        refusals=_REFUSALS,
        unchanged=Reason.UNCHANGED,
        changed_meanwhile=Reason.CHANGED_MEANWHILE,
        halted=SheetHalted,
        troubled=SheetTroubled,
    )


#: The most services or staff members that an error names.
_MOST_NAMED: Final = 12
_REFUSALS: Final[Mapping[Reason, str]] = {
    Reason.STOPPED: "They have asked for no offers any more.",
    Reason.ADDRESS_TAKEN: "Somebody else is known by this e-mail address or mobile.",
    Reason.OF_THE_TEAM: "They sign in here: their address is up to the owners.",
    Reason.ON_THE_LIST: "They are waiting for this service already.",
    Reason.HAS_A_SLOT: "They have a slot for this already, which is not over yet.",
    Reason.NO_SUCH_SERVICE: "There is no such service any more. Choose another.",
    Reason.DATES_PASSED: "The latest day has passed.",
    Reason.BAD_DATES: _BEFORE_EARLIEST,
    Reason.BAD_PARTY: "The party is too large.",
}
