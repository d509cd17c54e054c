"""Staff's own events behind a vendor's JSON API: the part that is the same for all vendors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.model import MOST_GUESTS, CalendarEvent, EventGuest
from frontdesk.connect.calendars.port import CalendarConflict
from frontdesk.connect.calendars.rest import RestClient, part
from frontdesk.connect.calendars.staff_events import CANCELLED, CHANGED, WhenCancelled, is_near
from frontdesk.connect.http_client import Response
from frontdesk.values import Frozen


class EventOptions(Frozen, kw_only=True):
    calendar: str = ""
    """The name that each event gets."""
    ahead: timedelta
    series_ahead: timedelta
    when_cancelled: WhenCancelled = WhenCancelled.MARK


class RestEvents(ABC):
    """Events of one calendar. The vendor expands series itself, and a change to one event of a
    series is an exception."""

    #: The field of an event's title, and the field that marks it as free.
    title_field: str
    free: Mapping[str, str]
    #: Statuses that say that the event is gone, and that somebody changed it.
    gone: tuple[int, ...]
    changed: tuple[int, ...]

    def __init__(self, client: RestClient, options: EventOptions) -> None:
        self._client = client
        self._options = options

    def events(self, now: datetime, here: ZoneInfo) -> list[CalendarEvent]:
        """Raises `BadCalendar`."""
        found = (self._event(each, here) for each in self._list(now))
        last = now + self._options.series_ahead
        return [each for each in found if is_near(each, last)]

    def forget(self) -> None:  # noqa: B027 (nothing is cached)
        pass

    def move(self, event: CalendarEvent, starts_at: datetime) -> None:
        assert event.starts_at is not None
        ends_at = starts_at + ((event.ends_at or event.starts_at) - event.starts_at)
        body = {"start": self._time(starts_at), "end": self._time(ends_at)}
        if not self._write(event, "PATCH", body):
            raise CalendarConflict(CHANGED)

    def cancel(self, event: CalendarEvent) -> None:
        if self._options.when_cancelled is WhenCancelled.MARK:
            body = {self.title_field: f"{CANCELLED}{event.title}", **self.free}
            self._write(event, "PATCH", body)
        else:
            self._write(event, "DELETE", None)

    def _write(self, event: CalendarEvent, method: str, body: Mapping[str, Any] | None) -> bool:
        """False if the event is gone."""
        url, condition = self._address(event)
        answer = self._client.write(method, url, body=body, headers=condition)
        if answer.status in self.changed:
            raise CalendarConflict(CHANGED)
        if answer.status not in (200, 204, *self.gone):
            raise self._refusal(answer)
        return answer.status not in self.gone

    @abstractmethod
    def _list(self, now: datetime) -> Iterator[Any]:
        """Yields the vendor's events. Raises `BadCalendar`."""

    @abstractmethod
    def _event(self, event: Any, here: ZoneInfo) -> CalendarEvent:
        """Converts a vendor's event. If its time cannot be read or is only a day, `why` says so."""

    @abstractmethod
    def _time(self, at: datetime) -> Mapping[str, str]: ...

    @abstractmethod
    def _address(self, event: CalendarEvent) -> tuple[str, Mapping[str, str]]:
        """The address of an event, and the headers of a change to the version that was read."""

    @abstractmethod
    def _refusal(self, answer: Response) -> Exception: ...


def guests_of(event: Any, guest: Callable[[Any], EventGuest | None]) -> tuple[EventGuest, ...]:
    """Returns the guests of an event. `guest` reads one attendee; None is no guest."""
    attendees = part(event, "attendees")
    found = attendees[:MOST_GUESTS] if isinstance(attendees, list) else ()
    return tuple(each for each in map(guest, found) if each is not None)
