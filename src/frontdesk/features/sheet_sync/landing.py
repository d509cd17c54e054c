"""Whether what was written by row and column stands in the rows that were meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frontdesk.features.sheet_sync.model import CellWrite, Row


def misplaced(
    before: Sequence[Row], cells: Sequence[CellWrite], after: Sequence[Row]
) -> tuple[CellWrite, ...]:
    """Somebody moved rows in the instant of writing: what has to be written to undo it there.

    A row is known again by the cells that we did not touch, even if one of them was edited.
    """
    meant = {row.line: row for row in before}
    there = {row.line: row for row in after}
    undone: list[CellWrite] = []
    for line in sorted({cell.line for cell in cells} & set(meant)):
        ours = {cell.place: cell for cell in cells if cell.line == line}
        found = there.get(line, Row(line, ()))
        likeness = {row.line: _alike(row, found, ours) for row in before}
        best = max(likeness.values())
        if likeness[line] == best > 0 or _says_nothing(meant[line], ours):
            continue
        was = meant[max(likeness, key=likeness.__getitem__)] if best else Row(line, ())
        undone += [
            CellWrite(line, place, was.cell(place), cell.column)
            for place, cell in ours.items()
            if found.cell(place) == cell.text
        ]
    return tuple(undone)


def _alike(one: Row, other: Row, but: Mapping[int, CellWrite]) -> int:
    places = range(max(len(one.cells), len(other.cells)))
    same = (one.cell(at) == other.cell(at) != "" for at in places if at not in but)
    return sum(same)


def _says_nothing(row: Row, but: Mapping[int, CellWrite]) -> bool:
    """There is nothing to know it by."""
    return all(not row.cell(at) for at in range(len(row.cells)) if at not in but)
