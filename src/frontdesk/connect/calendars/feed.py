"""Reads a calendar file at an address; fetches it again only if it has changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.client import Account, decoded, get, refusal
from frontdesk.connect.calendars.ics_busy import MOST_CHARACTERS, BusyWindow, busy_in_files
from frontdesk.connect.calendars.model import CalendarFile, CalendarFiles
from frontdesk.connect.calendars.port import AllDayEvents, BadCalendar, BusySpan
from frontdesk.values import Frozen

_ACCEPT: Final = {"Accept": "text/calendar, */*;q=0.1"}


class Feed(Frozen):
    url: str
    account: Account = Account()

    def read(self, known: str, _now: datetime) -> CalendarFiles | None:
        headers = _ACCEPT | ({"If-None-Match": known} if known else {})
        answer = get(self.url, self.account, headers)
        if answer.status == 304 and known:
            return None
        if answer.status != 200:
            raise BadCalendar(refusal(answer.status))
        return CalendarFiles(
            (CalendarFile("", decoded(answer.body)),), answer.headers.get("etag", "")
        )


class IcsAddress:
    """The busy times of a calendar file at an address. Fetches it again only if it has changed."""

    def __init__(
        self,
        url: str,
        account: Account = Account(),  # noqa: B008 - it is immutable
        *,
        here: ZoneInfo,
        all_day: AllDayEvents = AllDayEvents.AS_MARKED,
    ) -> None:
        self._url = url
        self._account = account
        self._here = here
        self._all_day = all_day
        self._known = ("", "")

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        window = BusyWindow(start, end, self._here, self._all_day)
        return busy_in_files([self._current()], window)

    def _current(self) -> str:
        etag, text = self._known
        headers = _ACCEPT | ({"If-None-Match": etag} if etag else {})
        answer = get(self._url, self._account, headers, MOST_CHARACTERS)
        if answer.status == 304 and etag:
            return text
        if answer.status != 200:
            raise BadCalendar(refusal(answer.status))
        text = decoded(answer.body)
        self._known = (answer.headers.get("etag", ""), text)
        return text
