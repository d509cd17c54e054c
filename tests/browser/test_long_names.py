"""Names of 80 letters without a space push no state and no button out of view."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from playwright.sync_api import Page

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import Book, SetRules
from frontdesk.desks.booking.model import BookingId
from frontdesk.desks.booking.model import Lane as BookingLane
from frontdesk.desks.booking.rules import BookingRules, Need, Period, Resource, ResourceId
from frontdesk.desks.booking.rules import ServiceRules as Rules
from frontdesk.desks.rsvp.commands import SignUp
from frontdesk.desks.rsvp.model import GuestId, Lane
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.model import EntryId, Opening, Wish
from frontdesk.desks.waitlist.model import Lane as WaitLane
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace
from frontdesk.wiring.one_machine import web_app
from tests.browser.windows import DESK, PHONE, Windows, overflow_px
from tests.desks.rsvp.console_desk import ConsoleDesk
from tests.support.rsvp import DETAILS, NINE
from tests.support.server import Served

HOUR = timedelta(hours=1)
MIA = ResourceId("mia")
TAIL = "haarschnittundfarbeundfoenenundpflegeundberatungundkopfmassageundnagellackundmehr"


def long(letter: str) -> str:
    return f"{letter}{TAIL}"[:80]


SERVICE, STAFF, GUEST, EVENT = map(long, "SFGE")
RULES = BookingRules(
    zone="UTC",
    hours=((Period(0, 24 * 60),),) * 7,
    services=(Rules(SERVICE, HOUR, (Need((MIA,)),)),),
    resources=(Resource(MIA, STAFF),),
)
CONSOLE = (
    *("", "/bookings", "/bookings/list", "/bookings/calendars", "/bookings/services"),
    *("/waitlist", "/waitlist/list", "/waitlist/services"),
    *("/reminders", "/reminders/next"),
    *("/events", "/events/{event}", "/events/{event}/guests", "/events/{event}/door"),
    *("/people", "/messages"),
)
PUBLIC = ("/book", "/waitlist", "/e/pottery")
#: The buttons and chips that one has to scroll to the side for, in the page or in a frame of it.
OUT = """() => [...document.querySelectorAll('main :is(button, a.button, a.button-plain, .chip)')]
  .filter(e => e.offsetParent && !e.closest('.tools-chips, .tabs, .trap'))
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
  .map(e => e.textContent.trim())"""


@pytest.fixture
def cookies(stage: Served) -> Iterator[dict[str, str]]:
    """Those of an owner, of a business with long names. Made in another thread, because the
    browser uses the event loop of this one."""
    with ThreadPoolExecutor(1) as aside:
        yield aside.submit(business, stage).result()


def business(stage: Served) -> dict[str, str]:
    desk = stage.desk
    new_id, at = desk.product.engine.new_id, NINE + timedelta(days=1)
    desk.given(cap=1, details=replace(DETAILS, name=EVENT))
    for who in ("ann", "bob"):
        ids = GuestId(new_id()), PersonId(new_id())
        desk.do(SignUp(desk.event_id, *ids, GUEST, f"{who}@example.org", 1, Lane.FORM))
    desk.do(SetCatalogue(Catalogue((Service(SERVICE),), (STAFF,))))
    desk.do(SetRules(RULES))
    booked = BookingId("a" * 32), PersonId(new_id())
    desk.do(Book(*booked, SERVICE, at, GUEST, "cat@example.org", lane=BookingLane.STAFF))
    wish = Wish(SERVICE, 1, NINE.date(), NINE.date() + timedelta(days=30), STAFF)
    waits = EntryId(new_id()), PersonId(new_id())
    desk.do(JoinList(*waits, GUEST, "dan@example.org", wish, WaitLane.STAFF))
    opening = Opening(SERVICE, at + 2 * HOUR, HOUR, 1, STAFF)
    slot_intake_in(desk.product.site).free("test:1", opening, by="test")
    desk.settle()
    return ConsoleDesk(desk, web_app(desk.product)).owner().cookies


@pytest.mark.spec("FD-22")
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_every_state_and_button_is_in_view(
    windows: Windows, stage: Served, cookies: dict[str, str], width: int
) -> None:
    page = windows.open(width=width)
    page.context.add_cookies(
        [{"name": name, "value": value, "url": windows.host} for name, value in cookies.items()]
    )
    ours = [f"/console{path.format(event=stage.desk.event_id)}" for path in CONSOLE]

    hidden = {path: found for path in (*ours, *PUBLIC) if (found := out_of_view(page, path))}

    assert hidden == {}


def out_of_view(page: Page, path: str) -> list[str]:
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200, path
    found: list[str] = page.evaluate(OUT)
    return ["the page itself", *found] if overflow_px(page) else found
