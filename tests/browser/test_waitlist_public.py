"""The customers' pages of the waitlist in a real browser: live, accessible, light."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, expect

from frontdesk.desks.waitlist.commands import LeaveList, StopOffers
from frontdesk.desks.waitlist.model import Wish
from frontdesk.features.catalogue.model import Service
from frontdesk.values import replace
from tests.browser.steps import View, expect_heading, faults_of, page_weight
from tests.browser.windows import DESK, PHONE, Windows, inspect_page, keep_picture, windows_on
from tests.desks.waitlist.pages.salon import COLOUR, OPENING, SHOP, SPA, TODAY, Salon, links_in
from tests.support.rsvp import HOUR, NINE
from tests.support.server import serve

LONG = Service(
    "Balayage with a deep-conditioning treatment and a blow-dry",
    timedelta(hours=3, minutes=30),
    32_550,
)
LONG_NAME = "Wilhelmina-Charlotte van der Berg"
PUBLIC_BYTES = 60_000
#: The phone in light colours is checked by every rule, other views by the rules that may differ.
VIEWS: tuple[View, ...] = (
    (PHONE, "light", ()),
    (DESK, "dark", ("color-contrast", "link-in-text-block")),
)


@dataclass
class Stage:
    salon: Salon
    links: dict[str, str]
    """A page in each state, by name."""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Creates people in every state, all at a quarter past nine."""
    with serve(tmp_path_factory.mktemp("data")) as served:
        salon = Salon(served)
        yield Stage(salon, states(salon))


def states(salon: Salon) -> dict[str, str]:
    shop = replace(SHOP, services=(COLOUR, SPA, LONG), staff=("Mia", "Jo", LONG_NAME))
    salon.given("ann", "bob", "cat", "dan", "eve", shop=shop)
    wish = Wish(LONG.name, 1, TODAY, TODAY + timedelta(days=200), LONG_NAME)
    salon.join("charlotte", wish=wish)
    salon.free().free(starts_at=NINE + 9 * HOUR)
    other = salon.offer_link("ann", 0)
    salon.take(salon.offer_link("ann", 1))
    salon.pass_on(salon.offer_link("bob", 0))
    salon.do(LeaveList(salon.entries["dan"])).do(StopOffers(salon.person("eve").id))
    opening = replace(OPENING, service=LONG.name, duration=LONG.duration, staff=LONG_NAME)
    salon.free(**{name: getattr(opening, name) for name in ("service", "duration", "staff")})
    return {
        "wl-form": "/waitlist",
        "wl-embed": "/waitlist/embed",
        "wl-offer": salon.offer_link("cat", 0),
        "wl-offer-long": salon.offer_link("charlotte"),
        "wl-decline": salon.decline_link("cat", 0),
        "wl-booked": salon.offer_link("ann", 1),
        "wl-taken-another": other,
        "wl-passed-on": salon.offer_link("bob", 0),
        "wl-place": salon.place_link("bob"),
        "wl-place-changed": f"{salon.place_link('bob')}?done=changed",
        "wl-place-offered": salon.place_link("cat"),
        "wl-place-long": salon.place_link("charlotte"),
        "wl-place-booked": salon.place_link("ann"),
        "wl-place-left": salon.place_link("dan"),
        "wl-leave": f"{salon.place_link('bob')}?do=leave",
        "wl-stop": salon.stop_link("bob"),
        "wl-stopped": salon.stop_link("eve"),
    }


@pytest.fixture
def windows(browser: Browser, stage: Stage) -> Iterator[Windows]:
    with windows_on(browser, stage.salon.served.base_url) as opened:
        yield opened


@pytest.mark.spec("FD-22")
def test_every_page_is_accessible_and_fits_its_window(stage: Stage, windows: Windows) -> None:
    assert faults_of(windows, stage.links, VIEWS) == {}


@pytest.mark.spec("FD-22")
def test_the_heaviest_pages_are_light_and_load_one_more_file(
    stage: Stage, windows: Windows
) -> None:
    heaviest = ("wl-form", "wl-offer-long", "wl-place", "wl-booked")
    weights = {name: page_weight(windows, stage.links[name]) for name in heaviest}

    assert {name: it for name, it in weights.items() if it[0] > 2 or it[1] > PUBLIC_BYTES} == {}


@pytest.mark.spec("WL-14")
def test_an_offer_counts_down_by_the_servers_clock(stage: Stage, windows: Windows) -> None:
    page = windows.open(width=PHONE)
    page.goto(stage.links["wl-offer"])

    words = page.locator(".deadline").inner_text().split("\n")

    assert words[-1] in ("10 min left", "9 min left")


@pytest.mark.spec("FD-22", "WL-04")
def test_an_error_is_read_aloud_with_its_field(stage: Stage, windows: Windows) -> None:
    page = windows.open(width=PHONE)
    page.goto("/waitlist")
    page.get_by_label("Head spa").check()
    page.get_by_label("Your name").fill("Zoe")
    page.get_by_label("Mobile number").fill("12")
    page.get_by_role("button", name="Join the waitlist").click()

    wrong = page.locator("[aria-invalid=true]")

    expect(wrong).to_have_attribute("name", "mobile")
    expect(wrong).to_be_focused()
    assert page.get_by_label("Head spa").is_checked()
    told = wrong.get_attribute("aria-describedby")
    assert told
    assert page.locator(f"#{told.split()[-1]}").inner_text() == (
        "That phone number is too short: is a digit missing?"
    )
    keep_picture(page, "wl-form-wrong", PHONE, "light")
    assert inspect_page(page) == ([], 0)


@pytest.mark.spec("FD-22", "WL-19")
def test_without_javascript_one_joins_is_offered_a_slot_and_takes_it(
    stage: Stage, windows: Windows
) -> None:
    salon, page = stage.salon, windows.open(width=PHONE, scripts=False)
    page.goto("/waitlist")
    page.get_by_label("Head spa").check()
    page.get_by_label("How many are you?").select_option("2 of us")
    page.get_by_label("Your name").fill("Fay Wong")
    page.get_by_label("Mobile number").fill("8123 4567")
    page.get_by_role("button", name="Join the waitlist").click()
    expect_heading(page, "You're on the list.")
    salon.settle().free(service=SPA.name, capacity=2, duration=SPA.duration, staff="")
    (link,) = links_in(salon.told("+6581234567")[-1])
    page.goto(link)
    deadline = page.locator(".deadline").inner_text()
    page.get_by_role("button", name="Yes, I'll take it").click()

    assert "until 09:15 today (SGT)" in deadline
    expect_heading(page, "It's yours.")
    expect(page.get_by_role("link", name="Add to your calendar")).to_be_visible()


@pytest.mark.spec("FD-22")
def test_an_offer_can_be_passed_on_by_keyboard_alone(stage: Stage, windows: Windows) -> None:
    page = windows.open(width=PHONE)
    page.goto(stage.links["wl-offer-long"])
    reached = []
    for _ in range(4):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.innerText || document.activeElement.name")
        )
    page.keyboard.press("Enter")
    page.wait_for_selector(".done")

    assert reached == ["Skip to content", "Yes, I'll take it", "leave", "I can't make it"]
    expect_heading(page, "You passed it on.")


@pytest.mark.spec("FD-11", "WL-14")
def test_a_number_beside_an_address_is_confirmed_by_the_link_in_the_mail(
    stage: Stage, windows: Windows
) -> None:
    page = windows.open(width=PHONE)
    page.goto("/waitlist")
    page.get_by_label("Head spa").check()
    page.get_by_label("Your name").fill("Zoe")
    page.get_by_label("Mobile number").fill("9876 5432")
    page.get_by_label("E-mail").fill("zoe@example.org")
    page.get_by_role("button", name="Join the waitlist").click()
    expect_heading(page, "You're on the list.")
    expect(page.get_by_text("Until you confirm your number")).to_be_visible()
    link = links_in(stage.salon.settle().told("zoe@example.org")[0])[0]

    page.goto(link)
    expect(page.get_by_text("Offers come by mail.")).to_be_visible()
    asked = faults_of(windows, {"wl-place-unconfirmed": link}, VIEWS)
    page.get_by_role("button", name="Send me texts").click()

    expect(page.get_by_text("Offers go by text to +65")).to_be_visible()
    expect(page.get_by_role("button", name="Send me texts")).to_have_count(0)
    assert asked == {}
