"""The port to a calendar: busy times to read, and our own events to write."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol, runtime_checkable

from frontdesk.errors import FrontdeskError
from frontdesk.values import Frozen


class CalendarError(FrontdeskError):
    """The calendar did not do what we asked; the text is for staff and names no password.

    CalendarError
    ├── BadCalendar       it cannot be read now: never treat it as free
    ├── CalendarRefused   definite: nothing was written, and a repetition would not help
    ├── CalendarConflict  nothing was written: somebody changed the event since it was read
    ├── CalendarUnknown   it may have been written: `find` it by its key before repeating
    └── CalendarDown      nothing was written: repeat it later
    """


class BadCalendar(CalendarError):
    """The calendar, or a part that we need, cannot be read now."""


class CalendarRefused(CalendarError):
    """Nothing was written, and the same request would be refused again."""


class CalendarConflict(CalendarError):
    """Nothing was written, because somebody changed the event since it was read. Read it again."""


class CalendarUnknown(CalendarError):
    """Nobody knows whether it was written. `put` and `remove` may be repeated after a `find`."""


class CalendarDown(CalendarError):
    """Nothing was written. `wait` is the pause that the server asks for."""

    def __init__(self, text: str, wait: timedelta = timedelta()) -> None:
        super().__init__(text)
        self.wait = wait


class AllDayEvents(StrEnum):
    """The meaning of all-day events of one calendar."""

    BLOCK = "block"
    """They block the day, even if they are marked as free."""
    AS_MARKED = "as marked"
    """They block the day if they are marked as busy."""
    IGNORE = "ignore"


class BusySpan(Frozen):
    """UTC instants; the end is not part of it."""

    starts_at: datetime
    ends_at: datetime
    all_day: bool = False
    event_id: str = ""
    """Empty if the server returns only times."""


class CalendarEntry(Frozen, kw_only=True):
    """An event for us to write. The caller decides what it shows: it has no other texts."""

    key: str
    """The id of the appointment, 32 hex digits. A retry with the same key is the same event."""
    starts_at: datetime
    ends_at: datetime
    zone: str
    """The zone in which calendars show it, such as 'Europe/Berlin'."""
    title: str
    description: str = ""
    location: str = ""
    sequence: int = 0
    """Higher after each change, as in the customer's calendar file."""
    is_tentative: bool = False
    """Calendars show it as not yet confirmed; it blocks the time all the same."""
    generation: int = 0
    """The first generation of the id to try; an id that was deleted cannot be used again."""


class WrittenEvent(Frozen):
    """One of our entries as it is in the calendar now."""

    key: str
    event_id: str
    """The id to pass to later calls."""
    starts_at: datetime
    ends_at: datetime
    cancelled: bool = False
    etag: str = ""
    """Differs after each change."""


class Changes(Frozen):
    """Our own events between two instants."""

    events: tuple[WrittenEvent, ...]
    """All that are there now. An expected entry that is missing was deleted, or moved to a time
    outside: `find` says which."""
    known: str
    """Pass it to the next call."""
    unchanged: bool = False
    """Nothing has changed since `known`; `events` is empty."""


class BusySource(Protocol):
    """A calendar that we only read."""

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        """Returns the busy spans that touch this time, with every repetition of repeating events.

        Our own events do not count. The spans are sorted, may overlap, and may begin before `start`
        or end after `end`. Raises `BadCalendar` if anything that may matter cannot be read.
        """


@runtime_checkable
class CalendarPort(BusySource, Protocol):
    """A calendar that we read and in which we write events.

    `event_id` is the id from an earlier `WrittenEvent`, or empty if none is known.
    """

    def find(self, key: str, event_id: str = "") -> WrittenEvent | None:
        """Returns our event as it is now. For a deleted event it returns None or a cancelled one.
        Raises `BadCalendar`."""

    def put(self, entry: CalendarEntry, event_id: str = "") -> WrittenEvent:
        """Creates our event or changes it to this; a repetition does no harm. Writes no guests, and
        the server notifies nobody. Raises `CalendarRefused`, `CalendarUnknown` or
        `CalendarDown`."""

    def remove(self, key: str, event_id: str = "") -> None:
        """Deletes our event. Succeeds if it is gone already. Raises like `put`."""

    def changes(self, known: str, start: datetime, end: datetime) -> Changes:
        """Returns our events in this time, unless nothing has changed since `known` (empty at
        first) was returned for the same time. Raises `BadCalendar`."""


class BuiltInCalendar:
    """The calendar of a business without another: bookings themselves are the only busy times."""

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        return ()

    def find(self, key: str, event_id: str = "") -> WrittenEvent | None:
        return None

    def put(self, entry: CalendarEntry, event_id: str = "") -> WrittenEvent:
        return WrittenEvent(entry.key, entry.key, entry.starts_at, entry.ends_at)

    def remove(self, key: str, event_id: str = "") -> None:
        return None

    def changes(self, known: str, start: datetime, end: datetime) -> Changes:
        return Changes((), known, unchanged=True)
