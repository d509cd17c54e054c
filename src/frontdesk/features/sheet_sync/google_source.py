"""The list as a Google Sheet: read when it has changed, written in one request, looked at after."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

from frontdesk.connect.google_api import GoogleApi, GoogleError
from frontdesk.features.sheet_sync.dates import serial_of
from frontdesk.features.sheet_sync.landing import misplaced
from frontdesk.features.sheet_sync.layout import layout_of
from frontdesk.features.sheet_sync.model import (
    BadSheet,
    CellWrite,
    Column,
    Row,
    RowWrite,
    Snapshot,
)
from frontdesk.features.sheet_sync.reading import in_words
from frontdesk.features.sheet_sync.writing import trimmed_rows

MOST_ROWS: Final = 20_000
_PATTERNS: Final = {
    Column.EARLIEST: "yyyy-mm-dd",
    Column.LATEST: "yyyy-mm-dd",
    Column.JOINED: "yyyy-mm-dd hh:mm",
}
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?")


class GoogleSource:
    """The first sheet of a spreadsheet that is not hidden."""

    every = timedelta(minutes=3)
    is_saved_whole = False

    def __init__(self, api: GoogleApi, file_id: str) -> None:
        self._api = api
        self._file_id = file_id

    @property
    def name(self) -> str:
        return f"google:{self._file_id}"

    def glance(self) -> str:
        with _as_bad_sheet():
            found = self._api.file(self._file_id)
        if found.get("trashed"):
            raise BadSheet("The sheet lies in Google's bin.")
        return str(found.get("version", ""))

    def read(self) -> Snapshot:
        with _as_bad_sheet():
            return self._read(self._page()["title"])

    def write(self, token: str, cells: Sequence[CellWrite], appends: Sequence[RowWrite]) -> bool:
        """Google has no 'only if unchanged': what landed in a row that has moved in that instant
        is taken back."""
        with _as_bad_sheet():
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
            raise BadSheet("The spreadsheet has no sheet in it.")
        return shown[0]

    def _read(self, title: str) -> Snapshot:
        values = self._api.values(self._file_id, title)
        if len(values) > MOST_ROWS:
            raise BadSheet(f"This list has more than {MOST_ROWS:,} rows.")
        raw = [
            Row(line, tuple(_text(cell) for cell in cells))
            for line, cells in enumerate(values, start=1)
        ]
        rows = trimmed_rows(raw)
        layout = layout_of(rows) if rows else None
        token = hashlib.sha256(json.dumps(values).encode()).hexdigest()
        return Snapshot(token, rows if layout is None else in_words(rows, layout))

    def _change(
        self, page: Mapping[str, Any], cells: Sequence[CellWrite], appends: Sequence[RowWrite]
    ) -> None:
        sheet_id = page["sheetId"]
        added = [cell for row in appends for cell in row.cells]
        wide = max((cell.place + 1 for cell in (*cells, *added)), default=0)
        requests = [*_room(page, wide), *(_update(sheet_id, cell) for cell in cells)]
        if rows := [_whole(row) for row in appends]:
            requests.append({"appendCells": {"sheetId": sheet_id, "rows": rows, "fields": _FIELDS}})
        self._api.change(self._file_id, requests)


@contextmanager
def _as_bad_sheet() -> Iterator[None]:
    try:
        yield
    except GoogleError as error:
        raise BadSheet(str(error)) from error


_VALUE: Final = "userEnteredValue"
_FIELDS: Final = "userEnteredValue,userEnteredFormat.numberFormat"


def _room(page: Mapping[str, Any], wide: int) -> list[Mapping[str, Any]]:
    """Columns that the sheet has not got yet."""
    more = wide - page.get("gridProperties", {}).get("columnCount", wide)
    if more <= 0:
        return []
    added = {"sheetId": page["sheetId"], "dimension": "COLUMNS", "length": more}
    return [{"appendDimension": added}]


def _update(sheet_id: int, cell: CellWrite) -> Mapping[str, Any]:
    value = _cell(cell)
    return {
        "updateCells": {
            "start": {"sheetId": sheet_id, "rowIndex": cell.line - 1, "columnIndex": cell.place},
            "rows": [{"values": [value]}],
            "fields": _FIELDS if "userEnteredFormat" in value else _VALUE,
        }
    }


def _whole(row: RowWrite) -> Mapping[str, Any]:
    width = max((cell.place for cell in row.cells), default=-1) + 1
    values: list[Mapping[str, Any]] = [{} for _ in range(width)]
    for cell in row.cells:
        values[cell.place] = _cell(cell)
    return {"values": values}


def _cell(cell: CellWrite) -> Mapping[str, Any]:
    """A text is a text and never a formula; a day is a number that looks like one."""
    if not cell.text:
        return {}
    if cell.column in _PATTERNS and _DAY.fullmatch(cell.text):
        return {
            _VALUE: {"numberValue": float(serial_of(datetime.fromisoformat(cell.text)))},
            "userEnteredFormat": {
                "numberFormat": {"type": "DATE_TIME", "pattern": _PATTERNS[cell.column]}
            },
        }
    if cell.column is Column.PARTY and cell.text.isdigit():
        return {_VALUE: {"numberValue": int(cell.text)}}
    return {_VALUE: {"stringValue": cell.text}}


def _text(cell: Any) -> str:
    """As a person would write it: 2 and not 2.0."""
    match cell:
        case bool():
            return "yes" if cell else "no"
        case float() if cell.is_integer():
            return str(int(cell))
        case None:
            return ""
        case _:
            return str(cell)
