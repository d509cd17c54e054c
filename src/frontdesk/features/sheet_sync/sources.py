"""Opens the sheet that one setting names: a file, a Google Sheet, or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync.model import RowWrite, SheetSource, SheetWrite, Snapshot
from frontdesk.features.sheet_sync.schema import Columns
from frontdesk.values import Frozen

_GOOGLE: Final = re.compile(r"https://docs\.google\.com/spreadsheets/d/([\w-]{10,100})(?:[/?#].*)?")
_KINDS: Final = (".csv", ".xlsx", ".tsv", ".txt")


def source_at(
    where: str, columns: Columns, account: Callable[[], str], google: str = ""
) -> SheetSource | None:
    """Opens a source; None means the built-in table. `account` returns the JSON of a Google
    service account, and is called only for a Google Sheet; `google` replaces Google's URL if it
    is set."""
    if not where:
        return None
    if found := _GOOGLE.fullmatch(where):
        from frontdesk.connect.google_api import DRIVE, SHEETS, GoogleApi, read_account
        from frontdesk.features.sheet_sync.google_source import GoogleSource

        api = GoogleApi(read_account(account()), sheets=google or SHEETS, drive=google or DRIVE)
        return GoogleSource(api, found[1], columns)
    path = Path(where)
    if "://" in where or path.suffix.lower() not in _KINDS:
        raise SourceFailed(
            "The list is kept in a file (.csv or .xlsx), or in a Google Sheet:"
            " https://docs.google.com/spreadsheets/d/…"
        )
    from frontdesk.features.sheet_sync.file_source import FileSource

    return FileSource(path, columns)


class UnavailableSource(Frozen):
    """A source that could not be opened; every use raises the reason."""

    why: str
    name: str = "not opened"
    every: timedelta = timedelta(minutes=3)
    is_saved_whole: bool = False

    def glance(self) -> str:
        raise SourceFailed(self.why)

    def read(self) -> Snapshot:
        raise SourceFailed(self.why)

    def write(
        self, _token: str, _cells: Sequence[SheetWrite], _appends: Sequence[RowWrite]
    ) -> bool:
        raise SourceFailed(self.why)
