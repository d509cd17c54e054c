"""Steps that several journeys have in common."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from frontdesk.desks.admin.desk import first_link
from tests.browser.eyes import PHONE, Eyes, keep_picture, sideways, violations
from tests.support.server import Served


def printed_link(stage: Served) -> str:
    """Returns the link that the server prints at its start."""
    product = stage.desk.product
    now = stage.desk.clock.now()
    return first_link(product.engine, product.keys, stage.base_url, now)


def owner_window(eyes: Eyes, stage: Served, *, scripts: bool = True) -> Page:
    page = eyes.window(scripts=scripts)
    page.goto(printed_link(stage))
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
    """Waits for the page with this heading: what was pressed may still lead there."""
    expect(page.get_by_role("heading", level=1)).to_have_text(words, use_inner_text=True)


def expect_flash(page: Page, words: str) -> None:
    """Waits for the console's answer to what was pressed."""
    expect(page.locator(".flash-says")).to_have_text(words, use_inner_text=True)


def is_well(page: Page, name: str, width: int = PHONE) -> None:
    """Checks the page and takes a screenshot. Not for windows without scripts."""
    keep_picture(page, name, width, "light")
    assert (violations(page), sideways(page)) == ([], 0), name
