"""The values that a calendar source returns."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Protocol

from frontdesk.values import Frozen

#: Limits for each event: characters of a text and of a description, and guests.
MOST_TEXT: Final = 500
MOST_DESCRIPTION: Final = 4_000
MOST_GUESTS: Final = 10


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
    repeats: bool = False
    """It represents a whole series of events."""
    occurrence: datetime | None = None
    """In a series: the start that the rule gives to this event. It stays if the event is moved."""
    event_id: str = ""
    """Its id at the server, to change it: a file, or a vendor's id."""
    etag: str = ""
    """Differs after each change."""


class CalendarFile(Frozen):
    """A file of a calendar, with its name and version at the server."""

    name: str
    text: str
    etag: str = ""


class CalendarFiles(Frozen):
    """The current files of a calendar, and a token to detect changes."""

    files: tuple[CalendarFile, ...]
    known: str


class CalendarSource(Protocol):
    def read(self, known: str, now: datetime) -> CalendarFiles | None:
        """Returns None if nothing has changed since `known`. Raises `BadCalendar`."""
