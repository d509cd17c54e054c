"""The values that a calendar source returns."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from frontdesk.values import Frozen


class EventGuest(Frozen):
    """Somebody who is invited to an event."""

    email: str
    name: str = ""


class CalendarEvent(Frozen):
    uid: str
    title: str
    starts_at: datetime | None
    ends_at: datetime | None = None
    categories: tuple[str, ...] = ()
    why: str = ""
    """A sentence that says why the event cannot be used."""
    cancelled: bool = False
    """Its status is 'cancelled'."""
    description: str = ""
    guests: tuple[EventGuest, ...] = ()
    calendar: str = ""
    """The name of its calendar, if several are read together."""


class Reading(Frozen):
    """The current files of a calendar, and a token to detect changes."""

    texts: tuple[str, ...]
    known: str


class Source(Protocol):
    def read(self, known: str, now: datetime) -> Reading | None:
        """Returns None if nothing has changed since `known`. Raises `BadCalendar`."""
