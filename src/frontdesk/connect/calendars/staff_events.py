"""The port to events that staff write into their own calendars, and that we may change."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol

from frontdesk.connect.calendars.model import CalendarEvent
from frontdesk.values import Frozen

#: The title of an event that was cancelled begins with this.
CANCELLED: Final = "Cancelled: "
CHANGED: Final = "Somebody changed this event meanwhile."


class WhenCancelled(StrEnum):
    """The change to the event of an appointment that was cancelled."""

    MARK = "mark"
    """The title says so, and the event takes no time any more."""
    DELETE = "delete"


class NewEvent(Frozen, kw_only=True):
    """An appointment that was made here, to be written into the calendar of staff."""

    key: str
    """32 hex digits. A retry with the same key is the same event."""
    starts_at: datetime
    duration: timedelta
    zone: str
    title: str
    description: str


def event_uid(key: str) -> str:
    """The UID of the event that we write for an appointment. Unlike the event of a booking, it
    counts as busy: nothing else holds its time."""
    return f"{key}@appointment.frontdesk"


def is_near(event: CalendarEvent, until: datetime) -> bool:
    """Whether to read an event: one of a series only if it starts before `until` or was moved
    alone, any other always."""
    at = event.occurrence
    return at is None or at < until or at != event.starts_at


class StaffCalendar(Protocol):
    """Changes single events. Each method raises `CalendarConflict` if somebody changed the event
    since it was read, and `CalendarRefused`, `CalendarUnknown` or `CalendarDown`. One event of a
    series is changed alone."""

    def move(self, event: CalendarEvent, starts_at: datetime) -> None:
        """Moves the event; it keeps its length."""

    def cancel(self, event: CalendarEvent) -> None:
        """Marks the event as cancelled, or deletes it, as the owner chose. Succeeds if it is gone
        already."""

    def add(self, new: NewEvent) -> None:
        """Writes a new event; a repetition does no harm."""
