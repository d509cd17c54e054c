"""Encodes instants and names as text for sort keys."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.store.rows import seconds

#: Makes the seconds of any instant positive, with the same number of digits.
_OFFSET: Final = 10**12


def moment(at: datetime) -> str:
    """Returns text that sorts like the instants. All texts have the same length."""
    return f"{_OFFSET + seconds(at)}"


def named(name: str) -> str:
    """Returns a text for a name that is never a prefix of another name's text."""
    return f"{len(name)}:{name}:"
