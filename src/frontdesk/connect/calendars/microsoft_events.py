"""Staff's own events in Microsoft 365: read with each time of a series, and changed one by one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.ics_in import NO_TIME
from frontdesk.connect.calendars.microsoft import (
    GRAPH,
    PREFER,
    error_code,
    graph_instant,
    graph_refusal,
    graph_time,
    graph_wall,
    query_text,
    quoted,
    why_refused,
)
from frontdesk.connect.calendars.microsoft_account import LOGIN, ClientTokens, MicrosoftAccount
from frontdesk.connect.calendars.model import CalendarEvent, EventGuest
from frontdesk.connect.calendars.port import BadCalendar, CalendarConflict
from frontdesk.connect.calendars.rest import (
    MOST_PAGES,
    RestClient,
    instant_of_text,
    items_of,
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

MOST_TEXT: Final = 500
MOST_DESCRIPTION: Final = 4_000
MOST_GUESTS: Final = 10
#: The name of the property in which an event of ours keeps its key.
KEY_PROPERTY: Final = "String {27784f45-db79-4888-b7b1-79a85e5a349f} Name FrontdeskAppointment"
_HEADERS: Final = {"Prefer": f'{PREFER["Prefer"]}, outlook.body-content-type="text"'}
_SELECT: Final = (
    "id,iCalUId,changeKey,subject,body,start,end,isAllDay,isCancelled,type,seriesMasterId,"
    "originalStart,attendees"
)
_EXPAND: Final = f"singleValueExtendedProperties($filter=id eq '{KEY_PROPERTY}')"


class MicrosoftEvents:
    """Events of one calendar. Graph expands series itself, and a change to one event of a series
    is an exception."""

    def __init__(
        self,
        account: MicrosoftAccount,
        user: str,
        calendar_id: str = "",
        *,
        calendar: str = "",
        ahead: timedelta,
        series_ahead: timedelta,
        when_cancelled: WhenCancelled = WhenCancelled.MARK,
        url: str = GRAPH,
        login: str = LOGIN,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`calendar` is the name that each event gets."""
        self._calendar = calendar
        self._ahead = ahead
        self._series_ahead = series_ahead
        self._when_cancelled = when_cancelled
        self._base = f"{url}/"
        which = f"calendars/{quoted(calendar_id)}" if calendar_id else "calendar"
        self._url = f"{url}/users/{quoted(user)}/{which}"
        self._client = RestClient("Microsoft", ClientTokens(account, login=login, clock=clock))

    def __repr__(self) -> str:
        return f"MicrosoftEvents({self._url!r})"

    # --- reading ------------------------------------------------------------------------------

    def events(self, now: datetime, here: ZoneInfo) -> list[CalendarEvent]:
        """Raises `BadCalendar`."""
        found = (self._event(each) for each in self._view(now))
        last = now + self._series_ahead
        return [each for each in found if is_near(each, last)]

    def forget(self) -> None:
        """Every look reads it again."""

    def _view(self, now: datetime) -> Iterator[Mapping[str, Any]]:
        asked = {
            "startDateTime": graph_wall(now),
            "endDateTime": graph_wall(now + self._ahead),
            "$select": _SELECT,
            "$expand": _EXPAND,
            "$top": "500",
        }
        url = f"{self._url}/calendarView?{query_text(asked)}"
        for _ in range(MOST_PAGES):
            answer = self._client.read(url, headers=_HEADERS)
            if answer.status != 200:
                raise BadCalendar(why_refused(answer))
            found = self._client.read_json(answer)
            for event in items_of(found, "value"):
                if not isinstance(event, dict):
                    raise BadCalendar("Microsoft answers with what we cannot read.")
                yield event
            if not (url := text_of(found, "@odata.nextLink")):
                return
            if not url.startswith(self._base):  # the token goes to no other host
                raise BadCalendar("Microsoft answers with what we do not take.")
        raise BadCalendar("This calendar has too many events in this time.")

    def _event(self, event: Mapping[str, Any]) -> CalendarEvent:
        """An event with a time that we cannot read says so; a day alone is no time."""
        starts_at = ends_at = occurrence = None
        why = NO_TIME if event.get("isAllDay") is True else ""
        master = text_of(event, "seriesMasterId")
        try:
            starts_at, ends_at = (graph_instant(event, each) for each in ("start", "end"))
            if master:
                occurrence = instant_of_text(text_of(event, "originalStart"))
        except ValueError:
            why = "Its time cannot be read."
        key = _own_key(event)
        return CalendarEvent(
            uid=event_uid(key) if key else master or text_of(event, "iCalUId"),
            title=text_of(event, "subject")[:MOST_TEXT],
            starts_at=starts_at,
            ends_at=ends_at,
            why=why,
            cancelled=event.get("isCancelled") is True,
            description=text_of(event, "body", "content").strip()[:MOST_DESCRIPTION],
            guests=tuple(_guests(event)),
            calendar=self._calendar,
            occurrence=occurrence,
            event_id=text_of(event, "id"),
            etag=text_of(event, "changeKey"),
        )

    # --- writing ------------------------------------------------------------------------------

    def move(self, event: CalendarEvent, starts_at: datetime) -> None:
        assert event.starts_at is not None
        ends_at = starts_at + ((event.ends_at or event.starts_at) - event.starts_at)
        body = {"start": graph_time(starts_at), "end": graph_time(ends_at)}
        self._write(event, "PATCH", body, may_be_gone=False)

    def cancel(self, event: CalendarEvent) -> None:
        if self._when_cancelled is WhenCancelled.MARK:
            body = {"subject": f"{CANCELLED}{event.title}", "showAs": "free"}
            self._write(event, "PATCH", body, may_be_gone=True)
        else:
            self._write(event, "DELETE", None, may_be_gone=True)

    def add(self, new: NewEvent) -> None:
        """Sends no guests, so Microsoft mails nobody. A repetition has the same transaction."""
        body = {
            "subject": new.title,
            "body": {"contentType": "text", "content": new.description},
            "start": graph_time(new.starts_at),
            "end": graph_time(new.starts_at + new.duration),
            "showAs": "busy",
            "transactionId": new.key,
            "singleValueExtendedProperties": [{"id": KEY_PROPERTY, "value": new.key}],
        }
        answer = self._client.write("POST", f"{self._url}/events", body=body, headers=_HEADERS)
        if answer.status != 201 and error_code(answer) != "ErrorDuplicateTransactionId":
            raise graph_refusal(answer)

    def _write(
        self,
        event: CalendarEvent,
        method: str,
        body: Mapping[str, Any] | None,
        *,
        may_be_gone: bool,
    ) -> None:
        headers = {**_HEADERS, "If-Match": f'W/"{event.etag}"'}
        url = f"{self._url}/events/{quoted(event.event_id)}"
        answer = self._client.write(method, url, body=body, headers=headers)
        if answer.status == 404 and may_be_gone:
            return
        if answer.status in (404, 409, 412):
            raise CalendarConflict(CHANGED)
        if answer.status not in (200, 204):
            raise graph_refusal(answer)


def _own_key(event: Mapping[str, Any]) -> str:
    """A copy that staff made repeat is theirs."""
    properties = event.get("singleValueExtendedProperties")
    if text_of(event, "type") != "singleInstance" or not isinstance(properties, list):
        return ""
    keys = (text_of(each, "value") for each in properties if text_of(each, "id") == KEY_PROPERTY)
    return next(keys, "")


def _guests(event: Mapping[str, Any]) -> Iterator[EventGuest]:
    attendees = part(event, "attendees")
    for each in attendees[:MOST_GUESTS] if isinstance(attendees, list) else ():
        email = text_of(each, "emailAddress", "address")
        if text_of(each, "type") != "resource" and "@" in email:
            name = text_of(each, "emailAddress", "name")
            yield EventGuest(email[:MOST_TEXT], "" if name == email else name[:MOST_TEXT])
