"""Where the list is kept, from one setting: nowhere else, in a file, or in a Google Sheet."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from frontdesk.desks.waitlist.sheet.model import BadSheet, Source

_GOOGLE: Final = re.compile(r"https://docs\.google\.com/spreadsheets/d/([\w-]{10,100})(?:[/?#].*)?")
_KINDS: Final = (".csv", ".xlsx", ".tsv", ".txt")


def source_at(where: str, account: Callable[[], str]) -> Source | None:
    """Nothing for the built-in table. `account` gives the JSON of a Google service account, and
    is asked only for a sheet of Google's."""
    if not where:
        return None
    if found := _GOOGLE.fullmatch(where):
        from frontdesk.connect.sheets.google import GoogleSource
        from frontdesk.connect.sheets.google_api import GoogleApi, read_account

        return GoogleSource(GoogleApi(read_account(account())), found[1])
    path = Path(where)
    if "://" in where or path.suffix.lower() not in _KINDS:
        raise BadSheet(
            "The list is kept in a file (.csv or .xlsx), or in a Google Sheet:"
            " https://docs.google.com/spreadsheets/d/…"
        )
    from frontdesk.connect.sheets.files import FileSource

    return FileSource(path)
