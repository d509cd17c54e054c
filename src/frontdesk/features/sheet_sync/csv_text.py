"""Changes a CSV file cell by cell; everything else stays the same, byte for byte."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from frontdesk.connect.tables.decoding import MARKS, decoded
from frontdesk.connect.tables.formulas import with_formulas_closed, with_formulas_opened
from frontdesk.connect.tables.model import BadTable, Limits
from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync.layout import WITHIN_ROWS, layout_of
from frontdesk.features.sheet_sync.model import CellWrite, Row, RowWrite
from frontdesk.features.sheet_sync.schema import Columns
from frontdesk.values import Frozen

_SEPARATORS: Final = (",", ";", "\t")
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f]")
#: A phone number after a plus is no formula; Excel reads it as text.
_PHONE: Final = re.compile(r"\+\d{1,4} [\d ]+")


class Record(Frozen):
    """The raw text of a row, and its cells."""

    raw: str
    cells: tuple[str, ...]


class CsvText(Frozen):
    """The whole file as records."""

    mark: bytes
    encoding: str
    separator: str
    newline: str
    records: tuple[Record, ...]

    def rows(self) -> tuple[Row, ...]:
        """Rows that are not empty, numbered as in a spreadsheet."""
        return tuple(
            Row(line, tuple(with_formulas_opened(cell) for cell in record.cells))
            for line, record in enumerate(self.records, start=1)
            if any(cell.strip() for cell in record.cells)
        )

    def changed(self, cells: Sequence[CellWrite], appends: Sequence[RowWrite]) -> bytes:
        records = list(self.records)
        for line in sorted({cell.line for cell in cells}):
            records += [Record("", ())] * (line - len(records))
            here = [cell for cell in cells if cell.line == line]
            records[line - 1] = self._record(records[line - 1].cells, here)
        if appends:
            records = self._ended(records) + [self._record((), row.cells) for row in appends]
        return self._bytes("".join(record.raw for record in records))

    def _record(self, before: Sequence[str], cells: Iterable[CellWrite]) -> Record:
        after = list(before)
        for cell in cells:
            after += [""] * (cell.place + 1 - len(after))
            after[cell.place] = _harmless(cell.text)
        line = io.StringIO()
        csv.writer(line, delimiter=self.separator, lineterminator=self.newline).writerow(after)
        return Record(line.getvalue(), tuple(after))

    def _ended(self, records: Sequence[Record]) -> list[Record]:
        """Drops empty records at the end, and ends the last one with a line end."""
        said = [at for at, each in enumerate(records) if any(map(str.strip, each.cells))]
        kept = list(records[: said[-1] + 1]) if said else []
        if kept and not kept[-1].raw.endswith(("\n", "\r")):
            kept[-1] = Record(kept[-1].raw + self.newline, kept[-1].cells)
        return kept

    def _bytes(self, text: str) -> bytes:
        """Encodes in the file's encoding, or in UTF-8 with a mark if a character needs it."""
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError:
            return codecs.BOM_UTF8 + text.encode("utf-8", "replace")


def _harmless(text: str) -> str:
    plain = _CONTROL.sub("", text)
    return plain if _PHONE.fullmatch(plain) else with_formulas_closed(plain)


def read_csv(data: bytes, limits: Limits, columns: Columns) -> CsvText:
    """Reads a file with the separator that gives the most known headings."""
    try:
        decoded(data, limits)
    except BadTable as bad:
        raise SourceFailed(str(bad)) from bad
    mark, encoding, text = _decoded(data)
    several = {sign: _records(text, sign, limits) for sign in _SEPARATORS}
    found = max(several, key=lambda sign: _fit(several[sign], columns))
    newline = re.search(r"\r\n|\n|\r", text)
    return CsvText(mark, encoding, found, newline[0] if newline else "\r\n", several[found])


def _decoded(data: bytes) -> tuple[bytes, str, str]:
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return mark, encoding, _text(data[len(mark) :], encoding)
    try:
        return b"", "utf-8", data.decode("utf-8")
    except UnicodeDecodeError:
        return b"", "cp1252", _text(data, "cp1252")


def _text(data: bytes, encoding: str) -> str:
    """Decodes strictly: text that we could not write back unchanged is refused."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise SourceFailed(
            "This file is no text that can be read. Save it as CSV (UTF-8)."
        ) from None


def _records(text: str, separator: str, limits: Limits) -> tuple[Record, ...]:
    """Splits text into records. If a quotation mark is not closed, each line is a record, so
    that it does not swallow other rows."""
    lines = list(io.StringIO(text, newline=""))
    try:
        found = tuple(_whole(lines, separator))
    except csv.Error:
        found = tuple(_by_line(lines, separator))
    if len(found) > limits.rows_with_headings:
        raise SourceFailed(f"This list has more than {limits.rows:,} rows.")
    return found


def _whole(lines: Sequence[str], separator: str) -> Iterator[Record]:
    reader = csv.reader(iter(lines), delimiter=separator, strict=True)
    read = 0
    for cells in reader:
        yield Record("".join(lines[read : reader.line_num]), tuple(cells))
        read = reader.line_num


def _by_line(lines: Sequence[str], separator: str) -> Iterator[Record]:
    for line in lines:
        yield Record(line, tuple(line.rstrip("\r\n").split(separator)))


def _fit(records: Sequence[Record], columns: Columns) -> int:
    rows = (Row(at, each.cells) for at, each in enumerate(records, start=1))
    first = list(islice((row for row in rows if any(row.cells)), WITHIN_ROWS))
    layout = layout_of(first, columns) if first else None
    return 0 if layout is None else len(layout.places)
