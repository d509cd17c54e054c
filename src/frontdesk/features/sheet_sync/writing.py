"""What cells are to say, and the sheet as it is once they say it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from frontdesk.core.phones import shown
from frontdesk.features.sheet_sync.layout import Layout
from frontdesk.features.sheet_sync.model import CellWrite, Column, Row, RowWrite
from frontdesk.features.sheet_sync.reading import Said


def cell_text(column: Column, said: Said) -> str:
    """As people read it."""
    if column is Column.CONTACT:
        both = (cell_text(each, said) for each in (Column.EMAIL, Column.MOBILE))
        return ", ".join(filter(None, both))
    text = said.get(column, "")
    return shown(text) if column is Column.MOBILE and text else text


def differing(before: Said, after: Said, layout: Layout, line: int) -> tuple[CellWrite, ...]:
    """The cells of a row that have to say something else."""
    return tuple(
        CellWrite(line, place, cell_text(column, after), column)
        for column, place in layout.places.items()
        if any(before.get(each, "") != after.get(each, "") for each in parts_of(column))
    )


def whole_row(said: Said, layout: Layout) -> RowWrite:
    texts = {column: cell_text(column, said) for column in layout.places}
    return RowWrite(
        tuple(CellWrite(0, layout.places[each], text, each) for each, text in texts.items() if text)
    )


def parts_of(column: Column) -> tuple[Column, ...]:
    """What a column says: the contact's says two things."""
    return (Column.EMAIL, Column.MOBILE) if column is Column.CONTACT else (column,)


def applied(
    rows: Sequence[Row], cells: Iterable[CellWrite], appends: Iterable[RowWrite]
) -> tuple[Row, ...]:
    """The rows once all of it is written."""
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
    """Without the empty cells at their end: whether a file has them is no difference."""
    shorter = (Row(row.line, _trimmed(row.cells)) for row in rows)
    return tuple(row for row in shorter if row.cells)


def _trimmed(cells: Sequence[str]) -> tuple[str, ...]:
    last = max((place for place, cell in enumerate(cells) if cell.strip()), default=-1)
    return tuple(cells[: last + 1])
