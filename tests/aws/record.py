"""Reads the lines that the recorder writes while the emulator runs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Record:
    """Reads each line once, when it is complete: there are tens of thousands."""

    path: Path
    _rows: list[dict[str, Any]] = field(default_factory=list)
    _read_bytes: int = 0

    def rows(self, start: int = 0) -> list[dict[str, Any]]:
        """Returns the lines from this number on."""
        with self.path.open("rb") as file:
            file.seek(self._read_bytes)
            complete, newline, _ = file.read().rpartition(b"\n")
        self._rows += map(json.loads, complete.splitlines())
        self._read_bytes += len(complete) + len(newline)
        return self._rows[start:]

    def __len__(self) -> int:
        self.rows()
        return len(self._rows)
