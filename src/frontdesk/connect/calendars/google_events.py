"""Reads staff's own events in Google Calendar, including every event of a series, and changes
single events."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars import rest
from frontdesk.connect.calendars.google import (
    EVENTS_SCOPE,
    GOOGLE,
    GoogleTokens,
    event_instant,
    event_span,
    query_text,
    why_refused,
)
from frontdesk.connect.calendars.ics_in import BAD_TIME, NO_TIME
from frontdesk.connect.calendars.model import (
    MOST_DESCRIPTION,
    MOST_GUESTS,
    MOST_TEXT,
    CalendarEvent,
    EventGuest,
)
from frontdesk.connect.calendars.port import BadCalendar, CalendarRefused
from frontdesk.connect.calendars.rest_events import (
    EventOptions,
    RestEvents,
    guests_of,
)
from frontdesk.connect.calendars.staff_events import NewEvent, event_uid
from frontdesk.connect.google_api import AccessTokens, ServiceAccount
from frontdesk.connect.http_client import Response

_KEY: Final = "frontdeskAppointment"
_FIELDS: Final = (
    "id,iCalUID,etag,status,summary,description,start,end,recurringEventId,originalStartTime,"
    "attendees(email,displayName,self,organizer,resource),extendedProperties/private"
)
_BREAK: Final = re.compile(r"<(?:br|/?p|/?div|/?li)\b[^>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]{1,500}>")


class GoogleEvents(RestEvents):
    title_field = "summary"
    free: Mapping[str, str] = {"transparency": "transparent"}
    gone = (404, 410)
    changed = (412,)

    def __init__(
        self,
        account: ServiceAccount,
        calendar_id: str,
        subject: str = "",
        *,
        options: EventOptions,
        url: str = GOOGLE,
    ) -> None:
        tokens = AccessTokens(account, (EVENTS_SCOPE,), subject=subject)
        super().__init__(rest.RestClient("Google", GoogleTokens(tokens)), options)
        self._email = account.email
        self._base = f"{url}/calendar/v3"
        self._events = f"{self._base}/calendars/{rest.quoted(calendar_id)}/events"

    def __repr__(self) -> str:
        return f"GoogleEvents({self._events!r})"

    # --- reading ------------------------------------------------------------------------------

    def _list(self, now: datetime) -> Iterator[Any]:
        query = {
            "timeMin": rest.instant_text(now),
            "timeMax": rest.instant_text(now + self._options.ahead),
            "singleEvents": "true",
            "maxResults": "2500",
            "maxAttendees": str(MOST_GUESTS),
            "fields": f"nextPageToken,accessRole,items({_FIELDS})",
        }
        for _ in range(rest.MOST_PAGES):
            answer = self._client.read(f"{self._events}?{query_text(query)}")
            if answer.status != 200:
                raise BadCalendar(why_refused(answer, self._email))
            found = self._client.read_json(answer)
            yield from rest.items_of(found, "items")
            if not (token := rest.text_of(found, "nextPageToken")):
                return
            query["pageToken"] = token
        raise BadCalendar("This calendar has too many events in this time.")

    def _event(self, event: Any, here: ZoneInfo) -> CalendarEvent:
        starts_at = ends_at = occurrence = None
        why = ""
        try:
            starts_at, ends_at = event_span(event, here)
            why = NO_TIME if rest.part(event, "start", "date") is not None else ""
            if rest.text_of(event, "recurringEventId"):
                occurrence = event_instant(event, "originalStartTime", here)
        except ValueError:
            why = BAD_TIME
        key = rest.text_of(event, "extendedProperties", "private", _KEY)
        is_ours = bool(key) and rest.text_of(event, "id") == key
        return CalendarEvent(
            uid=event_uid(key)
            if is_ours
            else rest.text_of(event, "iCalUID") or rest.text_of(event, "id"),
            title=rest.text_of(event, "summary")[:MOST_TEXT],
            starts_at=starts_at,
            ends_at=ends_at,
            why=why,
            cancelled=rest.text_of(event, "status") == "cancelled",
            description=plain_text(rest.text_of(event, "description")),
            guests=guests_of(event, _guest),
            calendar=self._options.calendar,
            occurrence=occurrence,
            event_id=rest.text_of(event, "id"),
            etag=rest.text_of(event, "etag"),
        )

    # --- writing ------------------------------------------------------------------------------

    def add(self, new: NewEvent) -> None:
        times = {"start": new.starts_at, "end": new.starts_at + new.duration}
        body = {
            "id": new.key,
            "summary": new.title,
            "description": new.description,
            "extendedProperties": {"private": {_KEY: new.key}},
            **{
                name: {"dateTime": rest.instant_text(at), "timeZone": new.zone}
                for name, at in times.items()
            },
        }
        url = f"{self._events}?{query_text({'sendUpdates': 'none'})}"
        answer = self._client.write("POST", url, body=body)
        if answer.status not in (200, 409):  # 409: an earlier attempt wrote it
            raise self._refusal(answer)

    def _time(self, at: datetime) -> Mapping[str, str]:
        return {"dateTime": rest.instant_text(at)}

    def _address(self, event: CalendarEvent) -> tuple[str, Mapping[str, str]]:
        url = f"{self._events}/{rest.quoted(event.event_id)}?{query_text({'sendUpdates': 'none'})}"
        return url, {"If-Match": event.etag}

    def _refusal(self, answer: Response) -> CalendarRefused:
        return CalendarRefused(why_refused(answer, self._email))

    # --- notifications ------------------------------------------------------------------------

    def watch(self, channel: Mapping[str, Any]) -> Mapping[str, Any]:
        """Opens a channel of notifications. Returns it, with 'resourceId' and 'expiration'."""
        return self._asked(self._client.write("POST", f"{self._events}/watch", body=channel))

    def stop(self, channel_id: str, resource_id: str) -> None:
        body = {"id": channel_id, "resourceId": resource_id}
        answer = self._client.write("POST", f"{self._base}/channels/stop", body=body)
        if answer.status not in (200, 204, 404):
            raise self._refusal(answer)

    def _asked(self, answer: Response) -> Mapping[str, Any]:
        if answer.status != 200:
            raise self._refusal(answer)
        return rest.json_object(answer) or {}


def _guest(attendee: Any) -> EventGuest | None:
    is_staff = any(rest.part(attendee, name) is True for name in ("self", "organizer", "resource"))
    email = rest.text_of(attendee, "email")
    if is_staff or "@" not in email:
        return None
    return EventGuest(email[:MOST_TEXT], rest.text_of(attendee, "displayName")[:MOST_TEXT])


def plain_text(text: str) -> str:
    """Converts a description to plain text: Google stores it as HTML."""
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", text))
    return html.unescape(text).strip()[:MOST_DESCRIPTION]
