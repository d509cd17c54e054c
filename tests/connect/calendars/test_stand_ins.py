"""The stand-ins of vendors refuse requests that the vendors' descriptions do not allow, and clients
of hostile servers stay within their limits."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from frontdesk.connect.calendars import rest
from frontdesk.connect.calendars.caldav import CalDavCalendar
from frontdesk.connect.calendars.client import Account
from frontdesk.connect.calendars.google import EVENTS_SCOPE, GoogleCalendar
from frontdesk.connect.calendars.port import (
    BadCalendar,
    CalendarEntry,
    CalendarRefused,
    CalendarUnknown,
)
from tests.support import google_calendar, graph_calendar
from tests.support.google_calendar import CALENDAR, GoogleCalendarServer
from tests.support.vendor_server import Reply, Request, VendorServer, serve

NINE = datetime(2026, 10, 20, 7, tzinfo=UTC)
CUT = CalendarEntry(
    key="0123456789abcdef0123456789abcdef",
    starts_at=NINE,
    ends_at=NINE + timedelta(hours=1),
    zone="Europe/Berlin",
    title="Cut",
)
EVENTS = "/calendar/v3/calendars/mia/events"
GRAPH_EVENTS = "/v1.0/users/mia/calendar/events"


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("PUT", EVENTS, EVENTS_SCOPE),
        ("GET", "/calendar/v2/calendars/mia/events", EVENTS_SCOPE),
        ("GET", f"{EVENTS}?sort=asc", EVENTS_SCOPE),
        ("GET", f"{EVENTS}?maxResults=many", EVENTS_SCOPE),
        ("GET", f"{EVENTS}?timeMin=2026-10-20T09:00:00", EVENTS_SCOPE),
        ("POST", f"{EVENTS}?sendUpdates=nobody", EVENTS_SCOPE),
        ("POST", EVENTS, "https://www.googleapis.com/auth/calendar.readonly"),
    ],
)
def test_google_takes_no_request_that_it_does_not_describe(
    method: str, path: str, scope: str
) -> None:
    with pytest.raises((AssertionError, KeyError, ValueError)):
        google_calendar.allowed_method(Request(method, path, {}, b""), [scope])


@pytest.mark.parametrize(
    "event", [{"title": "x"}, {"summary": 1}, {"start": {"at": "x"}}, {"start": {"dateTime": "x"}}]
)
def test_google_takes_no_event_of_another_shape(event: Any) -> None:
    with pytest.raises((AssertionError, KeyError, ValueError)):
        google_calendar.conforms(event, "Event")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", GRAPH_EVENTS, b""),
        ("GET", "/v1.0/users/mia/calendar/calendarView", b""),
        ("GET", f"{GRAPH_EVENTS}?$where=x", b""),
        ("POST", GRAPH_EVENTS, b'{"title": "x"}'),
        ("POST", GRAPH_EVENTS, b'{"showAs": "away"}'),
        ("POST", GRAPH_EVENTS, b'{"isAllDay": "yes"}'),
    ],
)
def test_graph_takes_no_request_that_it_does_not_describe(
    method: str, path: str, body: bytes
) -> None:
    with pytest.raises((AssertionError, KeyError)):
        graph_calendar.allowed_method(Request(method, path, {}, body))


# --- hostile servers --------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[GoogleCalendarServer]:
    one = GoogleCalendarServer()
    with serve(one):
        yield one


@pytest.mark.spec("FD-27")
def test_an_answer_without_end_is_cut_off(
    server: GoogleCalendarServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rest, "MOST_BYTES", 10_000)
    calendar = GoogleCalendar(server.account, CALENDAR, here=ZoneInfo("UTC"), url=server.address)
    huge = Reply(200, "x" * 20_000)

    server.fail(huge, "GET")
    with pytest.raises(BadCalendar, match="too large"):
        calendar.busy(NINE, NINE + timedelta(days=1))
    server.fail(huge, "POST")
    with pytest.raises(CalendarUnknown):
        calendar.put(CUT)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("body", ["[" * 100_000, '{"items": {}}', '{"items": 3}', "null", '"x"'])
def test_json_of_another_shape_is_unreadable(server: GoogleCalendarServer, body: str) -> None:
    calendar = GoogleCalendar(server.account, CALENDAR, here=ZoneInfo("UTC"), url=server.address)
    server.fail(Reply(200, body), "GET")

    with pytest.raises(BadCalendar):
        calendar.busy(NINE, NINE + timedelta(days=1))


class Thief(VendorServer):
    def reply(self, request: Request) -> Reply:
        return Reply(200)


@pytest.mark.spec("FD-27")
def test_a_write_is_not_redirected_to_another_host() -> None:
    class Moved(VendorServer):
        def reply(self, request: Request) -> Reply:
            return Reply(307, headers={"Location": f"{thief.address}{request.path}"})

    thief, moved = Thief(), Moved()
    with serve(thief), serve(moved):
        calendar = CalDavCalendar(moved.address, Account("mia", "secret"), here=ZoneInfo("UTC"))
        for act in (lambda: calendar.put(CUT), lambda: calendar.remove(CUT.key)):
            with pytest.raises(CalendarRefused, match="moved"):
                act()
        with pytest.raises(BadCalendar, match="moved"):
            calendar.find(CUT.key)
    assert thief.requests == []
