"""Notes: what a desk wants to say to whom, before a channel is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from frontdesk.values import Frozen, field


class Quiet(StrEnum):
    """Whether a note waits for quiet hours to end."""

    HOLD = "hold"
    """It waits: nobody has just asked for it."""

    IGNORE = "ignore"
    """It answers what the person just did, or alerts staff: it goes at once."""


class To(StrEnum):
    """Recipients of a note that is not for one person."""

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
    """Values of the fact that the rows may not have any more (an offer's number, a count)."""
