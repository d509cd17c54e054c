"""Google reports changes through a channel that is renewed; the hook only starts a look."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import CODE
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.features.calendars.push import PATH, channel_setting
from frontdesk.features.catalogue.model import Catalogue, Service
from tests.desks.reminders.test_connections import BASE, Shop
from tests.support.browser import Browser
from tests.support.google import service_key
from tests.support.google_calendar import CALENDAR, GoogleCalendarServer
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY
from tests.support.vendor_server import Reply, serve

HOOK = f"https://desk.example{PATH}"
CALENDARS = f'[mia]\nkind = "google"\ncalendar = "{CALENDAR}"\nappointments = "trusted"\n'


@dataclass
class Pushed:
    shop: Shop
    google: GoogleCalendarServer

    def turn(self, name: str) -> bool:
        [task] = [each for each in self.shop.product.periodic_tasks if each.name == name]
        return task.turn()

    def renews(self) -> bool:
        return self.turn("calendar notifications")

    @property
    def channel(self) -> dict[str, Any]:
        [one] = self.google.channels.values()
        return one

    def calls(self, **headers: str) -> int:
        said = {
            f"x-goog-{name.replace('_', '-').lower()}": value for name, value in headers.items()
        }
        return Browser(self.shop.app, BASE).ask("POST", PATH, b"", said).status

    def notified(self) -> int:
        one = self.channel
        return self.calls(Channel_ID=one["id"], Channel_Token=one["token"], Resource_State="exists")

    @property
    def starts(self) -> list[datetime]:
        ar = reminder_reads(self.shop.product.engine.reads())
        return [one.starts_at for one in ar.live_after(MONDAY, "", 9)]

    def adds(self) -> None:
        self.google.add(
            "abcde",
            summary="Ann Lee - Cut",
            description="#appt ann@example.org",
            iCalUID="abcde@google.com",
            start={"dateTime": FRIDAY.isoformat()},
            end={"dateTime": (FRIDAY + HOUR).isoformat()},
        )


@pytest.fixture
def pushed(tmp_path: Path) -> Iterator[Pushed]:
    google = GoogleCalendarServer()
    with serve(google):
        more = {
            "calendars": CALENDARS,
            "calendar_hook_url": HOOK,
            "google_api": google.address,
            "google_account": service_key(f"{google.address}/token"),
        }
        with closing(Shop(tmp_path, more=more)) as shop:
            shop.do(SetCatalogue(Catalogue((Service("Cut"),), ("Mia",))))
            yield Pushed(shop, google)


@pytest.mark.spec("AR-02")
def test_a_notification_makes_us_look_and_nothing_else(pushed: Pushed) -> None:
    assert pushed.renews()
    assert (pushed.channel["address"], pushed.channel["type"]) == (HOOK, "web_hook")
    pushed.adds()

    assert pushed.notified() == 204

    pushed.shop.settle()
    assert pushed.starts == [FRIDAY]


@pytest.mark.spec("AR-02")
@pytest.mark.parametrize(
    "wrong", [{"Channel_Token": "guess"}, {"Channel_ID": "another"}, {"Channel_Token": ""}]
)
def test_nobody_else_can_make_us_look(pushed: Pushed, wrong: dict[str, str]) -> None:
    pushed.renews()
    pushed.adds()
    right = {"Channel_ID": pushed.channel["id"], "Channel_Token": pushed.channel["token"]}
    before = len(pushed.google.requests)

    assert pushed.calls(**{**right, "Resource_State": "exists", **wrong}) == 403

    assert len(pushed.google.requests) == before
    assert pushed.starts == []
    saved = pushed.shop.product.engine.reads().engine.setting(channel_setting(CODE, "mia"))
    assert pushed.channel["token"] not in str(saved)


@pytest.mark.spec("AR-02")
def test_a_channel_is_replaced_before_it_ends(pushed: Pushed) -> None:
    pushed.renews()
    first = pushed.channel["id"]
    assert not pushed.renews()
    asked = timedelta(milliseconds=int(pushed.channel["expiration"]))
    ends_at = datetime(1970, 1, 1, tzinfo=MONDAY.tzinfo) + asked
    assert ends_at == MONDAY + 7 * DAY

    pushed.shop.clock.move_to(ends_at - HOUR)
    assert pushed.renews()

    assert pushed.channel["id"] != first, "the old one is stopped"
    assert pushed.notified() == 204


@pytest.mark.spec("AR-02")
def test_without_a_channel_calendars_are_still_looked_at(pushed: Pushed) -> None:
    pushed.google.fail(Reply(403, {"error": {"errors": [{"reason": "forbidden"}]}}), "POST")
    assert not pushed.renews()
    pushed.adds()

    pushed.turn("calendars with appointments")

    assert pushed.starts == [FRIDAY]
