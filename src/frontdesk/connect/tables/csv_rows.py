"""Splits a CSV text into rows; tolerates unclosed quotation marks."""

import csv
import io
from collections.abc import Iterable, Iterator

from frontdesk.connect.tables.formulas import with_formulas_opened
from frontdesk.connect.tables.model import Limits, Row, too_many_rows

SEPARATORS = (",", ";", "\t")


def csv_rows(text: str, separator: str, limits: Limits) -> list[Row]:
    """Returns the rows that are not empty, numbered as in a spreadsheet."""
    try:
        rows = filled_rows(_records(text, separator), limits)
    except csv.Error:
        rows = filled_rows(_records_line_by_line(text, separator), limits)
    return [Row(row.line, _cells(row.cells, limits)) for row in rows]


def _cells(cells: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Keeps at most one cell after the last column, which shows that there were more."""
    beyond = next(filter(str.strip, cells[limits.columns :]), None)
    kept = cells[: limits.columns] if beyond is None else (*cells[: limits.columns], beyond)
    return tuple(map(with_formulas_opened, kept))


def filled_rows(records: Iterable[list[str]], limits: Limits) -> list[Row]:
    rows = []
    for line, cells in enumerate(records, start=1):
        if any(cell.strip() for cell in cells):
            rows.append(Row(line, tuple(cells)))
            if len(rows) > limits.rows_with_headings:
                raise too_many_rows(limits)
    return rows


def _records(text: str, separator: str) -> Iterator[list[str]]:
    """Parses strictly: an unclosed quotation mark, which would swallow rows, is an error."""
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)


def _records_line_by_line(text: str, separator: str) -> Iterator[list[str]]:
    for line in map(str.rstrip, io.StringIO(text, newline="")):
        try:
            yield next(csv.reader([line], delimiter=separator), [])
        except csv.Error:  # a cell is too long for the parser
            yield line.split(separator)
