"""Reads a calendar file at an address; fetches it again only if it has changed."""

from __future__ import annotations

from datetime import datetime

from frontdesk.connect.calendars.asking import Account, get, refusal
from frontdesk.connect.calendars.model import BadCalendar, Reading
from frontdesk.values import Frozen


class Feed(Frozen):
    url: str
    account: Account = Account()

    def read(self, known: str, _now: datetime) -> Reading | None:
        asked = {"Accept": "text/calendar, */*;q=0.1"}
        answer = get(self.url, self.account, asked | ({"If-None-Match": known} if known else {}))
        if answer.status == 304 and known:
            return None
        if answer.status != 200:
            raise BadCalendar(refusal(answer.status))
        try:
            return Reading((answer.body.decode("utf-8"),), answer.headers.get("etag", ""))
        except UnicodeDecodeError:
            raise BadCalendar("This calendar is not written in UTF-8.") from None
