"""Going back to an earlier version, and the list as a table of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from frontdesk.desks.waitlist.model import EntryStatus
from frontdesk.features.sheet_sync.layout import Layout, layout_of
from frontdesk.features.sheet_sync.model import CellWrite, Column, OurRow, Row, RowWrite
from frontdesk.features.sheet_sync.reading import Customs, said_by_us
from frontdesk.features.sheet_sync.writing import applied, whole_row
from frontdesk.values import Frozen

#: How the built-in table is headed, and a sheet that we lay out.
HEADINGS: Final = tuple(each for each in Column if each is not Column.CONTACT)


class Restoring(Frozen):
    cells: tuple[CellWrite, ...]
    appends: tuple[RowWrite, ...]


def restore(now: Sequence[Row], then: Sequence[Row]) -> Restoring:
    """What has to be written so that every row of `then` says again what it said.

    Rows that came since stay, and so do our own cells; a row that is gone comes back below.
    """
    layout, old = layout_of(now), layout_of(then)
    if layout is None or old is None:
        return Restoring((), ())
    places = _places(old, layout)
    present = _by_id(now, layout)
    there = {row.cells for row in now}
    cells: list[CellWrite] = []
    appends: list[RowWrite] = []
    for row in then:
        if row.line <= old.line:
            continue
        known = present.get(row.cell(old.places.get(Column.ID)))
        if known is not None:
            cells += _as_before(row, known, places)
        elif row.cells not in there:
            appends.append(_whole(row, places))
    return Restoring(tuple(cells), tuple(each for each in appends if each.cells))


def _places(old: Layout, now: Layout) -> dict[int, tuple[int, Column | None]]:
    """Where each column of then is now: by its meaning, else by its heading."""
    meanings = {place: column for column, place in old.places.items()}
    headed = {heading.casefold(): place for place, heading in enumerate(now.headings) if heading}
    found: dict[int, tuple[int, Column | None]] = {}
    for place, heading in enumerate(old.headings):
        column = meanings.get(place)
        if column is not None and column in now.places:
            found[place] = (now.places[column], column)
        elif heading.casefold() in headed:
            found[place] = (headed[heading.casefold()], None)
    return found


def _by_id(rows: Sequence[Row], layout: Layout) -> dict[str, Row]:
    place = layout.places.get(Column.ID)
    found = {row.cell(place): row for row in reversed(rows) if row.line > layout.line}
    found.pop("", None)
    return found


def _as_before(
    row: Row, known: Row, places: dict[int, tuple[int, Column | None]]
) -> list[CellWrite]:
    return [
        CellWrite(known.line, place, row.cell(old), column)
        for old, (place, column) in places.items()
        if column not in (Column.ID, Column.STATUS) and row.cell(old) != known.cell(place)
    ]


def _whole(row: Row, places: dict[int, tuple[int, Column | None]]) -> RowWrite:
    return RowWrite(
        tuple(
            CellWrite(0, place, row.cell(old), column)
            for old, (place, column) in places.items()
            if row.cell(old)
        )
    )


def table_of(ours: Sequence[OurRow], customs: Customs) -> tuple[Row, ...]:
    """Those on the list as rows, in the order of joining."""
    headings = Row(1, tuple(each.value for each in HEADINGS))
    layout = Layout(1, {each: at for at, each in enumerate(HEADINGS)}, len(HEADINGS), ())
    waiting = [one for one in ours if one.entry.status is EntryStatus.WAITING and not one.erased]
    waiting.sort(key=lambda one: (one.entry.joined_at, one.entry.id))
    rows = [whole_row(said_by_us(one, customs), layout) for one in waiting]
    return applied([headings], (), rows)
