"""CalDAV on a real server: changes keep additions by staff, and hostile answers are refused."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest

from frontdesk.connect.calendars import caldav, client, ics_own
from frontdesk.connect.calendars.caldav import CalDavCalendar, _files
from frontdesk.connect.calendars.client import Account
from frontdesk.connect.calendars.feed import IcsAddress
from frontdesk.connect.calendars.port import (
    BadCalendar,
    CalendarDown,
    CalendarEntry,
    CalendarRefused,
)
from frontdesk.connect.http_client import Response
from frontdesk.values import replace
from tests.support.calendars import Radicale, calendar, event, feed_server, radicale_server

BERLIN = ZoneInfo("Europe/Berlin")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NINE = datetime(2026, 10, 20, 7, tzinfo=UTC)
KEY = "0123456789abcdef0123456789abcdef"
STAMP = "DTSTAMP:20260101T000000Z"
CUT = CalendarEntry(
    key=KEY,
    starts_at=NINE,
    ends_at=NINE + HOUR,
    zone="Europe/Berlin",
    title="Cut; colour, Anna\nEND:VEVENT",
    description="x" * 200,
    location="Größenwahn, Berlin",
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Radicale]:
    with radicale_server(tmp_path) as one:
        yield one


def ours(server: Radicale, password: str = "secret") -> CalDavCalendar:
    account = Account("mia", password)
    return CalDavCalendar(server.url, account, here=BERLIN, clock=lambda: NINE - DAY)


def parsed(server: Radicale) -> Any:
    [read] = icalendar.Calendar.from_ical(server.text(KEY)).walk("VEVENT")
    return read


@pytest.mark.spec("BK-10")
def test_another_library_reads_our_event_correctly(server: Radicale) -> None:
    ours(server).put(CUT)

    read = parsed(server)
    assert read["UID"] == f"{KEY}@frontdesk"
    assert (read["DTSTART"].dt, read["DTEND"].dt) == (NINE, NINE + HOUR)
    assert read["SUMMARY"] == CUT.title
    assert (read["DESCRIPTION"], read["LOCATION"]) == (CUT.description, CUT.location)
    assert read["DTSTART"].params["TZID"] == "Europe/Berlin"
    assert "ATTENDEE" not in read


@pytest.mark.spec("BK-31")
def test_a_change_keeps_what_staff_added_to_the_event(server: Radicale) -> None:
    one = ours(server)
    written = one.put(CUT)
    alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Soon\r\nTRIGGER:-PT10M\r\nEND:VALARM\r\n"
    text = server.text(KEY).replace("\r\nEND:VEVENT", f"\r\nCOLOR:red\r\n{alarm}END:VEVENT")
    server.put(KEY, text)

    one.put(replace(CUT, starts_at=NINE + DAY, ends_at=NINE + DAY + HOUR, sequence=1), "")

    read = parsed(server)
    assert (read["DTSTART"].dt, read["SEQUENCE"], read["COLOR"]) == (NINE + DAY, 1, "red")
    assert [part["DESCRIPTION"] for part in read.walk("VALARM")] == ["Soon"]
    assert read["SUMMARY"] == CUT.title
    found = one.find(KEY, written.event_id)
    assert found is not None
    assert found.starts_at == NINE + DAY


def test_a_change_that_conflicts_with_one_of_staff_is_applied_to_theirs(
    server: Radicale, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = ours(server)
    written = one.put(CUT)
    changed = ics_own.changed_file
    meetings = [1]

    def met(text: str, entry: CalendarEntry, at: datetime) -> bytes:
        if meetings:
            meetings.pop()
            server.put(KEY, text.replace("TRANSP:OPAQUE", "TRANSP:OPAQUE\r\nCOLOR:red"))
        return changed(text, entry, at)

    monkeypatch.setattr(caldav, "changed_file", met)
    one.put(replace(CUT, title="Cut"), written.event_id)
    assert "COLOR:red" in server.text(KEY)
    assert "SUMMARY:Cut\r\n" in server.text(KEY)

    meetings += [1] * 9
    monkeypatch.setattr(
        server, "put", lambda name, text, put=server.put: put(name, f"{text[:-15]}{_end()}")
    )

    def _end() -> str:
        return f"X-N:{len(meetings)}\r\nEND:VCALENDAR\r\n"

    with pytest.raises(CalendarDown):
        one.put(CUT, written.event_id)


def test_a_wrong_password_is_a_refusal_and_makes_reading_impossible(server: Radicale) -> None:
    with pytest.raises(CalendarRefused, match="user name or password"):
        ours(server, "wrong").put(CUT)
    with pytest.raises(BadCalendar, match="user name or password"):
        ours(server, "wrong").busy(NINE, NINE + DAY)


@pytest.mark.spec("BK-26")
def test_a_server_that_finds_no_repetitions_is_asked_for_repeating_events(
    server: Radicale, monkeypatch: pytest.MonkeyPatch
) -> None:
    weekly = event(
        "a", "Team", "20200107T070000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY",
        STAMP,
    )  # fmt: skip
    server.put("weekly", calendar(weekly))
    monkeypatch.setattr(caldav, "_IN_TIME", '<c:prop-filter name="X-NOTHING-HAS-THIS"/>')

    assert [each.starts_at for each in ours(server).busy(NINE, NINE + DAY)] == [NINE]


@pytest.mark.spec("BK-26")
def test_a_server_that_cannot_be_asked_for_them_is_asked_for_everything(
    server: Radicale, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.put("one", calendar(event("a", "x", "20261020T070000Z", STAMP, "DURATION:PT1H")))
    sent = client.ask
    bodies: list[bytes] = []

    def ask(method: str, url: str, headers: object, body: bytes, most: int) -> Response:
        bodies.append(body)
        if b"RRULE" in body or b"RDATE" in body:
            return Response(403, {}, b"")
        return sent(method, url, headers, body, most)  # type: ignore[arg-type]

    monkeypatch.setattr(caldav, "ask", ask)

    assert [each.starts_at for each in ours(server).busy(NINE, NINE + DAY)] == [NINE]
    assert sum(b"filter" in body and b"time-range" not in body for body in bodies) == 4


@pytest.mark.spec("FD-27")
def test_entities_broken_xml_and_nesting_are_refused() -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'
    for body in (bomb, b"<a>", b"not xml", b"<a>" * 1_000_000):
        with pytest.raises(BadCalendar):
            list(_files(body))
    assert list(_files(b"<a>" * 100_000 + b"</a>" * 100_000)) == []


@pytest.mark.spec("FD-27")
def test_a_name_of_an_event_stays_below_the_calendar(server: Radicale) -> None:
    one = ours(server)
    assert one.find(KEY, "../../etc/passwd") is None
    one.remove(KEY, "../openings")
    server.put("still", calendar(event("a", "x", "20261020T070000Z", STAMP)))


@pytest.mark.spec("FD-27")
def test_the_password_of_a_file_goes_to_no_other_host() -> None:
    with feed_server() as feed, feed_server() as other:
        feed.status, feed.location = 302, other.url
        reader = IcsAddress(feed.url, Account("mia", "secret"), here=BERLIN)
        with pytest.raises(BadCalendar, match="moved"):
            reader.busy(NINE, NINE + DAY)
    assert other.asked_with == []


def test_a_file_is_fetched_again_only_if_it_has_changed() -> None:
    with feed_server() as feed:
        reader = IcsAddress(feed.url, here=BERLIN)
        feed.text = calendar(event("a", "x", "20261020T070000Z"))
        first, second = (reader.busy(NINE, NINE + DAY) for _ in range(2))
        feed.text = calendar()
        third = reader.busy(NINE, NINE + DAY)

    assert first == second != third == []
    assert feed.answers == [200, 304, 200]
