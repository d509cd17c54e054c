"""Reads a calendar by CalDAV: checks for a change first, then queries the coming events."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final
from xml.parsers import expat

from frontdesk.connect.calendars.asking import Account, ask, refusal
from frontdesk.connect.calendars.model import BadCalendar, Reading
from frontdesk.values import Frozen

#: Longer than any slot is planned ahead, so that no event enters the range unseen.
SPAN: Final = timedelta(days=800)
_XML: Final = {"Content-Type": "application/xml; charset=utf-8"}
_SYNC: Final = "DAV: sync-token"
_CTAG: Final = "http://calendarserver.org/ns/ getctag"
_TEXT: Final = "urn:ietf:params:xml:ns:caldav calendar-data"

_CHANGED: Final = b"""<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:" xmlns:cs="http://calendarserver.org/ns/">
 <d:prop><d:sync-token/><cs:getctag/></d:prop>
</d:propfind>"""
_COMING: Final = """<?xml version="1.0" encoding="utf-8"?>
<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
 <d:prop><c:calendar-data/></d:prop>
 <c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">
  <c:time-range start="{start}" end="{end}"/>
 </c:comp-filter></c:comp-filter></c:filter>
</c:calendar-query>"""


class CalDav(Frozen):
    url: str
    account: Account = Account()

    def read(self, known: str, now: datetime) -> Reading | None:
        """Reads the coming events; None without a change. The next read sees a concurrent one."""
        found = dict(_texts(self._ask("PROPFIND", "0", _CHANGED)))
        token = found.get(_SYNC) or found.get(_CTAG) or ""
        if token and token == known:
            return None
        span = {"start": _stamp(now), "end": _stamp(now + SPAN)}
        coming = self._ask("REPORT", "1", _COMING.format(**span).encode())
        return Reading(tuple(text for name, text in _texts(coming) if name == _TEXT), token)

    def _ask(self, method: str, depth: str, body: bytes) -> bytes:
        headers = {**_XML, "Depth": depth, **self.account.headers}
        answer = ask(method, self._collection, headers, body)
        if answer.status != 207:
            raise BadCalendar(refusal(answer.status))
        return answer.body

    @property
    def _collection(self) -> str:
        return self.url.rstrip("/") + "/"


def _stamp(at: datetime) -> str:
    return f"{at:%Y%m%dT%H%M%SZ}"


def _texts(body: bytes) -> Iterator[tuple[str, str]]:
    """Yields each element with text, by its full name. Rejects documents that define entities."""
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
        raise BadCalendar("The calendar's server answers with what we do not take.")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = begin
    parser.CharacterDataHandler = text
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = defined
    try:
        parser.Parse(body, True)
    except expat.ExpatError:
        raise BadCalendar("The calendar's server answers with what we cannot read.") from None
    yield from (each for each in found if each[1])
