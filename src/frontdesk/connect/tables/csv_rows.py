"""Splits a CSV text into rows, and survives quotation marks that nobody closed."""

import csv
import io
import itertools
from collections.abc import Iterable, Iterator

from frontdesk.connect.tables.formulas import with_formulas_opened
from frontdesk.connect.tables.model import Limits, Row, too_many_rows

SEPARATORS = (",", ";", "\t")

_END = "\N{END OF TEXT}"


def csv_rows(text: str, separator: str, limits: Limits) -> list[Row]:
    """The rows with something in them, numbered as a spreadsheet would number them."""
    try:
        rows = filled_rows(_records(text, separator), limits)
    except (csv.Error, _LeftOpen):
        rows = filled_rows(_records_line_by_line(text, separator), limits)
    return [Row(row.line, tuple(map(with_formulas_opened, row.cells))) for row in rows]


def filled_rows(records: Iterable[list[str]], limits: Limits) -> list[Row]:
    rows = []
    for line, cells in enumerate(records, start=1):
        if any(cell.strip() for cell in cells):
            rows.append(Row(line, tuple(cells)))
            if len(rows) > limits.rows_with_headings:
                raise too_many_rows(limits)
    return rows


class _LeftOpen(Exception):  # noqa: N818 - seen in this module alone
    """A quotation mark was not closed, so that one cell has swallowed other rows."""


def _records(text: str, separator: str) -> Iterator[list[str]]:
    """The end is a row of its own, unless a quotation mark is still open."""
    lines = itertools.chain(io.StringIO(text, newline=""), [_END])
    for cells in csv.reader(lines, delimiter=separator):
        if cells == [_END]:
            return
        if any("\n" in cell and "@" in cell and separator in cell for cell in cells):
            raise _LeftOpen
        yield cells
    raise _LeftOpen


def _records_line_by_line(text: str, separator: str) -> Iterator[list[str]]:
    for line in map(str.rstrip, io.StringIO(text, newline="")):
        try:
            yield next(csv.reader([line], delimiter=separator), [])
        except csv.Error:  # a cell beyond all measure
            yield line.split(separator)
