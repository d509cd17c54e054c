"""Steps that several journeys have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from playwright.sync_api import Page, Request, expect

from frontdesk.desks.admin.desk import first_link
from tests.browser.windows import (
    DESK,
    PHONE,
    Scheme,
    Windows,
    inspect_page,
    keep_picture,
    overflow_px,
    violations,
)
from tests.support.salon import Salon
from tests.support.server import Served


def printed_link(stage: Served) -> str:
    """Returns the link that the server prints at its start."""
    product = stage.desk.product
    now = stage.desk.clock.now()
    return first_link(product.engine, product.keys, stage.base_url, now)


def owner_window(windows: Windows, stage: Served, *, scripts: bool = True) -> Page:
    page = windows.open(scripts=scripts)
    page.goto(printed_link(stage))
    page.get_by_role("button", name="Sign in").click()
    expect_heading(page, "Today")
    return page


def signed_in(
    windows: Windows,
    salon: Salon,
    *,
    width: int = DESK,
    scheme: Scheme = "light",
    scripts: bool = True,
) -> Page:
    product = salon.product
    page = windows.open(width=width, scheme=scheme, scripts=scripts)
    page.goto(first_link(product.engine, product.keys, windows.host, salon.clock.now()))
    page.get_by_role("button", name="Sign in").click()
    expect_heading(page, "Today")
    return page


def mail_link(owner: Page, subject: str, label: str) -> str:
    """Returns the address of a button in a mail, as the mailbox shows it."""
    owner.goto("/console/messages")
    owner.get_by_role("link", name=subject).first.click()
    mail = owner.frame_locator("iframe[title='The message']")
    address = mail.get_by_role("link", name=label).get_attribute("href")
    assert address
    return address


def expect_heading(page: Page, words: str) -> None:
    """Waits for the page with this heading, to which a pressed button may still lead."""
    expect(page.get_by_role("heading", level=1)).to_have_text(words, use_inner_text=True)


def expect_flash(page: Page, words: str) -> None:
    """Waits for this message of the console."""
    expect(page.locator(".flash-says")).to_have_text(words, use_inner_text=True)


def check_page(page: Page, name: str, width: int = PHONE) -> None:
    """Checks the page and takes a screenshot. Not for windows without scripts."""
    keep_picture(page, name, width, "light")
    assert (violations(page), overflow_px(page)) == ([], 0), name


#: The width of a window, its colours, and the axe rules to check; all if none is named.
View = tuple[int, Scheme, tuple[str, ...]]


def faults_of(
    windows: Windows, links: Mapping[str, str], views: Sequence[View]
) -> dict[tuple[str, int, Scheme], tuple[list[str], int]]:
    """Returns the violations and the overflow of each page, in every view that has some."""
    page, found = windows.open(width=PHONE), {}
    for name, url in links.items():
        page.goto(url)
        for width, scheme, rules in views:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            keep_picture(page, name, width, scheme)
            if (seen := inspect_page(page, rules)) != ([], 0):
                found[name, width, scheme] = seen
    return found


def page_weight(windows: Windows, url: str) -> tuple[int, int]:
    """Returns the number of requests and their bytes for a first visit."""
    page = windows.open(width=PHONE)
    requests: list[Request] = []
    page.on("requestfinished", lambda request: requests.append(request))
    page.goto(url)
    found = len(requests), sum(one.sizes()["responseBodySize"] for one in requests)
    page.context.close()
    windows.contexts.clear()
    return found
