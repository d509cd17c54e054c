"""The files for a booking, its move and its cancellation, read by other calendars."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest

from frontdesk.connect.calendars.caldav import CalDavCalendar
from frontdesk.connect.calendars.client import Account
from frontdesk.core.ics import Invitation, Method, write
from frontdesk.values import replace
from tests.support.calendars import Radicale, radicale_server

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
#: The move crosses the night in which clocks go back.
NINE = datetime(2026, 10, 20, 7, tzinfo=UTC)
LATER = datetime(2026, 10, 27, 8, tzinfo=UTC)
BOOKED = Invitation(
    uid="0123456789abcdef0123456789abcdef@salon.example",
    sequence=0,
    method=Method.REQUEST,
    summary="Cut, colour; Café",
    starts_at=NINE,
    ends_at=NINE + HOUR,
    tz_name="Europe/Berlin",
    location="Lenaustraße 97",
    description="Please ring.\nSecond floor.",
    organizer_name="Salon",
    organizer_email="salon@example.org",
    attendee_name="Anna",
    attendee_email="anna@example.org",
    stamped_at=NINE - 9 * DAY,
)
MOVED = replace(BOOKED, sequence=1, starts_at=LATER, ends_at=LATER + HOUR)
CANCELLED = replace(MOVED, sequence=2, method=Method.CANCEL)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Radicale]:
    with radicale_server(tmp_path) as one:
        yield one


def busy(server: Radicale) -> list[datetime]:
    calendar = CalDavCalendar(server.url, Account("mia", "secret"), here=ZoneInfo("Asia/Tokyo"))
    return [span.starts_at for span in calendar.busy(NINE - DAY, NINE + 30 * DAY)]


class Inbox:
    """A calendar program that follows RFC 5546, based on the library `icalendar`: a request
    replaces the event with its UID unless that is newer, and a cancellation removes it."""

    def __init__(self) -> None:
        self.events: dict[str, Any] = {}

    def receive(self, file: bytes) -> None:
        calendar = icalendar.Calendar.from_ical(file)
        [event] = calendar.walk("VEVENT")
        uid, known = str(event["UID"]), self.events.get(str(event["UID"]))
        if known is not None and known["SEQUENCE"] > event["SEQUENCE"]:
            return
        if str(calendar["METHOD"]) == "CANCEL":
            self.events.pop(uid, None)
        else:
            self.events[uid] = event

    @property
    def starts(self) -> list[datetime]:
        return [event["DTSTART"].dt.astimezone(UTC) for event in self.events.values()]


@pytest.mark.spec("BK-13", "BK-15", "BK-16")
def test_a_calendar_program_shows_one_event_moved_and_then_none() -> None:
    inbox, shown = Inbox(), []
    for each in (BOOKED, MOVED, CANCELLED):
        inbox.receive(write(each))
        shown.append(inbox.starts)

    assert shown == [[NINE], [LATER], []]


def test_a_file_that_arrives_late_or_twice_changes_nothing() -> None:
    inbox = Inbox()
    for each in (BOOKED, MOVED, BOOKED, MOVED):
        inbox.receive(write(each))

    assert inbox.starts == [LATER]


@pytest.mark.spec("BK-13", "BK-15", "BK-16")
def test_a_calendar_server_has_one_event_moved_and_then_a_cancelled_one(server: Radicale) -> None:
    shown = []
    for each in (BOOKED, MOVED, CANCELLED):
        server.put("visit", write(each).decode())
        shown.append(busy(server))

    assert shown == [[NINE], [LATER], []]
    stored = server.text("visit")
    assert "SEQUENCE:2" in stored
    assert "STATUS:CANCELLED" in stored


@pytest.mark.parametrize("invitation", [BOOKED, MOVED, CANCELLED])
def test_the_zone_in_the_file_gives_the_instant_without_its_name(invitation: Invitation) -> None:
    file = write(invitation).decode().replace("Europe/Berlin", "Salon Time")

    event: Any = icalendar.Calendar.from_ical(file).walk("VEVENT")[0]
    zone = icalendar.Calendar.from_ical(file).timezones[0].to_tz(lookup_tzid=False)

    wall = event["DTSTART"].dt.replace(tzinfo=zone)
    assert wall.astimezone(UTC) == invitation.starts_at
