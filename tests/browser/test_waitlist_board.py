"""Staff at a counter: the board in its own window, with a thumb, and without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from frontdesk.values import replace
from tests.browser.steps import expect_flash, expect_heading, signed_in
from tests.browser.windows import DESK, PHONE, Windows, inspect_page, keep_picture, windows_on
from tests.desks.waitlist.console.counter import BOARD, claims, declines, url_of
from tests.support.salon import HOUR, NINE, OPENING, Salon
from tests.support.salon import salon as open_salon

LONG_NAME = "Wilhelmina-Charlotte van der Berg-Abdulrahman und Söhne"


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    with open_salon(tmp_path) as opened:
        yield opened


@pytest.fixture
def windows(browser: Browser, salon: Salon) -> Iterator[Windows]:
    with windows_on(browser, salon.product.settings.base_url) as opened:
        yield opened


@pytest.mark.spec("FD-21")
def test_an_open_board_follows_a_slot_from_offer_to_booking_by_itself(
    salon: Salon, windows: Windows
) -> None:
    salon.joins("Ann", mobile="+6591234567")
    page = signed_in(windows, salon, width=PHONE)
    page.goto(BOARD)
    expect(page.get_by_text("Live", exact=True)).to_be_visible()

    slot = salon.frees()
    offered = page.get_by_role("region", name="Open slots").get_by_role("article")
    expect(offered).to_contain_text("until 09:11 today (SGT)")
    expect(offered).to_contain_text("min left")
    claims(salon, slot)
    booked = page.get_by_role("region", name="Booked from the list").get_by_role("article")
    expect(booked).to_contain_text("Ann")
    expect(booked.get_by_role("link", name="+65 9123 4567")).to_be_visible()
    expect(offered).to_have_count(0)


@pytest.mark.spec("FD-21", "FD-22")
def test_with_a_thumb_a_slot_is_freed_and_taken_back_after_a_question(
    salon: Salon, windows: Windows
) -> None:
    salon.joins("Ann")
    page = signed_in(windows, salon, width=PHONE)
    page.goto(BOARD)
    page.get_by_role("link", name="Free a slot").first.click()
    page.get_by_label("Service").select_option("Cut and colour")
    page.get_by_label("Begins at (SGT)").fill("17:00")
    page.get_by_label("With").select_option("Jo")
    page.get_by_text("A new opening").click()
    page.get_by_role("button", name="Free the slot").click()
    expect_flash(page, "The slot is free. See here who is asked.")
    expect_heading(page, "Cut and colour with Jo")

    page.get_by_role("button", name="Stop offering").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave it").click()
    page.get_by_role("button", name="Stop offering").click()
    page.get_by_role("dialog").get_by_role("button", name="Stop offering").click()
    expect_flash(page, "The slot is offered to nobody any more.")
    (slot,) = salon.wl.slots(10)
    assert slot.status == "handed_back"


@pytest.mark.spec("FD-21")
def test_without_javascript_the_server_asks_and_the_time_is_freed(
    salon: Salon, windows: Windows
) -> None:
    salon.joins("Ann")
    slot = claims(salon, salon.frees())
    page = signed_in(windows, salon, width=PHONE, scripts=False)
    page.goto(BOARD)
    page.get_by_role("link", name="Cancel for them").click()
    expect_heading(page, "Cancel for Ann?")
    page.get_by_role("button", name="Cancel the booking").click()

    expect_flash(page, "Cancelled, and they are told. The time is free for the next.")
    assert salon.wl.slot_by_origin(f"cancelled:{slot.id}") is not None


@pytest.mark.spec("FD-22")
def test_every_page_is_accessible_and_fits_a_phone_and_a_desktop_in_light_and_dark(
    salon: Salon, windows: Windows
) -> None:
    for n, name in enumerate((LONG_NAME, "Bob", "Cat", "Dan")):
        salon.joins(name, email=f"p{n}@example.org", mobile=f"+659123456{n}")
    slot = salon.frees("phone:1")
    declines(salon, slot)
    salon.frees("opening:2", replace(OPENING, service="Table", capacity=4, staff=""))
    claims(salon, salon.frees("webhook:3", replace(OPENING, starts_at=NINE + 8 * HOUR)))
    page = signed_in(windows, salon, width=PHONE)
    pages = {
        "board": BOARD,
        "free": f"{BOARD}/free",
        "slot": f"{url_of(slot)}?q=a",
        "day": f"{BOARD}/day",
        "figures": f"{BOARD}/figures",
    }

    found = {name: seen for name, url in pages.items() if (seen := looked_at(page, name, url))}
    assert found == {}


def looked_at(page: Page, name: str, url: str) -> list[tuple[list[str], int]]:
    """Returns the problems of the page in each window."""
    page.goto(url)
    seen = []
    for width in (PHONE, DESK):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            keep_picture(page, f"waitlist-{name}", width, scheme)
            seen.append(inspect_page(page))
    return [one for one in seen if one != ([], 0)]
