"""Parts of keys that sort as text like what they stand for."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.store.rows import seconds

#: Added to the seconds of any instant, it leaves no negative ones.
_OFFSET: Final = 10**12


def moment(at: datetime) -> str:
    """All are of the same length."""
    return f"{_OFFSET + seconds(at)}"


def named(name: str) -> str:
    """No name's begins like another's, whatever the two are."""
    return f"{len(name)}:{name}:"
