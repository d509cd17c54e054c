"""What guests see, in a real browser: readable for everybody, within the policy, and alive."""

import shutil
from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.guest_links import TAKE, links_of, offered
from tests.support.server import Served, serve

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One seat, on offer to Bob; Cat waits behind."""
    with serve(tmp_path_factory.mktemp("data")) as served:
        offered(served)
        yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield browser
        browser.close()


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
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0, address


def violations(page: Page) -> list[str]:
    """Run beside the page, as its policy lets no other script in."""
    page.context.new_cdp_session(page).send("Runtime.evaluate", {"expression": AXE})
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found["violations"]]


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
