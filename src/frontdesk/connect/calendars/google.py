"""Google Calendar v3, with a service account: events of one calendar, or its free/busy times."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.port import (
    AllDayEvents,
    BadCalendar,
    BusySpan,
    CalendarDown,
    CalendarEntry,
    CalendarRefused,
    CalendarUnknown,
    Changes,
    WrittenEvent,
)
from frontdesk.connect.calendars.rest import (
    MOST_PAGES,
    RestClient,
    in_parts,
    instant_of_text,
    instant_text,
    items_of,
    json_object,
    midnight,
    part,
    quoted,
    retry_after,
    text_of,
)
from frontdesk.connect.google_api import AccessTokens, Denied, GoogleError, ServiceAccount
from frontdesk.connect.http_client import Response

GOOGLE: Final = "https://www.googleapis.com"
EVENTS_SCOPE: Final = "https://www.googleapis.com/auth/calendar.events"
FREE_BUSY_SCOPE: Final = "https://www.googleapis.com/auth/calendar.freebusy"

#: Google rejects a longer period with an error.
FREE_BUSY_SPAN: Final = timedelta(days=90)
#: The most ids that one event can use. Google does not allow the id of a deleted event again.
MOST_GENERATIONS: Final = 5

DENIED: Final = (
    "Google does not give us access to this calendar. Share it with {email} and let it make changes"
    " to events, or let the domain delegate to it, and check the calendar's id in the settings."
)
_KEY: Final = "frontdeskKey"
_OWN: Final = "frontdesk"
_LIMITS: Final = ("rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded")
_FIELDS: Final = (
    "id,etag,status,start,end,transparency,recurringEventId,recurrence,extendedProperties/private"
)


class GoogleCalendar:
    """One calendar whose events we may read and write."""

    def __init__(
        self,
        account: ServiceAccount,
        calendar_id: str,
        subject: str = "",
        *,
        here: ZoneInfo,
        all_day: AllDayEvents = AllDayEvents.AS_MARKED,
        url: str = GOOGLE,
        seconds: float = 15.0,
    ) -> None:
        """`subject` is the person for whom the account acts, where the domain delegates to it;
        without one, the calendar must be shared with the account."""
        self._email = account.email
        self._here = here
        self._all_day = all_day
        tokens = AccessTokens(account, (EVENTS_SCOPE,), subject=subject)
        self._client = RestClient("Google", GoogleTokens(tokens), seconds=seconds)
        self._events = f"{url}/calendar/v3/calendars/{quoted(calendar_id)}/events"

    def __repr__(self) -> str:
        return f"GoogleCalendar({self._events!r})"

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        spans = [
            span
            for event in self._list(start, end, {"orderBy": "startTime"})
            if (span := self._span(event)) is not None
        ]
        return sorted(spans, key=lambda span: (span.starts_at, span.ends_at))

    def find(self, key: str, event_id: str = "") -> WrittenEvent | None:
        """Looks up the generations of the id in turn: all but the last were deleted."""
        found = None
        for each in _ids(key, event_id):
            now = self._get(each)
            if now is None or not now.cancelled:
                return now or found
            found = now
        return found

    def put(self, entry: CalendarEntry, event_id: str = "") -> WrittenEvent:
        if event_id:
            answer = self._write("PATCH", f"/{quoted(event_id)}", _body(entry))
            if answer.status == 200 and not _is_cancelled(answer):
                return self._written(entry.key, answer)
            if answer.status not in (200, 404, 410) and not self._is_gone(event_id):
                raise self._refusal(answer)
        for each in _ids(entry.key, event_id, first=entry.generation)[bool(event_id) :]:
            answer = self._write("POST", "", {"id": each, **_body(entry)})
            if answer.status == 200:
                return self._written(entry.key, answer)
            if answer.status != 409:
                raise self._refusal(answer)
            if not self._is_gone(each):
                return self._change(entry, each)
        raise CalendarRefused("This event was deleted in Google too often.")

    def remove(self, key: str, event_id: str = "") -> None:
        if not event_id:
            found = _before_writing(lambda: self.find(key))
            if found is None or found.cancelled:
                return
            event_id = found.event_id
        answer = self._write("DELETE", f"/{quoted(event_id)}")
        if answer.status not in (200, 204, 404, 410):
            raise self._refusal(answer)

    def changes(self, known: str, start: datetime, end: datetime) -> Changes:
        parameters = {"privateExtendedProperty": f"{_OWN}=1"}
        span = f"{instant_text(start)}/{instant_text(end)}/"
        etag = known.removeprefix(span) if known.startswith(span) else ""
        answer = self._page(start, end, parameters, {"If-None-Match": etag} if etag else {})
        if answer.status == 304 and etag:
            return Changes((), known, unchanged=True)
        events = self._all(answer, start, end, parameters)
        own = (self._own(event) for event in events if _own_key(event))
        return Changes(tuple(own), span + answer.headers.get("etag", ""))

    # --- reading ------------------------------------------------------------------------------

    def _list(self, start: datetime, end: datetime, parameters: Mapping[str, str]) -> Iterator[Any]:
        return self._all(self._page(start, end, parameters), start, end, parameters)

    def _all(
        self, answer: Response, start: datetime, end: datetime, parameters: Mapping[str, str]
    ) -> Iterator[Any]:
        for _ in range(MOST_PAGES):
            if answer.status != 200:
                raise BadCalendar(self._why(answer))
            found = self._client.read_json(answer)
            if found.get("accessRole") in ("freeBusyReader", "none"):
                raise BadCalendar(DENIED.format(email=self._email))
            yield from items_of(found, "items")
            if not (token := text_of(found, "nextPageToken")):
                return
            answer = self._page(start, end, {**parameters, "pageToken": token})
        raise BadCalendar("This calendar has too many events in this time.")

    def _page(
        self,
        start: datetime,
        end: datetime,
        parameters: Mapping[str, str],
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        query = {
            "timeMin": instant_text(start),
            "timeMax": instant_text(end),
            "singleEvents": "true",
            "maxResults": "2500",
            "maxAttendees": "1",
            "fields": f"nextPageToken,accessRole,items({_FIELDS},attendees(self,responseStatus))",
            **parameters,
        }
        return self._client.read(f"{self._events}?{query_text(query)}", headers=headers)

    def _span(self, event: Any) -> BusySpan | None:
        """The busy span of an event; None if it takes no time. Google's free/busy times follow the
        same rules."""
        status, all_day = text_of(event, "status"), part(event, "start", "date") is not None
        marked_free = text_of(event, "transparency") == "transparent" or _is_declined(event)
        if all_day and self._all_day is not AllDayEvents.AS_MARKED:
            marked_free = self._all_day is AllDayEvents.IGNORE
        if status == "cancelled" or marked_free or _own_key(event):
            return None
        try:
            starts_at, ends_at = event_span(event, self._here)
        except ValueError:
            raise BadCalendar("An event in Google has a time that we cannot read.") from None
        return BusySpan(starts_at, ends_at, all_day, text_of(event, "id"))

    def _get(self, event_id: str) -> WrittenEvent | None:
        """None if there is no such event, or if it is not ours."""
        query = query_text({"fields": _FIELDS})
        answer = self._client.read(f"{self._events}/{quoted(event_id)}?{query}")
        if answer.status in (404, 410):
            return None
        if answer.status != 200:
            raise BadCalendar(self._why(answer))
        event = self._client.read_json(answer)
        return self._own(event) if text_of(event, "id") == event_id else None

    def _own(self, event: Any) -> WrittenEvent:
        cancelled = text_of(event, "status") == "cancelled"
        event_id = text_of(event, "id")
        key = event_id.partition("g")[0]
        try:
            starts_at, ends_at = event_span(event, self._here)
        except ValueError:
            if not cancelled:
                raise BadCalendar("An event in Google has a time that we cannot read.") from None
            starts_at = ends_at = _NO_TIME
        return WrittenEvent(key, event_id, starts_at, ends_at, cancelled, text_of(event, "etag"))

    # --- writing ------------------------------------------------------------------------------

    def _write(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Response:
        query = {"sendUpdates": "none"}
        return self._client.write(method, f"{self._events}{path}?{query_text(query)}", body=body)

    def _change(self, entry: CalendarEntry, event_id: str) -> WrittenEvent:
        answer = self._write("PATCH", f"/{quoted(event_id)}", _body(entry))
        if answer.status != 200:
            raise self._refusal(answer)
        return self._written(entry.key, answer)

    def _is_gone(self, event_id: str) -> bool:
        """Whether a deleted event has this id, or one that is not ours."""
        found = _before_writing(lambda: self._get(event_id))
        return found is None or found.cancelled

    def _written(self, key: str, answer: Response) -> WrittenEvent:
        event = self._client.written_json(answer)
        try:
            starts_at, ends_at = event_span(event, self._here)
        except ValueError:
            raise CalendarUnknown("Google sent an answer that we cannot read.") from None
        etag = text_of(event, "etag")
        return WrittenEvent(key, text_of(event, "id"), starts_at, ends_at, etag=etag)

    def _refusal(self, answer: Response) -> CalendarRefused | CalendarDown:
        if answer.status == 403 and _reason(answer) in _LIMITS:
            return CalendarDown(self._why(answer), retry_after(answer))
        return CalendarRefused(self._why(answer))

    def _why(self, answer: Response) -> str:
        return why_refused(answer, self._email)


class GoogleFreeBusy:
    """The free/busy times of a calendar whose events we may not see. They do not tell all-day
    events apart, and they include our own events, so we never write into such a calendar."""

    def __init__(
        self,
        account: ServiceAccount,
        calendar_id: str,
        subject: str = "",
        *,
        url: str = GOOGLE,
    ) -> None:
        self._email = account.email
        self._calendar_id = calendar_id
        self._url = f"{url}/calendar/v3/freeBusy"
        tokens = AccessTokens(account, (FREE_BUSY_SCOPE,), subject=subject)
        self._client = RestClient("Google", GoogleTokens(tokens))

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        return in_parts(start, end, FREE_BUSY_SPAN, self._ask)

    def _ask(self, start: datetime, end: datetime) -> Iterator[BusySpan]:
        body = {
            "timeMin": instant_text(start),
            "timeMax": instant_text(end),
            "items": [{"id": self._calendar_id}],
        }
        answer = self._client.read(self._url, body=body)
        if answer.status != 200:
            raise BadCalendar(why_refused(answer, self._email))
        found = part(self._client.read_json(answer), "calendars", self._calendar_id)
        if not isinstance(found, dict) or found.get("errors"):
            raise BadCalendar(DENIED.format(email=self._email))
        for period in items_of(found, "busy"):
            try:
                starts_at = instant_of_text(text_of(period, "start"))
                yield BusySpan(starts_at, instant_of_text(text_of(period, "end")))
            except ValueError:
                raise BadCalendar("Google sent an answer that we cannot read.") from None


class GoogleTokens:
    def __init__(self, tokens: AccessTokens) -> None:
        self._tokens = tokens
        self.forget = tokens.forget

    def access(self) -> str:
        try:
            return self._tokens.access()
        except Denied as denied:
            raise CalendarRefused(str(denied)) from None
        except GoogleError as error:
            raise CalendarDown(str(error)) from None


#: Google may return only the id of a deleted event.
_NO_TIME: Final = instant_of_text("1970-01-01T00:00:00Z")


def _ids(key: str, event_id: str, first: int = 0) -> list[str]:
    """Returns the id of each generation. Google allows the letters a to v and digits."""
    number = event_id.partition("g")[2]
    if event_id:
        first = int(number) if number.isascii() and number.isdigit() else 0
    generations = range(first, first + MOST_GENERATIONS)
    return [f"{key}g{each}" if each else key for each in generations]


def _own_key(event: Any) -> str:
    """Returns the key of our event; empty for a copy by staff, which has another id, and for an
    event that staff made repeat, which takes other times as well."""
    key, event_id = text_of(event, "extendedProperties", "private", _KEY), text_of(event, "id")
    repeats = part(event, "recurringEventId") or part(event, "recurrence")
    return key if key and event_id.partition("g")[0] == key and not repeats else ""


def _body(entry: CalendarEntry) -> dict[str, Any]:
    return {
        "summary": entry.title,
        "description": entry.description,
        "location": entry.location,
        "start": {"dateTime": instant_text(entry.starts_at), "timeZone": entry.zone},
        "end": {"dateTime": instant_text(entry.ends_at), "timeZone": entry.zone},
        "extendedProperties": {"private": {_OWN: "1", _KEY: entry.key}},
    }


def event_span(event: Any, here: ZoneInfo) -> tuple[datetime, datetime]:
    return event_instant(event, "start", here), event_instant(event, "end", here)


def event_instant(event: Any, name: str, here: ZoneInfo) -> datetime:
    if day := text_of(event, name, "date"):
        return midnight(day, here)
    return instant_of_text(text_of(event, name, "dateTime"))


def _is_cancelled(answer: Response) -> bool:
    return text_of(json_object(answer), "status") == "cancelled"


def _is_declined(event: Any) -> bool:
    attendees = part(event, "attendees")
    return isinstance(attendees, list) and any(
        part(each, "self") is True and text_of(each, "responseStatus") == "declined"
        for each in attendees
    )


def _before_writing(read: Callable[[], WrittenEvent | None]) -> WrittenEvent | None:
    """Reads before a write. An earlier attempt may have written something."""
    try:
        return read()
    except BadCalendar as bad:
        raise CalendarUnknown(str(bad)) from None


def why_refused(answer: Response, email: str) -> str:
    if answer.status in (401, 403, 404):
        return DENIED.format(email=email)
    return f"Google refuses this ({answer.status} {_reason(answer)})."


def _reason(answer: Response) -> str:
    errors = part(json_object(answer), "error", "errors")
    first = errors[0] if isinstance(errors, list) and errors else None
    return text_of(first, "reason")[:60]


def query_text(parameters: Mapping[str, str]) -> str:
    return urllib.parse.urlencode(parameters)
