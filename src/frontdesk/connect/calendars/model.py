"""The values that a calendar source returns."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from frontdesk.values import Frozen


class BadCalendar(Exception):
    """It cannot be read now; the text is for staff, and names no address or password."""


class CalendarEvent(Frozen):
    uid: str
    title: str
    starts_at: datetime | None
    ends_at: datetime | None = None
    categories: tuple[str, ...] = ()
    why: str = ""
    """What of it cannot be used, in a sentence."""
    cancelled: bool = False
    """Its status says so."""


class Reading(Frozen):
    """A calendar as it is now: the texts of its files, and by what a change is seen."""

    texts: tuple[str, ...]
    known: str


class Source(Protocol):
    def read(self, known: str, now: datetime) -> Reading | None:
        """Nothing if it has not changed since `known`. Raises `BadCalendar`."""
