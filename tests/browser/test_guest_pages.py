"""What guests see, in a real browser: readable for everybody, within the policy, and alive."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.eyes import sideways, violations
from tests.support.guest_links import TAKE, links_of, offered
from tests.support.server import Served, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One seat, on offer to Bob; Cat waits behind."""
    with serve(tmp_path_factory.mktemp("data")) as served:
        offered(served)
        yield served


@pytest.fixture(params=["light", "dark"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A phone. Whatever the console complains about fails the test."""
    complaints: list[str] = []
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme=request.param
    )
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


@pytest.mark.spec("FD-22", "FD-29")
def test_every_page_that_guests_see_is_accessible_and_fits_a_phone(
    served: Served, page: Page
) -> None:
    links = links_of(served.desk, "bob")
    addresses = [
        f"{served.base_url}/e/pottery",
        f"{served.base_url}/e/pottery/embed",
        served.link("bob", TAKE),
        *(links.manage(), f"{links.manage()}?do=cancel", links.ticket(), links.unsubscribe()),
        links_of(served.desk, "ann").manage(),
    ]

    for address in addresses:
        page.goto(address)
        assert violations(page) == [], address
        assert sideways(page) == 0, address


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
    assert page.get_by_role("button").all_inner_texts() == ["Leave the line"]
