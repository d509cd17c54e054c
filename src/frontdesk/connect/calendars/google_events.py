"""Staff's own events in Google Calendar: read with all times of series, changed one by one."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.google import (
    EVENTS_SCOPE,
    GOOGLE,
    GoogleTokens,
    event_instant,
    query_text,
    quoted,
    why_refused,
)
from frontdesk.connect.calendars.ics_in import NO_TIME
from frontdesk.connect.calendars.model import CalendarEvent, EventGuest
from frontdesk.connect.calendars.port import BadCalendar, CalendarConflict, CalendarRefused
from frontdesk.connect.calendars.rest import (
    MOST_PAGES,
    RestClient,
    instant_text,
    items_of,
    json_object,
    part,
    text_of,
)
from frontdesk.connect.calendars.staff_events import (
    CANCELLED,
    CHANGED,
    NewEvent,
    WhenCancelled,
    event_uid,
    is_near,
)
from frontdesk.connect.google_api import AccessTokens, ServiceAccount
from frontdesk.connect.http_client import Response

MOST_TEXT: Final = 500
MOST_DESCRIPTION: Final = 4_000
MOST_GUESTS: Final = 10
_KEY: Final = "frontdeskAppointment"
_FIELDS: Final = (
    "id,iCalUID,etag,status,summary,description,start,end,recurringEventId,originalStartTime,"
    "attendees(email,displayName,self,organizer,resource),extendedProperties/private"
)
_BREAK: Final = re.compile(r"<(?:br|/?p|/?div|/?li)\b[^>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]{1,500}>")


class GoogleEvents:
    """Events of one calendar. Google expands series itself, and a change to one event of a series
    is an exception."""

    def __init__(
        self,
        account: ServiceAccount,
        calendar_id: str,
        subject: str = "",
        *,
        calendar: str = "",
        ahead: timedelta,
        series_ahead: timedelta,
        when_cancelled: WhenCancelled = WhenCancelled.MARK,
        url: str = GOOGLE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`calendar` is the name that each event gets."""
        self._email = account.email
        self._calendar = calendar
        self._ahead = ahead
        self._series_ahead = series_ahead
        self._when_cancelled = when_cancelled
        tokens = AccessTokens(account, (EVENTS_SCOPE,), subject=subject, clock=clock)
        self._client = RestClient("Google", GoogleTokens(tokens))
        self._base = f"{url}/calendar/v3"
        self._events = f"{self._base}/calendars/{quoted(calendar_id)}/events"

    def __repr__(self) -> str:
        return f"GoogleEvents({self._events!r})"

    # --- reading ------------------------------------------------------------------------------

    def events(self, now: datetime, here: ZoneInfo) -> list[CalendarEvent]:
        """Raises `BadCalendar`."""
        found = (self._event(each, here) for each in self._list(now))
        last = now + self._series_ahead
        return [each for each in found if is_near(each, last)]

    def forget(self) -> None:
        """Every look reads it again."""

    def _list(self, now: datetime) -> Iterator[Any]:
        asked = {
            "timeMin": instant_text(now),
            "timeMax": instant_text(now + self._ahead),
            "singleEvents": "true",
            "maxResults": "2500",
            "maxAttendees": str(MOST_GUESTS),
            "fields": f"nextPageToken,accessRole,items({_FIELDS})",
        }
        for _ in range(MOST_PAGES):
            answer = self._client.read(f"{self._events}?{query_text(asked)}")
            if answer.status != 200:
                raise BadCalendar(why_refused(answer, self._email))
            found = self._client.read_json(answer)
            yield from items_of(found, "items")
            if not (token := text_of(found, "nextPageToken")):
                return
            asked["pageToken"] = token
        raise BadCalendar("This calendar has too many events in this time.")

    def _event(self, event: Any, here: ZoneInfo) -> CalendarEvent:
        """An event with a time that we cannot read says so; a day alone is no time."""
        starts_at = ends_at = occurrence = None
        why = ""
        try:
            starts_at, ends_at = (event_instant(event, each, here) for each in ("start", "end"))
            why = NO_TIME if part(event, "start", "date") is not None else ""
            if text_of(event, "recurringEventId"):
                occurrence = event_instant(event, "originalStartTime", here)
        except ValueError:
            why = "Its time cannot be read."
        key = text_of(event, "extendedProperties", "private", _KEY)
        is_ours = bool(key) and text_of(event, "id") == key
        return CalendarEvent(
            uid=event_uid(key) if is_ours else text_of(event, "iCalUID") or text_of(event, "id"),
            title=text_of(event, "summary")[:MOST_TEXT],
            starts_at=starts_at,
            ends_at=ends_at,
            why=why,
            cancelled=text_of(event, "status") == "cancelled",
            description=plain_text(text_of(event, "description")),
            guests=tuple(_guests(event)),
            calendar=self._calendar,
            occurrence=occurrence,
            event_id=text_of(event, "id"),
            etag=text_of(event, "etag"),
        )

    # --- writing ------------------------------------------------------------------------------

    def move(self, event: CalendarEvent, starts_at: datetime) -> None:
        assert event.starts_at is not None
        ends_at = starts_at + ((event.ends_at or event.starts_at) - event.starts_at)
        times = {"start": starts_at, "end": ends_at}
        self._change(event, {name: {"dateTime": instant_text(at)} for name, at in times.items()})

    def cancel(self, event: CalendarEvent) -> None:
        if self._when_cancelled is WhenCancelled.MARK:
            title = f"{CANCELLED}{event.title}"
            self._change(event, {"summary": title, "transparency": "transparent"}, may_be_gone=True)
        else:
            self._write(event, "DELETE", None, may_be_gone=True)

    def add(self, new: NewEvent) -> None:
        times = {"start": new.starts_at, "end": new.starts_at + new.duration}
        body = {
            "id": new.key,
            "summary": new.title,
            "description": new.description,
            "extendedProperties": {"private": {_KEY: new.key}},
            **{
                name: {"dateTime": instant_text(at), "timeZone": new.zone}
                for name, at in times.items()
            },
        }
        url = f"{self._events}?{query_text({'sendUpdates': 'none'})}"
        answer = self._client.write("POST", url, body=body)
        if answer.status not in (200, 409):  # 409: an earlier attempt wrote it
            raise CalendarRefused(why_refused(answer, self._email))

    def _change(
        self, event: CalendarEvent, body: Mapping[str, Any], *, may_be_gone: bool = False
    ) -> None:
        self._write(event, "PATCH", body, may_be_gone=may_be_gone)

    def _write(
        self,
        event: CalendarEvent,
        method: str,
        body: Mapping[str, Any] | None,
        *,
        may_be_gone: bool,
    ) -> None:
        url = f"{self._events}/{quoted(event.event_id)}?{query_text({'sendUpdates': 'none'})}"
        answer = self._client.write(method, url, body=body, headers={"If-Match": event.etag})
        if answer.status in (404, 410) and may_be_gone:
            return
        if answer.status in (404, 410, 412):
            raise CalendarConflict(CHANGED)
        if answer.status not in (200, 204):
            raise CalendarRefused(why_refused(answer, self._email))

    # --- notifications ------------------------------------------------------------------------

    def watch(self, channel: Mapping[str, Any]) -> Mapping[str, Any]:
        """Opens a channel of notifications. Returns it, with 'resourceId' and 'expiration'."""
        return self._asked(self._client.write("POST", f"{self._events}/watch", body=channel))

    def stop(self, channel_id: str, resource_id: str) -> None:
        body = {"id": channel_id, "resourceId": resource_id}
        answer = self._client.write("POST", f"{self._base}/channels/stop", body=body)
        if answer.status not in (200, 204, 404):
            raise CalendarRefused(why_refused(answer, self._email))

    def _asked(self, answer: Response) -> Mapping[str, Any]:
        if answer.status != 200:
            raise CalendarRefused(why_refused(answer, self._email))
        return json_object(answer) or {}


def _guests(event: Any) -> Iterator[EventGuest]:
    attendees = part(event, "attendees")
    for each in attendees[:MOST_GUESTS] if isinstance(attendees, list) else ():
        is_staff = any(part(each, name) is True for name in ("self", "organizer", "resource"))
        if not is_staff and "@" in text_of(each, "email"):
            yield EventGuest(
                text_of(each, "email")[:MOST_TEXT], text_of(each, "displayName")[:MOST_TEXT]
            )


def plain_text(text: str) -> str:
    """A description as plain text: Google stores what staff typed as HTML."""
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", text))
    return html.unescape(text).strip()[:MOST_DESCRIPTION]
