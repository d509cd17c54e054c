"""The customers' pages of the booking desk in a real browser: accessible, light, usable by keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from frontdesk.core.jobs import JobId
from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import Book, ReleaseBooking
from frontdesk.desks.booking.links import ProposalLinks
from frontdesk.desks.booking.load import Loader
from frontdesk.desks.booking.model import (
    Booking,
    BookingId,
    BookingStatus,
    Lane,
    RequestStatus,
)
from frontdesk.desks.booking.pages.free_times import LOADER
from frontdesk.desks.booking.rules import (
    Approval,
    BookingRules,
    CalendarRef,
    Need,
    Question,
    QuestionKind,
    Resource,
    ResourceId,
)
from frontdesk.values import replace
from frontdesk.web.limits import Limits
from tests.browser.steps import View, expect_heading, faults_of, page_weight
from tests.browser.windows import DESK, PHONE, Windows, inspect_page, keep_picture, windows_on
from tests.desks.booking.pages.shop import CUT, MIRA, RULES, SPA, Shop, at, text
from tests.support.server import serve
from tests.support.vendor_server import Reply, answering

LONG_NAME = "Wilhelmina-Charlotte van der Berg"
BERG = ResourceId("berg")
LONG = replace(
    CUT,
    name="Balayage with a deep-conditioning treatment and a blow-dry",
    aliases=("balayage",),
    duration=timedelta(hours=3, minutes=30),
    price_cents=32_550,
    needs=(Need((MIRA, BERG)),),
    most=3,
    approval=Approval.ALWAYS,
    questions=(
        Question("note", "Is there anything that we should know before you come?"),
        Question("length", "How long is your hair?", QuestionKind.CHOICE, ("Short", "Long")),
        Question("terms", "I agree to the terms", QuestionKind.CONSENT, required=True),
    ),
)
#: A start every five minutes, all day: the heaviest page.
DENSE = replace(SPA, name="Quick check", duration=timedelta(minutes=5), step=timedelta(minutes=5))
KAY = Resource(ResourceId("kay"), "Kay", calendars=(CalendarRef("kay", write=True),))
BUSY = replace(SPA, name="Colour", needs=(Need((KAY.id,)),))
STAFF = (*RULES.resources, Resource(BERG, LONG_NAME), KAY)
SHOP: BookingRules = replace(RULES, services=(CUT, SPA, LONG, DENSE, BUSY), resources=STAFF)
THURSDAY = date(2026, 11, 19)
PUBLIC_BYTES = 60_000
TABLET = 820
#: The phone in light colours is checked by every rule, other views by the rules that may differ.
VIEWS: tuple[View, ...] = (
    (PHONE, "light", ()),
    (TABLET, "light", ("color-contrast",)),
    (DESK, "dark", ("color-contrast", "link-in-text-block")),
)


@dataclass
class Stage:
    shop: Shop
    links: dict[str, str]
    """A page in each state, by name."""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with serve(tmp_path_factory.mktemp("data")) as served:
        shop = Shop(served)
        served.desk.product.site.limits = Limits(enabled=False)
        yield Stage(shop, states(shop))


def states(shop: Shop) -> dict[str, str]:
    shop.given(SHOP)
    shop.served.desk.product.site.shared[LOADER] = Loader()
    booked = made(shop, "ann", 10)
    cancelled = made(shop, "bob", 11)
    shop.post(shop.links(cancelled), do="cancel")
    pending = made(shop, "cat", 13, service=LONG.name)
    late = made(shop, "dan", 15, on=date(2026, 11, 16))
    made(shop, "fay", 10)
    proposed, taken = proposals(shop, taken_at=booked.starts_at)
    released = claimed(shop)
    shop.do(ReleaseBooking(released.id, JobId(""), "another event"))
    balayage = "/book/balayage-with-a-deep-conditioning-treatment-and-a-blow-dry"
    return {
        "bk-month": "/book",
        "bk-week": "/book/haircut?view=week&day=2026-11-23",
        "bk-sentence": "/book?q=Haircut+with+Jo+on+Thursday",
        "bk-unread": "/book?q=as+soon+as+Venus+is+in+Aquarius",
        "bk-zone": "/book/haircut?zone=Europe%2FBerlin&day=2026-11-24",
        "bk-long": f"{balayage}?staff=berg&party=2",
        "bk-details": f"/book/haircut?at={text(at(14, on=THURSDAY))}&staff=jo",
        "bk-details-long": f"{balayage}?at={text(at(9, on=THURSDAY))}&staff=berg&party=2",
        "bk-embed": "/book/embed",
        "bk-booked": shop.links(booked),
        "bk-pending": shop.links(pending),
        "bk-cancelled": shop.links(cancelled),
        "bk-late": shop.links(late),
        "bk-proposal": proposed,
        "bk-proposal-taken": taken,
        "bk-released": shop.links(released),
        "bk-cancel": f"{shop.links(booked)}?do=cancel",
        "bk-move": f"{shop.links(booked)}?do=move&done=taken",
        "bk-received": "/book/received",
        "bk-dense": "/book/quick-check",
        "bk-dense-week": "/book/quick-check?view=week&day=2026-11-23",
    }


def proposals(shop: Shop, *, taken_at: datetime) -> tuple[str, str]:
    """Returns the links of a proposed time, and of one that somebody else has taken."""
    shop.post(
        "/book/ask", note="Haircut on Friday at 10", name=LONG_NAME, contact="eva@example.org"
    )
    [request] = shop.reads.requests(RequestStatus.OPEN, 2)
    person = shop.reads.person(request.person_id)
    assert person is not None
    product = shop.served.desk.product
    links = ProposalLinks(product.settings.links_at, lambda: product.keys)
    times = (request.proposed[0].starts_at, taken_at)
    proposed, taken = (links.time(request, each, person.contact_version) for each in times)
    return proposed, taken


def claimed(shop: Shop) -> Booking:
    """Books a time whose calendar has not answered yet."""
    eve = ("Eve", "eve@example.org")
    booking_id, starts_at = BookingId("e" * 32), at(10, on=THURSDAY)
    shop.served.desk.run(
        Book(
            booking_id, PersonId("eve"), BUSY.name, starts_at, *eve, lane=Lane.STAFF, override=True
        )
    )
    found = shop.reads.booking(booking_id)
    assert found is not None
    assert found.status is BookingStatus.CLAIMED
    return found


def made(
    shop: Shop, who: str, hour: int, *, on: date = THURSDAY, service: str = "Haircut"
) -> Booking:
    fields = {"service": service, "name": who.title(), "contact": f"{who}@example.org"}
    shop.book(at(hour, on=on), **fields, **{"answer-terms": "yes"})
    return next(one for one in shop.bookings() if one.email == f"{who}@example.org")


@pytest.fixture
def windows(browser: Browser, stage: Stage) -> Iterator[Windows]:
    with windows_on(browser, stage.shop.served.base_url) as opened:
        yield opened


@pytest.mark.spec("FD-22", "BK-19")
def test_every_page_is_accessible_and_fits_its_window(stage: Stage, windows: Windows) -> None:
    assert faults_of(windows, stage.links, VIEWS) == {}


@pytest.mark.spec("BK-34", "FD-22")
def test_every_page_is_light_and_loads_one_more_file(stage: Stage, windows: Windows) -> None:
    heaviest = ("bk-month", "bk-week", "bk-long", "bk-dense", "bk-dense-week", "bk-move")
    weights = {name: page_weight(windows, stage.links[name]) for name in heaviest}

    assert {name: it for name, it in weights.items() if it[0] > 2 or it[1] > PUBLIC_BYTES} == {}


@pytest.mark.spec("BK-34", "BK-19")
@pytest.mark.parametrize("scripts", [True, False])
def test_two_presses_and_two_fields_book_a_time(
    stage: Stage, windows: Windows, scripts: bool
) -> None:
    page = windows.open(width=PHONE, scripts=scripts)
    who = "zoe" if scripts else "yan"
    page.goto("/book")
    page.get_by_role("group", name="Best times").get_by_role("button").last.click()
    page.get_by_label("Your name").fill(who.title())
    page.get_by_label("E-mail or mobile number").fill(f"{who}@example.org")
    page.get_by_role("button", name="Book this time").click()

    expect_heading(page, "It's booked.")


@pytest.mark.spec("BK-19", "FD-22")
def test_with_the_keyboard_alone_one_picks_another_day_and_books(
    stage: Stage, windows: Windows
) -> None:
    page = windows.open()
    page.goto("/book/head-spa")

    press(page, "Thursday 26 November, ")
    expect(page.get_by_role("heading", name="Thursday 26 November")).to_be_visible()
    press(page, "15:00")
    for label, typed in (("Your name", "Kim"), ("E-mail or mobile number", "kim@example.org")):
        reach(page, label)
        page.keyboard.type(typed)
    page.keyboard.press("Enter")
    page.wait_for_url("**/l/*")

    expect_heading(page, "It's booked.")
    assert "Thursday 26 November 2026, 15:00 to 16:00" in page.locator("main").inner_text()


def press(page: Page, name: str) -> None:
    reach(page, name)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def reach(page: Page, name: str) -> None:
    """Moves the focus to the element that a screen reader would call this."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate(CALLED).startswith(name):
            return
    raise AssertionError(f"no key reaches {name!r}")


HELD = re.compile(r"(5 min|5 min 0 s|4 min 5\d s) left")
CALLED = """() => {
  const one = document.activeElement;
  return one.getAttribute("aria-label") || one.labels?.[0]?.innerText || one.innerText || "";
}"""


@pytest.mark.spec("BK-17")
def test_the_hold_counts_down_by_the_servers_clock(stage: Stage, windows: Windows) -> None:
    page = windows.open(width=PHONE)
    page.goto("/book/haircut?day=2026-11-27")
    page.get_by_role("button", name="16:00").click()

    expect(page.locator(".countdown-left")).to_have_text(HELD)
    expect(page.get_by_text("We hold this time for you")).to_be_visible()
    page.locator("time.countdown").evaluate("time => time.removeAttribute('data-countdown')")
    expect(page.get_by_text("We hold this time for you")).to_be_hidden()


@pytest.mark.spec("BK-19")
def test_services_and_staff_open_in_place(stage: Stage, windows: Windows) -> None:
    page = windows.open(width=PHONE)
    page.goto("/book/haircut?day=2026-11-24")
    page.locator("summary", has_text="With").click()
    keep_picture(page, "bk-staff-open", PHONE, "light")
    page.get_by_role("link", name="Jo", exact=True).click()

    page.wait_for_url("**staff=jo**")
    assert page.locator("summary", has_text="With").inner_text().split("\n") == ["With", "Jo"]


@pytest.mark.spec("BK-36")
def test_the_embed_is_one_script_tag_and_its_height_follows(stage: Stage, windows: Windows) -> None:
    page = windows.open(width=TABLET)
    host = f'<h1>My site</h1><script src="{stage.shop.served.base_url}/book/embed.js"></script>'
    page.route("**/my-site", lambda route: route.fulfill(body=host, content_type="text/html"))
    page.goto("/my-site")
    frame = page.frame_locator("iframe[title='Book an appointment']")
    frame.get_by_role("heading", name="Book an appointment").wait_for()

    inside = page.frames[1].evaluate("document.documentElement.offsetHeight")
    height = "document.querySelector('iframe').offsetHeight"
    page.wait_for_function(f"Math.abs({height} - {inside}) <= 2")
    month = page.evaluate(height)
    frame.get_by_role("group", name="Best times").get_by_role("button").first.click()
    frame.get_by_label("Your name").fill("Eva")
    frame.get_by_label("E-mail or mobile number").fill("eva@example.org")
    page.wait_for_function(f"{height} < {month}")
    frame.get_by_role("button", name="Book this time").click()
    page.wait_for_url("**/l/*")

    expect_heading(page, "It's booked.")


@pytest.mark.spec("BK-36")
def test_the_form_in_a_frame_begins_in_sight(stage: Stage, windows: Windows) -> None:
    page = windows.open(width=PHONE)
    host = f'<p>My site</p><script src="{stage.shop.served.base_url}/book/embed.js"></script>'
    page.route("**/my-site", lambda route: route.fulfill(body=host, content_type="text/html"))
    page.goto("/my-site")
    frame = page.frame_locator("iframe[title='Book an appointment']")
    frame.get_by_role("heading", name="Book an appointment").wait_for()
    assert page.evaluate("scrollY") == 0

    frame.get_by_role("link", name="Next month").click()
    frame.get_by_role("heading", name="December 2026").wait_for()
    frame.locator("button[name=at]").last.click()

    expect(frame.get_by_role("heading", name="Your details")).to_be_in_viewport()


@contextmanager
def site_with(html: str) -> Iterator[str]:
    """Serves a site on another host than ours."""
    with answering(lambda _: Reply(200, html, {"content-type": "text/html"})) as address:
        yield f"{address.replace('127.0.0.1', 'localhost')}/"


@pytest.mark.spec("BK-36")
def test_a_visitor_books_without_cookies_in_a_frame_of_another_site(
    stage: Stage, windows: Windows
) -> None:
    """The site is on another host, so the browser keeps no cookie of the frame."""
    page = windows.open(width=TABLET)
    here = stage.shop.served.base_url
    html = f'<h1>My site</h1><script src="{here}/book/embed.js"></script>'
    with site_with(html) as site:
        page.goto(site)
        frame = page.frame_locator("iframe[title='Book an appointment']")
        frame.get_by_role("group", name="Best times").get_by_role("button").first.click()
        frame.get_by_text("We hold this time for you").wait_for()
        assert page.context.cookies() == []
        frame.get_by_label("Your name").fill("Fay")
        frame.get_by_label("E-mail or mobile number").fill("fay@example.org")
        frame.get_by_role("button", name="Book this time").click()
        page.wait_for_url("**/l/*")
        windows.errors[:] = [each for each in windows.errors if each != f"asks {site}"]

    expect_heading(page, "It's booked.")
    assert page.url.startswith(here), "the booking opens in the whole window"
    assert len(page.frames) == 1


@pytest.mark.spec("FD-22")
def test_an_error_is_read_aloud_with_its_field(stage: Stage, windows: Windows) -> None:
    page = windows.open(width=PHONE)
    page.goto(stage.links["bk-details"])
    page.get_by_label("Your name").fill("Zoe")
    page.get_by_label("E-mail or mobile number").fill("12")
    page.get_by_role("button", name="Book this time").click()

    wrong = page.locator("[aria-invalid=true]")

    expect(wrong).to_have_attribute("name", "contact")
    expect(wrong).to_be_focused()
    keep_picture(page, "bk-details-wrong", PHONE, "light")
    assert inspect_page(page) == ([], 0)


@pytest.mark.spec("FD-22")
def test_the_question_about_a_second_appointment_is_accessible(
    stage: Stage, windows: Windows
) -> None:
    for _ in range(2):
        page = windows.open(width=PHONE)
        page.goto(f"/book/haircut?at={text(at(16, on=THURSDAY))}")
        page.get_by_label("Your name").fill("Wim")
        page.get_by_label("E-mail or mobile number").fill("wim@example.org")
        page.get_by_role("button", name="Book this time").click()

    expect_heading(page, "Is this a second appointment?")
    keep_picture(page, "bk-same-visit", PHONE, "light")
    assert inspect_page(page) == ([], 0)
