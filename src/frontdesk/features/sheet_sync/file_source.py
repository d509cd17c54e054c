"""A sheet in a local CSV or Excel file, which staff edit with any program."""

from __future__ import annotations

import codecs
import csv
import ctypes
import fcntl
import hashlib
import io
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Final

from frontdesk.connect.tables.csv_text import (
    BYTE_ORDER_MARKS,
    decoded,
    escape_formulas,
    unescape_formulas,
)
from frontdesk.connect.tables.model import BadTable, ListLimits
from frontdesk.connect.tables.xlsx import is_zip
from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync.cells import trimmed_rows
from frontdesk.features.sheet_sync.layout import WITHIN_ROWS, layout_of
from frontdesk.features.sheet_sync.model import Row, RowWrite, SheetWrite, Snapshot
from frontdesk.features.sheet_sync.schema import Columns
from frontdesk.features.sheet_sync.xlsx_book import XlsxBook
from frontdesk.values import Frozen

_SEPARATORS: Final = (",", ";", "\t")
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f]")
#: A phone number with a plus is no formula: Excel reads it as text.
_PHONE: Final = re.compile(r"\+\d{1,4} [\d ]+")


class CsvRecord(Frozen):
    """The raw text of a row, and its cells."""

    raw: str
    cells: tuple[str, ...]


class CsvText(Frozen):
    """The whole file as records."""

    mark: bytes
    encoding: str
    separator: str
    newline: str
    records: tuple[CsvRecord, ...]

    def rows(self) -> tuple[Row, ...]:
        """Rows that are not empty, numbered as in a spreadsheet."""
        return tuple(
            Row(line, tuple(unescape_formulas(cell) for cell in record.cells))
            for line, record in enumerate(self.records, start=1)
            if any(cell.strip() for cell in record.cells)
        )

    def changed(self, cells: Sequence[SheetWrite], appends: Sequence[RowWrite]) -> bytes:
        records = list(self.records)
        for line in sorted({cell.line for cell in cells}):
            records += [CsvRecord("", ())] * (line - len(records))
            here = [cell for cell in cells if cell.line == line]
            records[line - 1] = self._record(records[line - 1].cells, here)
        if appends:
            records = self._ended(records) + [self._record((), row.cells) for row in appends]
        return self._bytes("".join(record.raw for record in records))

    def _record(self, before: Sequence[str], cells: Iterable[SheetWrite]) -> CsvRecord:
        after = list(before)
        for cell in cells:
            after += [""] * (cell.place + 1 - len(after))
            after[cell.place] = _harmless(cell.text)
        line = io.StringIO()
        csv.writer(line, delimiter=self.separator, lineterminator=self.newline).writerow(after)
        return CsvRecord(line.getvalue(), tuple(after))

    def _ended(self, records: Sequence[CsvRecord]) -> list[CsvRecord]:
        """Drops empty records at the end, and ends the last one with a line end."""
        filled = [at for at, each in enumerate(records) if any(map(str.strip, each.cells))]
        kept = list(records[: filled[-1] + 1]) if filled else []
        if kept and not kept[-1].raw.endswith(("\n", "\r")):
            kept[-1] = CsvRecord(kept[-1].raw + self.newline, kept[-1].cells)
        return kept

    def _bytes(self, text: str) -> bytes:
        """Encodes in the file's encoding, or in UTF-8 with a byte order mark if a character needs
        it."""
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError:
            return codecs.BOM_UTF8 + text.encode("utf-8", "replace")


def _harmless(text: str) -> str:
    plain = _CONTROL.sub("", text)
    return plain if _PHONE.fullmatch(plain) else escape_formulas(plain)


def read_csv(data: bytes, limits: ListLimits, columns: Columns) -> CsvText:
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
    for mark, encoding in BYTE_ORDER_MARKS:
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
            "We cannot read the text of this file. Save it as CSV (UTF-8)."
        ) from None


def _records(text: str, separator: str, limits: ListLimits) -> tuple[CsvRecord, ...]:
    """Splits text into records. If a quotation mark is not closed, each line is a record: otherwise
    the mark would swallow other rows."""
    lines = list(io.StringIO(text, newline=""))
    try:
        found = tuple(_whole(lines, separator))
    except csv.Error:
        found = tuple(_by_line(lines, separator))
    if len(found) > limits.rows_with_headings:
        raise SourceFailed(f"This list has more than {limits.rows:,} rows.")
    return found


def _whole(lines: Sequence[str], separator: str) -> Iterator[CsvRecord]:
    reader = csv.reader(iter(lines), delimiter=separator, strict=True)
    read = 0
    for cells in reader:
        yield CsvRecord("".join(lines[read : reader.line_num]), tuple(cells))
        read = reader.line_num


def _by_line(lines: Sequence[str], separator: str) -> Iterator[CsvRecord]:
    for line in lines:
        yield CsvRecord(line, tuple(line.rstrip("\r\n").split(separator)))


def _fit(records: Sequence[CsvRecord], columns: Columns) -> int:
    rows = (Row(at, each.cells) for at, each in enumerate(records, start=1))
    first = list(islice((row for row in rows if any(row.cells)), WITHIN_ROWS))
    layout = layout_of(first, columns) if first else None
    return 0 if layout is None else len(layout.places)


LIMITS: Final = ListLimits(rows=20_000, columns=200)
#: A file that changed more recently may not be complete yet.
SETTLED_SECONDS: Final = 0.5

_HERE: Final = -100
_EXCHANGE: Final = 2

_OPEN: Final = (
    "The file is open in a spreadsheet program, which would overwrite our changes. We write them"
    " when it is closed there."
)


class FileSource:
    """A local file as a source. `between` is called just before our file replaces the old one."""

    every = timedelta(seconds=1)
    is_saved_whole = True

    def __init__(
        self,
        path: Path,
        columns: Columns,
        *,
        clock: Callable[[], float] = time.time,
        between: Callable[[], None] = lambda: None,
    ) -> None:
        self._path = path
        self._columns = columns
        self._clock = clock
        self._between = between
        self._written = ""

    @property
    def name(self) -> str:
        return f"file:{self._path.name}"

    def glance(self) -> str:
        try:
            seen = self._path.stat()
        except OSError as error:
            raise self._unreadable(error) from error
        state = _state(seen)
        is_new = abs(self._clock() - seen.st_mtime) < SETTLED_SECONDS
        return "" if is_new and state != self._written else f"{state}-{self._is_open()}"

    def read(self) -> Snapshot:
        data = self._bytes()
        return Snapshot(_digest(data), trimmed_rows(self._opened(data).rows()))

    def write(self, token: str, cells: Sequence[SheetWrite], appends: Sequence[RowWrite]) -> bool:
        """Swaps our file with that of staff, then checks theirs: if it is not the one that we read,
        swaps them back."""
        with self._lock():
            data = self._bytes()
            if _digest(data) != token:
                return False
            if self._is_open():
                raise SourceFailed(_OPEN)
            ours = self._opened(data).changed(cells, appends)
            return self._put(ours, token)

    def _put(self, ours: bytes, token: str) -> bool:
        beside = self._path.with_name(f".{self._path.name}.frontdesk-new")
        try:
            self._written = _write_through(beside, ours, self._path.stat().st_mode)
            self._between()
            if _digest(self._bytes()) != token:
                return False
            swap(beside, self._path)
            if _digest(beside.read_bytes()) == token:
                return True
            self._put_back(beside, ours)
            return False
        except OSError as error:
            raise SourceFailed(f"{self._path.name} cannot be written: {error.strerror}.") from error
        finally:
            beside.unlink(missing_ok=True)

    def _put_back(self, beside: Path, ours: bytes) -> None:
        """Restores the file that staff saved at that moment, unless they have saved again since."""
        swap(beside, self._path)
        if beside.read_bytes() != ours:
            swap(beside, self._path)

    def _bytes(self) -> bytes:
        try:
            if self._path.stat().st_size > LIMITS.size_bytes:
                raise SourceFailed(f"{self._path.name} is larger than 10 MB.")
            return self._path.read_bytes()
        except OSError as error:
            raise self._unreadable(error) from error

    def _opened(self, data: bytes) -> CsvText | XlsxBook:
        opened = XlsxBook if is_zip(data) else read_csv
        return opened(data, LIMITS, self._columns)

    def _unreadable(self, error: OSError) -> SourceFailed:
        if isinstance(error, FileNotFoundError):
            return SourceFailed(f"There is no file {self._path.name}.")
        return SourceFailed(f"{self._path.name} cannot be read: {error.strerror}.")

    def _is_open(self) -> bool:
        """Whether the file is open: Excel and LibreOffice put a lock file beside it."""
        name = self._path.name
        beside = (f"~${name}", f"~${name[2:]}", f".~lock.{name}#")
        return any(self._path.with_name(each).exists() for each in beside)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Locks the file against other processes of ours."""
        path = self._path.with_name(f".{self._path.name}.frontdesk-lock")
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode=0o600)
        except OSError as error:
            raise SourceFailed(f"{self._path.name} cannot be written: {error.strerror}.") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
        finally:
            os.close(file)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write_through(path: Path, data: bytes, mode: int) -> str:
    """Writes the file and syncs it to disk; returns its state."""
    path.unlink(missing_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode & 0o777)
    with os.fdopen(file, "wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
        return _state(os.fstat(out.fileno()))


def _state(seen: os.stat_result) -> str:
    return f"{seen.st_mtime_ns}-{seen.st_size}-{seen.st_ino}"


def swap(one: Path, other: Path) -> None:
    """Exchanges two files atomically. If the system cannot do that, `one` replaces `other` and then
    gets the earlier contents of `other`."""
    if sys.platform == "linux" and _exchanged(one, other):
        return
    before = other.read_bytes()
    one.replace(other)
    one.write_bytes(before)


def _exchanged(one: Path, other: Path) -> bool:
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    if rename is None:
        return False
    failed: int = rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE)
    return failed == 0
