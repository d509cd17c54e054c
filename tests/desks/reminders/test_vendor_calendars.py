"""Appointments in calendars at Google and Microsoft, whose stand-ins accept only documented
requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import pytest

from frontdesk.connect.calendars.google_events import GoogleEvents, plain_text
from frontdesk.connect.calendars.microsoft_events import MicrosoftEvents
from frontdesk.connect.calendars.model import CalendarEvent, EventGuest
from frontdesk.connect.calendars.port import (
    CalendarConflict,
    CalendarDown,
    CalendarRefused,
    CalendarUnknown,
)
from frontdesk.connect.calendars.rest_events import EventOptions
from frontdesk.connect.calendars.staff_events import NewEvent, WhenCancelled, event_uid
from frontdesk.desks.reminders.calendar import AppointmentCalendar
from frontdesk.desks.reminders.commands import Cancel, MoveAppointment
from frontdesk.desks.reminders.model import Appointment, EventTrouble, Means
from frontdesk.features.calendars.sync import CalendarSync, SeveralCalendars
from frontdesk.reading.rules import RulesReader
from frontdesk.values import replace
from tests.support.google_calendar import CALENDAR, GoogleCalendarServer
from tests.support.graph_calendar import ACCOUNT, USER, GraphServer
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, RemindersDesk
from tests.support.vendor_server import Reply, VendorServer, serve

HERE = ZoneInfo("Asia/Singapore")
NEW = FRIDAY + DAY
WEEK = 7 * DAY
TEXT = "#appt\nann@example.org"
OPTIONS = EventOptions(calendar="mia", ahead=timedelta(days=400), series_ahead=timedelta(days=60))
KEY = "0123456789abcdef" * 2


class Vendor(Protocol):
    @property
    def server(self) -> VendorServer: ...

    def client(self, when: WhenCancelled = WhenCancelled.MARK) -> Any: ...

    def add(self, name: str, at: datetime, *, occurrence: datetime | None = None) -> str: ...

    def move(self, event_id: str, at: datetime) -> None: ...

    def shown(self) -> list[tuple[str, datetime, bool]]:
        """Returns the title and start of each event, and whether it takes time."""


class AtGoogle:
    def __init__(self) -> None:
        self.server = GoogleCalendarServer()

    def client(self, when: WhenCancelled = WhenCancelled.MARK) -> GoogleEvents:
        return GoogleEvents(
            self.server.account,
            CALENDAR,
            options=replace(OPTIONS, when_cancelled=when),
            url=self.server.address,
        )

    def add(self, name: str, at: datetime, *, occurrence: datetime | None = None) -> str:
        series: dict[str, Any] = {}
        if occurrence is not None:
            series = {
                "recurringEventId": "series",
                "originalStartTime": {"dateTime": occurrence.isoformat()},
            }
        uid = "series@google.com" if occurrence else f"{name}@google.com"
        self.server.add(
            name,
            summary="Ann Lee - Cut",
            description=TEXT,
            iCalUID=uid,
            **self._times(at),
            **series,
        )
        return name

    def move(self, event_id: str, at: datetime) -> None:
        self.server.change(event_id, **self._times(at))

    @staticmethod
    def _times(at: datetime) -> dict[str, Any]:
        return {
            "start": {"dateTime": at.isoformat()},
            "end": {"dateTime": (at + HOUR).isoformat()},
        }

    def shown(self) -> list[tuple[str, datetime, bool]]:
        found = [each for each in self.server.events.values() if each["status"] != "cancelled"]
        return [
            (
                each["summary"],
                datetime.fromisoformat(each["start"]["dateTime"]),
                each.get("transparency") != "transparent",
            )
            for each in found
        ]


class AtMicrosoft:
    def __init__(self) -> None:
        self.server = GraphServer()

    def client(self, when: WhenCancelled = WhenCancelled.MARK) -> MicrosoftEvents:
        return MicrosoftEvents(
            ACCOUNT,
            USER,
            options=replace(OPTIONS, when_cancelled=when),
            url=self.server.url,
            login=self.server.address,
        )

    def add(self, name: str, at: datetime, *, occurrence: datetime | None = None) -> str:
        series: dict[str, Any] = {}
        if occurrence is not None:
            series = {
                "type": "occurrence" if at == occurrence else "exception",
                "seriesMasterId": "master",
                "originalStart": f"{occurrence:%Y-%m-%dT%H:%M:%SZ}",
            }
        return self.server.add(
            subject="Ann Lee - Cut",
            body={"contentType": "text", "content": TEXT},
            iCalUId=name,
            **self._times(at),
            **series,
        )

    def move(self, event_id: str, at: datetime) -> None:
        self.server.change(event_id, **self._times(at))

    @staticmethod
    def _times(at: datetime) -> dict[str, Any]:
        def time(at: datetime) -> dict[str, str]:
            return {"dateTime": f"{at:%Y-%m-%dT%H:%M:%S}.0000000", "timeZone": "UTC"}

        return {"start": time(at), "end": time(at + HOUR)}

    def shown(self) -> list[tuple[str, datetime, bool]]:
        return [
            (
                each["subject"],
                datetime.fromisoformat(each["start"]["dateTime"][:19]).replace(tzinfo=UTC),
                each["showAs"] != "free",
            )
            for each in self.server.events.values()
        ]


@pytest.fixture(params=[AtGoogle, AtMicrosoft])
def vendor(request: pytest.FixtureRequest) -> Iterator[Vendor]:
    made: Vendor = request.param()
    with serve(made.server):
        yield made


def events(vendor: Vendor) -> list[CalendarEvent]:
    found: list[CalendarEvent] = vendor.client().events(MONDAY, HERE)
    return sorted(found, key=lambda each: str(each.starts_at))


@pytest.mark.spec("AR-02")
@pytest.mark.home("one machine", "AWS")
def test_events_are_read_with_each_time_of_a_series(vendor: Vendor) -> None:
    vendor.add("single", FRIDAY)
    vendor.add("one", FRIDAY + WEEK, occurrence=FRIDAY + WEEK)
    vendor.add("two", FRIDAY + 2 * WEEK + HOUR, occurrence=FRIDAY + 2 * WEEK)
    vendor.add("far", FRIDAY + 20 * WEEK, occurrence=FRIDAY + 20 * WEEK)
    vendor.add("late", FRIDAY + 20 * WEEK + HOUR, occurrence=FRIDAY + 3 * WEEK)

    found = events(vendor)

    assert [each.occurrence for each in found] == [
        None,
        FRIDAY + WEEK,
        FRIDAY + 2 * WEEK,
        FRIDAY + 3 * WEEK,
    ]
    assert [each.starts_at for each in found][2:] == [
        FRIDAY + 2 * WEEK + HOUR,
        FRIDAY + 20 * WEEK + HOUR,
    ]
    single, first, *others = found
    assert (single.title, single.description, single.calendar) == ("Ann Lee - Cut", TEXT, "mia")
    assert {each.uid for each in others} == {first.uid} != {single.uid}
    assert all(each.event_id and each.etag for each in found)


@pytest.mark.spec("AR-10")
@pytest.mark.home("one machine", "AWS")
def test_an_event_is_moved_marked_and_deleted(vendor: Vendor) -> None:
    vendor.add("a", FRIDAY)
    [event] = events(vendor)
    vendor.client().move(event, NEW)
    assert vendor.shown() == [("Ann Lee - Cut", NEW, True)]
    [moved] = events(vendor)
    assert (moved.ends_at, moved.uid) == (NEW + HOUR, event.uid)

    vendor.client().cancel(moved)
    assert vendor.shown() == [("Cancelled: Ann Lee - Cut", NEW, False)]
    [marked] = events(vendor)

    vendor.client(WhenCancelled.DELETE).cancel(marked)
    assert vendor.shown() == []


@pytest.mark.spec("AR-10")
@pytest.mark.home("one machine", "AWS")
def test_an_edit_since_it_was_read_wins(vendor: Vendor) -> None:
    name = vendor.add("a", FRIDAY)
    [event] = events(vendor)
    vendor.move(name, FRIDAY + HOUR)

    with pytest.raises(CalendarConflict):
        vendor.client().move(event, NEW)
    for when in WhenCancelled:
        with pytest.raises(CalendarConflict):
            vendor.client(when).cancel(event)

    assert vendor.shown() == [("Ann Lee - Cut", FRIDAY + HOUR, True)]


@pytest.mark.spec("BK-12")
@pytest.mark.home("one machine", "AWS")
def test_failures_are_told_apart(vendor: Vendor) -> None:
    vendor.add("a", FRIDAY)
    [event] = events(vendor)
    client = vendor.client()
    client.events(MONDAY, HERE)  # gets its token

    vendor.server.fail(Reply(503, None, {"Retry-After": "9"}))
    with pytest.raises(CalendarDown):
        client.move(event, NEW)
    vendor.server.fail(Reply(400, {"error": {}}))
    with pytest.raises(CalendarRefused):
        client.move(event, NEW)
    vendor.server.lose()
    with pytest.raises(CalendarUnknown):
        client.move(event, NEW)
    assert vendor.shown() == [("Ann Lee - Cut", NEW, True)]


@pytest.mark.spec("AR-10")
@pytest.mark.home("one machine", "AWS")
def test_an_event_of_ours_is_added_once_and_known_again(vendor: Vendor) -> None:
    new = NewEvent(
        key=KEY,
        starts_at=FRIDAY,
        duration=HOUR,
        zone="Asia/Singapore",
        title="Bob - Cut",
        description=TEXT,
    )
    for _ in range(2):
        vendor.client().add(new)

    assert vendor.shown() == [("Bob - Cut", FRIDAY, True)]
    [found] = events(vendor)
    assert (found.uid, found.description) == (event_uid(KEY), TEXT)


def test_a_description_of_google_is_read_as_text() -> None:
    text = "#appt<br>Ann &amp; Co<p>ann@example.org</p><a href='x'>+65 9123 4567</a>"

    assert plain_text(text) == "#appt\nAnn & Co\nann@example.org\n+65 9123 4567"


def test_guests_are_customers_and_staff_are_not() -> None:
    google = AtGoogle()
    with serve(google.server):
        google.add("a", FRIDAY)
        people = [
            {"email": "mia@salon.example", "self": True},
            {"email": "room@salon.example", "resource": True},
            {"email": "ann@example.org", "displayName": "Ann Lee"},
        ]
        google.server.change("a", attendees=people)

        assert events(google)[0].guests == (EventGuest("ann@example.org", "Ann Lee"),)


# --- with the desk --------------------------------------------------------------------------


@contextmanager
def synced(vendor: Vendor, desk: RemindersDesk) -> Iterator[Callable[[], None]]:
    client = vendor.client()
    side = AppointmentCalendar(
        engine=desk.engine,
        clock=desk.clock,
        reader_of_text=RulesReader(),
        country="SG",
        trusted=frozenset({"mia"}),
        calendars={"mia": client},
    )
    sync = CalendarSync(desk.engine, desk.clock, side, SeveralCalendars((client,)), HOUR)

    def look() -> None:
        sync.turn()
        desk.settle()

    yield look


def rows(desk: RemindersDesk) -> list[Appointment]:
    return list(desk.reads.appointments_between(MONDAY, MONDAY + 99 * DAY))


@pytest.mark.spec("AR-02", "AR-10")
def test_one_time_of_a_series_follows_and_nothing_comes_back(
    vendor: Vendor, desk: RemindersDesk
) -> None:
    desk.given()
    for number in range(3):
        at = FRIDAY + number * WEEK
        vendor.add(f"s{number}", at, occurrence=at)
    with synced(vendor, desk) as look:
        look()
        first, second, third = rows(desk)
        desk.do(MoveAppointment(second.id, second.starts_at + HOUR))
        desk.do(Cancel(third.id, 1, "1.first", Means.LINK))

        for _ in range(2):
            look()

    assert vendor.shown() == [
        ("Ann Lee - Cut", FRIDAY, True),
        ("Ann Lee - Cut", FRIDAY + WEEK + HOUR, True),
        ("Cancelled: Ann Lee - Cut", FRIDAY + 2 * WEEK, False),
    ]
    after = rows(desk)
    assert [(one.id, one.chain, one.event) for one in after] == [
        (first.id, 1, None),
        (second.id, 2, None),
        (third.id, 1, None),
    ]


@pytest.mark.spec("AR-10", "BK-12")
def test_a_lost_answer_and_an_edit_of_staff(vendor: Vendor, desk: RemindersDesk) -> None:
    desk.given()
    name = vendor.add("a", FRIDAY)
    with synced(vendor, desk) as look:
        look()
        [one] = rows(desk)
        desk.do(MoveAppointment(one.id, NEW))
        vendor.server.lose("PATCH")
        look()
        assert rows(desk)[0].event is None
        writes = [each for each in vendor.server.requests if each.method == "PATCH"]
        assert len(writes) == 1

        desk.do(MoveAppointment(one.id, NEW + HOUR))
        vendor.move(name, NEW + 3 * HOUR)
        look()

    [after] = rows(desk)
    assert after.event is not None
    assert (after.event.trouble, after.event.found_at) == (EventTrouble.CHANGED, NEW + 3 * HOUR)
    assert vendor.shown() == [("Ann Lee - Cut", NEW + 3 * HOUR, True)]
