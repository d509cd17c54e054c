"""The staff's views of a day and a month, in narrow columns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import Book, SetRules
from frontdesk.desks.booking.model import booking_id
from frontdesk.desks.booking.rules import Need, Resource, ResourceId
from frontdesk.values import replace
from tests.browser.steps import signed_in
from tests.browser.windows import DESK, PHONE, windows_on
from tests.desks.booking.pages.shop import CUT, RULES, at
from tests.support.salon import Salon
from tests.support.salon import salon as open_salon

BOARD = "/console/bookings"
TABLET = 820
TEAM = tuple(
    Resource(ResourceId(name.lower()), name) for name in ("Mira", "Jonathan", "Kim", "Lu Rosenberg")
)
NEEDS = (Need(tuple(one.id for one in TEAM)),)
SHORT = replace(
    CUT, name="Balayage with treatment", aliases=(), duration=timedelta(minutes=15), needs=NEEDS
)
HOUR = replace(CUT, name="Wheel hour", aliases=(), duration=timedelta(hours=1), needs=NEEDS)
SHOP = replace(RULES, services=(replace(CUT, needs=NEEDS), SHORT, HOUR), resources=TEAM)
LONG_NAME = "Wilhelmina-Charlotte van der Berg"
#: Texts that are partly hidden.
CUT_OFF = """(found) => found.filter(e => e.getClientRects().length)
  .filter(e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight + 1)
  .map(e => e.textContent)"""

#: Texts with a line that their own box or the block cuts in half.
HALF_LINES = """(found) => found.filter(e => {
  const [box, block] = [e.getBoundingClientRect(), e.parentElement.getBoundingClientRect()];
  if (box.left >= block.right) return false;
  const lines = e.clientHeight / parseFloat(getComputedStyle(e).lineHeight);
  return box.bottom > block.bottom + 1 || Math.abs(lines - Math.round(lines)) > 0.1;
}).map(e => e.textContent)"""

#: Texts beside or below their block, and so hidden.
OUT_OF_SIGHT = """(found) => found.filter(e => {
  const [box, block] = [e.getBoundingClientRect(), e.parentElement.getBoundingClientRect()];
  return box.left >= block.right || box.top >= block.bottom;
}).map(e => e.textContent)"""

#: The number of lines of each text.
LINES = """(found) => found.map(e => {
  const text = document.createRange();
  text.selectNodeContents(e);
  return new Set([...text.getClientRects()].map(each => each.top)).size;
})"""


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    with open_salon(tmp_path) as opened:
        opened.run(SetRules(SHOP))
        for staff, service, hour in (
            ("mira", "Haircut", 10),
            ("lu rosenberg", "Balayage with treatment", 11),
        ):
            new, resource = opened.product.engine.new_id, ResourceId(staff)
            book = Book(
                booking_id(new()), PersonId(new()), service, at(hour), LONG_NAME, "a@b.example"
            )
            opened.run(replace(book, resource=resource))
        yield opened.settle()


@pytest.fixture
def page(browser: Browser, salon: Salon) -> Iterator[Page]:
    with windows_on(browser, salon.product.settings.base_url) as windows:
        yield signed_in(windows, salon, width=TABLET)


@pytest.mark.spec("BK-38")
def test_every_time_shows_in_full_on_a_tablet(page: Page) -> None:
    page.goto(f"{BOARD}?on=2026-11-17")
    times = page.locator(".block-time, .block-short .block-more:first-child")

    assert "11:00 to 11:15" in times.all_text_contents()
    assert "10:00 to 10:45" in times.all_text_contents()
    assert times.evaluate_all(CUT_OFF) == []

    page.goto(f"{BOARD}/month?on=2026-11-17")
    assert page.locator(".month-line").all_inner_texts() == ["10:00", "11:00"]
    assert page.locator(".month-line").evaluate_all(CUT_OFF) == []


@pytest.mark.spec("BK-38")
def test_no_line_of_a_block_is_cut_in_half_on_a_tablet(page: Page, salon: Salon) -> None:
    for name, hour in (("Priya Rahmanson", 14), (LONG_NAME, 16)):
        new = salon.product.engine.new_id
        book = Book(booking_id(new()), PersonId(new()), HOUR.name, at(hour), name, "a@b.example")
        salon.run(replace(book, resource=ResourceId("kim")))
    page.goto(f"{BOARD}?on=2026-11-17")
    texts = page.locator(".block-booked.block-tall > *")

    assert texts.count() == 6
    assert texts.evaluate_all(HALF_LINES) == []
    assert page.locator(".block-tall > .block-time").evaluate_all(OUT_OF_SIGHT) == []


@pytest.mark.spec("BK-38")
def test_no_line_of_the_list_divides_a_time_on_a_tablet(page: Page) -> None:
    page.goto(f"{BOARD}/list")

    times = page.locator("#bookings tbody th a")
    assert times.evaluate_all(LINES) == [2, 2]


@pytest.mark.spec("BK-38")
def test_names_and_tabs_show_in_full_on_a_tablet(page: Page) -> None:
    page.goto(f"{BOARD}?on=2026-11-17&all=yes")
    assert page.locator(".block-tall .block-title").evaluate_all(CUT_OFF) == []
    assert page.locator(".block-short.block-gap .block-title").evaluate_all(CUT_OFF) == []

    page.goto("/console/reminders")
    assert page.locator(".tabs").evaluate_all(CUT_OFF) == []


@pytest.mark.parametrize("width", [PHONE, TABLET, DESK])
def test_the_rules_wrap_and_each_number_stands_at_its_line(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{BOARD}/rules")
    editor = page.locator("textarea")
    editor.fill(f"# {'The hours of the business and of everybody in it. ' * 4}\nservices: {{}}\n")

    assert editor.evaluate("e => e.scrollWidth - e.clientWidth") == 0
    tops = page.locator(".rules-numbers > *").evaluate_all("all => all.map(e => e.offsetTop)")
    assert len(tops) == 3
    assert tops[1] - tops[0] >= 2 * (tops[2] - tops[1])


#: The pixels of the hint of the search box that do not fit.
HINT_CUT = """(box) => {
  const [style, words] = [getComputedStyle(box), document.createElement("canvas").getContext("2d")];
  words.font = style.font;
  const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return Math.max(0, words.measureText(box.placeholder).width - room);
}"""


@pytest.mark.parametrize("width", [PHONE, TABLET, DESK])
def test_the_search_hint_and_the_remarks_of_the_rules_are_shown_whole(
    page: Page, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})

    page.goto("/console/reminders")
    assert page.get_by_role("searchbox").evaluate(HINT_CUT) == 0
    page.goto("/console/reminders/rules")
    assert page.locator("textarea").evaluate("e => e.scrollWidth - e.clientWidth") == 0
