"""What a row says, column by column, each in the one form in which it is compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.localtime import to_instant, to_wall
from frontdesk.core.phones import read_phone
from frontdesk.desks.waitlist.model import Wish
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.features.sheet_sync.dates import (
    BadDay,
    from_serial,
    is_serial,
    read_day,
    read_wall,
)
from frontdesk.features.sheet_sync.layout import Layout
from frontdesk.features.sheet_sync.model import Column, OurRow, Problem, Row
from frontdesk.values import Frozen, replace

Said = Mapping[Column, str]
"""A row in words that can be compared. A column that says nothing is not there."""

LARGEST_PARTY: Final = 1_000
MOST_CHARACTERS: Final = 200
_MOST_READ: Final = 400
_NOTHING: Final = frozenset(("", "-", "–", "?", "any", "anytime", "n/a", "na", "none"))
_NOBODY: Final = _NOTHING | {"anyone", "anybody", "no preference"}
_YES: Final = frozenset(("yes", "y", "x", "1", "true", "high", "vip", "priority", "urgent", "✓"))
_NO: Final = frozenset(("", "no", "n", "0", "false", "low", "normal", "-"))
_PARTY: Final = re.compile(r"(\d{1,4})(?:\.0+)?(?: ?(?:pax|people|persons?|p))?", re.IGNORECASE)


class BadCell(ValueError):
    """A cell that cannot be read; the text says what to write, and quotes nothing."""


class Customs(Frozen):
    """How this business writes, and what it has."""

    country: str
    zone: ZoneInfo
    today: date
    shop: Catalogue = Catalogue()


class Read(Frozen):
    said: Said
    problems: tuple[Problem, ...]


def read_row(row: Row, layout: Layout, customs: Customs) -> Read:
    """What can be read, and a problem for each cell that cannot."""
    said: dict[Column, str] = {}
    problems: list[Problem] = []
    for column, place in layout.places.items():
        try:
            said.update(_READERS[column](row.cell(place)[:_MOST_READ], customs))
        except (BadCell, BadContact, BadDay) as wrong:
            problems.append(Problem(row.line, _heading(layout, column), str(wrong)))
    if not problems:
        problems += _problems_between(row, said, layout)
    return Read(said, tuple(problems))


class RowReader:
    """Reads rows that say the same once: most of a sheet is as it was, time and again."""

    def __init__(self, layout: Layout, customs: Customs) -> None:
        self._layout = layout
        self._customs = customs
        self._known: dict[tuple[str, ...], Read] = {}

    def read(self, row: Row) -> Read:
        found = self._known.get(row.cells)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[row.cells] = read_row(row, self._layout, self._customs)
        if not found.problems:
            return found
        return Read(found.said, tuple(replace(each, line=row.line) for each in found.problems))


_MOST_KNOWN: Final = 50_000
#: The newest last: of the sheet as it is, and as it was.
_readers: list[tuple[Layout, Customs, RowReader]] = []


def reader_of(layout: Layout, customs: Customs) -> RowReader:
    """The one that has read such rows before, if there is one."""
    for known_layout, known_customs, reader in _readers:
        if (known_layout.places, known_layout.headings) == (layout.places, layout.headings) and (
            known_customs == customs
        ):
            return reader
    reader = RowReader(layout, customs)
    _readers[:] = [*_readers[-1:], (layout, customs, reader)]
    return reader


def _problems_between(row: Row, said: Said, layout: Layout) -> list[Problem]:
    found = [
        (column, text)
        for column, text in (
            (Column.NAME, "There is no name."),
            (Column.SERVICE, "It does not say for which service."),
        )
        if column not in said
    ]
    if Column.EMAIL not in said and Column.MOBILE not in said:
        where = next(
            one for one in (Column.MOBILE, Column.EMAIL, Column.CONTACT) if one in layout.places
        )
        found.append((where, "There is neither a mobile nor an e-mail address."))
    earliest, latest = said.get(Column.EARLIEST, ""), said.get(Column.LATEST, "")
    if earliest and latest and latest < earliest:
        found.append((Column.LATEST, "The latest day is before the earliest."))
    return [Problem(row.line, _heading(layout, column), text) for column, text in found]


def _heading(layout: Layout, column: Column) -> str:
    return layout.headings[layout.places[column]]


# --- one reader for each column -------------------------------------------------------------


def _name(cell: str, _customs: Customs) -> Said:
    return {Column.NAME: clean_name(cell)} if cell else {}


def _email(cell: str, _customs: Customs) -> Said:
    return {} if cell.casefold() in _NOTHING else {Column.EMAIL: clean_email(cell)}


def _mobile(cell: str, customs: Customs) -> Said:
    if cell.casefold() in _NOTHING:
        return {}
    return {Column.MOBILE: read_phone(cell, customs.country)}


def _contact(cell: str, customs: Customs) -> Said:
    """One of them or both, with a comma, a semicolon or the like between."""
    said: dict[Column, str] = {}
    for part in re.split(r"[,;\n]|\s/\s|\sor\s", cell):
        said.update((_email if "@" in part else _mobile)(part.strip(), customs))
    return said


def _service(cell: str, customs: Customs) -> Said:
    if not cell:
        return {}
    if len(cell) > MOST_CHARACTERS:
        raise BadCell("That is too long for a service.")
    if not customs.shop.services:
        return {Column.SERVICE: " ".join(cell.split())}
    service = customs.shop.service(cell)
    if service is None:
        raise BadCell("There is no such service in the shop's list.")
    return {Column.SERVICE: service.name}


def _party(cell: str, _customs: Customs) -> Said:
    if not cell:
        return {}
    found = _PARTY.fullmatch(cell)
    if found is None or not 1 <= int(found[1]) <= LARGEST_PARTY:
        raise BadCell(f"The party should be a number from 1 to {LARGEST_PARTY}.")
    return {Column.PARTY: str(int(found[1]))}


def _day(column: Column) -> Callable[[str, Customs], Said]:
    def read(cell: str, customs: Customs) -> Said:
        if cell.casefold() in _NOTHING:
            return {}
        return {column: read_day(cell, customs.country, customs.today).isoformat()}

    return read


def _staff(cell: str, customs: Customs) -> Said:
    if cell.casefold() in _NOBODY:
        return {}
    if len(cell) > MOST_CHARACTERS:
        raise BadCell("That is too long for a name.")
    member = customs.shop.member(cell) if customs.shop.staff else " ".join(cell.split())
    if member is None:
        raise BadCell("Nobody on the staff has this name.")
    return {Column.STAFF: member}


def _priority(cell: str, _customs: Customs) -> Said:
    said = cell.casefold()
    if said not in _YES | _NO:
        raise BadCell("Write yes or no.")
    return {Column.PRIORITY: "yes"} if said in _YES else {}


def _joined(cell: str, customs: Customs) -> Said:
    if not cell:
        return {}
    joined = read_wall(cell, customs.country)
    if joined.date() > customs.today:
        raise BadCell("This is in the future.")
    return {Column.JOINED: _minute(joined)}


def _id(cell: str, _customs: Customs) -> Said:
    return {Column.ID: cell} if cell else {}


def _status(cell: str, _customs: Customs) -> Said:
    return {Column.STATUS: cell.casefold()} if cell else {}


_READERS: Final[Mapping[Column, Callable[[str, Customs], Said]]] = {
    Column.NAME: _name,
    Column.MOBILE: _mobile,
    Column.EMAIL: _email,
    Column.CONTACT: _contact,
    Column.SERVICE: _service,
    Column.PARTY: _party,
    Column.EARLIEST: _day(Column.EARLIEST),
    Column.LATEST: _day(Column.LATEST),
    Column.STAFF: _staff,
    Column.PRIORITY: _priority,
    Column.JOINED: _joined,
    Column.ID: _id,
    Column.STATUS: _status,
}


def in_words(rows: Sequence[Row], layout: Layout) -> tuple[Row, ...]:
    """Excel's numbers in the columns for days made days, for who reads them later."""
    days = {place: column for column, place in layout.places.items() if column in _DAYS}

    def cell(place: int, text: str) -> str:
        if place not in days or not is_serial(text):
            return text
        wall = from_serial(text)
        return _minute(wall) if days[place] is Column.JOINED else wall.date().isoformat()

    return tuple(
        Row(row.line, tuple(cell(place, text) for place, text in enumerate(row.cells)))
        for row in rows
    )


_DAYS: Final = frozenset((Column.EARLIEST, Column.LATEST, Column.JOINED))


# --- our own words, and back ----------------------------------------------------------------

ERASED: Final = "erased"


def said_by_us(ours: OurRow, customs: Customs) -> Said:
    """The same words for what we know. What we do not know is not there."""
    entry, shop = ours.entry, customs.shop
    service = shop.service(entry.service)
    said = {
        Column.NAME: ours.name,
        Column.MOBILE: ours.mobile,
        Column.EMAIL: ours.email,
        Column.SERVICE: service.name if service else entry.service,
        Column.PARTY: str(entry.party),
        Column.EARLIEST: entry.earliest_on.isoformat(),
        Column.LATEST: entry.latest_on.isoformat(),
        Column.STAFF: shop.member(entry.staff) or entry.staff,
        Column.PRIORITY: "yes" if entry.priority else "",
        Column.JOINED: _minute(to_wall(entry.joined_at, customs.zone)),
        Column.ID: entry.id,
        Column.STATUS: ERASED if ours.erased else entry.status.value,
    }
    return {column: text for column, text in said.items() if text}


def _minute(wall: datetime) -> str:
    return wall.strftime("%Y-%m-%d %H:%M")


def wish_of(said: Said) -> Wish:
    """Of words that are complete."""
    return Wish(
        said[Column.SERVICE],
        int(said.get(Column.PARTY, "1")),
        date.fromisoformat(said[Column.EARLIEST]),
        date.fromisoformat(said[Column.LATEST]),
        said.get(Column.STAFF, ""),
        said.get(Column.PRIORITY, "") == "yes",
    )


def joined_at_of(said: Said, zone: ZoneInfo) -> datetime | None:
    text = said.get(Column.JOINED, "")
    return to_instant(datetime.fromisoformat(text), zone) if text else None
