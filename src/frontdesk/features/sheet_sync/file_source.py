"""A sheet in a local CSV or Excel file, which staff edit with any program."""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

from frontdesk.connect.tables.model import Limits
from frontdesk.connect.tables.xlsx import is_zip
from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync.csv_text import CsvText, read_csv
from frontdesk.features.sheet_sync.model import CellWrite, RowWrite, Snapshot
from frontdesk.features.sheet_sync.schema import Columns
from frontdesk.features.sheet_sync.writing import trimmed_rows
from frontdesk.features.sheet_sync.xlsx_book import XlsxBook

LIMITS: Final = Limits(rows=20_000, columns=200)
#: A file that changed more recently may not be complete yet.
SETTLED_SECONDS: Final = 0.5

_HERE: Final = -100
_EXCHANGE: Final = 2

_OPEN: Final = (
    "The file is open in a spreadsheet program, which would save over what we write. Changes from"
    " our side wait until it is closed there."
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

    def write(self, token: str, cells: Sequence[CellWrite], appends: Sequence[RowWrite]) -> bool:
        """Swaps our file with theirs, then checks theirs: if it is not the one that we had read,
        it goes back to its place."""
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
    """Exchanges two files atomically. Where the system cannot do that, `one` replaces `other`,
    and then gets the contents that `other` had a moment before."""
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
