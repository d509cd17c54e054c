"""Reads rows: parses each cell, and reports a problem for each that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from frontdesk.core.contacts import BadContact
from frontdesk.features.sheet_sync.dates import BadDay, from_serial, is_serial
from frontdesk.features.sheet_sync.layout import Layout
from frontdesk.features.sheet_sync.model import Problem, Row
from frontdesk.features.sheet_sync.schema import (
    CONTACT,
    EMAIL,
    ID,
    MOBILE,
    BadCell,
    Columns,
    Fields,
    Kind,
    Schema,
)
from frontdesk.values import Frozen, replace

_MAX_CELL: Final = 400
_MAX_CACHED: Final = 50_000


class ReadRow(Frozen):
    row: Row
    fields: Fields
    problems: tuple[Problem, ...]

    @property
    def line(self) -> int:
        return self.row.line

    @property
    def id(self) -> str:
        return self.fields.get(ID, "")


def read_row(row: Row, layout: Layout, schema: Schema) -> ReadRow:
    fields: dict[str, str] = {}
    problems: list[Problem] = []
    for key, place in layout.places.items():
        try:
            fields.update(schema.columns.by_key[key].parse(row.cell(place)[:_MAX_CELL], schema))
        except (BadCell, BadContact, BadDay) as wrong:
            problems.append(Problem(row.line, layout.heading(key), str(wrong)))
    if not problems:
        problems += [
            Problem(row.line, layout.heading(key), text)
            for key, text in _problems_between(fields, layout, schema)
        ]
    return ReadRow(row, fields, tuple(problems))


def _problems_between(fields: Fields, layout: Layout, schema: Schema) -> Iterable[tuple[str, str]]:
    for key, text in schema.columns.required.items():
        if key not in fields:
            yield key, text
    if EMAIL not in fields and MOBILE not in fields:
        where = next(each for each in (MOBILE, EMAIL, CONTACT) if each in layout.places)
        yield where, "There is neither a mobile nor an e-mail address."
    yield from schema.problems(fields)


class RowReader:
    """Caches read rows by their cells: most of a sheet is unchanged from one sync to the next."""

    def __init__(self, layout: Layout, schema: Schema) -> None:
        self._layout = layout
        self._schema = schema
        self._known: dict[tuple[str, ...], ReadRow] = {}

    def read(self, row: Row) -> ReadRow:
        found = self._known.get(row.cells)
        if found is None:
            if len(self._known) >= _MAX_CACHED:
                self._known.clear()
            found = self._known[row.cells] = read_row(row, self._layout, self._schema)
        if found.line == row.line:
            return found
        problems = tuple(replace(each, line=row.line) for each in found.problems)
        return ReadRow(row, found.fields, problems)


#: Readers of the current and the previous layout, the newest last.
_readers: list[tuple[Layout, Schema, RowReader]] = []


def reader_of(layout: Layout, schema: Schema) -> RowReader:
    """The reader for this layout and schema, reused if there is one."""
    for known_layout, known_schema, reader in _readers:
        if (known_layout.places, known_layout.headings) == (layout.places, layout.headings) and (
            known_schema == schema
        ):
            return reader
    reader = RowReader(layout, schema)
    _readers[:] = [*_readers[-1:], (layout, schema, reader)]
    return reader


def rows_below(rows: Sequence[Row], layout: Layout, schema: Schema) -> list[ReadRow]:
    """Reads the rows below the headings. Rows that are empty in all known columns are the
    business's own."""
    reader = reader_of(layout, schema)
    return [
        reader.read(row)
        for row in rows
        if row.line > layout.line and any(row.cell(place) for place in layout.places.values())
    ]


def with_iso_dates(rows: Sequence[Row], layout: Layout, columns: Columns) -> tuple[Row, ...]:
    """Replaces Excel's numbers in date and time columns by ISO text."""
    kinds = {place: columns.by_key[key].kind for key, place in layout.places.items()}

    def cell(place: int, text: str) -> str:
        kind = kinds.get(place)
        if kind not in (Kind.DATE, Kind.TIME) or not is_serial(text):
            return text
        wall = from_serial(text)
        return f"{wall:%Y-%m-%d %H:%M}" if kind is Kind.TIME else wall.date().isoformat()

    return tuple(
        Row(row.line, tuple(cell(place, text) for place, text in enumerate(row.cells)))
        for row in rows
    )
