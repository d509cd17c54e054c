"""Writes a table as CSV or XLSX that opens correctly in a spreadsheet and runs nothing there."""

import csv
import io
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import Any

from frontdesk.connect.tables.csv_text import escape_formulas, looks_like_a_formula

Cell = str | int | float | date | datetime | None

_BOM = b"\xef\xbb\xbf"
_ROWS_PER_CHUNK = 500
_ROWS_MEASURED = 200
_EXCEL_CELL_CHARS = 32_767
_EXCEL_TITLE_CHARS = 31
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LOOKS_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


def write_csv(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[bytes]:
    """Writes UTF-8 with a byte order mark and CRLF, which Excel opens correctly; in chunks.

    No text can act as a formula. An apostrophe protects each place where a spreadsheet might see
    one: the start of a cell, and the text after a semicolon, tab or line break within it, because
    Excel separates cells by semicolons in half of Europe. A formula begins with `=`, `+`, `-`, `@`
    (full-width ones too, and after blanks), a tab or a carriage return. Numbers and dates stay
    unchanged. `read_people` removes these apostrophes.
    """
    yield _BOM
    lines = itertools.chain((header,), rows)
    while chunk := list(itertools.islice(lines, _ROWS_PER_CHUNK)):
        text = io.StringIO()
        csv.writer(text, lineterminator="\r\n").writerows(map(_csv_cell, row) for row in chunk)
        yield text.getvalue().encode("utf-8", "replace")


def _csv_cell(cell: Cell) -> str | int | float:
    match cell:
        case None:
            return ""
        case str():
            return escape_formulas(cell.replace("\0", ""))
        case datetime():
            return cell.strftime("%Y-%m-%d %H:%M:%S")
        case date():
            return cell.isoformat()
        case _:
            return cell


def write_xlsx(header: Sequence[str], rows: Iterable[Sequence[Cell]], *, sheet: str) -> bytes:
    """Writes an Excel file with one sheet: bold frozen header, dates as dates.

    Text is typed as text, so that no cell is ever a formula. It drops characters that XML cannot
    hold, and cuts text at Excel's limit (32,767 characters). It writes a date with a time zone as
    its wall time, because Excel has no zones.
    """
    import openpyxl  # type: ignore[import-untyped]  # here, as it takes long to import

    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet(_title(sheet))
    page.freeze_panes = "A2"
    rows = iter(rows)
    first = list(itertools.islice(rows, _ROWS_MEASURED))
    for letter, width in _widths([header, *first]):
        page.column_dimensions[letter].width = width
    page.append([_bold(page, heading) for heading in header])
    for row in itertools.chain(first, rows):
        page.append([_xlsx_cell(page, cell) for cell in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _title(sheet: str) -> str:
    """Removes characters and length that Excel rejects."""
    title = re.sub(r"[\[\]:*?/\\]", " ", _xml_text(sheet)).strip(" '")
    return title[:_EXCEL_TITLE_CHARS] or "List"


def _widths(rows: Sequence[Sequence[Cell]]) -> Iterator[tuple[str, int]]:
    from openpyxl.utils import get_column_letter  # type: ignore[import-untyped]

    columns = itertools.zip_longest(*rows, fillvalue="")
    for place, column in enumerate(columns, start=1):
        longest = max(len(str(cell)) for cell in column)
        yield get_column_letter(place), min(max(longest + 2, 8), 60)


def _bold(page: Any, heading: str) -> Any:
    from openpyxl.cell import WriteOnlyCell  # type: ignore[import-untyped, unused-ignore]
    from openpyxl.styles import Font  # type: ignore[import-untyped]

    cell = _text_cell(page, heading)
    if isinstance(cell, str):
        cell = WriteOnlyCell(page, cell)
    cell.font = Font(bold=True)
    return cell


def _xlsx_cell(page: Any, cell: Cell) -> Any:
    match cell:
        case str():
            return _text_cell(page, cell)
        case datetime():
            return cell.replace(tzinfo=None)
        case _:
            return cell


def _text_cell(page: Any, text: str) -> Any:
    """Sets the cell type where openpyxl might see a formula or an error.

    Checks the text after cleaning: a control character in front of a formula is dropped first.
    """
    from openpyxl.cell import WriteOnlyCell  # type: ignore[import-untyped, unused-ignore]

    held = _xml_text(text)
    if not held.startswith("#") and not looks_like_a_formula(held):
        return held
    cell = WriteOnlyCell(page, held)
    cell.data_type = "s"
    if looks_like_a_formula(held):
        cell.number_format = "@"  # so that it stays text when somebody edits it
    return cell


def _xml_text(text: str) -> str:
    """Drops characters that XML cannot hold, and escapes text that looks like an Excel escape."""
    held = _NOT_IN_XML.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _LOOKS_ESCAPED.sub("_x005F_", held)[:_EXCEL_CELL_CHARS]
