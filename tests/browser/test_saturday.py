"""A Saturday at a salon, as everybody sees it: a colour at two comes free and is filled in time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from frontdesk.desks.waitlist.model import Wish
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace
from tests.browser.steps import check_page, expect_flash, expect_heading, signed_in
from tests.browser.windows import DESK, PHONE, Windows, overflow_px, windows_on
from tests.support.salon import MINUTE, Salon
from tests.support.salon import salon as open_salon

SHOP = Catalogue((Service("Colour", timedelta(minutes=90), 12_000),), ("Jess", "Kim"), "S$")
WISH = Wish("Colour", 1, date(2026, 11, 16), date(2026, 11, 28))
#: Saturday, 13:35 in Singapore.
LUNCH = datetime(2026, 11, 21, 5, 35, tzinfo=UTC)


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    """Uma is first in line and wants Kim; then come Ann and Bea."""
    with open_salon(tmp_path, shop=SHOP) as opened:
        opened.joins("Uma", mobile="+6591234561", wish=replace(WISH, staff="Kim"))
        opened.joins("Ann", mobile="+6591234562", wish=WISH)
        opened.joins("Bea", mobile="+6591234563", wish=WISH)
        yield opened.later(LUNCH - opened.clock.now())


@pytest.fixture
def windows(browser: Browser, salon: Salon) -> Iterator[Windows]:
    with windows_on(browser, salon.product.settings.base_url) as opened:
        yield opened


@pytest.mark.spec("WL-08", "WL-11", "WL-14", "WL-19", "WL-21", "WL-22", "FD-21", "FD-22")
def test_the_colour_at_two_goes_past_the_wrong_stylist_and_a_silent_phone_to_the_next(
    salon: Salon, windows: Windows
) -> None:
    board = signed_in(windows, salon)
    frees_the_colour_at_two(board)
    salon.settle()
    expect(offered(board)).to_contain_text("Ann")
    expect(offered(board)).to_contain_text("until 13:45 today (SGT)")

    mailbox = board.context.new_page()
    assert texted(mailbox) == ["Ann"]
    ann = opens(windows, link_on_the_phone_of(mailbox, "Ann"), "13:45")
    check_page(mailbox, "saturday-phone", DESK)
    salon.later(10 * MINUTE)
    expect(offered(board)).to_contain_text("Bea")
    assert texted(mailbox) == ["Bea", "Ann"]
    bea = opens(windows, link_on_the_phone_of(mailbox, "Bea"), "13:55")

    salon.later(2 * MINUTE)
    takes_it(bea, "It's yours.")
    salon.settle()
    expect(booked(board)).to_contain_text("Bea")
    expect(offered(board)).to_have_count(0)
    assert texted(mailbox) == ["Bea", "Bea", "Ann"]
    takes_it(ann, "Just filled.")

    booked(board).get_by_role("heading").get_by_role("link").click()
    expect_heading(board, "Colour with Jess")
    expect(why(board, "Uma")).to_have_text("Colour: They asked for Kim; this is with Jess.")
    check_page(board, "saturday-why", DESK)
    assert story(board)[-2:] == [
        "Bea claimed it: booked.",
        "Ann wanted to claim it, but it was filled.",
    ]


def frees_the_colour_at_two(board: Page) -> None:
    """Frees the slot with the form; staff then open the board."""
    board.goto("/console/waitlist")
    board.get_by_role("link", name="Free a slot").first.click()
    board.get_by_label("Begins at (SGT)").fill("14:00")
    board.get_by_label("With").select_option("Jess")
    board.get_by_role("button", name="Free the slot").click()
    expect_flash(board, "The slot is free. See here who is asked.")
    board.goto("/console/waitlist")
    expect(board.get_by_text("Live", exact=True)).to_be_visible()


def offered(board: Page) -> Locator:
    return board.get_by_role("region", name="Open slots").get_by_role("article")


def booked(board: Page) -> Locator:
    return board.get_by_role("region", name="Booked from the list").get_by_role("article")


def texted(mailbox: Page) -> list[str]:
    """Returns the recipients, the newest first."""
    mailbox.goto("/console/messages")
    return mailbox.locator("td.cell-long").all_inner_texts()


def link_on_the_phone_of(mailbox: Page, name: str) -> str:
    """Returns the link in the text that the mailbox shows."""
    mailbox.goto("/console/messages")
    mailbox.get_by_role("row", name=name).get_by_role("link").first.click()
    bubble = mailbox.locator(".phone-turn[aria-current=true] .phone-bubble")
    expect(bubble).to_contain_text("Colour with Jess is free Saturday 21 November, 14:00 (SGT)")
    address = bubble.get_by_role("link").get_attribute("href")
    assert address
    return address


def opens(windows: Windows, link: str, until: str) -> Page:
    """Opens a link on a small phone without JavaScript."""
    phone = windows.open(width=PHONE, scripts=False)
    phone.goto(link)
    expect_heading(phone, "A time has come free.")
    assert f"until {until} today (SGT)" in phone.locator(".deadline").inner_text()
    return phone


def takes_it(phone: Page, heading: str) -> None:
    """Presses the button and waits for the page with this heading."""
    phone.get_by_role("button", name="Yes, I'll take it").click()
    expect_heading(phone, heading)
    assert overflow_px(phone) == 0


def why(board: Page, name: str) -> Locator:
    board.get_by_label("A name on the list").fill(name)
    board.get_by_role("button", name="Ask").click()
    asked = board.get_by_role("region", name="Why, or why not?")
    return asked.locator(".person-more")


def story(board: Page) -> list[str]:
    return board.locator(".story-step strong").all_inner_texts()
