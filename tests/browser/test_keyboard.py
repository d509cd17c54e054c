"""Keyboard only: everything can be reached, seen and pressed, and the focus is never trapped."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import expect_heading, owner_window
from tests.browser.windows import PHONE, Windows
from tests.support.guest_links import TAKE, offered
from tests.support.server import Served

MOST_STOPS = 150
#: Returns the focused element: its name, and whether the focus is visible.
STOP = """() => {
  const it = document.activeElement;
  if (it === document.body) return null;
  const style = getComputedStyle(it);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const box = it.getBoundingClientRect();
  const inView = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0;
  it.dataset.stop ??= String(document.querySelectorAll("[data-stop]").length);
  const name = it.innerText || it.name || it.type || it.tagName;
  return [it.dataset.stop, name.trim(), ring && inView];
}"""


def stops(page: Page) -> list[tuple[str, bool]]:
    """Presses Tab until the focus leaves the page or returns to the start."""
    seen: dict[str, tuple[str, bool]] = {}
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None or stop[0] in seen:
            return list(seen.values())
        seen[stop[0]] = (stop[1], stop[2])
    raise AssertionError("one never gets out")


@pytest.mark.spec("FD-22")
def test_a_guest_signs_up_by_keyboard_alone(stage: Served, windows: Windows) -> None:
    stage.desk.given(cap=5)
    page = windows.open(width=PHONE)
    page.goto("/e/pottery")
    assert stops(page) == [
        ("Skip to content", True),
        ("name", True),
        ("email", True),
        ("Take a seat", True),
        ("Send me my link", True),
    ]

    page.goto("/e/pottery")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**#main")
    for words in ("Ann Lee", "ann@example.org"):
        page.keyboard.press("Tab")
        page.keyboard.type(words)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="You're in.").wait_for()
    assert stage.desk.seats.taken == 1


@pytest.mark.spec("FD-22")
def test_an_offer_is_taken_by_keyboard_alone(stage: Served, windows: Windows) -> None:
    offered(stage)
    page = windows.open(width=PHONE)
    page.goto(stage.link("bob", TAKE))
    assert stops(page) == [("Skip to content", True), ("Take the seat", True), ("Pass it on", True)]

    page.goto(stage.link("bob", TAKE))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="You're in.").wait_for()
    assert stage.desk.seats.taken == 1


@pytest.mark.spec("FD-22")
def test_every_stop_in_the_console_can_be_seen(stage: Served, windows: Windows) -> None:
    offered(stage)
    page = owner_window(windows, stage)
    event = f"/console/events/{stage.desk.event_id}"
    for url in ("/console", event, f"{event}/guests", f"{event}/line", f"{event}/edit"):
        page.goto(url)
        found = stops(page)
        assert len(found) > 8, url
        assert [name for name, visible in found if not visible] == [], url
        assert found[0][0] == "Skip to content"


@pytest.mark.spec("FD-22")
def test_a_question_before_what_cannot_be_undone_is_answered_by_keyboard(
    stage: Served, windows: Windows
) -> None:
    stage.desk.given(cap=2, confirmed=["ann"])
    page = owner_window(windows, stage)
    page.goto(f"/console/events/{stage.desk.event_id}/guests/{stage.desk.id('ann')}")
    remove = page.get_by_role("button", name="Take them off the list")
    remove.focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(remove, "the focus comes back").to_be_focused()
    assert stage.desk.seats.taken == 1
    expect_heading(page, "Pottery workshop")
