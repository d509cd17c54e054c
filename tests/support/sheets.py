"""A sheet in memory that staff edit, and files as staff save them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from itertools import count
from pathlib import Path

from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync.cells import applied
from frontdesk.features.sheet_sync.model import Row, RowWrite, SheetWrite, Snapshot

HEADINGS = ("Name", "Mobile", "E-mail", "Service", "Pax", "From", "Until", "Staff", "VIP", "Since")


class Crash(Exception):
    """Simulates a power cut."""


def save_file(file: Path, text: str) -> None:
    """Writes a file with an earlier time: the sync leaves files alone that somebody may still be
    writing."""
    before = file.stat().st_mtime if file.exists() else 1_700_000_000
    file.write_text(text)
    os.utime(file, (before + 60, min(before, 1_700_000_000) + 60))


class FakeSheet:
    """Has lines of cells; the first line is 1. Calls `before_write` just before a write."""

    name = "paper"
    every = timedelta(seconds=1)
    is_saved_whole = True

    def __init__(self, *lines: Sequence[str], headings: Sequence[str] = HEADINGS) -> None:
        self.lines: list[list[str]] = [list(headings), *(list(line) for line in lines)]
        self.before_write: Callable[[], None] = lambda: None
        self.broken = ""
        self.writes = 0
        self._edits = count(1)
        self._token = "0"

    # --- the sync -----------------------------------------------------------------------------

    def glance(self) -> str:
        return self._token

    def read(self) -> Snapshot:
        if self.broken:
            raise SourceFailed(self.broken)
        return Snapshot(self._token, self.rows)

    def write(self, token: str, cells: Sequence[SheetWrite], appends: Sequence[RowWrite]) -> bool:
        self.before_write()
        if token != self._token:
            return False
        self.writes += 1
        self.put(applied(self.rows, cells, appends))
        return True

    # --- staff --------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[Row, ...]:
        filled = ((at, line) for at, line in enumerate(self.lines, start=1) if any(line))
        return tuple(Row(at, tuple(line)) for at, line in filled)

    def put(self, rows: Iterable[Row]) -> None:
        lines = {row.line: list(row.cells) for row in rows}
        self.lines = [lines.get(at, []) for at in range(1, max(lines) + 1)]
        self.edited()

    def edited(self) -> None:
        self._token = str(next(self._edits))

    def place(self, heading: str) -> int:
        return self.lines[0].index(heading)

    def cell(self, line: int, heading: str) -> str:
        cells, place = self.lines[line - 1], self.place(heading)
        return cells[place] if place < len(cells) else ""

    def type(self, line: int, heading: str, text: str) -> None:
        place = self.place(heading)
        cells = self.lines[line - 1]
        cells.extend([""] * (place + 1 - len(cells)))
        cells[place] = text
        self.edited()

    def add(self, **said: str) -> int:
        """Adds a row; fields are lower-case headings ('e_mail' for 'E-mail'). Returns the line."""
        texts = {name.replace("_", "-"): text for name, text in said.items()}
        self.lines.append([texts.get(each.casefold(), "") for each in self.lines[0]])
        self.edited()
        return len(self.lines)

    def remove(self, *lines: int) -> None:
        self.lines = [cells for at, cells in enumerate(self.lines, start=1) if at not in lines]
        self.edited()

    def column(self, heading: str) -> list[str]:
        """Returns the cells below a heading."""
        return [self.cell(line, heading) for line in range(2, len(self.lines) + 1)]
