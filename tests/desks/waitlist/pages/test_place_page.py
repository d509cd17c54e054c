"""The page with a person's place on the list, and the end of all offers."""

from datetime import date, timedelta

import pytest

from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.desks.waitlist.model import EntryStatus, Wish
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import replace
from tests.desks.waitlist.pages.salon import SHOP, SPA, TODAY, WISH, Salon, links_in
from tests.support.rsvp import HOUR, NINE
from tests.support.server import FORM, Page

DAY = timedelta(days=1)
GOES_BY = "We offer a time to the first person in line whom it suits."
DATES = {"earliest": "2026-11-20", "latest": "2026-11-25"}


def change(salon: Salon, who: str, **typed: str) -> Page:
    page = salon.visitor.post(salon.place_link(who), do="change", **{**DATES, **typed})
    salon.settle()
    return page


# --- the place --------------------------------------------------------------------------------


@pytest.mark.spec("WL-06")
def test_people_see_their_place_among_those_who_wait_for_the_same_service(salon: Salon) -> None:
    """The dates, staff and parties of people ahead do not change the place."""
    salon.given().join("ann", wish=replace(WISH, staff="Jo", earliest_on=TODAY + 9 * DAY))
    salon.wait(minutes=1).join("bob").wait(minutes=1)
    salon.join("spa", wish=Wish(SPA.name, 2, TODAY, TODAY)).wait(minutes=1)
    salon.join("cat", wish=replace(WISH, staff="Jo"))

    places = [salon.visitor.get(salon.place_link(who)) for who in ("ann", "bob", "spa", "cat")]

    assert [page.heading for page in places] == [
        "You're first in line for Cut and colour.",
        "You're second in line for Cut and colour.",
        "You're first in line for Head spa.",
        "You're third in line for Cut and colour.",
    ]
    assert all(GOES_BY in page.says for page in places)
    assert "How many 2 people" in places[2].says
    assert "When Monday 16 November to Wednesday 16 December With Jo Who Cat" in places[3].says


@pytest.mark.spec("WL-06", "WL-09")
def test_a_place_is_counted_in_the_order_that_offers_are_made_in(salon: Salon) -> None:
    """Ann and Bob joined in the same second; Cat joined later but has priority."""
    salon.given().join("ann").join("bob").wait(minutes=1)
    salon.join("cat", wish=replace(WISH, priority=True))
    places = {who: salon.visitor.get(salon.place_link(who)).heading for who in salon.entries}

    order = sorted(
        places, key=lambda who: ["first", "second", "third"].index(places[who].split()[1])
    )
    for hours, who in enumerate(order):
        salon.free(starts_at=NINE + (6 + 2 * hours) * HOUR)
        assert salon.tried() == [(who, "live")]
        salon.take(salon.offer_link(who))

    assert order[0] == "cat"


@pytest.mark.spec("WL-06")
def test_mail_and_sms_both_have_a_link_to_the_place_page(salon: Salon) -> None:
    salon.given("ann").join("bob", mobile="+6591234567")

    mail, text = salon.told("ann@example.org")[-1], salon.told("+6591234567")[-1]

    assert (
        salon.visitor.get(links_in(mail)[0]).heading == "You're first in line for Cut and colour."
    )
    (link,) = links_in(text)
    assert salon.visitor.get(link).heading == "You're second in line for Cut and colour."


def test_the_place_page_says_where_the_link_of_an_open_offer_is(salon: Salon) -> None:
    salon.given("ann").free()

    page = salon.visitor.get(salon.place_link("ann"))
    salon.jump(minutes=10)
    later = salon.visitor.get(salon.place_link("ann"))

    assert page.heading == "A time is held for you until 09:11 today (SGT)."
    assert "Our latest message to you has the link to take it." in page.says
    assert later.heading == "You're first in line for Cut and colour."


def test_after_a_claim_the_place_page_shows_the_slot_and_leads_to_other_services(
    salon: Salon,
) -> None:
    salon.given("ann").free()
    salon.take(salon.offer_link("ann"))

    page = salon.visitor.get(salon.place_link("ann"))

    assert page.heading == "You have an appointment."
    assert (
        "Cut and colour, Monday 16 November, 15:00 (SGT). I have to cancel"
        " Join for something else" in page.says
    )
    assert page.buttons == []


# --- changing the wish ------------------------------------------------------------------------


@pytest.mark.spec("WL-06")
def test_dates_party_and_staff_can_be_changed_and_the_place_is_kept(salon: Salon) -> None:
    salon.given().join("ann", wish=Wish(SPA.name, 1, TODAY, TODAY)).wait(minutes=1)
    salon.join("bob", wish=Wish(SPA.name, 1, TODAY, TODAY))
    before = salon.entry("ann").joined_at

    page = change(salon, "ann", party="3", staff="Jo")
    again = change(salon, "ann", party="3", staff="Jo")

    for told in (page, again):
        assert (told.status, told.heading) == (200, "You're first in line for Head spa.")
        assert "Saved. You keep your place in line." in told.says
    assert salon.entry("ann").wish == Wish(
        SPA.name, 3, date(2026, 11, 20), date(2026, 11, 25), "Jo"
    )
    assert salon.entry("ann").joined_at == before


@pytest.mark.spec("WL-06", "FD-27")
@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"latest": "2026-11-19"}, {"latest": "This is before the first day."}),
        ({"earliest": "2026-11-15"}, {"earliest": "This day has passed."}),
        ({"latest": "2027-12-01"}, {"latest": "Please choose a day within a year."}),
        ({"party": "2"}, {"party": "This is for at most 1 person at a time."}),
        ({"staff": "Zoe"}, {"staff": "Please choose one of these."}),
    ],
)
def test_an_error_in_a_change_is_shown_at_its_field(
    salon: Salon, typed: dict[str, str], errors: dict[str, str]
) -> None:
    salon.given("ann")
    before = salon.served.dump()

    page = change(salon, "ann", **typed)

    assert page.status == 422
    assert {field: page.error_at(field) for field in errors} == errors
    assert page.fields["earliest"] == {**DATES, **typed}["earliest"]
    assert salon.served.dump() == before


def test_an_entry_can_keep_a_service_that_the_business_no_longer_has(salon: Salon) -> None:
    salon.given().join("ann", wish=Wish(SPA.name, 3, TODAY, TODAY, "Jo"))
    salon.do(SetCatalogue(Catalogue(SHOP.services[:1], ("Mia",))))

    page = salon.visitor.get(salon.place_link("ann"))
    change(salon, "ann", party="3", staff="Jo")

    assert '<option value="Jo" selected>' in page.body
    assert '<option value="3" selected>' in page.body
    assert salon.entry("ann").wish == Wish(
        SPA.name, 3, date(2026, 11, 20), date(2026, 11, 25), "Jo"
    )


def test_people_whose_dates_have_just_passed_can_give_new_ones_and_keep_their_place(
    salon: Salon,
) -> None:
    salon.given().join("ann", wish=replace(WISH, latest_on=TODAY)).join("bob")
    salon.jump(days=1)

    page = salon.visitor.get(salon.place_link("ann"))
    changed = change(salon, "ann")

    assert page.heading == "Your dates have passed."
    assert page.fields["earliest"] == "2026-11-17"
    assert changed.heading == "You're first in line for Cut and colour."


@pytest.mark.spec("WL-24")
def test_people_whose_entry_expired_can_join_again(salon: Salon) -> None:
    salon.given().join("ann", wish=replace(WISH, latest_on=TODAY))
    slot_intake_in(salon.served.desk.product.site).documents.open()
    salon.wait(days=2)

    page, pressed = salon.visitor.get(salon.place_link("ann")), change(salon, "ann")

    assert salon.status("ann") is EntryStatus.EXPIRED
    for told in (page, pressed):
        assert (told.heading, told.buttons) == ("Your dates have passed.", [])
        assert "Join again" in told.says


# --- leaving ----------------------------------------------------------------------------------


@pytest.mark.spec("WL-06", "FD-09")
def test_leaving_asks_first_and_opening_the_question_changes_nothing(salon: Salon) -> None:
    salon.given("ann", "bob")
    link = salon.place_link("ann")
    before = salon.served.dump()

    asked = salon.visitor.get(f"{link}?do=leave")
    unchanged = salon.served.dump() == before
    left, again = (salon.visitor.post(link, do="leave") for _ in range(2))
    reopened = salon.visitor.get(f"{link}?do=leave")

    assert unchanged
    assert (asked.heading, asked.buttons) == ("Leave the list?", ["Leave the list"])
    for page in (left, again, reopened):
        assert (page.heading, page.buttons) == ("You're not on the list any more.", [])
        assert "Join again" in page.says
    assert salon.settle().status("ann") is EntryStatus.LEFT
    heading = salon.visitor.get(salon.place_link("bob")).heading
    assert heading == "You're first in line for Cut and colour."


def test_an_old_page_changes_nothing_after_leaving(salon: Salon) -> None:
    salon.given("ann")
    salon.visitor.post(salon.place_link("ann"), do="leave")
    before = salon.settle().served.dump()

    pages = [change(salon, "ann"), change(salon, "ann", latest="soon")]

    for page in pages:
        assert (page.status, page.heading) == (200, "You're not on the list any more.")
    assert salon.served.dump() == before


# --- stopping all offers ----------------------------------------------------------------------


@pytest.mark.spec("WL-06", "FD-15")
def test_one_button_stops_all_offers_for_good(salon: Salon) -> None:
    salon.given("ann").join("ann-too")
    salon.join("bob")
    link = salon.stop_link("ann")
    before = salon.served.dump()

    asked = salon.visitor.get(link)
    unchanged = salon.served.dump() == before
    stopped, again = (salon.visitor.post(link, do="stop") for _ in range(2))
    salon.settle().free()

    assert unchanged
    assert (asked.heading, asked.buttons) == ("Stop all offers?", ["Stop all offers"])
    for page in (stopped, again):
        assert (page.heading, page.buttons) == ("You won't get offers any more.", [])
    assert salon.status("ann") is EntryStatus.STOPPED
    assert salon.tried() == [("ann-too", "live")]
    told = salon.visitor.get(salon.place_link("ann"))
    assert (told.heading, told.buttons) == ("You won't get offers any more.", [])
    assert "Join again" not in told.says


@pytest.mark.spec("FD-15", "WL-06")
def test_a_mail_program_stops_offers_with_one_click(salon: Salon) -> None:
    salon.given("ann", "bob").free()
    link = salon.told("ann@example.org")[-1].unsubscribe_url

    page = salon.visitor.send("POST", link, b"List-Unsubscribe=One-Click", {"content-type": FORM})
    salon.settle()

    assert (page.status, page.body) == (200, "You won't get offers any more.")
    assert salon.status("ann") is EntryStatus.STOPPED
    assert salon.tried() == [("ann", "withdrawn"), ("bob", "live")]


@pytest.mark.spec("WL-06", "WL-19")
def test_stopping_offers_keeps_the_booked_slot(salon: Salon) -> None:
    salon.given("ann").free()
    link = salon.offer_link("ann")
    salon.take(link)
    stopped = salon.visitor.post(salon.stop_link("ann"), do="stop")
    place = salon.visitor.get(salon.place_link("ann"))

    assert salon.status("ann") is EntryStatus.BOOKED
    assert salon.visitor.get(link).heading == "It's yours."
    assert stopped.heading == "You won't get offers any more."
    assert "The appointment that you have stays yours." in stopped.says
    assert place.heading == "You have an appointment."
    assert "Join again" not in place.says


def test_a_press_of_no_button_does_nothing(salon: Salon) -> None:
    salon.given("ann")
    before = salon.served.dump()

    for link in (salon.place_link("ann"), salon.stop_link("ann")):
        assert salon.visitor.post(link).status == 200
        assert salon.visitor.post(link, do="fly").status == 200

    assert salon.served.dump() == before


@pytest.mark.spec("FD-11")
def test_nobody_sees_anything_of_the_others(salon: Salon) -> None:
    salon.given("ann", "bob").free()
    links = [salon.place_link("ann"), salon.stop_link("ann"), salon.offer_link("ann")]

    for link in links:
        page = salon.visitor.get(link)
        assert "Bob" not in page.body
        assert "example.org" not in page.body


def test_days_of_next_year_say_so(salon: Salon) -> None:
    salon.given().join("ann", wish=replace(WISH, latest_on=TODAY + timedelta(days=60)))

    page = salon.visitor.get(salon.place_link("ann"))

    assert "When Monday 16 November 2026 to Friday 15 January 2027" in page.says
