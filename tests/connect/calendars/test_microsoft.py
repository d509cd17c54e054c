"""Microsoft Graph as it really behaves: transactions, pages, schedules and tokens."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from frontdesk.connect.calendars.microsoft import (
    KEY_PROPERTY,
    MicrosoftCalendar,
    MicrosoftFreeBusy,
)
from frontdesk.connect.calendars.microsoft_account import MicrosoftAccount
from frontdesk.connect.calendars.port import (
    BadCalendar,
    BusySpan,
    CalendarDown,
    CalendarEntry,
    CalendarRefused,
)
from frontdesk.values import replace
from tests.support.graph_calendar import ACCOUNT, USER, GraphServer
from tests.support.vendor_server import Reply, serve

BERLIN = ZoneInfo("Europe/Berlin")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NINE = datetime(2026, 10, 20, 7, tzinfo=UTC)
KEY = "0123456789abcdef0123456789abcdef"
CUT = CalendarEntry(
    key=KEY, starts_at=NINE, ends_at=NINE + HOUR, zone="Europe/Berlin", title="Cut: Anna"
)


def span(starts_at: datetime = NINE, zone: str = "UTC") -> dict[str, Any]:
    pair = zip(("start", "end"), (starts_at, starts_at + HOUR), strict=True)
    return {
        name: {"dateTime": f"{at:%Y-%m-%dT%H:%M:%S}.0000000", "timeZone": zone} for name, at in pair
    }


@pytest.fixture
def server() -> Iterator[GraphServer]:
    one = GraphServer()
    with serve(one):
        yield one


def calendar(server: GraphServer, account: MicrosoftAccount = ACCOUNT) -> MicrosoftCalendar:
    return MicrosoftCalendar(account, USER, here=BERLIN, url=server.url, login=server.address)


def free_busy(server: GraphServer) -> MicrosoftFreeBusy:
    return MicrosoftFreeBusy(ACCOUNT, USER, url=server.url, login=server.address)


@pytest.mark.spec("BK-10")
def test_an_event_has_our_key_a_transaction_and_no_guests(server: GraphServer) -> None:
    written = calendar(server).put(CUT)

    event = server.events[written.event_id]
    assert event["transactionId"] == f"{KEY}-0"
    assert event["singleValueExtendedProperties"] == [{"id": KEY_PROPERTY, "value": KEY}]
    assert "attendees" not in event


def test_a_calendar_of_its_own_can_be_chosen(server: GraphServer) -> None:
    one = MicrosoftCalendar(
        ACCOUNT, USER, "AAMk+/=", here=BERLIN, url=server.url, login=server.address
    )
    one.put(CUT)

    paths = {request.path.partition("?")[0] for request in server.requests[1:]}
    assert paths == {f"/v1.0/users/{USER.replace('@', '%40')}/calendars/AAMk%2B%2F%3D/events"}


@pytest.mark.spec("BK-12")
def test_an_event_is_looked_up_before_it_is_created(server: GraphServer) -> None:
    """Graph remembers transaction ids only for a while."""
    one = calendar(server)
    first = one.put(CUT)
    server.transactions.clear()

    assert one.put(CUT).event_id == first.event_id
    assert len(server.events) == 1


@pytest.mark.spec("BK-12")
def test_a_transaction_of_a_deleted_event_gets_another_generation(server: GraphServer) -> None:
    one = calendar(server)
    del server.events[one.put(CUT).event_id]

    one.put(CUT)

    assert server.transactions == {f"{KEY}-0", f"{KEY}-1"}
    assert len(server.events) == 1


@pytest.mark.spec("FD-27")
def test_the_token_goes_to_no_other_host(server: GraphServer) -> None:
    for _ in range(5):
        server.add(**span())
    other = GraphServer()
    with serve(other):
        server.next_host = other.address
        with pytest.raises(BadCalendar, match="do not accept"):
            calendar(server).busy(NINE, NINE + DAY)
    assert other.requests == []


@pytest.mark.parametrize(
    ("event", "busy"),
    [
        ({"showAs": "tentative"}, True),
        ({"showAs": "oof"}, True),
        ({"showAs": "unknown"}, True),
        ({"showAs": "workingElsewhere"}, False),
        ({"isCancelled": True}, False),
    ],
)
def test_the_status_that_outlook_shows_decides(
    server: GraphServer, event: dict[str, Any], busy: bool
) -> None:
    server.add(**span(), **event)

    assert bool(calendar(server).busy(NINE, NINE + DAY)) is busy


def test_an_event_that_staff_made_repeat_is_busy(server: GraphServer) -> None:
    written = calendar(server).put(CUT)
    server.change(written.event_id, type="occurrence")

    assert len(calendar(server).busy(NINE, NINE + DAY)) == 1


def test_a_time_that_is_not_in_utc_makes_the_calendar_unreadable(server: GraphServer) -> None:
    server.add(**span(zone="Pacific Standard Time"))

    with pytest.raises(BadCalendar):
        calendar(server).busy(NINE, NINE + DAY)
    with pytest.raises(BadCalendar):
        free_busy(server).busy(NINE, NINE + DAY)


# --- access -----------------------------------------------------------------------------------


def test_a_wrong_secret_is_refused_and_never_shown(server: GraphServer) -> None:
    wrong = replace(ACCOUNT, client_secret="expired-secret")

    with pytest.raises(CalendarRefused, match="its secret has expired"):
        calendar(server, wrong).remove(KEY, "x")
    with pytest.raises(BadCalendar, match="its secret has expired"):
        calendar(server, wrong).busy(NINE, NINE + DAY)
    assert "secret" not in repr(wrong) + repr(calendar(server, wrong))


def test_a_token_is_used_until_it_ends_or_is_revoked(server: GraphServer) -> None:
    one = calendar(server)
    one.busy(NINE, NINE + DAY)
    one.busy(NINE, NINE + DAY)
    assert server.tokens == 1

    server.revoked.add("Bearer m1")
    one.busy(NINE, NINE + DAY)
    assert server.tokens == 2


def test_a_permission_that_is_missing_is_named(server: GraphServer) -> None:
    server.denied = True

    with pytest.raises(BadCalendar, match=r"Calendars\.ReadWrite"):
        calendar(server).busy(NINE, NINE + DAY)


def test_a_login_that_is_down_is_a_temporary_failure(server: GraphServer) -> None:
    one = MicrosoftCalendar(ACCOUNT, USER, here=BERLIN, url=server.url, login="http://127.0.0.1:9")

    with pytest.raises(CalendarDown):
        one.remove(KEY, "x")


# --- schedules --------------------------------------------------------------------------------


@pytest.mark.spec("BK-10")
def test_schedules_are_asked_for_in_pieces_below_62_days(server: GraphServer) -> None:
    server.add(**span())
    server.add(**span(NINE + 130 * DAY), showAs="tentative")
    server.add(**span(NINE + DAY), showAs="workingElsewhere")

    assert free_busy(server).busy(NINE, NINE + 150 * DAY) == [
        BusySpan(NINE, NINE + HOUR),
        BusySpan(NINE + 130 * DAY, NINE + 130 * DAY + HOUR),
    ]
    assert sum("getSchedule" in request.path for request in server.requests) == 3


@pytest.mark.spec("BK-30")
def test_an_error_of_one_schedule_inside_a_good_answer_is_unreadable(server: GraphServer) -> None:
    server.error = {"message": "More than 1000 entries.", "responseCode": "5006"}

    with pytest.raises(BadCalendar):
        free_busy(server).busy(NINE, NINE + DAY)


@pytest.mark.parametrize("body", [{"value": []}, {"value": "x"}, {}, {"value": ["x"]}, [1]])
def test_an_answer_without_our_schedule_is_unreadable(server: GraphServer, body: Any) -> None:
    server.fail(Reply(200, body), "POST")

    with pytest.raises(BadCalendar):
        free_busy(server).busy(NINE, NINE + DAY)
