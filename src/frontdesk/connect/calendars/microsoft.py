"""Microsoft 365 calendars by Graph, with an application's own permission."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars import rest
from frontdesk.connect.calendars.microsoft_account import LOGIN, ClientTokens, MicrosoftAccount
from frontdesk.connect.calendars.port import (
    AllDayEvents,
    BadCalendar,
    BusySpan,
    CalendarEntry,
    CalendarRefused,
    CalendarUnknown,
    Changes,
    WrittenEvent,
)
from frontdesk.connect.http_client import Response

GRAPH: Final = "https://graph.microsoft.com/v1.0"
#: Microsoft rejects a period of 62 days or more with an error.
SCHEDULE_SPAN: Final = timedelta(days=61)
#: How often an event can be deleted and written again.
MOST_GENERATIONS: Final = 5
#: The name of the property in which an event keeps our key.
KEY_PROPERTY: Final = "String {27784f45-db79-4888-b7b1-79a85e5a349f} Name FrontdeskKey"

DENIED: Final = (
    "Microsoft does not give us access to this calendar. Give the application the permission"
    " Calendars.ReadWrite, with the consent of an administrator, and check the user's address."
)
PREFER: Final = {"Prefer": 'outlook.timezone="UTC", IdType="ImmutableId"'}
_FREE: Final = ("free", "workingElsewhere")
_SELECT: Final = "id,start,end,showAs,isAllDay,isCancelled,type,changeKey,createdDateTime"
_EXPAND: Final = f"singleValueExtendedProperties($filter=id eq '{KEY_PROPERTY}')"


class MicrosoftCalendar:
    """A calendar of one user, whose events we may read and write."""

    def __init__(
        self,
        account: MicrosoftAccount,
        user: str,
        calendar_id: str = "",
        *,
        here: ZoneInfo,
        all_day: AllDayEvents = AllDayEvents.AS_MARKED,
        url: str = GRAPH,
        login: str = LOGIN,
    ) -> None:
        """Without a `calendar_id`, it is the user's main calendar."""
        self._here = here
        self._all_day = all_day
        self._base = f"{url}/"
        self._calendar = calendar_url(url, user, calendar_id)
        tokens = ClientTokens(account, login=login)
        self._client = rest.RestClient("Microsoft", tokens)

    def __repr__(self) -> str:
        return f"MicrosoftCalendar({self._calendar!r})"

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        spans: list[BusySpan] = []
        own: set[str] = set()
        for event in sorted(self._view(start, end), key=_created):
            key = single_key(event, KEY_PROPERTY)
            if key and key not in own:  # a copy that staff made has the same key
                own.add(key)
            elif self._is_busy(event):
                starts_at, ends_at = self._times(event)
                all_day = event.get("isAllDay") is True
                spans.append(BusySpan(starts_at, ends_at, all_day, rest.text_of(event, "id")))
        return sorted(spans, key=lambda span: (span.starts_at, span.ends_at))

    def find(self, key: str, event_id: str = "") -> WrittenEvent | None:
        if event_id:
            fields = query_text({"$select": _SELECT, "$expand": _EXPAND})
            url = f"{self._calendar}/events/{rest.quoted(event_id)}?{fields}"
            answer = self._client.read(url, headers=PREFER)
            if answer.status == 404:
                return None
            return self._own(key, self._client.read_json(_checked(answer)))
        same = f"ep/id eq '{KEY_PROPERTY}' and ep/value eq '{key}'"
        query = {
            "$filter": f"singleValueExtendedProperties/Any(ep: {same})",
            "$select": _SELECT,
            "$expand": _EXPAND,
        }
        found = sorted(self._pages(f"{self._calendar}/events?{query_text(query)}"), key=_created)
        return self._own(key, found[0]) if found else None

    def put(self, entry: CalendarEntry, event_id: str = "") -> WrittenEvent:
        """Looks for an event with the key before it creates one: Graph may create an event
        twice."""
        known = event_id or self._known_id(entry.key)
        if known and (changed := self._change(entry, known)):
            return changed
        for generation in range(entry.generation, entry.generation + MOST_GENERATIONS):
            answer = self._write("POST", "", _new_body(entry, generation))
            if answer.status == 201:
                return self._written(entry.key, answer)
            if error_code(answer) != "ErrorDuplicateTransactionId":
                raise graph_refusal(answer)
            known = self._known_id(entry.key)
            if known and (changed := self._change(entry, known)):
                return changed
        raise CalendarRefused("This event was deleted in Outlook too often.")

    def remove(self, key: str, event_id: str = "") -> None:
        event_id = event_id or self._known_id(key)
        if not event_id:
            return
        answer = self._write("DELETE", f"/{rest.quoted(event_id)}")
        if answer.status not in (204, 404):
            raise graph_refusal(answer)

    def changes(self, known: str, start: datetime, end: datetime) -> Changes:
        """Reads all events each time: Graph has no token here that says that nothing has
        changed."""
        own: dict[str, Mapping[str, Any]] = {}
        for event in sorted(self._view(start, end), key=_created):
            if key := single_key(event, KEY_PROPERTY):
                own.setdefault(key, event)
        return Changes(tuple(self._own(key, event) for key, event in own.items()), known="")

    # --- reading ------------------------------------------------------------------------------

    def _view(self, start: datetime, end: datetime) -> Iterator[dict[str, Any]]:
        query = {
            "startDateTime": graph_wall(start),
            "endDateTime": graph_wall(end),
            "$select": _SELECT,
            "$expand": _EXPAND,
            "$top": "500",
        }
        return self._pages(f"{self._calendar}/calendarView?{query_text(query)}")

    def _pages(self, url: str) -> Iterator[dict[str, Any]]:
        return graph_pages(self._client, url, within=self._base, headers=PREFER)

    def _is_busy(self, event: Mapping[str, Any]) -> bool:
        if event.get("isCancelled") is True:
            return False
        if event.get("isAllDay") is True and self._all_day is not AllDayEvents.AS_MARKED:
            return self._all_day is AllDayEvents.BLOCK
        return rest.text_of(event, "showAs") not in _FREE

    def _times(self, event: Mapping[str, Any]) -> tuple[datetime, datetime]:
        try:
            if event.get("isAllDay") is True:
                days = (rest.text_of(event, name, "dateTime")[:10] for name in ("start", "end"))
                starts_at, ends_at = (rest.midnight(day, self._here) for day in days)
            else:
                starts_at, ends_at = (graph_instant(event, name) for name in ("start", "end"))
        except ValueError:
            raise BadCalendar("An event in Outlook has a time that we cannot read.") from None
        return starts_at, ends_at

    def _own(self, key: str, event: Mapping[str, Any]) -> WrittenEvent:
        starts_at, ends_at = self._times(event)
        cancelled = event.get("isCancelled") is True
        etag = rest.text_of(event, "changeKey")
        return WrittenEvent(key, rest.text_of(event, "id"), starts_at, ends_at, cancelled, etag)

    # --- writing ------------------------------------------------------------------------------

    def _write(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Response:
        url = f"{self._calendar}/events{path}"
        return self._client.write(method, url, body=body, headers=PREFER)

    def _change(self, entry: CalendarEntry, event_id: str) -> WrittenEvent | None:
        """None if there is no such event any more."""
        answer = self._write("PATCH", f"/{rest.quoted(event_id)}", _body(entry))
        if answer.status == 404:
            return None
        if answer.status != 200:
            raise graph_refusal(answer)
        return self._written(entry.key, answer)

    def _known_id(self, key: str) -> str:
        try:
            found = self.find(key)
        except BadCalendar as bad:
            raise CalendarUnknown(str(bad)) from None
        return found.event_id if found else ""

    def _written(self, key: str, answer: Response) -> WrittenEvent:
        try:
            return self._own(key, self._client.written_json(answer))
        except BadCalendar as bad:
            raise CalendarUnknown(str(bad)) from None


class MicrosoftFreeBusy:
    """The free/busy times of a mailbox whose events we may not see. They do not tell all-day events
    apart, and they include our own events, so we never write into such a calendar."""

    def __init__(
        self,
        account: MicrosoftAccount,
        user: str,
        *,
        url: str = GRAPH,
        login: str = LOGIN,
    ) -> None:
        self._user = user
        self._url = f"{url}/users/{rest.quoted(user)}/calendar/getSchedule"
        self._client = rest.RestClient("Microsoft", ClientTokens(account, login=login))

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        return rest.in_parts(start, end, SCHEDULE_SPAN, self._ask)

    def _ask(self, start: datetime, end: datetime) -> Iterator[BusySpan]:
        body = {
            "Schedules": [self._user],
            "StartTime": graph_time(start),
            "EndTime": graph_time(end),
            "AvailabilityViewInterval": 60,
        }
        answer = self._client.read(self._url, body=body, headers=PREFER)
        found = rest.items_of(self._client.read_json(_checked(answer)), "value")
        if len(found) != 1 or not isinstance(found[0], dict) or found[0].get("error"):
            raise BadCalendar("Microsoft cannot read this mailbox's free and busy times.")
        for item in rest.items_of(found[0], "scheduleItems"):
            if rest.text_of(item, "status") in _FREE:
                continue
            try:
                yield BusySpan(graph_instant(item, "start"), graph_instant(item, "end"))
            except ValueError:
                raise BadCalendar("Microsoft sent an answer that we cannot read.") from None


def _body(entry: CalendarEntry) -> dict[str, Any]:
    return {
        "subject": entry.title,
        "body": {"contentType": "text", "content": entry.description},
        "location": {"displayName": entry.location},
        "start": graph_time(entry.starts_at),
        "end": graph_time(entry.ends_at),
    }


def _new_body(entry: CalendarEntry, generation: int) -> dict[str, Any]:
    """An event without guests: Microsoft mails nobody."""
    return {
        **_body(entry),
        "showAs": "busy",
        "transactionId": f"{entry.key}-{generation}",
        "singleValueExtendedProperties": [{"id": KEY_PROPERTY, "value": entry.key}],
    }


def calendar_url(url: str, user: str, calendar_id: str) -> str:
    which = f"calendars/{rest.quoted(calendar_id)}" if calendar_id else "calendar"
    return f"{url}/users/{rest.quoted(user)}/{which}"


def graph_pages(
    client: rest.RestClient, url: str, *, within: str, headers: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Yields the events of all pages. Sends the token only to addresses that begin with
    `within`."""
    for _ in range(rest.MOST_PAGES):
        found = client.read_json(_checked(client.read(url, headers=headers)))
        for event in rest.items_of(found, "value"):
            if not isinstance(event, dict):
                raise BadCalendar("Microsoft sent an answer that we cannot read.")
            yield event
        if not (url := rest.text_of(found, "@odata.nextLink")):
            return
        if not url.startswith(within):
            raise BadCalendar("Microsoft sent an answer that we do not accept.")
    raise BadCalendar("This calendar has too many events in this time.")


def _checked(answer: Response) -> Response:
    if answer.status != 200:
        raise BadCalendar(why_refused(answer))
    return answer


def single_key(event: Mapping[str, Any], name: str) -> str:
    """Returns our key in an event. It is empty if staff made the event repeat: the event then
    counts as busy."""
    properties = event.get("singleValueExtendedProperties")
    if rest.text_of(event, "type") != "singleInstance" or not isinstance(properties, list):
        return ""
    return next(
        (rest.text_of(each, "value") for each in properties if rest.text_of(each, "id") == name), ""
    )


def _created(event: Mapping[str, Any]) -> tuple[str, str]:
    return rest.text_of(event, "createdDateTime"), rest.text_of(event, "id")


def graph_time(at: datetime) -> dict[str, str]:
    return {"dateTime": graph_wall(at), "timeZone": "UTC"}


def graph_wall(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}"


def graph_instant(found: Any, name: str) -> datetime:
    if rest.text_of(found, name, "timeZone") not in ("UTC", "Etc/UTC"):
        raise ValueError("it is not in UTC")
    return rest.instant_of_text(rest.text_of(found, name, "dateTime")[:19], utc=True)


def error_code(answer: Response) -> str:
    return rest.text_of(rest.part(rest.json_object(answer), "error"), "code")[:60]


def why_refused(answer: Response) -> str:
    if answer.status in (401, 403, 404):
        return DENIED
    return f"Microsoft refuses this ({answer.status} {error_code(answer)})."


def graph_refusal(answer: Response) -> CalendarRefused:
    return CalendarRefused(why_refused(answer))


def query_text(query: Mapping[str, str]) -> str:
    return urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
