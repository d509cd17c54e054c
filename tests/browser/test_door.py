"""The check-in page on a phone: many guests on one screen, found after a few letters."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.steps import check_page, owner_window
from tests.browser.windows import Windows
from tests.desks.rsvp.console_desk import EVENTS
from tests.support.server import Served

GUESTS = ["ann", "ben", "chloe", "dinesh", "eva", "femi", "grace", "hugo"]
PHONE: ViewportSize = {"width": 390, "height": 844}


def door(windows: Windows, stage: Served, *, scripts: bool = True) -> Page:
    stage.desk.given(cap=20, party_limit=3)
    for who in GUESTS:
        stage.desk.sign_up(who, party=3 if who == "dinesh" else 1)
    stage.desk.settle()
    page = owner_window(windows, stage, scripts=scripts)
    page.set_viewport_size(PHONE)
    page.goto(f"{EVENTS}/{stage.desk.event_id}/door")
    return page


@pytest.mark.spec("EV-31", "FD-22")
def test_five_guests_are_in_view_on_a_phone(stage: Served, windows: Windows) -> None:
    page = door(windows, stage)
    navs = [nav.bounding_box() for nav in page.locator("nav").all()]
    bar_at = max(box["y"] for box in navs if box)
    boxes = [row.bounding_box() for row in page.locator(".people-door .person").all()]

    in_view = [box for box in boxes if box and box["y"] + box["height"] <= bar_at]

    assert len(in_view) >= 5
    check_page(page, "door")


@pytest.mark.spec("EV-31")
def test_the_list_is_searched_while_one_types(stage: Served, windows: Windows) -> None:
    page = door(windows, stage)
    names = page.locator(".people-door .person-name")

    page.get_by_label("Search by name").press_sequentially("ch")
    expect(names).to_have_text(["Chloe"])
    page.get_by_role("button", name="Check in").click()

    expect(page.locator(".flash-says")).to_contain_text("Checked in.")


@pytest.mark.spec("EV-31", "FD-22")
def test_the_search_works_without_scripts(stage: Served, windows: Windows) -> None:
    page = door(windows, stage, scripts=False)

    page.get_by_label("Search by name").fill("ev")
    page.get_by_role("button", name="Search").click()

    expect(page.locator(".people-door .person-name")).to_have_text(["Eva"])
