"""Staff change both the name and the address of somebody: the page asks who that is."""

import pytest
from playwright.sync_api import expect

from tests.browser.steps import check_page, expect_flash, expect_heading, owner_window
from tests.browser.windows import DESK, PHONE, Windows
from tests.support.server import Served

LONG_NAME = "Wilhelmina-Charlotte van der Berg-Abdulrahman und Söhne"
LONG_ADDRESS = "wilhelmina-charlotte.van-der-berg-abdulrahman@subdomain.example.org"


@pytest.mark.spec("FD-21", "FD-22")
def test_the_page_asks_whether_it_is_the_same_person_and_fits_its_window(
    stage: Served, windows: Windows
) -> None:
    stage.desk.given(cap=3, confirmed=["ann"])
    page = owner_window(windows, stage)
    page.goto(f"/console/people/{stage.desk.guest('ann').person_id}")
    details = page.locator("#correct")
    details.locator("[name=name]").fill(LONG_NAME)
    details.locator("[name=email]").fill(LONG_ADDRESS)
    details.get_by_role("button", name="Save").click()

    expect_heading(page, "Is this still the same person?")
    expect(page.get_by_role("heading", name="Somebody else comes instead?")).to_be_visible()
    for width in (PHONE, DESK):
        page.set_viewport_size({"width": width, "height": 900})
        check_page(page, "same-person", width)

    page.get_by_role("button", name="Same person: correct the details").click()
    expect_flash(page, "The address is corrected. Links to the old one are dead.")
