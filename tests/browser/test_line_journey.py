"""A person in line: joins a full event, is offered a seat, and takes it or lets it pass."""

import pytest
from playwright.sync_api import Page, expect

from frontdesk.desks.rsvp.model import State
from tests.browser.steps import check_page, expect_heading
from tests.browser.windows import PHONE, Windows
from tests.support.guest_links import TAKE, links_of, offered
from tests.support.server import Served

with_and_without_scripts = pytest.mark.parametrize(
    "scripts", [True, False], ids=["scripts", "no scripts"]
)


@pytest.mark.spec("EV-05", "EV-20", "EV-21", "EV-22", "FD-09", "FD-22")
@with_and_without_scripts
def test_somebody_joins_the_line_is_offered_a_seat_and_takes_it(
    stage: Served, windows: Windows, scripts: bool
) -> None:
    stage.desk.given(cap=1, confirmed=["ann"])
    phone = windows.open(width=PHONE, scripts=scripts)
    phone.goto("/e/pottery")
    assert heading_of_form(phone) == "Join the line"
    phone.get_by_label("Your name").fill("Bob")
    phone.get_by_label("E-mail").fill("bob@example.org")
    phone.get_by_role("button", name="Join the line").click()
    expect_heading(phone, "You're first in line.")

    ann = windows.open(width=PHONE, scripts=scripts)
    ann.goto(links_of(stage.desk, "ann").cancel())
    ann.get_by_role("button", name="Give my seat back").click()
    expect_heading(ann, "You're not on the list any more.")
    stage.desk.settle()
    link = stage.link("bob", TAKE)
    for _ in range(2):
        phone.goto(link)
        expect_heading(phone, "A seat has come free.")
    assert (stage.desk.seats.offered, stage.desk.seats.taken) == (1, 0), "a look takes nothing"

    phone.get_by_role("button", name="Take the seat").click()
    expect_heading(phone, "You're in.")
    phone.goto(link)
    expect_heading(phone, "You're in.")
    assert (stage.desk.seats.offered, stage.desk.seats.taken) == (0, 1)


def heading_of_form(page: Page) -> str:
    return page.locator("#join").inner_text()


@pytest.mark.spec("EV-21")
def test_the_countdown_runs_and_says_when_it_is_over(stage: Served, windows: Windows) -> None:
    offered(stage)
    phone = windows.open(width=PHONE)
    phone.clock.install(time=stage.desk.clock.now())
    phone.goto(stage.link("bob", TAKE))
    left = phone.locator(".countdown-left")

    seen = [left.inner_text()]
    for minutes in (61, 297):
        phone.clock.run_for(minutes * 60_000)
        seen.append(left.inner_text())
    phone.clock.run_for(3 * 60_000)

    assert seen == ["6 h 0 min left", "4 h 59 min left", "2 min 0 s left"]
    expect(phone.get_by_text("This offer has expired.")).to_be_visible()


@pytest.mark.spec("EV-21", "FD-22")
def test_without_scripts_the_deadline_is_a_time(stage: Served, windows: Windows) -> None:
    offered(stage)
    phone = windows.open(width=PHONE, scripts=False)
    phone.goto(stage.link("bob", TAKE))

    assert phone.locator(".deadline").inner_text().split("\n") == [
        "This seat is yours",
        "until 15:00 today (SGT)",
    ]


@pytest.mark.spec("EV-23", "EV-26", "FD-05")
@with_and_without_scripts
def test_after_an_offer_lapses_the_page_shows_the_place_and_the_next_gets_an_offer(
    stage: Served, windows: Windows, scripts: bool
) -> None:
    offered(stage, line=("bob", "cat", "dan"))
    phone = windows.open(width=PHONE, scripts=scripts)
    phone.goto(stage.link("bob", TAKE))
    stage.desk.wait(hours=6)

    phone.get_by_role("button", name="Take the seat").click()
    expect_heading(phone, "This offer has expired.")
    assert phone.locator(".lead").inner_text().startswith("You're now second in line.")
    answer = phone.goto(stage.link("bob", TAKE))
    assert answer is not None
    assert answer.status == 410
    expect_heading(phone, "This offer has expired.")

    phone.goto(stage.link("cat", TAKE))
    phone.get_by_role("button", name="Pass it on").click()
    expect_heading(phone, "You passed it on.")
    stage.desk.settle()
    phone.goto(stage.link("dan", TAKE))
    expect_heading(phone, "A seat has come free.")
    assert stage.desk.states() == {
        "ann": State.CANCELLED,
        "bob": State.WAITING,
        "cat": State.WAITING,
        "dan": State.OFFERED,
    }


@pytest.mark.spec("FD-22")
def test_the_pages_of_the_line_are_accessible(stage: Served, windows: Windows) -> None:
    offered(stage)
    phone = windows.open(width=PHONE)
    phone.goto("/e/pottery")
    phone.get_by_label("Your name").fill("Dan")
    phone.get_by_label("E-mail").fill("dan@example.org")
    phone.get_by_role("button", name="Join the line").click()
    expect_heading(phone, "You're second in line.")
    check_page(phone, "answer-waiting")

    stage.desk.wait(hours=6)
    phone.goto(stage.link("bob", TAKE))
    check_page(phone, "link-expired")
