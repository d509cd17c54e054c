"""Texts that sort and compare as in SQLite: instants and names in keys, and letters A to Z."""

from __future__ import annotations

from datetime import datetime
from string import ascii_lowercase, ascii_uppercase
from typing import Final

from frontdesk.store.rows import seconds

#: Makes the seconds of any instant positive, with the same number of digits.
_OFFSET: Final = 10**12


def moment(at: datetime) -> str:
    """Returns text that sorts like the instants. It always has the same length."""
    return f"{_OFFSET + seconds(at)}"


def named(name: str) -> str:
    """Returns a text for a name that is never a prefix of another name's text."""
    return f"{len(name)}:{name}:"


_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


def nocase(text: str) -> str:
    return text.translate(_LOWER)


def is_in(search: str, *texts: str) -> bool:
    """Whether any of the texts contains `search`."""
    wanted = nocase(search)
    return any(wanted in nocase(text) for text in texts)
