"""One time passes from person to person, as everybody sees it: cancelled, offered, claimed,
reminded."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import Book, TakeRules
from frontdesk.desks.booking.model import booking_id
from frontdesk.desks.reminders.commands import PlanTick
from frontdesk.doctor import check_up
from frontdesk.store.sqlite.view import open_view
from frontdesk.wiring.one_machine import TABLES, data_file
from tests.browser.steps import check_page, expect_heading, mail_link, signed_in
from tests.browser.windows import DESK, PHONE, Windows, overflow_px, windows_on
from tests.support.salon import HOUR, Salon
from tests.support.salon import salon as open_salon

RULES = """\
hours: {daily: 9:00-18:00}
staff: {mia: {name: Mia}}
services: {Cut: {minutes: 60}}
"""
#: Friday, 15:00 in Singapore.
STARTS = datetime(2026, 11, 20, 7, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    """Ann has a booking with Mia on Friday, and Bea waits for a time."""
    with open_salon(tmp_path, desks_off="") as opened:
        opened.run(TakeRules(RULES, "Asia/Singapore"))
        opened.run(PlanTick())
        new_id = opened.product.engine.new_id
        ann = ("Ann", "ann@example.org")
        opened.run(Book(booking_id(new_id()), PersonId(new_id()), "Cut", STARTS, *ann))
        opened.joins("Bea")
        yield opened.later(STARTS - 3 * DAY - opened.clock.now())
        with open_view(data_file(tmp_path), TABLES) as view:
            assert check_up(view, opened.clock.now(), served=False).problems == ()


@pytest.fixture
def windows(browser: Browser, salon: Salon) -> Iterator[Windows]:
    with windows_on(browser, salon.product.settings.base_url, salon.clock.now()) as opened:
        yield opened


@pytest.mark.spec("AR-08", "AR-11", "BK-16", "FD-22")
def test_a_tap_on_cancel_gives_the_time_to_the_next_person_who_is_reminded_of_it(
    salon: Salon, windows: Windows
) -> None:
    staff = signed_in(windows, salon)
    mailbox = staff.context.new_page()
    staff.goto("/console/waitlist")
    expect(staff.get_by_text("Live", exact=True)).to_be_visible()

    ann = on_a_phone(windows, mail_link(mailbox, "Your appointment in 3 days: Cut", "Cancel"))
    expect_heading(ann, "Cancel this appointment?")
    ann.get_by_role("button", name="Cancel").click()
    expect_heading(ann, "This appointment is cancelled.")
    salon.settle()
    ann.reload()
    expect_heading(ann, "This appointment is cancelled.")
    assert overflow_px(ann) == 0
    offered = staff.get_by_role("region", name="Open slots").get_by_role("article")
    expect(offered).to_contain_text("Bea")

    bea = on_a_phone(windows, salon.product.settings.base_url + salon.last_link("bea@example.org"))
    expect_heading(bea, "A time has come free.")
    bea.get_by_role("button", name="Yes, I'll take it").click()
    expect_heading(bea, "It's yours.")
    assert overflow_px(bea) == 0
    salon.settle()

    booked = staff.get_by_role("region", name="Booked from the list").get_by_role("article")
    expect(booked).to_contain_text("Bea")
    staff.goto("/console/bookings?on=2026-11-20")
    expect(staff.locator("main")).to_contain_text("Bea")
    expect(staff.locator("main")).not_to_contain_text("Ann")
    check_page(staff, "loop-bookings", DESK)
    staff.goto("/console/reminders/next")
    expect(staff.locator("main")).to_contain_text("Bea")
    expect(staff.locator("main")).not_to_contain_text("Ann")
    check_page(staff, "loop-next", DESK)

    salon.later(3 * DAY - HOUR)
    assert subjects(salon, "bea@example.org")[-1] == "Cut tomorrow at 15:00: please confirm"
    assert subjects(salon, "ann@example.org")[-1].startswith("Cancelled: Cut")


def on_a_phone(windows: Windows, link: str) -> Page:
    """Opens a link on a phone without JavaScript."""
    phone = windows.open(width=PHONE, scripts=False)
    phone.goto(link)
    assert overflow_px(phone) == 0
    return phone


def subjects(salon: Salon, to: str) -> list[str]:
    return [each["subject"] for each in salon.messages(to)]
