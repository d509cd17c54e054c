"""Every page of the product, on a phone and on a desktop, in light and dark colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page

from frontdesk.core.jobs import JobId
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.rsvp.commands import CallOff, CheckIn, CreateEvent, SignUp
from frontdesk.desks.rsvp.model import EventId, EventSettings, GuestId, Lane
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.model import EntryId, Wish
from frontdesk.desks.waitlist.model import Lane as WaitLane
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace
from frontdesk.wiring.one_machine import web_app
from tests.browser.appointment_pages import LONG_NAME, LONG_WORD, appointment_pages
from tests.browser.steps import page_weight
from tests.browser.windows import (
    DESK,
    PHONE,
    Scheme,
    Windows,
    inspect_page,
    keep_picture,
    windows_on,
)
from tests.desks.rsvp.console_desk import EVENTS, ConsoleDesk
from tests.security.world import World, make_world, poll
from tests.support.guest_links import links_of
from tests.support.rsvp import DETAILS, HOUR, RsvpDesk
from tests.support.server import Page as HttpPage
from tests.support.server import Served, serve

#: The longest weekday and the longest month, in a zone without letters: the tests look at every
#: page on Wednesday 23 September, two days after the start; the event is a week later.
ZONE = "America/Argentina/Buenos_Aires"
START = datetime(2026, 9, 21, 12, 0, tzinfo=UTC)
WIDE = replace(
    DETAILS,
    starts_at=datetime(2026, 9, 30, 22, 0, tzinfo=UTC),
    ends_at=datetime(2026, 10, 1, 1, 0, tzinfo=UTC),
    zone=ZONE,
)
LONG_TITLE = f"{LONG_WORD}, an evening with all the glazes that we have ever tried"
#: A page written by others, in a frame without scripts, where axe cannot run.
MAIL = "/console/messages/{send_id}/html"
PUBLIC_BYTES = 60_000
#: The phone in light colours is checked by every rule, other views by the rules that may differ.
VIEWS: tuple[tuple[int, Scheme, tuple[str, ...]], ...] = (
    (PHONE, "light", ()),
    (PHONE, "dark", ("color-contrast",)),
    (DESK, "dark", ("color-contrast", "link-in-text-block", "scrollable-region-focusable")),
)


@dataclass
class Site:
    """A business with data for everything that pages can show."""

    served: Served
    world: World
    past: EventId
    off: EventId
    bare: EventId
    appointments: dict[str, str]
    """Pages of bookings and reminders, by name."""

    @property
    def desk(self) -> RsvpDesk:
        return self.served.desk


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Created in another thread, because the browser uses the event loop of this one."""
    folder = tmp_path_factory.mktemp("data")
    with serve(folder, console=True, start=START) as served, ThreadPoolExecutor(1) as aside:
        yield aside.submit(busy_site, served).result()


@pytest.fixture
def windows(browser: Browser, site: Site) -> Iterator[Windows]:
    with windows_on(browser, site.served.base_url, site.desk.clock.now()) as opened:
        yield opened


def busy_site(served: Served) -> Site:
    desk, new_id = served.desk, served.desk.product.engine.new_id
    desk.do(SetBusiness(Business(name="Kiln Lane Studio", zone=ZONE)))
    past, off, bare = (EventId(new_id()) for _ in range(3))
    tomorrow = replace(
        WIDE, name="Open studio", starts_at=START + 24 * HOUR, ends_at=START + 26 * HOUR
    )
    desk.do(CreateEvent(past, "studio", tomorrow, EventSettings(), 20))
    guests = [signed_up(desk, past, f"guest{n}", f"Guest Number {n}") for n in range(14)]
    desk.wait(days=1)
    for guest in guests[:9]:
        desk.do(CheckIn(guest, 1))
    desk.wait(days=1)
    world = make_world(
        ConsoleDesk(desk, web_app(desk.product)), WIDE, claim_window=timedelta(days=7)
    )
    desk.do(CreateEvent(bare, "glazes", replace(WIDE, name=LONG_TITLE), EventSettings(), 300))
    desk.do(CreateEvent(off, "kiln", replace(WIDE, name="Kiln opening"), EventSettings(), 30))
    signed_up(desk, off, "hanna", "Hanna")
    desk.do(CallOff(off, JobId(new_id()), "The kiln has cracked."))
    signed_up(desk, desk.event_id, "charlotte", LONG_NAME, party=2)
    desk.do(SetCatalogue(Catalogue((Service("Cut"), Service(LONG_WORD)), ("Mia",))))
    wish = Wish(LONG_WORD, 1, START.date(), START.date() + timedelta(days=30))
    ids = EntryId(new_id()), PersonId(new_id())
    desk.do(JoinList(*ids, LONG_NAME, "waits@example.org", wish, WaitLane.FORM))
    found = appointment_pages(desk.product, desk.clock.now())
    return Site(served, world, past, off, bare, found)


def signed_up(desk: RsvpDesk, event: EventId, who: str, name: str, party: int = 1) -> GuestId:
    new_id = desk.product.engine.new_id
    guest = GuestId(new_id())
    email = f"{who}@example.org"
    desk.do(SignUp(event, guest, PersonId(new_id()), name, email, party, Lane.FORM))
    return guest


def pages(site: Site) -> dict[str, str]:
    """Returns every route that shows a page, and further states of some pages, by name."""
    world = site.world
    found = {
        name_of(pattern): world.path(pattern)
        for pattern in world.routes("GET")
        if pattern not in (MAIL, NEXT_MAIL) and is_page(site, poll(world.path(pattern)))
    }
    return found | states(site) | site.appointments


def is_page(site: Site, path: str) -> bool:
    return head(site, path).headers.get("content-type", "").startswith("text/html")


def head(site: Site, path: str) -> HttpPage:
    cookie = "; ".join(f"{name}={value}" for name, value in site.world.owner.cookies.items())
    return site.served.visitor.send("HEAD", path, headers={"cookie": cookie})


#: Routes whose page needs values that the world lacks, each with the state that shows it.
SHOWN_BY_STATE = {
    "/l/{token}/{part}": "link-no-ticket",
    "/sign-in/{token}": "sign-in-link",
    "/console/bookings/requests/{request}": "booking-request-draft",
    "/console/reminders/next/{appointment}/{window}": "reminder-preview",
    "/console/reminders/proposed/{request}": "proposed-appointment",
    "/console/settings/reminder-mails/{kind}": "reminder-mail",
    "/console/settings/team-mails/{kind}": "team-mail",
}
#: Returns a file; in the world its address is an error page.
FEED = "/feed/{resource}/{token}.ics"
#: A mail that goes out next, in its frame.
NEXT_MAIL = "/console/reminders/next/{appointment}/{window}/mail"


def test_every_route_shows_its_page_and_not_an_error_alone(site: Site) -> None:
    """Without this check, a page that shows only an error would pass."""
    lost = {
        pattern
        for pattern in site.world.routes("GET")
        if pattern not in (MAIL, NEXT_MAIL, FEED)
        and is_page(site, path := poll(site.world.path(pattern)))
        and head(site, path).status >= 400
    }
    shown = states(site) | site.appointments

    assert lost == {*SHOWN_BY_STATE}
    wrong = {name: head(site, path).status for name, path in site.appointments.items()}
    assert {name: status for name, status in wrong.items() if status != 200} == {}
    assert {*SHOWN_BY_STATE.values()} <= {*shown}


def name_of(pattern: str) -> str:
    if pattern == "/":  # leads the team to the console
        return "home-of-team"
    return re.sub(r"\W+", "-", re.sub(r"/console|{(\w+)}", r"\1", pattern)).strip("-") or "today"


def states(site: Site) -> dict[str, str]:
    desk, world = site.desk, site.world
    ann, bob, cat = (links_of(desk, who) for who in ("ann", "bob", "cat"))
    gone = links_of(desk, "dan")
    event, past = f"{EVENTS}/{desk.event_id}", f"{EVENTS}/{site.past}"
    return {
        "event-open": "/e/supper",
        "event-bare-long": "/e/glazes",
        "event-over": "/e/studio",
        "event-off": "/e/kiln",
        "event-none": "/e/nothing-here",
        "link-confirmed": ann.manage(),
        "link-confirmed-leave": ann.cancel(),
        "link-cancelled": gone.manage(),
        "link-offered": bob.manage(),
        "link-offer": bob.offer(1),
        "link-decline": bob.decline(1),
        "link-waiting": cat.manage(),
        "link-waiting-leave": cat.cancel(),
        "link-ticket": ann.ticket(),
        "link-no-ticket": cat.ticket(),
        "link-unsubscribe": ann.unsubscribe(),
        "link-cut-short": "/l/abc",
        "sign-in-link": f"/sign-in/{world.sign_in_token()}",
        "console-none": "/console/nothing-here",
        "asked": f"{event}?ask=how+many+seats+are+open%3F#ask",
        "guests-none-found": f"{event}/guests?q=nobody+like+that",
        "past-overview": past,
        "past-thanks": f"{past}/thanks",
        "past-guests": f"{past}/guests",
        "past-events": f"{EVENTS}?show=past",
        "off-overview": f"{EVENTS}/{site.off}",
        "bare-overview": f"{EVENTS}/{site.bare}",
        "bare-guests": f"{EVENTS}/{site.bare}/guests",
        "bare-line": f"{EVENTS}/{site.bare}/line",
        "bare-door": f"{EVENTS}/{site.bare}/door",
        "guest-offered": f"{event}/guests/{desk.id('bob')}",
        "guest-waiting": f"{event}/guests/{desk.id('cat')}",
        "guest-gone": f"{event}/guests/{desk.id('dan')}",
    }


@pytest.mark.timeout(900)  # takes long on a busy machine
@pytest.mark.spec("FD-22", "FD-29")
def test_every_page_is_accessible_fits_its_window_and_asks_nobody_else(
    windows: Windows, site: Site
) -> None:
    page = signed_in(windows, site)
    found = {
        (name, width, scheme): seen
        for name, url in pages(site).items()
        for width, scheme, seen in looked_at(page, name, url)
        if seen != ([], 0)
    }

    assert found == {}


#: Lists of bookings and appointments with all their columns.
LISTS = (
    "/console/messages",
    "/console/messages/in",
    "/console/bookings/list",
    "/console/bookings/requests",
    "/console/bookings/requests?show=booked",
    "/console/reminders",
    "/console/reminders/next",
    "/console/reminders/proposed",
)


@pytest.mark.spec("FD-22")
def test_no_list_is_cut_on_a_tablet(windows: Windows, site: Site) -> None:
    page = signed_in(windows, site)
    page.set_viewport_size({"width": 820, "height": 900})
    cut = {}
    for url in LISTS:
        page.goto(url)
        cut[url] = page.locator(".table-frame").evaluate("e => e.scrollWidth - e.clientWidth")

    assert {url: pixels for url, pixels in cut.items() if pixels > 0} == {}


def signed_in(windows: Windows, site: Site) -> Page:
    page = windows.open()
    ours = site.world.owner.cookies.items()
    page.context.add_cookies(
        [{"name": name, "value": value, "url": windows.host} for name, value in ours]
    )
    return page


def looked_at(
    page: Page, name: str, url: str
) -> Iterator[tuple[int, Scheme, tuple[list[str], int]]]:
    """Opens a page once and resizes the window for each view."""
    page.goto(url)
    before: tuple[int, Scheme] | None = None
    for width, scheme, rules in VIEWS:
        if before is None or before[0] != width:
            page.set_viewport_size({"width": width, "height": 900})
        if before is None or before[1] != scheme:
            page.emulate_media(color_scheme=scheme)
        before = width, scheme
        keep_picture(page, name, width, scheme)
        yield width, scheme, inspect_page(page, rules)


@pytest.mark.spec("FD-22")
def test_public_pages_are_light_and_load_one_more_file(windows: Windows, site: Site) -> None:
    public = {
        name: url
        for name, url in (states(site) | site.appointments).items()
        if name.startswith(("event-", "link-"))
    }
    public |= {"home": "/", "sign-in": "/sign-in"}
    weights = {name: page_weight(windows, url) for name, url in public.items()}
    home = [seen for *_, seen in looked_at(windows.open(), "home", "/")]

    assert home == [([], 0)] * len(VIEWS)
    assert {name: it for name, it in weights.items() if it[0] > 2 or it[1] > PUBLIC_BYTES} == {}
    assert len(weights) > 15


#: Elements that people press on a phone, lower than 44 pixels; links inside sentences may be.
LOW = """() => [...document.querySelectorAll("a, button, input, select, summary, textarea")]
  .filter(e => e.getClientRects().length && !e.closest(".aside, .trap, .skip, .todo-go"))
  .filter(e => (e.closest("label") ?? e).getBoundingClientRect().height < 43.5)
  .filter(e => getComputedStyle(e).display !== "inline"
    || e.parentElement.textContent.trim() === e.textContent.trim())
  .map(e => `${e.parentElement.className}: ${e.outerHTML.slice(0, 100)}`)"""
#: Pages with small elements: stories, sources, days and weeks, and those of customers.
PRESSED = (
    *("today", "waitlist", "waitlist-day", "waitlist-slots-slot", "messages-in-mail_id"),
    *("messages-send_id", "bookings-week", "booking-day-long", "booking-long", "person-consent"),
    *("events-event", "events-event-story", "reminders-weeks", "guest-offered", "settings"),
    *("book-service", "event-open", "link-offered", "link-reminder"),
)


@pytest.mark.spec("FD-22")
def test_buttons_and_links_on_a_phone_are_large_enough(windows: Windows, site: Site) -> None:
    page, urls = signed_in(windows, site), pages(site)
    page.set_viewport_size({"width": PHONE, "height": 900})
    low = {}
    for name in PRESSED:
        page.goto(urls[name])
        low[name] = page.evaluate(LOW)

    assert {name: found for name, found in low.items() if found} == {}
