"""Scripts on the pages of guests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.windows import PHONE, windows_on
from tests.support.guest_links import TAKE, links_of, offered
from tests.support.server import Served, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Offers the only seat to Bob; Cat is next in line."""
    with serve(tmp_path_factory.mktemp("data")) as served:
        offered(served)
        yield served


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with windows_on(browser, served.base_url) as windows:
        yield windows.open(width=PHONE)


@pytest.mark.spec("EV-21")
def test_an_offer_counts_down_by_the_servers_clock(served: Served, page: Page) -> None:
    page.goto(served.link("bob", TAKE))

    words = page.locator(".deadline").inner_text().split("\n")

    assert words[-1].endswith(" left")
    assert words[-1].startswith(("6 h 0 min", "5 h 59 min"))


def test_the_cancel_link_of_a_mail_leads_straight_to_the_question(
    served: Served, page: Page
) -> None:
    page.goto(links_of(served.desk, "cat").cancel())
    page.wait_for_url("**?do=cancel")

    assert page.get_by_role("heading").first.inner_text() == "Leave the line?"
    expect(page.get_by_role("button")).to_have_text(["Leave the line"])
