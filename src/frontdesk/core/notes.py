"""What a desk wants said, to whom and by when, before any channel is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from frontdesk.values import Frozen, field


class Quiet(StrEnum):
    """What quiet hours mean to a note."""

    HOLD = "hold"
    """Nobody asked for it just now: it waits for the morning."""

    IGNORE = "ignore"
    """It answers what the person just did, or alerts staff: it goes at once."""


class To(StrEnum):
    """Those whom a note is for when it is for no one person."""

    HOSTS = "hosts"


class Note(Frozen):
    """One thing to be said to one person, or to the hosts.

    The key says what it is and what caused it, so that a repeat is recognised
    and a new occasion is not.
    """

    kind: str
    to: str
    key: str
    subject: str
    about: str = ""
    quiet: Quiet = Quiet.HOLD
    tell_by: datetime | None = None
    params: Mapping[str, str | int] = field(default_factory=dict)
    """What the fact knew and the rows may not know any more (an offer's number, a count)."""
