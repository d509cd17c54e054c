"""Notes: what a desk wants to tell a person, before a channel is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from frontdesk.values import Frozen, field


class Quiet(StrEnum):
    """Whether a note waits for quiet hours to end."""

    HOLD = "hold"
    """It waits: the person has not just asked for it."""

    IGNORE = "ignore"
    """It answers what the person just did, or alerts staff: it goes at once."""


class To(StrEnum):
    """Recipients of a note that is not for one person."""

    HOSTS = "hosts"


class Note(Frozen):
    """A note to one person, or to the hosts.

    The key names the note and its cause: a repeat has the same key, a new occasion has another.
    """

    kind: str
    to: str
    key: str
    subject: str
    about: str = ""
    quiet: Quiet = Quiet.HOLD
    tell_by: datetime | None = None
    params: Mapping[str, str | int] = field(default_factory=dict)
    """Values of the fact that may no longer be in the rows (an offer's number, a count)."""


def alert(
    desk: str,
    kind: str,
    subject: str,
    occasion: str | int,
    params: Mapping[str, str | int] = MappingProxyType({}),
    *,
    about: str = "",
    tell_by: datetime | None = None,
) -> Note:
    """A note to staff, one for each occasion. Quiet hours do not hold it."""
    key = f"{desk}/{subject}/{kind}/{occasion}"
    return Note(kind, To.HOSTS, key, subject, about, Quiet.IGNORE, tell_by, dict(params))
