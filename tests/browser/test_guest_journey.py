"""A guest with a phone and no JavaScript: from the event's page to a seat, and to a
cancellation."""

from pathlib import Path

import pytest
from icalendar import Calendar
from playwright.sync_api import Page, expect

from tests.browser.steps import check_page, expect_heading, mail_link, owner_window
from tests.browser.windows import PHONE, Windows
from tests.support.server import Served


def signs_up(phone: Page, name: str, email: str, party: str = "") -> None:
    phone.goto("/e/pottery")
    phone.get_by_label("Your name").fill(name)
    phone.get_by_label("E-mail").fill(email)
    if party:
        phone.get_by_label("How many are you?").select_option(party)
    phone.get_by_role("button", name="Take a seat").click()


@pytest.mark.spec("EV-05", "EV-18", "FD-09", "FD-16", "FD-22")
def test_a_guest_signs_up_reduces_the_party_and_cancels(stage: Served, windows: Windows) -> None:
    stage.desk.given(cap=5, party_limit=4)
    phone = windows.open(width=PHONE, scripts=False)
    signs_up(phone, "Ann Lee", "ann@example.org", "3")
    expect_heading(phone, "You're in.")
    stage.desk.settle()
    owner = owner_window(windows, stage)
    ticket = mail_link(owner, "You're in: Pottery workshop", "See my ticket")

    phone.goto(ticket)
    with phone.expect_download() as calendar:
        phone.get_by_role("link", name="Add to your calendar").click()
    phone.get_by_label("Come with fewer").select_option("2")
    phone.get_by_role("button", name="Change the number").click()

    expect(phone.locator(".lead")).to_have_text("Your 2 seats are confirmed: you and 1 guest.")
    assert occasions(calendar.value.path()) == ["Pottery workshop"]
    assert stage.desk.seats.taken == 2

    phone.get_by_role("link", name="Give my 2 seats back").click()
    expect_heading(phone, "Give your 2 seats back?")
    again = phone.context.new_page()
    again.goto(phone.url)
    assert stage.desk.seats.taken == 2, "asking changes nothing"
    for page in (phone, again):
        page.get_by_role("button", name="Give my 2 seats back").click()
        expect_heading(page, "You're not on the list any more.")
        expect(page.get_by_role("link", name="Sign up again")).to_be_visible()
    assert stage.desk.seats.taken == 0
    assert len(stage.desk.facts("ev.cancelled")) == 1


#: Counts the lines of a paragraph from its ellipsis on.
LINES_OF_THE_ADDRESS = """it => {
  const text = it.firstChild, range = document.createRange();
  range.setStart(text, text.data.indexOf("…") - 1);
  range.setEnd(text, text.data.length);
  return new Set([...range.getClientRects()].map((one) => one.top)).size;
}"""


def test_the_address_that_a_mail_goes_to_stays_in_one_piece(
    stage: Served, windows: Windows
) -> None:
    stage.desk.given(cap=5)
    phone = windows.open(width=PHONE)
    signs_up(phone, "Ann Lee", "ann@garden.example.org")
    told = phone.locator("p", has_text="garden")
    lines = {}
    for width in range(320, 430, 3):
        phone.set_viewport_size({"width": width, "height": 844})
        lines[width] = told.evaluate(LINES_OF_THE_ADDRESS)

    assert {width: number for width, number in lines.items() if number != 1} == {}


def occasions(file: Path) -> list[str]:
    calendar = Calendar.from_ical(file.read_bytes())
    return [str(event["summary"]) for event in calendar.walk("VEVENT")]


def test_a_party_of_one_is_not_asked_to_come_with_fewer(stage: Served, windows: Windows) -> None:
    stage.desk.given(cap=5, confirmed=["ann"], party_limit=4)
    phone = windows.open(width=PHONE, scripts=False)
    phone.goto(stage.link("ann", "See my ticket"))

    assert phone.get_by_label("Come with fewer").count() == 0
    expect(phone.get_by_role("link", name="Give my seat back")).to_be_visible()


@pytest.mark.spec("EV-05", "FD-27")
def test_an_error_is_shown_at_its_field_and_the_input_stays(
    stage: Served, windows: Windows
) -> None:
    stage.desk.given(cap=5)
    phone = windows.open(width=PHONE)
    signs_up(phone, "Ann Lee", "ann@example")

    wrong = phone.get_by_label("E-mail")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(phone.locator("#f-email-error")).to_be_visible()
    assert (phone.get_by_label("Your name").input_value(), wrong.input_value()) == (
        "Ann Lee",
        "ann@example",
    )
    assert stage.desk.seats.taken == 0
    check_page(phone, "sign-up-wrong")

    wrong.fill("ann@example.org")
    phone.get_by_role("button", name="Take a seat").click()
    expect_heading(phone, "You're in.")
    check_page(phone, "answer-confirmed")
