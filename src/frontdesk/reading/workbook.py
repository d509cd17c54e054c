"""Extracts the text of an Excel workbook: a line for each cell, with its heading before it."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from frontdesk.connect.tables.model import BadTable, ListLimits, RawRow
from frontdesk.connect.tables.xlsx import xlsx_rows
from frontdesk.reading.model import BadDocument

MOST_ROWS: Final = 50
MOST_TEXT: Final = 64_000
_LIMITS: Final = ListLimits()
#: Below such a heading, Excel's number is a day or a time of day.
_OF_TIME: Final = re.compile(
    r"dat|day|when|time|start|begin|from|hour|appointment|termin|tag|zeit|uhr|jour|heure|fecha|hora"
    r"|día|cita|rendez",
    re.IGNORECASE,
)
_EXCEL_ZERO: Final = datetime(1899, 12, 30)  # noqa: DTZ001 - a day on the wall
_DAYS: Final = (36_526, 73_050)
_NUMBER: Final = re.compile(r"\d{1,5}(?:\.\d{1,20})?")


def workbook_text(data: bytes) -> str:
    """Returns its first sheet as text. Raises `BadDocument`."""
    try:
        rows = xlsx_rows(data, _LIMITS)
    except BadTable as bad:
        raise BadDocument(str(bad)) from bad
    cells = [_filled(row) for row in rows[: MOST_ROWS + 1]]
    return "\n".join(_lines([each for each in cells if each]))[:MOST_TEXT]


def _filled(row: RawRow) -> list[str]:
    return [" ".join(cell.split()) for cell in row.cells]


def _lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A form has labels in its first column; a table has headings in its first row."""
    if all(len(row) <= 2 for row in rows):
        yield from (_labelled(row[0], row[-1] if len(row) > 1 else "") for row in rows)
        return
    headings = rows[0]
    for row in rows[1:] or rows:
        yield from (
            _labelled(heading, cell)
            for heading, cell in zip(headings, row, strict=False)
            if cell and row is not headings
        )
        if row is headings:
            yield " ".join(row)
        yield ""


def _labelled(label: str, cell: str) -> str:
    if not label or not cell:
        return label or cell
    return f"{label.rstrip(': ')}: {_dated(cell) if _OF_TIME.search(label) else cell}"


def _dated(cell: str) -> str:
    """Replaces Excel's number of a day or a time of day by text."""
    if not _NUMBER.fullmatch(cell):
        return cell
    number = float(cell)
    wall = _EXCEL_ZERO + timedelta(minutes=round(number * 1_440))
    if 0 < number < 1:
        return f"{wall:%H:%M}"
    if not _DAYS[0] <= number <= _DAYS[1]:
        return cell
    return f"{wall:%Y-%m-%d}" if number.is_integer() else f"{wall:%Y-%m-%d %H:%M}"
