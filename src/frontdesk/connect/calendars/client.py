"""Sends requests to a calendar's server; the password goes to no other host."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final
from urllib.parse import urljoin, urlsplit

from frontdesk.connect.calendars.port import BadCalendar, CalendarDown, CalendarUnknown
from frontdesk.connect.calendars.rest import retry_after
from frontdesk.connect.http_client import Response, TooLarge, Unreachable, send
from frontdesk.values import Frozen

TIMEOUT_SECONDS: Final = 10.0
MOST_SECONDS: Final = 60.0
MOST_BYTES: Final = 5_000_000
MOST_REDIRECTS: Final = 3

LATER: Final = "The calendar cannot be reached just now. We will try again."
MOVED: Final = "The calendar has moved. Please enter its new address in the settings."
_MOVED: Final = (301, 302, 303, 307, 308)


class Account(Frozen):
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"Account(user={self.user!r})"  # without the password

    @property
    def headers(self) -> dict[str, str]:
        if not self.user:
            return {}
        pair = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        return {"Authorization": f"Basic {pair}"}


def get(
    url: str, account: Account, headers: Mapping[str, str], max_bytes: int = MOST_BYTES
) -> Response:
    """Follows redirects on the same host or to https. Sends the password to the first host only."""
    start = urlsplit(url)
    for _ in range(MOST_REDIRECTS + 1):
        at = urlsplit(url)
        ours = account.headers if at.netloc == start.netloc else {}
        answer = ask("GET", url, {**headers, **ours}, max_bytes=max_bytes)
        if answer.status not in _MOVED or not answer.headers.get("location"):
            return answer
        url = urljoin(url, answer.headers["location"])
        to = urlsplit(url)
        if to.scheme != "https" and (to.scheme, to.netloc) != (at.scheme, at.netloc):
            break
    raise BadCalendar(MOVED)


def ask(
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None = None,
    max_bytes: int = MOST_BYTES,
) -> Response:
    """Raises `BadCalendar` if there is no complete response."""
    try:
        return _sent(method, url, headers, body, max_bytes)
    except TooLarge:
        raise BadCalendar("This calendar is too large.") from None
    except Unreachable:
        raise BadCalendar(LATER) from None


def write(method: str, url: str, headers: Mapping[str, str], body: bytes | None = None) -> Response:
    """Returns any response that says for certain whether it was written. Raises `CalendarDown` or
    `CalendarUnknown`."""
    try:
        answer = _sent(method, url, headers, body, MOST_BYTES)
    except TooLarge:
        raise CalendarUnknown(LATER) from None
    except Unreachable as failure:
        if failure.sent:
            raise CalendarUnknown(LATER) from None
        raise CalendarDown(LATER) from None
    if answer.status == 429 or (answer.status == 503 and "retry-after" in answer.headers):
        raise CalendarDown(LATER, retry_after(answer))
    if answer.status >= 500:
        raise CalendarUnknown(LATER)
    return answer


def _sent(
    method: str, url: str, headers: Mapping[str, str], body: bytes | None, max_bytes: int
) -> Response:
    return send(
        url,
        headers,
        body,
        method=method,
        seconds=TIMEOUT_SECONDS,
        within=MOST_SECONDS,
        max_bytes=max_bytes,
    )


def refusal(status: int) -> str:
    """Explains an HTTP status of the server to staff."""
    match status:
        case 401 | 403:
            return "The calendar's server rejects the user name or password."
        case 404 | 410:
            return "There is no calendar at this address any more."
        case 405 | 501:
            return "This address does not understand CalDAV."
        case _ if status in _MOVED:
            return MOVED
        case _:
            return LATER


def decoded(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise BadCalendar("This calendar is not written in UTF-8.") from None
