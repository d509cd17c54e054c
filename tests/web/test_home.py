"""The home page leads customers to pages that are open to them, and the team to the console."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.engine.clock import VirtualClock
from frontdesk.settings import Settings
from frontdesk.values import replace
from frontdesk.wiring.one_machine import build, web_app
from tests.desks.booking.pages.shop import CATALOGUE, CUT, RULES
from tests.desks.rsvp.console_desk import console_desk
from tests.support.browser import Browser
from tests.support.rsvp import NINE

BASE = "http://desk.example"


@contextmanager
def visitor(folder: Path, *commands: Any, **settings: Any) -> Iterator[Browser]:
    chosen = Settings(data_dir=folder, base_url=BASE, business_name="Kiln Lane", **settings)
    product = build(chosen, clock=VirtualClock(NINE))
    for command in commands:
        product.engine.run(command, by="member:test", now=NINE)
    yield Browser(web_app(product), BASE)
    product.close()


def links_of(browser: Browser) -> list[str]:
    return re.findall(r'<a class="home-link" href="([^"]+)"', browser.get("/").text)


def test_a_customer_finds_booking_and_the_waitlist(tmp_path: Path) -> None:
    with visitor(tmp_path, SetCatalogue(CATALOGUE), SetRules(RULES)) as browser:
        page, links = browser.get("/"), links_of(browser)
        pages = [browser.get(url.removeprefix(BASE)).heading for url in links]

    assert (page.status, page.heading) == (200, "Kiln Lane")
    assert links == [f"{BASE}/book", f"{BASE}/waitlist"]
    assert pages == ["Book an appointment", "Join the waitlist"]


@pytest.mark.parametrize(
    ("off", "left"), [("booking", ["/waitlist"]), ("waitlist", ["/book"]), ("booking waitlist", [])]
)
def test_the_home_page_names_no_desk_that_is_switched_off(
    tmp_path: Path, off: str, left: list[str]
) -> None:
    commands = (SetCatalogue(CATALOGUE), SetRules(RULES))
    with visitor(tmp_path, *commands, desks_off=off) as browser:
        assert links_of(browser) == [f"{BASE}{path}" for path in left]


def test_the_home_page_leads_only_to_open_pages(tmp_path: Path) -> None:
    """If all services have private links, the page that lists them is not open."""
    unlisted = replace(RULES, services=(replace(CUT, unlisted=True),))
    with visitor(tmp_path / "new") as browser:
        assert links_of(browser) == []
        assert f'href="{BASE}/console"' in browser.get("/").text
    with visitor(tmp_path / "private", SetRules(unlisted)) as browser:
        assert links_of(browser) == []


def test_the_team_gets_to_the_console_at_once(tmp_path: Path) -> None:
    with console_desk(tmp_path) as opened:
        assert opened.owner().get("/").location == "/console"


def test_a_page_that_is_not_there_leads_home(tmp_path: Path) -> None:
    with visitor(tmp_path) as browser:
        page = browser.get("/nothing")

    assert page.status == 404
    assert '<a class="button" href="/">To the home page</a>' in page.text
