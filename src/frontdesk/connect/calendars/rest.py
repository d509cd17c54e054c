"""Sends JSON requests to a vendor's calendar API, and classifies their failures."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.port import (
    BadCalendar,
    BusySpan,
    CalendarDown,
    CalendarRefused,
    CalendarUnknown,
)
from frontdesk.connect.http_client import Response, TooLarge, Unreachable, send
from frontdesk.core.localtime import check_year, to_instant

TIMEOUT_SECONDS: Final = 15.0
MOST_SECONDS: Final = 60.0
MOST_BYTES: Final = 10_000_000
#: Pages of one list; a calendar with more is not read.
MOST_PAGES: Final = 20
_MOST_WAIT: Final = timedelta(hours=1)


class Tokens(Protocol):
    def access(self) -> str:
        """Returns a valid token. Raises `CalendarRefused` or `CalendarDown`."""

    def forget(self) -> None:
        """Makes the next call ask for a new token."""


class RestClient:
    """Sends no request twice, except after a token was refused."""

    def __init__(self, vendor: str, tokens: Tokens, *, seconds: float = TIMEOUT_SECONDS) -> None:
        self._vendor = vendor
        self._tokens = tokens
        self._seconds = seconds

    def read(
        self,
        url: str,
        *,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Returns any response except a temporary failure. Raises `BadCalendar`."""
        method = "GET" if body is None else "POST"
        try:
            answer = self._send(method, url, body, headers or {})
        except (CalendarRefused, CalendarDown) as error:
            raise BadCalendar(str(error)) from None
        except Unreachable:
            raise BadCalendar(self._later) from None
        except TooLarge:
            raise BadCalendar("This calendar is too large.") from None
        if answer.status == 429 or answer.status >= 500:
            raise BadCalendar(self._later)
        return answer

    def write(
        self,
        method: str,
        url: str,
        *,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Returns any response that says for certain whether it was written. Raises
        `CalendarRefused`, `CalendarDown` or `CalendarUnknown`."""
        try:
            answer = self._send(method, url, body, headers or {})
        except Unreachable as failure:
            if failure.sent:
                raise CalendarUnknown(self._later) from None
            raise CalendarDown(self._later) from None
        except TooLarge:
            raise CalendarUnknown(self._later) from None
        if answer.status == 429 or (answer.status == 503 and "retry-after" in answer.headers):
            raise CalendarDown(self._later, retry_after(answer))
        if answer.status >= 500:
            raise CalendarUnknown(self._later)
        return answer

    def read_json(self, answer: Response) -> Mapping[str, Any]:
        found = json_object(answer)
        if found is None:
            raise BadCalendar(f"{self._vendor} sent an answer that we cannot read.")
        return found

    def written_json(self, answer: Response) -> Mapping[str, Any]:
        found = json_object(answer)
        if found is None:
            raise CalendarUnknown(f"{self._vendor} sent an answer that we cannot read.")
        return found

    def _send(
        self, method: str, url: str, body: Mapping[str, Any] | None, headers: Mapping[str, str]
    ) -> Response:
        data = None if body is None else json.dumps(body).encode()
        kind = {} if body is None else {"Content-Type": "application/json"}
        for attempt in range(2):
            authorization = {"Authorization": f"Bearer {self._tokens.access()}"}
            answer = send(
                url,
                {**headers, **kind, **authorization},
                data,
                method=method,
                seconds=self._seconds,
                within=MOST_SECONDS,
                max_bytes=MOST_BYTES,
            )
            if answer.status != 401 or attempt:
                break
            self._tokens.forget()
        return answer

    @property
    def _later(self) -> str:
        return f"{self._vendor} cannot be reached just now. We will try again."


def retry_after(answer: Response) -> timedelta:
    text = answer.headers.get("retry-after", "")
    seconds = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0
    return min(timedelta(seconds=seconds), _MOST_WAIT)


def json_object(answer: Response) -> Mapping[str, Any] | None:
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def in_parts(
    start: datetime,
    end: datetime,
    longest: timedelta,
    ask: Callable[[datetime, datetime], Iterable[BusySpan]],
) -> list[BusySpan]:
    """Asks for busy times in parts that the vendor allows."""
    spans: set[BusySpan] = set()
    while start < end:
        until = min(end, start + longest)
        spans.update(ask(start, until))
        start = until
    return sorted(spans, key=lambda span: (span.starts_at, span.ends_at))


def quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")


# --- values in JSON ---------------------------------------------------------------------------


def part(found: Any, *names: str) -> Any:
    """Returns a nested value, or None if something on the way is missing."""
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def text_of(found: Any, *names: str) -> str:
    value = part(found, *names)
    return value if isinstance(value, str) else ""


def items_of(found: Mapping[str, Any], name: str) -> list[Any]:
    value = found.get(name, [])
    if not isinstance(value, list):
        raise BadCalendar("The calendar's server sent an answer that we cannot read.")
    return value


def instant_of_text(text: str, *, utc: bool = False) -> datetime:
    """Parses an ISO time; one without an offset is UTC if `utc` is set. Raises `ValueError`."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        if not utc:
            raise ValueError("it has no offset")
        at = at.replace(tzinfo=UTC)
    check_year(at.astimezone(UTC).year)
    return at.astimezone(UTC).replace(microsecond=0)


def midnight(text: str, here: ZoneInfo) -> datetime:
    """The instant at which this day begins. Raises `ValueError`."""
    on = date.fromisoformat(text)
    check_year(on.year)
    return to_instant(datetime.combine(on, time()), here)


def instant_text(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
