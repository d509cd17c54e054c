"""Computes cell texts and writes, and the rows after them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from frontdesk.core.phones import shown
from frontdesk.features.sheet_sync.layout import Layout
from frontdesk.features.sheet_sync.model import CellWrite, Row, RowWrite
from frontdesk.features.sheet_sync.schema import MOBILE, Fields, parts_of


def cell_text(key: str, fields: Fields) -> str:
    """The text of a cell for people."""
    texts = ((part, fields.get(part, "")) for part in parts_of(key))
    return ", ".join(shown(text) if part == MOBILE else text for part, text in texts if text)


def differing(before: Fields, after: Fields, layout: Layout, line: int) -> tuple[CellWrite, ...]:
    """The writes for cells whose values differ."""
    return tuple(
        CellWrite(line, place, cell_text(key, after), key)
        for key, place in layout.places.items()
        if any(before.get(each, "") != after.get(each, "") for each in parts_of(key))
    )


def whole_row(fields: Fields, layout: Layout) -> RowWrite:
    texts = {key: cell_text(key, fields) for key in layout.places}
    return RowWrite(
        tuple(CellWrite(0, layout.places[key], text, key) for key, text in texts.items() if text)
    )


def applied(
    rows: Sequence[Row], cells: Iterable[CellWrite], appends: Iterable[RowWrite]
) -> tuple[Row, ...]:
    """The rows after these writes."""
    found = {row.line: list(row.cells) for row in rows}
    below = max(found, default=0)
    added = (
        CellWrite(line, cell.place, cell.text, cell.column)
        for line, row in enumerate(appends, start=below + 1)
        for cell in row.cells
    )
    for cell in (*cells, *added):
        _put(found.setdefault(cell.line, []), cell)
    return trimmed_rows(Row(line, tuple(found[line])) for line in sorted(found))


def _put(cells: list[str], cell: CellWrite) -> None:
    cells.extend([""] * (cell.place + 1 - len(cells)))
    cells[cell.place] = cell.text


def trimmed_rows(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Removes empty cells at the end of rows, and empty rows; files differ in them."""
    shorter = (Row(row.line, _trimmed(row.cells)) for row in rows)
    return tuple(row for row in shorter if row.cells)


def _trimmed(cells: Sequence[str]) -> tuple[str, ...]:
    last = max((place for place, cell in enumerate(cells) if cell.strip()), default=-1)
    return tuple(cells[: last + 1])
