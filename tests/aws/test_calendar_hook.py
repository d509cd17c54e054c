"""Google calls the address of calendar-sync when an event has changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from frontdesk.aws.calendar_sync import calendar_sync
from frontdesk.aws.container import deployment
from frontdesk.desks.reminders.model import CODE
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.features.calendars.push import channel_setting
from frontdesk.features.catalogue.model import Catalogue, Service
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.google_calendar import google_calendars
from tests.aws.payloads import Context
from tests.support.dynamodb import needs_dynamodb
from tests.support.google_calendar import CALENDAR, GoogleCalendarServer
from tests.support.reminders import DAY, HOUR

pytestmark = needs_dynamodb

HOOK = "https://hook.example"
CALENDARS = f'[mia]\nkind = "google"\ncalendar = "{CALENDAR}"\nappointments = "trusted"\n'


@pytest.fixture
def google(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[GoogleCalendarServer]:
    config = {"calendar_hook_url": HOOK, "desks_off": "rsvp"}
    with google_calendars(cloud, monkeypatch, CALENDARS, **config) as server:
        shop = SetCatalogue(Catalogue((Service("Cut"),), ("Mia",)))
        deployment().back.engine.run(shop, by="test", now=cloud.clock.now())
        yield server


def rings(payload: dict[str, Any] | None = None) -> Any:
    """Calls the function, by default as the hourly schedule does."""
    return calendar_sync(payload or {"of": "appointments"}, Context("calendar-sync"))


def calls(method: str = "POST", **headers: str) -> int:
    said = {f"X-Goog-{name.replace('_', '-')}": value for name, value in headers.items()}
    http = {"method": method, "path": "/", "sourceIp": "203.0.113.9"}
    payload = {"requestContext": {"http": http}, "rawPath": "/", "headers": said, "body": "x"}
    return int(rings(payload)["statusCode"])


@pytest.mark.spec("AR-02")
def test_a_notification_makes_us_look_and_nobody_elses_does(
    cloud: Cloud, google: GoogleCalendarServer
) -> None:
    rings()
    [channel] = google.channels.values()
    assert channel["address"] == HOOK
    saved = deployment().back.engine.reads().engine.setting(channel_setting(CODE, "mia"))
    assert (saved.id, channel["token"] in str(saved)) == (channel["id"], False)
    at = cloud.clock.now() + 5 * DAY
    google.add(
        "abcde",
        summary="Ann Lee - Cut",
        description="#appt ann@example.org",
        iCalUID="abcde@google.com",
        start={"dateTime": at.isoformat()},
        end={"dateTime": (at + HOUR).isoformat()},
    )
    before = len(google.requests)
    wrong = {"Channel_ID": channel["id"], "Channel_Token": "guess", "Resource_State": "exists"}
    assert (calls(**wrong), calls("GET", **wrong)) == (403, 404)
    assert len(google.requests) == before

    assert calls(**{**wrong, "Channel_Token": channel["token"]}) == 204

    reads: ReminderReads = deployment().back.engine.reads().desk("ar")
    assert [one.starts_at for one in reads.live_after(cloud.clock.now(), "", 9)] == [at]


@pytest.mark.spec("AR-02")
def test_a_channel_is_replaced_before_it_ends(cloud: Cloud, google: GoogleCalendarServer) -> None:
    rings()
    [first] = google.channels
    rings()
    assert list(google.channels) == [first]

    cloud.clock.move_to(cloud.clock.now() + 6 * DAY + HOUR)
    rings()

    [second] = google.channels
    assert second != first
