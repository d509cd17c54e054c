"""Splits a CSV text into rows, and survives quotation marks that nobody closed."""

import csv
import io
from collections.abc import Iterable, Iterator

from frontdesk.connect.tables.formulas import with_formulas_opened
from frontdesk.connect.tables.model import Limits, Row, too_many_rows

SEPARATORS = (",", ";", "\t")


def csv_rows(text: str, separator: str, limits: Limits) -> list[Row]:
    """The rows with something in them, numbered as a spreadsheet would number them."""
    try:
        rows = filled_rows(_records(text, separator), limits)
    except csv.Error:
        rows = filled_rows(_records_line_by_line(text, separator), limits)
    return [Row(row.line, _cells(row.cells, limits)) for row in rows]


def _cells(cells: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Past the last column at most one cell is kept, which shows that there were more."""
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
    """Strictly: a quotation mark left open, which would swallow other rows, is an error."""
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)


def _records_line_by_line(text: str, separator: str) -> Iterator[list[str]]:
    for line in map(str.rstrip, io.StringIO(text, newline="")):
        try:
            yield next(csv.reader([line], delimiter=separator), [])
        except csv.Error:  # a cell beyond all measure
            yield line.split(separator)
