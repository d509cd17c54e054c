"""Finds events of ours that staff moved or deleted in their calendar."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from frontdesk.connect.calendars.port import CalendarPort, WrittenEvent
from frontdesk.values import Frozen

#: If this many events differ at once, and more than a third of all, the desk asks staff first.
MANY: Final = 3
PART_OF_ALL: Final = 3


class Expected(Frozen):
    """An event as we wrote it."""

    key: str
    event_id: str
    starts_at: datetime
    ends_at: datetime


class Moved(Frozen):
    key: str
    starts_at: datetime
    ends_at: datetime


class Deleted(Frozen):
    key: str


class Drift(Frozen):
    """The differences between the calendar and what we expect."""

    known: str
    """Pass it to the next call."""
    differences: tuple[Moved | Deleted, ...] = ()
    many: bool = False
    """Many events differ at once, which may be a mistake: wait until staff confirm it."""
    unchanged: bool = False
    """Nothing has changed since the last call; `differences` is empty."""


def find_drift(
    calendar: CalendarPort,
    expected: Sequence[Expected],
    known: str,
    start: datetime,
    end: datetime,
) -> Drift:
    """Compares the calendar with the entries that we expect between two instants. An entry that is
    not there may be at another time, so this looks it up. Raises `BadCalendar`."""
    changes = calendar.changes(known, start, end)
    if changes.unchanged:
        return Drift(changes.known, unchanged=True)
    there = {event.key: event for event in changes.events}
    found: list[Moved | Deleted] = []
    for entry in expected:
        event = there.get(entry.key) or calendar.find(entry.key, entry.event_id)
        if difference := _difference(entry, event):
            found.append(difference)
    many = len(found) >= MANY and len(found) * PART_OF_ALL > len(expected)
    return Drift(changes.known, tuple(found), many)


def _difference(entry: Expected, event: WrittenEvent | None) -> Moved | Deleted | None:
    if event is None or event.cancelled:
        return Deleted(entry.key)
    if (event.starts_at, event.ends_at) != (entry.starts_at, entry.ends_at):
        return Moved(entry.key, event.starts_at, event.ends_at)
    return None
