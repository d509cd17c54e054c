"""Finds the headings of a table, and reads its rows by them."""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

from frontdesk.connect.tables.answers import is_answer
from frontdesk.connect.tables.headings import columns_of, may_be_extra
from frontdesk.connect.tables.model import HEADINGS_WITHIN_ROWS, Column, Meaning, Row
from frontdesk.connect.tables.pasted import Found, parted, people_in
from frontdesk.values import Frozen, replace

_MEASURED_ROWS = 200
_WHO = (Meaning.EMAIL, Meaning.NAME, Meaning.FIRST_NAME, Meaning.LAST_NAME)


class Layout(Frozen):
    """The meaning of each column, and the first row of people."""

    first: int
    columns: tuple[Column, ...]

    @property
    def fit(self) -> tuple[int, int]:
        """Returns a score: the larger, the more likely this is the right layout."""
        return sum(column.meaning is not None for column in self.columns), len(self.columns)

    def headings(self) -> dict[Meaning, str]:
        return {column.meaning: column.heading for column in self.columns if column.meaning}

    def people(self, row: Row) -> Iterable[Found]:
        """Returns the people of a row. A single column is read like a pasted list."""
        return people_in(row.cells) if len(self.columns) == 1 else [self._person(row)]

    def _person(self, row: Row) -> Found:
        said = {
            column.meaning: row.cells[column.place].strip()
            for column in self.columns
            if column.meaning and column.place < len(row.cells)
        }
        named = said.get(Meaning.NAME, "")
        beside = named if "@" in named else ""
        name, address, _ = parted(said.get(Meaning.EMAIL) or beside)
        halves = _joined(said.get(Meaning.FIRST_NAME, ""), said.get(Meaning.LAST_NAME, ""))
        return Found(
            name=(named if not beside else "") or halves or name,
            address=address,
            party=said.get(Meaning.PARTY, ""),
            extra=said.get(Meaning.EXTRA, ""),
            answer=said.get(Meaning.ANSWER, ""),
            note=said.get(Meaning.NOTE, ""),
        )


def _joined(first: str, last: str) -> str:
    """Joins the names. A 'last name' that starts with the first one is the whole name."""
    if first and last.startswith(f"{first} "):
        return last
    return f"{first} {last}".strip()


def layout_of(rows: Sequence[Row]) -> Layout | None:
    """Chooses the row with the best headings above the first address; None without headings."""
    above = itertools.takewhile(
        lambda row: not any("@" in cell for cell in row.cells), rows[:HEADINGS_WITHIN_ROWS]
    )
    layouts = [_layout_at(rows, at, row) for at, row in enumerate(above)]
    found = (layout for layout in layouts if layout is not None)
    return max(found, key=lambda layout: (layout.fit, -layout.first), default=None)


def _layout_at(rows: Sequence[Row], at: int, row: Row) -> Layout | None:
    columns = columns_of(row.cells)
    measured = rows[at + 1 : at + 1 + _MEASURED_ROWS]
    place = _address_place(columns, measured)
    if place is None:
        return None
    columns = tuple(_with_addresses_at(place, column) for column in columns)
    return Layout(at + 1, tuple(_by_its_cells(column, measured) for column in columns))


def _address_place(columns: tuple[Column, ...], rows: Sequence[Row]) -> int | None:
    """Returns the column of the addresses, by heading or by cells; None if it is no heading."""
    if not any(column.meaning in _WHO for column in columns):
        return None
    named = next((c.place for c in columns if c.meaning is Meaning.EMAIL), None)
    counts = Counter(place for row in rows for place, cell in enumerate(row.cells) if "@" in cell)
    if not counts or named in counts:
        return named
    place = max(counts, key=lambda place: (counts[place], -place))
    return place if place < len(columns) else None


def _with_addresses_at(place: int, column: Column) -> Column:
    if column.place == place:
        return replace(column, meaning=Meaning.EMAIL)
    return replace(column, meaning=None) if column.meaning is Meaning.EMAIL else column


def _by_its_cells(column: Column, rows: Sequence[Row]) -> Column:
    """Corrects a meaning by the cells: 'Guests' counts everybody, unless a row has 0. A 'status'
    without any known answer is about something else.
    """
    cells = (row.cells[column.place] for row in rows if column.place < len(row.cells))
    if may_be_extra(column) and any(cell.strip() == "0" for cell in cells):
        return replace(column, meaning=Meaning.EXTRA)
    if column.meaning is Meaning.ANSWER and not any(map(is_answer, cells)):
        return replace(column, meaning=None)
    return column
