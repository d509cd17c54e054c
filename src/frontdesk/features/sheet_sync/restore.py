"""Restores an earlier version, and writes the desk's rows as a built-in table."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.features.sheet_sync.cells import applied, whole_row
from frontdesk.features.sheet_sync.layout import OURS, Layout, layout_of, table_layout
from frontdesk.features.sheet_sync.model import Row, RowWrite, SheetWrite
from frontdesk.features.sheet_sync.plan import Plan
from frontdesk.features.sheet_sync.schema import ID, Columns, Schema, TableRow


def restore(now: Sequence[Row], then: Sequence[Row], columns: Columns) -> Plan:
    """Finds the writes after which every row of `then` has its old text again.

    Newer rows and our own cells stay; a row that is gone is added at the end.
    """
    layout, old = layout_of(now, columns), layout_of(then, columns)
    if layout is None or old is None:
        return Plan()
    places = _places(old, layout)
    present = _by_id(now, layout)
    there = {row.cells for row in now}
    cells: list[SheetWrite] = []
    appends: list[RowWrite] = []
    for row in then:
        if row.line <= old.line:
            continue
        known = present.get(row.cell(old.places.get(ID)))
        if known is not None:
            cells += _as_before(row, known, places)
        elif row.cells not in there:
            appends.append(_whole(row, places))
    return Plan(cells=tuple(cells), appends=tuple(each for each in appends if each.cells))


def _places(old: Layout, now: Layout) -> dict[int, tuple[int, str | None]]:
    """Maps each old column to its present place: by its meaning, else by its heading."""
    meanings = {place: column for column, place in old.places.items()}
    headed = {heading.casefold(): place for place, heading in enumerate(now.headings) if heading}
    found: dict[int, tuple[int, str | None]] = {}
    for place, heading in enumerate(old.headings):
        column = meanings.get(place)
        if column is not None and column in now.places:
            found[place] = (now.places[column], column)
        elif heading.casefold() in headed:
            found[place] = (headed[heading.casefold()], None)
    return found


def _by_id(rows: Sequence[Row], layout: Layout) -> dict[str, Row]:
    place = layout.places.get(ID)
    found = {row.cell(place): row for row in reversed(rows) if row.line > layout.line}
    found.pop("", None)
    return found


def _as_before(row: Row, known: Row, places: dict[int, tuple[int, str | None]]) -> list[SheetWrite]:
    return [
        SheetWrite(known.line, place, row.cell(old), column)
        for old, (place, column) in places.items()
        if column not in OURS and row.cell(old) != known.cell(place)
    ]


def _whole(row: Row, places: dict[int, tuple[int, str | None]]) -> RowWrite:
    return RowWrite(
        tuple(
            SheetWrite(0, place, row.cell(old), column)
            for old, (place, column) in places.items()
            if row.cell(old)
        )
    )


def table_of(ours: Sequence[TableRow], schema: Schema) -> tuple[Row, ...]:
    """The listed rows in order, under our own headings."""
    layout = table_layout(schema.columns)
    listed = [one for one in ours if one.is_listed and not one.is_erased]
    listed.sort(key=lambda one: one.position)
    rows = [whole_row(schema.fields_of(one), layout) for one in listed]
    return applied([Row(layout.line, layout.headings)], (), rows)
