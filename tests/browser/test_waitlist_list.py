"""The list in a real browser: edited with keys like a sheet, with undo, and accessible."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import JoinList
from frontdesk.desks.waitlist.model import EntryId, Lane
from frontdesk.values import replace
from tests.browser.steps import signed_in
from tests.browser.windows import (
    DESK,
    PHONE,
    Scheme,
    Windows,
    inspect_page,
    keep_picture,
    windows_on,
)
from tests.desks.waitlist.console.office import everybody
from tests.desks.waitlist.console.test_requests import PRIYA, READ, REQUESTS, came_in
from tests.support.salon import WISH, Salon
from tests.support.salon import salon as open_salon

LIST = "/console/waitlist/list"
VIEWS: tuple[tuple[int, Scheme], ...] = ((PHONE, "light"), (DESK, "dark"))
SAVED = "All changes are saved."


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    with open_salon(tmp_path) as opened:
        yield opened


@pytest.fixture
def windows(browser: Browser, salon: Salon) -> Iterator[Windows]:
    with windows_on(browser, salon.product.settings.base_url) as opened:
        yield opened


def the_list(windows: Windows, salon: Salon) -> Page:
    page = signed_in(windows, salon)
    page.goto(LIST)
    return page


def type_in(page: Page, *keys: str) -> None:
    """Types words and presses named keys."""
    for key in keys:
        is_key = key in {"Enter", "Tab", "Escape", "F2"} or key.startswith(("Arrow", "Control+"))
        if is_key:
            page.keyboard.press(key)
        else:
            page.keyboard.type(key)


def says(page: Page, sentence: str) -> None:
    expect(page.locator("[data-list-says]")).to_contain_text(sentence)


def party(salon: Salon, entry_id: EntryId) -> int:
    found = salon.wl.entry(entry_id)
    assert found is not None
    return found.party


def expected(windows: Windows, status: int) -> None:
    """Removes this expected error response from the recorded errors."""
    found = [one for one in windows.errors if one.startswith(f"{status} for ")]
    assert len(found) == 1, windows.errors
    windows.errors.remove(found[0])


@pytest.mark.spec("FD-22")
@pytest.mark.parametrize("width", [PHONE, 640])
def test_a_name_has_room_beside_its_status_when_a_row_is_a_card(
    windows: Windows, salon: Salon, width: int
) -> None:
    """The cards also show in a window of 1280 pixels at a zoom of 200 %."""
    salon.joins("Ann")
    page = signed_in(windows, salon, width=width)
    page.goto(LIST)
    name = page.locator("tbody tr th").first.bounding_box()
    fields = page.locator("[data-field=service]").first.bounding_box()

    assert name
    assert fields
    assert name["width"] > 80
    assert fields["y"] >= name["y"] + name["height"]


@pytest.mark.spec("WL-01", "FD-22")
def test_cells_are_edited_by_keys_alone_and_a_wrong_one_says_why(
    windows: Windows, salon: Salon
) -> None:
    ann, bob = salon.joins("Ann"), salon.joins("Bob")
    page = the_list(windows, salon)
    page.locator("[data-field=name]").first.focus()

    type_in(page, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "3", "Enter")
    says(page, SAVED)
    type_in(page, "F2", "2", "Tab")
    expect(page.locator("[data-field=party]").nth(1)).to_have_attribute("data-value", "12")
    says(page, SAVED)
    assert (party(salon, ann), party(salon, bob)) == (3, 12)

    type_in(page, "never", "Enter")
    says(page, "Earliest: This is not a date we can read.")
    wrong = page.locator("[aria-invalid=true]")
    expect(wrong).to_contain_text("never")
    assert inspect_page(page)[0] == []
    expected(windows, 422)

    wrong.focus()
    type_in(page, "Escape")
    says(page, SAVED)
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)


@pytest.mark.spec("WL-01")
def test_a_wrong_cell_keeps_nothing_else_in_its_row_from_being_saved_and_undo_clears_it(
    windows: Windows, salon: Salon
) -> None:
    ann = salon.joins("Ann")
    page = the_list(windows, salon)
    page.locator("[data-row] [data-field=earliest]").focus()
    type_in(page, "never", "Enter")
    says(page, "Earliest: This is not a date we can read.")

    page.locator("[data-row] [data-field=party]").focus()
    type_in(page, "4", "Enter")
    expect(page.locator("[data-row] [data-field=party]")).to_have_attribute("data-value", "4")
    says(page, "Not saved yet: please look at the marked cell.")
    expect(page.locator("[aria-invalid=true]")).to_contain_text("never")
    windows.errors[:] = [one for one in windows.errors if not one.startswith("422 for ")]

    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)
    expect(page.locator("[data-row] [data-field=earliest]")).to_have_text("16 Nov")
    says(page, SAVED)
    assert party(salon, ann) == 4
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-row] [data-field=party]")).to_have_attribute("data-value", "1")


@pytest.mark.spec("WL-01")
def test_a_day_may_be_typed_as_it_is_said_and_what_was_understood_is_shown(
    windows: Windows, salon: Salon
) -> None:
    salon.joins("Ann")
    page = the_list(windows, salon)
    page.locator("[data-row] [data-field=latest]").focus()
    type_in(page, "21 Nov", "Enter")

    says(page, "Latest: Saturday 21 November 2026.")
    latest = page.locator("[data-row] [data-field=latest]")
    expect(latest).to_have_attribute("data-value", "2026-11-21")
    expect(latest).to_have_text("21 Nov")


@pytest.mark.spec("FD-22")
def test_all_columns_are_in_view_on_a_usual_screen_and_rows_are_short_on_a_phone(
    windows: Windows, salon: Salon
) -> None:
    for n in range(45):
        salon.run(
            JoinList(
                EntryId(f"e{n:02}"),
                PersonId(f"p{n:02}"),
                f"Guest Number {n:02}",
                f"guest.number.{n:02}@example.org",
                replace(WISH, staff="Mia", priority=True),
                Lane.STAFF,
                mobile="+6591234567",
            )
        )
    widths = "[...document.querySelectorAll('.list-frame')].map(e => e.scrollWidth - e.clientWidth)"
    desk, phone = signed_in(windows, salon), signed_in(windows, salon, width=PHONE)
    desk.goto(LIST)
    phone.goto(LIST)

    assert desk.evaluate(widths) == [0]
    heights = phone.evaluate(
        "[...document.querySelectorAll('[data-row]')].map(e => e.getBoundingClientRect().height)"
    )
    assert len(heights) == 40
    assert max(heights) <= 200


@pytest.mark.spec("WL-01")
def test_every_change_in_the_table_can_be_undone_step_by_step(
    windows: Windows, salon: Salon
) -> None:
    ann = salon.joins("Ann")
    page = the_list(windows, salon)
    page.locator("[data-row] [data-field=party]").focus()
    type_in(page, "5", "Enter")
    says(page, SAVED)

    page.locator("[data-new] [data-field=name]").focus()
    type_in(page, "Zoe", "Tab", "9123 4567", "Tab", "Tab", "colour", "Enter")
    says(page, "On the list.")
    page.get_by_role("button", name="Take Ann off the list").click()
    says(page, "Off the list. They are not told.")
    assert [(one.name, one.entry.status) for one in everybody(salon)] == [
        ("Ann", "left"),
        ("Zoe", "waiting"),
    ]

    page.get_by_role("button", name="Undo").click()
    says(page, "On the list again, in the same place.")
    page.get_by_role("button", name="Undo").click()
    says(page, "Off the list. They are not told.")
    page.locator("[data-new] [data-field=name]").focus()
    type_in(page, "Control+z")
    says(page, SAVED)
    assert [(one.name, one.entry.status) for one in everybody(salon)] == [
        ("Ann", "waiting"),
        ("Zoe", "left"),
    ]
    assert party(salon, ann) == 1
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


@pytest.mark.spec("WL-01")
def test_of_two_people_in_one_row_the_second_is_shown_the_first_and_decides(
    windows: Windows, salon: Salon
) -> None:
    ann = salon.joins("Ann")
    mine, theirs = the_list(windows, salon), the_list(windows, salon)
    theirs.locator("[data-row] [data-field=party]").focus()
    type_in(theirs, "4", "Enter")
    says(theirs, SAVED)

    cell = mine.locator("[data-row] [data-field=party]")
    cell.focus()
    type_in(mine, "6", "Enter")
    says(mine, "Somebody else has changed this row meanwhile.")
    says(mine, "You wrote: 6")
    expect(cell).to_have_text("4")
    assert party(salon, ann) == 4
    expected(windows, 409)

    mine.get_by_role("button", name="Write mine").click()
    expect(cell).to_have_text("6")
    says(mine, SAVED)
    assert party(salon, ann) == 6


def test_input_during_the_save_of_a_row_is_not_lost(windows: Windows, salon: Salon) -> None:
    ann = salon.joins("Ann")
    page = the_list(windows, salon)
    page.locator("[data-row] [data-field=party]").focus()

    type_in(page, "2", "Tab", "2026-11-17", "Tab", "2026-11-19", "Tab", "Mia", "Enter")

    expect(page.locator("[data-row] [data-field=staff]")).to_have_attribute("data-value", "Mia")
    found = salon.wl.entry(ann)
    assert found is not None
    assert (found.party, found.earliest_on.day, found.latest_on.day) == (2, 17, 19)


@pytest.mark.spec("FD-22")
def test_every_page_of_the_waitlist_console_is_accessible(windows: Windows, salon: Salon) -> None:
    ann = salon.joins("Ann", mobile="+6591234567")
    salon.joins("Wilhelmina-Charlotte van der Berg-Abdulrahman und Söhne", email="w@example.org")
    salon.joins("Bob", wish=replace(WISH, service="Table", party=8, priority=True))
    salon.frees()
    came_in(salon, READ)
    waitlist = "/console/waitlist"
    pages = {
        "wl-list": LIST,
        "wl-list-none": f"{LIST}?state=left",
        "wl-add": f"{LIST}/add",
        "wl-entry": f"{waitlist}/entries/{ann}",
        "wl-requests": REQUESTS,
        "wl-request": PRIYA,
        "wl-rules": f"{waitlist}/rules",
        "wl-voice": f"{waitlist}/voice",
        "wl-services": f"{waitlist}/services",
        "wl-service": f"{waitlist}/services/one?name=Cut",
        "wl-versions": f"{waitlist}/versions",
    }
    for width, scheme in VIEWS:
        page = signed_in(windows, salon, width=width, scheme=scheme)
        for name, path in pages.items():
            page.goto(path)
            keep_picture(page, name, width, scheme)
            assert inspect_page(page) == ([], 0), (name, width)
