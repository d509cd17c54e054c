"""A host at a desk: a whole event in a real browser, from its creation to the thank-you note."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from frontdesk.desks.rsvp.commands import Cancel
from frontdesk.desks.rsvp.model import EventId
from tests.browser.steps import check_page, expect_flash, expect_heading, owner_window, printed_link
from tests.browser.windows import DESK, Windows
from tests.desks.rsvp.console_desk import EVENTS
from tests.support.guest_links import TAKE, links_of, offered, sign_up
from tests.support.rsvp import RsvpDesk
from tests.support.server import Served


def event_url(desk: RsvpDesk) -> str:
    return f"{EVENTS}/{desk.event_id}"


@pytest.mark.spec("FD-09", "FD-21")
def test_the_printed_link_lets_in_once_and_looking_at_it_spends_nothing(
    stage: Served, windows: Windows
) -> None:
    link, page = printed_link(stage), windows.open()
    for _ in range(2):
        page.goto(link)
        expect_heading(page, "Sign in to Frontdesk")
    page.get_by_role("button", name="Sign in").click()
    expect_heading(page, "Today")

    stranger = windows.open()
    stranger.goto(link)
    expect_heading(stranger, "This link was used already.")
    stranger.goto("/console")
    expect_heading(stranger, "Sign in")


@pytest.mark.spec("EV-01", "EV-29", "FD-21")
def test_a_host_makes_an_event_edits_it_changes_its_seats_and_asks_about_it(
    stage: Served, windows: Windows
) -> None:
    page = owner_window(windows, stage)
    page.get_by_role("link", name="Events").click()
    check_page(page, "events-none", DESK)
    page.get_by_role("link", name="Make your first event").click()
    page.get_by_label("Event name").fill("Supper by candlelight")
    page.get_by_label("Starts").fill("2026-12-04T19:00")
    page.get_by_label("Ends").fill("2026-12-04T22:00")
    page.get_by_label("Time zone").fill("Asia/Singapore")
    page.get_by_label("Seats", exact=True).fill("12")
    page.get_by_role("button", name="Open the event").click()
    expect_flash(page, "The event is open, with 12 seats. Share its page.")
    stage.desk.event_id = EventId(page.url.rpartition("/")[2])

    page.locator("summary", has_text="More").click()
    page.get_by_role("link", name="Edit the event").first.click()
    page.get_by_label("Place optional").fill("The back room")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("The back room")
    assert stage.desk.event.details.venue == "The back room"

    for seats in (20, 3):
        page.get_by_label("Change the seats").fill(str(seats))
        page.get_by_role("button", name="Change", exact=True).click()
        expect_flash(page, f"There are {seats} seats now.")
    page.get_by_label("Your question").fill("How many seats are open?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("#ask [role=status]")).to_have_text("3 seats of 3 are free.")
    check_page(page, "overview-asked", DESK)


@pytest.mark.spec("EV-27")
def test_the_headcount_follows_without_reloading_and_equals_the_data(
    stage: Served, windows: Windows
) -> None:
    desk = stage.desk.given(cap=2)
    page = owner_window(windows, stage)
    page.goto(event_url(desk))
    expect(page.locator(".live-on")).to_be_visible()
    page.evaluate("window.notReloaded = true")

    for who in ("ann", "bob", "cat", "dan"):
        sign_up(stage, who)
    shows(page, taken=2, held=0, free=0, waiting=2, cancelled=0)
    desk.do(Cancel(desk.id("ann")))
    shows(page, taken=1, held=1, free=0, waiting=1, cancelled=1)

    expect(page.locator("[data-fresh=story]")).to_contain_text("Ann cancelled.")
    expect(page.get_by_role("heading", name="Offers running")).to_be_visible()
    seats = desk.seats
    assert (seats.taken, seats.offered, seats.free, seats.waiting) == (1, 1, 0, 1)
    assert page.evaluate("window.notReloaded") is True


def shows(page: Page, *, cancelled: int, **seats: int) -> None:
    keys = {f"seats.{part}": count for part, count in seats.items()} | {"cancelled": cancelled}
    for key, count in keys.items():
        expect(page.locator(f".stats [data-live-key='{key}']")).to_have_text(str(count))


@pytest.mark.spec("EV-10", "EV-31")
def test_a_pasted_list_with_a_bad_row_is_shown_first_and_reported_after(
    stage: Served, windows: Windows
) -> None:
    desk = stage.desk.given(cap=2)
    page = owner_window(windows, stage)
    page.goto(f"{event_url(desk)}/import")
    page.get_by_label("Names and e-mail addresses").fill(
        "Ann Lee <ann@example.org>\nnobody at all\nbob@example.org"
    )
    page.get_by_role("button", name="See what is in it").click()
    expect(page.locator("#problems + ul li")).to_have_count(1)
    assert desk.seats.taken == 0, "looking at a list changes nothing"
    check_page(page, "import-preview", DESK)

    page.get_by_label("Confirm them").check()
    page.get_by_role("button", name="Bring in 2 guests").click()
    expect(page.locator("[data-fresh=report]")).to_be_visible()
    desk.settle()
    report = page.locator("[data-fresh=report] .lead")
    expect(report).to_have_text("Done: 2 got a seat, 1 was left out.")
    assert desk.seats.taken == 2
    check_page(page, "import-report", DESK)


@pytest.mark.spec("EV-30", "FD-16", "FD-21")
def test_the_line_counts_down_the_story_tells_and_a_link_in_a_mail_works(
    stage: Served, windows: Windows
) -> None:
    offered(stage)
    watching = owner_window(windows, stage)
    watching.clock.install(time=stage.desk.clock.now())
    watching.goto(f"{event_url(stage.desk)}/line")
    left = watching.locator(".countdown-left")
    before = left.inner_text()
    watching.clock.run_for(60 * 60_000)
    assert (before[-14:], left.inner_text()[-14:]) == ("6 h 0 min left", "5 h 0 min left")

    page = owner_window(windows, stage)
    page.goto(f"{event_url(stage.desk)}/story")
    with page.expect_navigation():
        page.get_by_role("link", name="What became of it").first.click()
    assert page.locator(".story strong").all_inner_texts()[:2] == [
        "Ann freed 1 seat: 1 taken before, 0 after.",
        "A seat is held for Bob.",
    ]

    page.goto("/console/messages")
    page.get_by_role("link", name="A seat for you: Pottery workshop").click()
    mail = page.frame_locator("iframe[title='The message']")
    with page.context.expect_page() as opened:
        mail.get_by_role("link", name=TAKE).click()
    expect_heading(opened.value, "A seat has come free.")


@pytest.mark.spec("EV-31")
def test_a_guest_is_checked_in_by_their_code_and_the_list_is_exported(
    stage: Served, windows: Windows
) -> None:
    desk = stage.desk.given(cap=3, confirmed=["ann", "bob"])
    page = owner_window(windows, stage)
    page.goto(links_of(desk, "ann").ticket())
    assert desk.guest("ann").arrived == 0, "opening the code checks nobody in"
    page.get_by_role("button", name="Check in").click()
    expect(page.locator("[data-live-key=arrived]")).to_have_text("1")
    assert desk.guest("ann").arrived == 1

    page.goto(f"{event_url(desk)}/guests")
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as file:
        page.get_by_role("link", name="As CSV").click()
    rows = file.value.path().read_text("utf-8-sig").splitlines()
    assert [row.split(",")[0] for row in rows] == ["Name", "Ann", "Bob"]


def test_an_event_is_called_off_only_when_the_host_is_sure(stage: Served, windows: Windows) -> None:
    desk = stage.desk.given(cap=3, confirmed=["ann"])
    page = owner_window(windows, stage)
    page.goto(f"{event_url(desk)}/call-off")
    page.get_by_role("link", name="Keep the event").click()
    page.wait_for_url(f"**{event_url(desk)}")
    page.goto(f"{event_url(desk)}/call-off")
    page.get_by_label("A few words to the guests").fill("The kiln has cracked.")
    assert desk.facts("ev.called_off") == []
    page.get_by_role("button", name="Call the event off").click()
    expect_flash(page, "The event is called off. 1 guest will be told.")
    desk.settle()

    assert "The kiln has cracked." in desk.mail_to("ann")[-1].text
    guest = windows.open()
    guest.goto("/e/pottery")
    expect(guest.get_by_text("This event has been called off.")).to_be_visible()


@pytest.mark.spec("EV-28")
def test_thanks_are_edited_and_sent_after_the_event(stage: Served, windows: Windows) -> None:
    desk = stage.desk.given(cap=3, confirmed=["ann"])
    desk.wait(days=13)
    page = owner_window(windows, stage)
    page.get_by_role("link", name="Review the note").click()
    page.get_by_label("The note").fill("Thank you, dear all.")
    page.get_by_role("button", name="Send the note").click()
    assert desk.event.thanks_sent is False, "it asks first"
    page.get_by_role("dialog").get_by_role("button", name="Send the note").click()
    expect_flash(page, "The thanks go out to 1 guest.")
    desk.settle()

    assert "Thank you, dear all." in desk.mail_to("ann")[-1].text


def test_the_page_of_a_begun_event_does_not_suggest_to_add_guests(
    stage: Served, windows: Windows
) -> None:
    desk = stage.desk.given(cap=3, confirmed=["ann"])
    page = owner_window(windows, stage)
    urls = (event_url(desk), f"{event_url(desk)}/guests")

    assert [can_add(page, url) for url in urls] == [True, True]
    desk.wait_until(desk.event.details.starts_at)
    assert [can_add(page, url) for url in urls] == [False, False]


def can_add(page: Page, url: str) -> bool:
    page.goto(url)
    return page.get_by_role("link", name="Add a guest").count() == 1


@pytest.mark.spec("FD-21")
def test_a_session_is_ended_from_another_one_and_by_signing_out(
    stage: Served, windows: Windows
) -> None:
    old, new = owner_window(windows, stage), owner_window(windows, stage)
    new.goto("/console/you")
    new.get_by_role("button", name="End", exact=True).click()
    expect(new.get_by_role("button", name="End", exact=True)).to_have_count(0)
    old.goto("/console")
    expect_heading(old, "Sign in")

    new.locator("details.account summary").click()
    new.get_by_role("button", name="Sign out").click()
    expect_heading(new, "Sign in")
    new.goto("/console")
    expect_heading(new, "Sign in")
    check_page(new, "sign-in", DESK)
