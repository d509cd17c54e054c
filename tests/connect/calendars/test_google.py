"""Google Calendar as it really behaves: ids, delegation, limits and partial answers."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from frontdesk.connect.calendars import google
from frontdesk.connect.calendars.google import GoogleCalendar, GoogleFreeBusy
from frontdesk.connect.calendars.port import (
    BadCalendar,
    BusySpan,
    CalendarDown,
    CalendarEntry,
    CalendarRefused,
    CalendarUnknown,
)
from tests.support.google_calendar import CALENDAR, GoogleCalendarServer
from tests.support.vendor_server import Reply, serve

BERLIN = ZoneInfo("Europe/Berlin")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NINE = datetime(2026, 10, 20, 7, tzinfo=UTC)
KEY = "0123456789abcdef0123456789abcdef"
CUT = CalendarEntry(
    key=KEY, starts_at=NINE, ends_at=NINE + HOUR, zone="Europe/Berlin", title="Cut: Anna"
)
SPAN = {
    "start": {"dateTime": "2026-10-20T09:00:00+02:00"},
    "end": {"dateTime": "2026-10-20T08:00:00Z"},
}


@pytest.fixture
def server() -> Iterator[GoogleCalendarServer]:
    one = GoogleCalendarServer()
    with serve(one):
        yield one


def calendar(server: GoogleCalendarServer, subject: str = "") -> GoogleCalendar:
    url = server.address
    return GoogleCalendar(server.account, CALENDAR, subject, here=BERLIN, url=url)


def free_busy(server: GoogleCalendarServer, calendar_id: str = CALENDAR) -> GoogleFreeBusy:
    return GoogleFreeBusy(server.account, calendar_id, url=server.address)


# --- accounts ---------------------------------------------------------------------------------


@pytest.mark.spec("BK-10")
def test_with_delegation_the_account_acts_for_a_person(server: GoogleCalendarServer) -> None:
    server.subject = "mia@salon.example"

    assert calendar(server, "mia@salon.example").put(CUT).event_id == KEY
    with pytest.raises(CalendarRefused, match="does not know the service account"):
        calendar(server).put(CUT)
    with pytest.raises(BadCalendar):
        calendar(server).busy(NINE, NINE + DAY)


def test_a_token_that_is_revoked_is_replaced_once(server: GoogleCalendarServer) -> None:
    one = calendar(server)
    one.busy(NINE, NINE + DAY)
    server.revoked.add("Bearer t1")

    assert one.put(CUT).event_id == KEY
    assert server.tokens == 2


def test_a_calendar_that_we_may_only_read_refuses_writes(server: GoogleCalendarServer) -> None:
    server.role = "reader"

    assert calendar(server).busy(NINE, NINE + DAY) == []
    with pytest.raises(CalendarRefused, match="Share it with desk@project"):
        calendar(server).put(CUT)


def test_a_calendar_whose_events_are_hidden_is_unreadable(server: GoogleCalendarServer) -> None:
    server.role = "freeBusyReader"

    with pytest.raises(BadCalendar):
        calendar(server).busy(NINE, NINE + DAY)


# --- ids --------------------------------------------------------------------------------------


@pytest.mark.spec("BK-12")
def test_the_id_of_a_deleted_event_gets_another_generation(server: GoogleCalendarServer) -> None:
    one = calendar(server)
    one.put(CUT)
    server.change(KEY, status="cancelled")

    assert one.put(CUT).event_id == f"{KEY}g1"
    server.change(f"{KEY}g1", status="cancelled")
    assert one.put(CUT, f"{KEY}g1").event_id == f"{KEY}g2"
    assert [event["status"] for event in server.events.values()] == [
        "cancelled",
        "cancelled",
        "confirmed",
    ]


def test_an_event_that_is_deleted_again_and_again_is_given_up(
    server: GoogleCalendarServer,
) -> None:
    one = calendar(server)
    for number in range(google.MOST_GENERATIONS):
        event_id = f"{KEY}g{number}" if number else KEY
        server.add(event_id, **SPAN)
        server.change(event_id, status="cancelled")

    with pytest.raises(CalendarRefused, match="too often"):
        one.put(CUT)


def test_a_deleted_event_of_which_google_tells_only_the_id_is_cancelled(
    server: GoogleCalendarServer,
) -> None:
    server.events[KEY] = {"id": KEY, "status": "cancelled", "etag": '"1"'}

    found = calendar(server).find(KEY)

    assert found is not None
    assert found.cancelled


def test_an_event_that_staff_made_repeat_is_busy(server: GoogleCalendarServer) -> None:
    calendar(server).put(CUT)
    server.change(KEY, recurringEventId=KEY)

    assert len(calendar(server).busy(NINE, NINE + DAY)) == 1


def test_an_invitation_that_was_declined_is_not_busy(server: GoogleCalendarServer) -> None:
    for number, response in enumerate(("declined", "needsAction")):
        me = {"self": True, "responseStatus": response, "email": CALENDAR}
        server.add(f"event{number}", **SPAN, attendees=[me])

    found = calendar(server).busy(NINE, NINE + DAY)

    assert found == [BusySpan(NINE, NINE + HOUR, event_id="event1")]


# --- failures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"])
def test_a_rate_limit_is_temporary_and_no_refusal(
    server: GoogleCalendarServer, reason: str
) -> None:
    errors = [{"domain": "usageLimits", "reason": reason}]
    server.fail(Reply(403, {"error": {"errors": errors, "code": 403}}))

    with pytest.raises(CalendarDown):
        calendar(server).put(CUT)


def test_a_server_that_is_not_there_is_down(server: GoogleCalendarServer) -> None:
    one = GoogleCalendar(server.account, CALENDAR, here=BERLIN, url="http://127.0.0.1:9")

    with pytest.raises(CalendarDown):
        one.put(CUT)
    with pytest.raises(BadCalendar):
        one.find(KEY)


@pytest.mark.spec("BK-12")
def test_a_page_instead_of_an_answer_leaves_it_unknown(server: GoogleCalendarServer) -> None:
    server.fail(Reply(200, "<html>Sign in</html>"))
    with pytest.raises(CalendarUnknown):
        calendar(server).put(CUT)

    calendar(server).put(CUT)
    server.fail(Reply(503, "<html>Sorry</html>"), "GET")
    with pytest.raises(CalendarUnknown):
        calendar(server).put(CUT)


@pytest.mark.spec("BK-12")
def test_a_write_without_an_answer_in_time_is_unknown_and_found(
    server: GoogleCalendarServer,
) -> None:
    one = GoogleCalendar(server.account, CALENDAR, here=BERLIN, url=server.address, seconds=0.3)
    one.find(KEY)
    server.stalls = True
    server.lose("POST")

    with pytest.raises(CalendarUnknown):
        one.put(CUT)

    found = one.find(KEY)
    assert found is not None
    assert one.put(CUT).event_id == found.event_id == KEY


@pytest.mark.parametrize(
    "event",
    [
        {"start": {}, "end": {}},
        {"start": {"dateTime": "soon"}, "end": {"dateTime": "later"}},
        {"start": {"dateTime": "2026-10-20T09:00:00"}, "end": {"dateTime": "2026-10-20T10:00:00"}},
        {"start": {"date": "0001-01-01"}, "end": {"date": "9999-12-31"}},
        "event",
    ],
)
def test_an_event_whose_time_cannot_be_read_makes_the_calendar_unreadable(
    server: GoogleCalendarServer, event: object
) -> None:
    server.fail(Reply(200, {"items": [event]}), "GET")

    with pytest.raises(BadCalendar):
        calendar(server).busy(NINE, NINE + DAY)


def test_endless_pages_end(server: GoogleCalendarServer) -> None:
    for _ in range(30):
        server.fail(Reply(200, {"items": [], "nextPageToken": "again"}), "GET")

    with pytest.raises(BadCalendar, match="too many"):
        calendar(server).busy(NINE, NINE + DAY)


# --- free/busy --------------------------------------------------------------------------------


@pytest.mark.spec("BK-10")
def test_free_and_busy_times_are_asked_for_in_pieces_of_90_days(
    server: GoogleCalendarServer,
) -> None:
    late = NINE + 90 * DAY - HOUR
    span = {
        "start": {"dateTime": late.isoformat()},
        "end": {"dateTime": (late + 2 * HOUR).isoformat()},
    }
    server.add("first", **SPAN)
    server.add("later", **span)
    server.add("free", **SPAN, transparency="transparent")

    assert free_busy(server).busy(NINE, NINE + 200 * DAY) == [
        BusySpan(NINE, NINE + HOUR),
        BusySpan(late, late + 2 * HOUR),
    ]
    assert sum(request.path.endswith("/freeBusy") for request in server.requests) == 3


@pytest.mark.spec("BK-30")
def test_an_error_of_one_calendar_inside_a_good_answer_is_unreadable(
    server: GoogleCalendarServer,
) -> None:
    with pytest.raises(BadCalendar):
        free_busy(server, "unknown@salon.example").busy(NINE, NINE + DAY)
    server.errors = [{"domain": "global", "reason": "internalError"}]
    with pytest.raises(BadCalendar):
        free_busy(server).busy(NINE, NINE + DAY)


def test_no_secret_is_shown() -> None:
    server = GoogleCalendarServer()
    assert "RsaKey()" in repr(server.account.key)
    assert str(server.account.key.d)[:20] not in repr(calendar(server)) + repr(server.account)
