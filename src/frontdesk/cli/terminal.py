"""Prints data on standard output and everything else on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, TextIO

from msgspec import Struct
from msgspec.structs import asdict

_BAR: Final = 24


class Terminal:
    """Draws progress only on a terminal."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._err = err or sys.stderr
        self._is_drawn = False

    def say(self, line: str = "") -> None:
        self._wipe()
        self._out.write(line + "\n")
        self._out.flush()

    def say_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)

    def data(self, value: Any) -> None:
        """Prints JSON, with instants in ISO 8601."""
        self.say(json.dumps(value, indent=2, ensure_ascii=False, default=_plain))

    def bytes(self, chunk: bytes) -> None:
        self._out.flush()
        self._out.buffer.write(chunk)
        self._out.flush()

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        lines = [list(headings), *([str(cell) for cell in row] for row in rows)]
        widths = [max(len(line[at]) for line in lines) for at in range(len(headings))]
        for line in lines:
            cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
            self.say("  ".join(cells).rstrip())

    def note(self, line: str) -> None:
        """Prints a line on standard error, which is not part of the output."""
        self._wipe()
        self._err.write(line + "\n")
        self._err.flush()

    def progress(self, what: str, done: int, total: int) -> None:
        if not self._err.isatty():
            return
        full = _BAR * done // total if total else _BAR
        bar = "#" * full + "." * (_BAR - full)
        self._err.write(f"\r{what} [{bar}] {done:,} of {total:,}\x1b[K")
        self._err.flush()
        self._is_drawn = True

    def _wipe(self) -> None:
        if self._is_drawn:
            self._err.write("\r\x1b[K")
            self._err.flush()
            self._is_drawn = False


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, frozenset | set):
        return sorted(value)
    if isinstance(value, Struct):
        return asdict(value)
    return str(value)
