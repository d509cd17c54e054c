"""Changes single events of staff on a CalDAV server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars import ics_edit
from frontdesk.connect.calendars.client import Account, ask, refusal, write
from frontdesk.connect.calendars.ics_edit import EventAt
from frontdesk.connect.calendars.model import CalendarEvent
from frontdesk.connect.calendars.port import (
    BadCalendar,
    CalendarConflict,
    CalendarDown,
    CalendarRefused,
)
from frontdesk.connect.calendars.staff_events import CHANGED, NewEvent, WhenCancelled, event_uid
from frontdesk.core.ics import escape_text, fold, utc_form, zoned_span
from frontdesk.values import Frozen

_KIND: Final = {"Content-Type": "text/calendar; charset=utf-8"}
_DONE: Final = (200, 201, 204)
_GONE: Final = (404, 410)


class CalDavEvents(Frozen, kw_only=True):
    """Each write has the version of the file as its condition."""

    url: str
    account: Account = Account()
    here: ZoneInfo
    """The zone of times that name none."""
    when_cancelled: WhenCancelled = WhenCancelled.MARK
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    def move(self, event: CalendarEvent, starts_at: datetime) -> None:
        text = self._text(event)
        if text is None:
            raise CalendarConflict(CHANGED)
        at = EventAt(event.uid, event.occurrence)
        self._put(event, ics_edit.moved(text, at, starts_at, self.here, self.clock()))

    def cancel(self, event: CalendarEvent) -> None:
        at = EventAt(event.uid, event.occurrence)
        if self.when_cancelled is WhenCancelled.DELETE and event.occurrence is None:
            headers = {**self._condition(event), **self.account.headers}
            answer = write("DELETE", self._address(event.event_id), headers)
            if answer.status not in _GONE:
                _check(answer.status)
            return
        text = self._text(event)
        if text is None:
            return
        deletes = self.when_cancelled is WhenCancelled.DELETE
        changed = ics_edit.left_out if deletes else ics_edit.marked
        self._put(event, changed(text, at, self.here, self.clock()))

    def add(self, new: NewEvent) -> None:
        headers = {**_KIND, "If-None-Match": "*", **self.account.headers}
        url = self._address(f"{new.key}.ics")
        answer = write("PUT", url, headers, _file(new, self.clock()))
        if answer.status != 412:  # an earlier attempt wrote it
            _check(answer.status)

    def _text(self, event: CalendarEvent) -> str | None:
        """The text of the event's file; None if it is gone. Raises `CalendarConflict` if it has
        changed."""
        try:
            answer = ask("GET", self._address(event.event_id), self.account.headers)
        except BadCalendar as bad:
            raise CalendarDown(str(bad)) from None
        if answer.status in _GONE:
            return None
        if answer.status != 200:
            raise CalendarRefused(refusal(answer.status))
        if event.etag and answer.headers.get("etag", "") != event.etag:
            raise CalendarConflict(CHANGED)
        try:
            return answer.body.decode("utf-8")
        except UnicodeDecodeError:
            raise CalendarRefused("This event is not written in UTF-8.") from None

    def _put(self, event: CalendarEvent, body: bytes) -> None:
        headers = {**_KIND, **self._condition(event), **self.account.headers}
        _check(write("PUT", self._address(event.event_id), headers, body).status)

    def _condition(self, event: CalendarEvent) -> Mapping[str, str]:
        return {"If-Match": event.etag} if event.etag else {}

    def _address(self, name: str) -> str:
        return f"{self.url.rstrip('/')}/{quote(name, safe='')}"


def _check(status: int) -> None:
    if status == 412:
        raise CalendarConflict(CHANGED)
    if status not in _DONE:
        raise CalendarRefused(refusal(status))


def _file(new: NewEvent, stamped_at: datetime) -> bytes:
    described, span = zoned_span(new.zone, new.starts_at, new.starts_at + new.duration)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Frontdesk//Frontdesk//EN",
        *described,
        "BEGIN:VEVENT",
        f"UID:{event_uid(new.key)}",
        f"DTSTAMP:{utc_form(stamped_at)}",
        f"DTSTART{span[0]}",
        f"DTEND{span[1]}",
        f"SUMMARY:{escape_text(new.title)}",
        f"DESCRIPTION:{escape_text(new.description)}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return b"".join(map(fold, lines))
