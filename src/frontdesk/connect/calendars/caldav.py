"""CalDAV: reads a calendar, and writes our own events into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import quote, unquote
from xml.parsers import expat
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.client import Account, ask, decoded, refusal, write
from frontdesk.connect.calendars.ics_busy import MOST_CHARACTERS, OWN_KEY, BusyWindow, busy_in_files
from frontdesk.connect.calendars.ics_own import changed_file, new_file, read_own
from frontdesk.connect.calendars.model import CalendarFile, CalendarFiles
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
from frontdesk.connect.http_client import Response
from frontdesk.values import Frozen

#: How far ahead `CalDav.read` looks: farther than anybody plans a slot. The token does not change
#: when time alone brings an event into this range, so such an event would not be read.
SPAN: Final = timedelta(days=800)
_XML: Final = {"Content-Type": "application/xml; charset=utf-8"}
_SYNC: Final = "DAV: sync-token"
_CTAG: Final = "http://calendarserver.org/ns/ getctag"
_RESPONSE: Final = "DAV: response"
_HREF: Final = "DAV: href"
_ETAG: Final = "DAV: getetag"
_TEXT: Final = "urn:ietf:params:xml:ns:caldav calendar-data"

_CHANGED: Final = b"""<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:" xmlns:cs="http://calendarserver.org/ns/">
 <d:prop><d:sync-token/><cs:getctag/></d:prop>
</d:propfind>"""
_QUERY: Final = """<?xml version="1.0" encoding="utf-8"?>
<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
 <d:prop><d:getetag/><c:calendar-data/></d:prop>
 <c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">{condition}\
</c:comp-filter></c:comp-filter></c:filter>
</c:calendar-query>"""
_IN_TIME: Final = '<c:time-range start="{start}" end="{end}"/>'
_WITH: Final = '<c:prop-filter name="{name}"/>'
_DONE: Final = (200, 201, 204)
_MOST_ATTEMPTS: Final = 3


class CalDav(Frozen):
    url: str
    account: Account = Account()

    def read(self, known: str, now: datetime) -> CalendarFiles | None:
        """Reads the coming events; None if nothing has changed. It gets the token before the
        events, so the next read finds a change that happens in between."""
        found = dict(_texts(self._ask("PROPFIND", "0", _CHANGED)))
        token = found.get(_SYNC) or found.get(_CTAG) or ""
        if token and token == known:
            return None
        return CalendarFiles(tuple(_files_within(self._ask, now, now + SPAN).values()), token)

    def _ask(self, method: str, depth: str, body: bytes) -> bytes:
        return _request(method, self.url.rstrip("/") + "/", self.account, depth, body)


class CalDavCalendar:
    """A calendar on a CalDAV server. We expand repeats ourselves, because servers do it
    differently."""

    def __init__(
        self,
        url: str,
        account: Account = Account(),  # noqa: B008 - it is immutable
        *,
        here: ZoneInfo,
        all_day: AllDayEvents = AllDayEvents.AS_MARKED,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._url = url.rstrip("/") + "/"
        self._account = account
        self._here = here
        self._all_day = all_day
        self._clock = clock

    def __repr__(self) -> str:
        return f"CalDavCalendar({self._url!r})"

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        window = BusyWindow(start, end, self._here, self._all_day)
        files = _files_within(self._ask, start, end)
        return busy_in_files([file.text for file in files.values()], window)

    def find(self, key: str, event_id: str = "") -> WrittenEvent | None:
        name = _name(key, event_id)
        if (file := self._get(name)) is None:
            return None
        return read_own(file.text, name, file.etag, self._here)

    def put(self, entry: CalendarEntry, event_id: str = "") -> WrittenEvent:
        name = _name(entry.key, event_id)
        if not event_id:
            answer = self._put(name, new_file(entry, self._clock()), {"If-None-Match": "*"})
            if answer.status in _DONE:
                return _written(entry, name, answer)
            if answer.status != 412:
                raise CalendarRefused(refusal(answer.status))
        for _ in range(_MOST_ATTEMPTS):
            try:
                file = self._get(name)
            except BadCalendar as bad:
                raise CalendarUnknown(str(bad)) from None
            if file is None:
                text, condition = new_file(entry, self._clock()), {"If-None-Match": "*"}
            else:
                text = changed_file(file.text, entry, self._clock())
                condition = {"If-Match": file.etag} if file.etag else {}
            answer = self._put(name, text, condition)
            if answer.status in _DONE:
                return _written(entry, name, answer)
            if answer.status != 412:
                raise CalendarRefused(refusal(answer.status))
        raise CalendarDown("Somebody else is changing this event. We will try again.")

    def remove(self, key: str, event_id: str = "") -> None:
        url = self._address(_name(key, event_id))
        answer = write("DELETE", url, self._account.headers)
        if answer.status not in (*_DONE, 404, 410):
            raise CalendarRefused(refusal(answer.status))

    def changes(self, known: str, start: datetime, end: datetime) -> Changes:
        found = dict(_texts(self._ask("PROPFIND", "0", _CHANGED)))
        mark = found.get(_SYNC) or found.get(_CTAG) or ""
        token = f"{_stamp(start)}/{_stamp(end)}/{mark}"
        if mark and token == known:
            return Changes((), known, unchanged=True)
        files = _query_files(self._ask, _IN_TIME.format(start=_stamp(start), end=_stamp(end)))
        own = (
            read_own(file.text, name, file.etag, self._here)
            for name, file in files.items()
            if OWN_KEY in file.text.upper()
        )
        return Changes(tuple(event for event in own if event is not None), token)

    def _ask(self, method: str, depth: str, body: bytes) -> bytes:
        return _request(method, self._url, self._account, depth, body)

    def _get(self, name: str) -> CalendarFile | None:
        answer = ask("GET", self._address(name), self._account.headers)
        if answer.status in (404, 410):
            return None
        if answer.status != 200:
            raise BadCalendar(refusal(answer.status))
        return CalendarFile(name, decoded(answer.body), answer.headers.get("etag", ""))

    def _put(self, name: str, body: bytes, condition: Mapping[str, str]) -> Response:
        kind = {"Content-Type": "text/calendar; charset=utf-8"}
        headers = {**kind, **condition, **self._account.headers}
        return write("PUT", self._address(name), headers, body)

    def _address(self, name: str) -> str:
        return self._url + quote(name, safe="")


class _NotSupported(BadCalendar):
    """The server does not understand the query."""


Ask = Callable[[str, str, bytes], bytes]
"""Sends a request with a method, a depth and a body to the calendar."""


def _files_within(ask: Ask, start: datetime, end: datetime) -> dict[str, CalendarFile]:
    """Returns the files with events in this time, and all repeating events, by name: some servers
    do not find the repetitions in a time."""
    files = _query_files(ask, _IN_TIME.format(start=_stamp(start), end=_stamp(end)))
    for name in ("RRULE", "RDATE"):
        files |= _repeating(ask, name)
    return files


def _repeating(ask: Ask, name: str) -> dict[str, CalendarFile]:
    try:
        return _query_files(ask, _WITH.format(name=name))
    except _NotSupported:
        return _query_files(ask, "")


def _query_files(ask: Ask, condition: str) -> dict[str, CalendarFile]:
    body = ask("REPORT", "1", _QUERY.format(condition=condition).encode())
    return {file.name: file for file in _files(body)}


def _request(method: str, url: str, account: Account, depth: str, body: bytes) -> bytes:
    headers = {**_XML, "Depth": depth, **account.headers}
    answer = ask(method, url, headers, body, MOST_CHARACTERS)
    if answer.status in (400, 403, 412, 501) and method == "REPORT":
        raise _NotSupported(refusal(answer.status))
    if answer.status != 207:
        raise BadCalendar(refusal(answer.status))
    return answer.body


def _name(key: str, event_id: str) -> str:
    """Returns the name of the file in the calendar. Ignores an id that is a path to another
    place."""
    is_name = event_id and "/" not in event_id and not event_id.startswith(".")
    return event_id if is_name else f"{key}.ics"


def _written(entry: CalendarEntry, name: str, answer: Response) -> WrittenEvent:
    etag = answer.headers.get("etag", "")
    return WrittenEvent(entry.key, name, entry.starts_at, entry.ends_at, etag=etag)


def _stamp(at: datetime) -> str:
    return f"{at:%Y%m%dT%H%M%SZ}"


def _files(body: bytes) -> Iterator[CalendarFile]:
    """Yields the files of a multi-status response."""
    found: dict[str, str] = {}
    for name, text in _elements(body):
        if name == _RESPONSE:
            if _TEXT in found:
                last = unquote(found.get(_HREF, "").rstrip("/").rpartition("/")[2])
                yield CalendarFile(last, found[_TEXT], found.get(_ETAG, ""))
            found = {}
        elif text:
            found.setdefault(name, text)


def _texts(body: bytes) -> Iterator[tuple[str, str]]:
    """Yields each element with text, by its full name."""
    return (each for each in _elements(body) if each[1])


def _elements(body: bytes) -> list[tuple[str, str]]:
    """Returns the full name and the text of each element, in the order of the end tags. Rejects
    documents that define entities."""
    found: list[tuple[str, str]] = []
    within: list[tuple[str, list[str]]] = []

    def begin(name: str, _attributes: object) -> None:
        within.append((name, []))

    def text(some: str) -> None:
        if within:
            within[-1][1].append(some)

    def end(_name: str) -> None:
        name, pieces = within.pop()
        found.append((name, "".join(pieces).strip()))

    def defined(*_: object) -> None:
        raise BadCalendar("The calendar's server sent an answer that we do not accept.")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = begin
    parser.CharacterDataHandler = text
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = defined
    try:
        parser.Parse(body, True)
    except expat.ExpatError:
        raise BadCalendar("The calendar's server sent an answer that we cannot read.") from None
    return found
