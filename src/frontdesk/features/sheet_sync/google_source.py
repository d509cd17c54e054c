"""A sheet in Google Sheets: read when it has changed, written in one request, then checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from frontdesk.connect.google_api import GoogleApi
from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync.cells import trimmed_rows, with_iso_dates
from frontdesk.features.sheet_sync.dates import number_of
from frontdesk.features.sheet_sync.layout import layout_of
from frontdesk.features.sheet_sync.model import Row, RowWrite, SheetWrite, Snapshot
from frontdesk.features.sheet_sync.schema import ColumnKind, Columns

MOST_ROWS: Final = 20_000
_PATTERNS: Final = {
    ColumnKind.DATE: "yyyy-mm-dd",
    ColumnKind.TIME: "yyyy-mm-dd hh:mm",
    ColumnKind.CLOCK: "hh:mm",
}


class GoogleSource:
    """The first visible sheet of a spreadsheet."""

    every = timedelta(minutes=3)
    is_saved_whole = False

    def __init__(self, api: GoogleApi, file_id: str, columns: Columns) -> None:
        self._api = api
        self._columns = columns
        self._file_id = file_id

    @property
    def name(self) -> str:
        return f"google:{self._file_id}"

    def glance(self) -> str:
        found = self._api.file(self._file_id)
        if found.get("trashed"):
            raise SourceFailed("The sheet is in Google's bin.")
        return str(found.get("version", ""))

    def read(self) -> Snapshot:
        return self._read(self._page()["title"])

    def write(self, token: str, cells: Sequence[SheetWrite], appends: Sequence[RowWrite]) -> bool:
        """Writes, then undoes cells that landed in a row that had moved: Google has no conditional
        write."""
        page = self._page()
        before = self._read(page["title"])
        if before.token != token:
            return False
        self._change(page, cells, appends)
        wrong = misplaced(before.rows, cells, self._read(page["title"]).rows)
        if wrong:
            self._change(page, wrong, ())
        return not wrong

    def _page(self) -> Mapping[str, Any]:
        pages = self._api.pages(self._file_id)
        shown = [page for page in pages if not page.get("hidden")]
        if not shown:
            raise SourceFailed("The spreadsheet has no sheet in it.")
        return shown[0]

    def _read(self, title: str) -> Snapshot:
        values = self._api.values(self._file_id, title)
        if len(values) > MOST_ROWS:
            raise SourceFailed(f"This list has more than {MOST_ROWS:,} rows.")
        raw = [
            Row(line, tuple(_text(cell) for cell in cells))
            for line, cells in enumerate(values, start=1)
        ]
        rows = trimmed_rows(raw)
        layout = layout_of(rows, self._columns) if rows else None
        token = hashlib.sha256(json.dumps(values).encode()).hexdigest()
        return Snapshot(token, with_iso_dates(rows, layout, self._columns) if layout else rows)

    def _change(
        self, page: Mapping[str, Any], cells: Sequence[SheetWrite], appends: Sequence[RowWrite]
    ) -> None:
        sheet_id = page["sheetId"]
        added = [cell for row in appends for cell in row.cells]
        wide = max((cell.place + 1 for cell in (*cells, *added)), default=0)
        requests = [*_room(page, wide), *(self._update(sheet_id, cell) for cell in cells)]
        if rows := [self._whole(row) for row in appends]:
            requests.append({"appendCells": {"sheetId": sheet_id, "rows": rows, "fields": _FIELDS}})
        self._api.change(self._file_id, requests)

    def _update(self, sheet_id: int, cell: SheetWrite) -> Mapping[str, Any]:
        value = self._cell(cell)
        return {
            "updateCells": {
                "start": {
                    "sheetId": sheet_id,
                    "rowIndex": cell.line - 1,
                    "columnIndex": cell.place,
                },
                "rows": [{"values": [value]}],
                "fields": _FIELDS if "userEnteredFormat" in value else _VALUE,
            }
        }

    def _whole(self, row: RowWrite) -> Mapping[str, Any]:
        width = max((cell.place for cell in row.cells), default=-1) + 1
        values: list[Mapping[str, Any]] = [{} for _ in range(width)]
        for cell in row.cells:
            values[cell.place] = self._cell(cell)
        return {"values": values}

    def _cell(self, cell: SheetWrite) -> Mapping[str, Any]:
        """Text is never a formula; a date is a number with a date format."""
        if not cell.text:
            return {}
        kind = self._columns.kind(cell.column)
        if kind in _PATTERNS and (number := number_of(cell.text)):
            return {
                _VALUE: {"numberValue": float(number)},
                "userEnteredFormat": {
                    "numberFormat": {"type": "DATE_TIME", "pattern": _PATTERNS[kind]}
                },
            }
        if kind is ColumnKind.NUMBER and cell.text.isdigit():
            return {_VALUE: {"numberValue": int(cell.text)}}
        return {_VALUE: {"stringValue": cell.text}}


_VALUE: Final = "userEnteredValue"
_FIELDS: Final = "userEnteredValue,userEnteredFormat.numberFormat"


def _room(page: Mapping[str, Any], wide: int) -> list[Mapping[str, Any]]:
    """The request that adds missing columns."""
    more = wide - page.get("gridProperties", {}).get("columnCount", wide)
    if more <= 0:
        return []
    added = {"sheetId": page["sheetId"], "dimension": "COLUMNS", "length": more}
    return [{"appendDimension": added}]


def _text(cell: Any) -> str:
    """The text of a cell as a person would write it: 2 and not 2.0."""
    match cell:
        case bool():
            return "yes" if cell else "no"
        case float() if cell.is_integer():
            return str(int(cell))
        case None:
            return ""
        case _:
            return str(cell)


def misplaced(
    before: Sequence[Row], cells: Sequence[SheetWrite], after: Sequence[Row]
) -> tuple[SheetWrite, ...]:
    """The writes that undo ours where somebody moved rows at the moment of writing.

    A row is recognised by the cells that we did not touch, even if one of them was edited.
    """
    meant = {row.line: row for row in before}
    there = {row.line: row for row in after}
    undone: list[SheetWrite] = []
    for line in sorted({cell.line for cell in cells} & set(meant)):
        ours = {cell.place: cell for cell in cells if cell.line == line}
        found = there.get(line, Row(line, ()))
        likeness = {row.line: _alike(row, found, ours) for row in before}
        best = max(likeness.values())
        if likeness[line] == best > 0 or _says_nothing(meant[line], ours):
            continue
        was = meant[max(likeness, key=likeness.__getitem__)] if best else Row(line, ())
        undone += [
            SheetWrite(line, place, was.cell(place), cell.column)
            for place, cell in ours.items()
            if found.cell(place) == cell.text
        ]
    return tuple(undone)


def _alike(one: Row, other: Row, but: Mapping[int, SheetWrite]) -> int:
    places = range(max(len(one.cells), len(other.cells)))
    same = (one.cell(at) == other.cell(at) != "" for at in places if at not in but)
    return sum(same)


def _says_nothing(row: Row, but: Mapping[int, SheetWrite]) -> bool:
    """Whether the row has no other cells that identify it."""
    return all(not row.cell(at) for at in range(len(row.cells)) if at not in but)
