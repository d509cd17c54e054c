"""Reads staff's own events in Microsoft 365, including every event of a series, and changes single
events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars import microsoft
from frontdesk.connect.calendars.ics_in import BAD_TIME, NO_TIME
from frontdesk.connect.calendars.microsoft_account import LOGIN, ClientTokens, MicrosoftAccount
from frontdesk.connect.calendars.model import MOST_DESCRIPTION, MOST_TEXT, CalendarEvent, EventGuest
from frontdesk.connect.calendars.port import CalendarRefused
from frontdesk.connect.calendars.rest import RestClient, instant_of_text, quoted, text_of
from frontdesk.connect.calendars.rest_events import (
    EventOptions,
    RestEvents,
    guests_of,
)
from frontdesk.connect.calendars.staff_events import NewEvent, event_uid
from frontdesk.connect.http_client import Response

#: The name of the property in which an event of ours keeps its key.
KEY_PROPERTY: Final = "String {27784f45-db79-4888-b7b1-79a85e5a349f} Name FrontdeskAppointment"
_HEADERS: Final = {"Prefer": f'{microsoft.PREFER["Prefer"]}, outlook.body-content-type="text"'}
_SELECT: Final = (
    "id,iCalUId,changeKey,subject,body,start,end,isAllDay,isCancelled,type,seriesMasterId,"
    "originalStart,attendees"
)
_EXPAND: Final = f"singleValueExtendedProperties($filter=id eq '{KEY_PROPERTY}')"


class MicrosoftEvents(RestEvents):
    title_field = "subject"
    free: Mapping[str, str] = {"showAs": "free"}
    gone = (404,)
    changed = (409, 412)

    def __init__(
        self,
        account: MicrosoftAccount,
        user: str,
        calendar_id: str = "",
        *,
        options: EventOptions,
        url: str = microsoft.GRAPH,
        login: str = LOGIN,
    ) -> None:
        tokens = ClientTokens(account, login=login)
        super().__init__(RestClient("Microsoft", tokens), options)
        self._base = f"{url}/"
        self._url = microsoft.calendar_url(url, user, calendar_id)

    def __repr__(self) -> str:
        return f"MicrosoftEvents({self._url!r})"

    # --- reading ------------------------------------------------------------------------------

    def _list(self, now: datetime) -> Iterator[Mapping[str, Any]]:
        query = {
            "startDateTime": microsoft.graph_wall(now),
            "endDateTime": microsoft.graph_wall(now + self._options.ahead),
            "$select": _SELECT,
            "$expand": _EXPAND,
            "$top": "500",
        }
        url = f"{self._url}/calendarView?{microsoft.query_text(query)}"
        return microsoft.graph_pages(self._client, url, within=self._base, headers=_HEADERS)

    def _event(self, event: Mapping[str, Any], here: ZoneInfo) -> CalendarEvent:
        starts_at = ends_at = occurrence = None
        why = NO_TIME if event.get("isAllDay") is True else ""
        master = text_of(event, "seriesMasterId")
        try:
            starts_at, ends_at = (microsoft.graph_instant(event, each) for each in ("start", "end"))
            if master:
                occurrence = instant_of_text(text_of(event, "originalStart"))
        except ValueError:
            why = BAD_TIME
        key = microsoft.single_key(event, KEY_PROPERTY)
        return CalendarEvent(
            uid=event_uid(key) if key else master or text_of(event, "iCalUId"),
            title=text_of(event, "subject")[:MOST_TEXT],
            starts_at=starts_at,
            ends_at=ends_at,
            why=why,
            cancelled=event.get("isCancelled") is True,
            description=text_of(event, "body", "content").strip()[:MOST_DESCRIPTION],
            guests=guests_of(event, _guest),
            calendar=self._options.calendar,
            occurrence=occurrence,
            event_id=text_of(event, "id"),
            etag=text_of(event, "changeKey"),
        )

    # --- writing ------------------------------------------------------------------------------

    def add(self, new: NewEvent) -> None:
        """Sends no guests, so Microsoft mails nobody. A retry has the same transaction id."""
        body = {
            "subject": new.title,
            "body": {"contentType": "text", "content": new.description},
            "start": microsoft.graph_time(new.starts_at),
            "end": microsoft.graph_time(new.starts_at + new.duration),
            "showAs": "busy",
            "transactionId": new.key,
            "singleValueExtendedProperties": [{"id": KEY_PROPERTY, "value": new.key}],
        }
        answer = self._client.write("POST", f"{self._url}/events", body=body, headers=_HEADERS)
        if answer.status != 201 and microsoft.error_code(answer) != "ErrorDuplicateTransactionId":
            raise microsoft.graph_refusal(answer)

    def _time(self, at: datetime) -> Mapping[str, str]:
        return microsoft.graph_time(at)

    def _address(self, event: CalendarEvent) -> tuple[str, Mapping[str, str]]:
        url = f"{self._url}/events/{quoted(event.event_id)}"
        return url, {**_HEADERS, "If-Match": f'W/"{event.etag}"'}

    def _refusal(self, answer: Response) -> CalendarRefused:
        return microsoft.graph_refusal(answer)


def _guest(attendee: Any) -> EventGuest | None:
    email = text_of(attendee, "emailAddress", "address")
    if text_of(attendee, "type") == "resource" or "@" not in email:
        return None
    name = text_of(attendee, "emailAddress", "name")
    return EventGuest(email[:MOST_TEXT], "" if name == email else name[:MOST_TEXT])
