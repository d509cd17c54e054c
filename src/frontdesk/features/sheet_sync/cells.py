"""Parses cells into rows with problems, and computes cell texts and writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from frontdesk.core.contacts import BadContact
from frontdesk.core.phones import shown
from frontdesk.features.sheet_sync.dates import (
    BadDay,
    clock_of,
    from_serial,
    is_part_of_day,
    is_serial,
)
from frontdesk.features.sheet_sync.layout import Layout
from frontdesk.features.sheet_sync.model import Row, RowWrite, SheetProblem, SheetWrite
from frontdesk.features.sheet_sync.schema import (
    EMAIL,
    ID,
    MOBILE,
    PAIRS,
    BadCell,
    ColumnKind,
    Columns,
    Fields,
    Schema,
    parts_of,
)
from frontdesk.values import Frozen, replace

_MAX_CELL: Final = 2_000
_MAX_CACHED: Final = 50_000
_ISO_FORMATS: Final = {
    ColumnKind.DATE: "%Y-%m-%d",
    ColumnKind.TIME: "%Y-%m-%d %H:%M",
    ColumnKind.CLOCK: "%H:%M",
}


class ReadRow(Frozen):
    row: Row
    fields: Fields
    problems: tuple[SheetProblem, ...]

    @property
    def line(self) -> int:
        return self.row.line

    @property
    def id(self) -> str:
        return self.fields.get(ID, "")


def read_row(row: Row, layout: Layout, schema: Schema) -> ReadRow:
    fields: dict[str, str] = {}
    problems: list[SheetProblem] = []
    for key, place in layout.places.items():
        try:
            fields.update(schema.columns.by_key[key].parse(row.cell(place)[:_MAX_CELL], schema))
        except (BadCell, BadContact, BadDay) as wrong:
            problems.append(SheetProblem(row.line, layout.heading(key), str(wrong)))
    if not problems:
        problems += [
            SheetProblem(row.line, layout.heading(key), text)
            for key, text in _problems_between(fields, layout, schema)
        ]
    return ReadRow(row, fields, tuple(problems))


def _problems_between(fields: Fields, layout: Layout, schema: Schema) -> Iterable[tuple[str, str]]:
    for key, text in schema.columns.required.items():
        if key not in fields:
            yield key, text
    if EMAIL not in fields and MOBILE not in fields:
        yield (
            MOBILE if layout.heading(MOBILE) else EMAIL,
            "There is neither a mobile nor an e-mail address.",
        )
    yield from schema.problems(fields)


class RowReader:
    """Caches rows by their cells: most rows of a sheet stay unchanged from one sync to the next."""

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
    """Reads the rows below the headings. Skips rows that have text only in columns that we do not
    know: they belong to the business."""
    reader = reader_of(layout, schema)
    return [
        reader.read(row)
        for row in rows
        if row.line > layout.line and any(row.cell(place) for place in layout.places.values())
    ]


def with_iso_dates(rows: Sequence[Row], layout: Layout, columns: Columns) -> tuple[Row, ...]:
    """Replaces Excel's numbers in date and time columns by ISO text."""
    kinds = {place: columns.by_key[key].kind for key, place in layout.places.items()}
    return tuple(
        Row(
            row.line,
            tuple(iso_text(text, kinds.get(place)) for place, text in enumerate(row.cells)),
        )
        for row in rows
    )


def iso_text(text: str, kind: ColumnKind | None) -> str:
    """The text of a cell, with Excel's number of a date or time replaced."""
    if kind is ColumnKind.CLOCK and is_part_of_day(text):
        return f"{clock_of(text):%H:%M}"
    if kind not in _ISO_FORMATS or not is_serial(text):
        return text
    return from_serial(text).strftime(_ISO_FORMATS[kind])


def cell_text(key: str, fields: Fields) -> str:
    """The text of a cell for people."""
    texts = ((part, fields.get(part, "")) for part in parts_of(key))
    between = PAIRS[key][1] if key in PAIRS else ""
    return between.join(shown(text) if part == MOBILE else text for part, text in texts if text)


def differing(before: Fields, after: Fields, layout: Layout, line: int) -> tuple[SheetWrite, ...]:
    """The writes for cells whose values differ."""
    return tuple(
        SheetWrite(line, place, cell_text(key, after), key)
        for key, place in layout.places.items()
        if any(before.get(each, "") != after.get(each, "") for each in parts_of(key))
    )


def whole_row(fields: Fields, layout: Layout) -> RowWrite:
    texts = {key: cell_text(key, fields) for key in layout.places}
    return RowWrite(
        tuple(SheetWrite(0, layout.places[key], text, key) for key, text in texts.items() if text)
    )


def applied(
    rows: Sequence[Row], cells: Iterable[SheetWrite], appends: Iterable[RowWrite]
) -> tuple[Row, ...]:
    """The rows after these writes."""
    found = {row.line: list(row.cells) for row in rows}
    below = max(found, default=0)
    added = (
        SheetWrite(line, cell.place, cell.text, cell.column)
        for line, row in enumerate(appends, start=below + 1)
        for cell in row.cells
    )
    for cell in (*cells, *added):
        _put(found.setdefault(cell.line, []), cell)
    return trimmed_rows(Row(line, tuple(found[line])) for line in sorted(found))


def _put(cells: list[str], cell: SheetWrite) -> None:
    cells.extend([""] * (cell.place + 1 - len(cells)))
    cells[cell.place] = cell.text


def trimmed_rows(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Removes empty cells at the end of rows, and empty rows; files differ in them."""
    shorter = (Row(row.line, _trimmed(row.cells)) for row in rows)
    return tuple(row for row in shorter if row.cells)


def _trimmed(cells: Sequence[str]) -> tuple[str, ...]:
    last = max((place for place, cell in enumerate(cells) if cell.strip()), default=-1)
    return tuple(cells[: last + 1])
