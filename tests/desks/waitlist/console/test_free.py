"""Freeing a slot by hand: one form, one slot, and an error at each invalid field."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from frontdesk.core.localtime import zone
from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.desks.waitlist.commands import SetCatalogue, TakeBackSlot
from frontdesk.desks.waitlist.console.free_slot import read_opening
from frontdesk.desks.waitlist.model import Opening
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.web.forms import Form
from frontdesk.wiring.between_desks.handovers import HandoverTimes
from tests.desks.rsvp.console_desk import error_at
from tests.desks.waitlist.console.counter import BOARD, claims, owner
from tests.support.booking import resource, rules, service
from tests.support.salon import HOUR, NINE, SHOP, Salon

FREE = f"{BOARD}/free"
SINGAPORE = zone("Asia/Singapore")
ONCE = "01m7he1tp0m14k7revhj3jmc05"
GOOD = {
    "once": ONCE,
    "service": "Cut and colour",
    "on": "2026-11-16",
    "at": "15:00",
    "minutes": "",
    "price": "",
    "places": "1",
    "staff": "Mia",
    "why": "phone",
}


SAME = {name: value for name, value in GOOD.items() if name != "once"} | {"service": "Cut"}


def read(**changed: str) -> tuple[Opening | None, dict[str, str]]:
    reading = read_opening(Form(GOOD | changed), SHOP, SINGAPORE, NINE)
    return reading.opening, dict(reading.errors)


@pytest.mark.spec("WL-07")
def test_a_second_press_on_the_same_form_finds_the_slot_of_the_first(salon: Salon) -> None:
    salon.joins("Ann")
    staff = owner(salon)
    fields = GOOD | {"csrf": staff.get(FREE).csrf, "service": "Cut"}

    first, second = staff.post(FREE, **fields), staff.post(FREE, **fields)

    assert (first.status, second.status) == (303, 303)
    assert first.location == second.location
    salon.settle()
    (slot,) = salon.wl.slots(10)
    assert slot.origin == f"phone:{ONCE}"
    assert slot.opening == Opening("Cut", NINE + 6 * HOUR, HOUR, 1, "Mia", 4_500)
    assert salon.offers(slot) == [("Ann", "live")]
    assert staff.open(first.location).heading == "Cut with Mia"


def test_the_form_is_filled_in_for_the_next_half_hour_and_each_one_frees_its_own_slot(
    salon: Salon,
) -> None:
    staff = owner(salon)
    page = staff.get(f"{FREE}?service=Cut+and+colour")
    assert "Begins at (SGT)" in page.says
    assert "Cut and colour: 2 hours, S$120.00" in page.says

    for _ in range(2):
        shown = staff.send(f"{FREE}?service=Cut+and+colour&places=2", FREE)
        assert shown.flash == "The slot is free. See here who is asked."
    wanted = Opening("Cut and colour", NINE + HOUR / 2, 2 * HOUR, 2, "", 12_000)
    assert [one.opening for one in salon.wl.slots(10)] == [wanted] * 2


def test_length_and_price_are_those_of_the_service_unless_others_are_given() -> None:
    plain = Opening("Cut and colour", NINE + 6 * HOUR, 2 * HOUR, 1, "Mia", 12_000)
    assert read() == (plain, {})
    assert read(service="colour", minutes="90", price="99,5", places="2", staff="") == (
        Opening("Cut and colour", NINE + 6 * HOUR, timedelta(minutes=90), 2, "", 9_950),
        {},
    )


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("service", "Massage", "Please choose a service."),
        ("on", "16.11.2026", "Please give a day and a time."),
        ("on", "2026-02-30", "Please give a day and a time."),
        ("on", "9999-12-31", "This is more than a year away."),
        ("at", "25:00", "Please give a day and a time."),
        ("at", "09:00", "This is in the past. Give a time from now on."),
        ("minutes", "0", "Please give whole minutes, from 1 to 1,440."),
        ("minutes", "٣٠", "Please give whole minutes, from 1 to 1,440."),
        ("price", "-5", "Please write a price like 120 or 120.50."),
        ("places", "0", "Please give a number from 1 to 500."),
        ("places", "many", "Please give a number from 1 to 500."),
        ("staff", "Zoe", "Please choose somebody of your team."),
        ("why", "because", "Please say why it is free."),
        ("once", "again", "Please load this page again."),
    ],
)
def test_each_field_that_is_wrong_says_so(field: str, value: str, says: str) -> None:
    opening, errors = read(**{field: value})
    assert (opening, list(errors.values())) == (None, [says])


@pytest.mark.spec("FD-27")
def test_a_form_that_is_wrong_frees_nothing_and_keeps_what_was_typed(salon: Salon) -> None:
    staff = owner(salon)
    answer = staff.press(FREE, places="0", minutes="95")

    assert answer.status == 422
    assert error_at(answer, "places") == "Please give a number from 1 to 500."
    assert 'value="95"' in answer.text
    assert salon.wl.slots(10) == []


@pytest.mark.spec("WL-07")
def test_a_time_that_is_taken_needs_a_second_yes_which_the_audit_shows(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Bob")
    first = salon.frees("test:1", Opening("Cut", NINE + 6 * HOUR, HOUR, 1, "Mia", 4_500))
    claims(salon, first)
    staff = owner(salon)

    asked = staff.press(FREE, **SAME)
    assert (asked.status, len(salon.wl.slots(9))) == (409, 1)
    assert "Not freed yet: this time is taken." in asked.says
    assert "Cut with Mia, Monday 16 November, 15:00 (SGT): booked by Ann" in asked.says

    again = staff.press(FREE, **SAME, beside=first.id)
    assert (again.status, len(salon.wl.slots(9))) == (409, 1), "not ticked"
    other = staff.press(FREE, **SAME, beside=ONCE, anyway="yes")
    assert (other.status, len(salon.wl.slots(9))) == (409, 1), "a yes to another slot"

    staff.send(FREE, FREE, **SAME, beside=first.id, anyway="yes")
    salon.settle()
    (second,) = [slot for slot in salon.wl.slots(9) if slot.id != first.id]
    assert (second.beside, salon.offers(second)) == ((first.id,), [("Bob", "live")])
    says = staff.get(f"{BOARD}/slots/{second.id}").says
    assert "Staff said yes although it is at the time of another slot. By Owner." in says
    assert salon.problems() == []


@pytest.mark.spec("WL-07", "BK-16")
def test_a_time_that_the_booking_desk_has_given_cannot_be_freed_even_with_a_second_yes(
    salon: Salon,
) -> None:
    mia = resource(ResourceId("mia"))
    salon.run(SetRules(rules([service("Cut", [mia.id])], [mia], zone="Asia/Singapore")))
    salon.joins("Ann")
    first = salon.frees("test:1", Opening("Cut", NINE + 6 * HOUR, HOUR, 1, "Mia", 4_500))
    staff = owner(salon)

    asked = staff.press(FREE, **SAME)
    confirmed = staff.press(FREE, **SAME, beside=first.id, anyway="yes")

    assert (asked.status, confirmed.status, len(salon.wl.slots(9))) == (409, 409, 1)
    assert "Not freed: this time is taken." in asked.says
    assert "Cancel or move that first, or give another time." in asked.says
    assert "Cut with Mia, Monday 16 November, 15:00 (SGT): on offer" in asked.says
    assert 'name="anyway"' not in asked.text


@pytest.mark.spec("WL-07", "BK-16")
def test_a_slot_that_came_back_is_not_offered_once_more_if_its_time_is_booked_by_now(
    salon: Salon,
) -> None:
    salon.joins("Ann")
    slot = salon.frees("test:1", Opening("Cut", NINE + 6 * HOUR, HOUR, 1, "Mia", 4_500))
    salon.run(TakeBackSlot(slot.id))
    mia = resource(ResourceId("mia"))
    salon.settle().run(SetRules(rules([service("Cut", [mia.id])], [mia], zone="Asia/Singapore")))
    times = HandoverTimes(salon.product.engine, salon.clock)
    assert times.hold("test:2", slot.opening, by="test")
    staff, url = owner(salon), f"{BOARD}/slots/{slot.id}"

    again = staff.act(url, f"{url}/again")

    assert again.flash == "Somebody is booked at this time by now, or it is held for somebody."
    assert len(salon.wl.slots(9)) == 1


@pytest.mark.spec("WL-07")
@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 409),
        ({"at": "15:59"}, 409),
        ({"at": "14:30"}, 409),
        ({"at": "16:00"}, 303),
        ({"at": "14:00", "minutes": "60"}, 303),
        ({"at": "14:00", "minutes": "61"}, 409),
        ({"staff": "Jo"}, 303),
        ({"staff": ""}, 303),
        ({"service": "Cut and colour"}, 409),
    ],
)
def test_a_slot_may_touch_another_of_the_same_staff_member_but_not_overlap_it(
    salon: Salon, changed: dict[str, str], status: int
) -> None:
    salon.frees("test:1", Opening("Cut", NINE + 6 * HOUR, HOUR, 1, "Mia", 4_500))

    assert owner(salon).press(FREE, **SAME | changed).status == status


@pytest.mark.spec("WL-07")
@pytest.mark.parametrize(("places", "status"), [("1", 409), ("2", 303)])
def test_the_only_place_of_a_service_is_given_once_where_no_staff_member_is_named(
    salon: Salon, places: str, status: int
) -> None:
    salon.frees("test:1", Opening("Cut", NINE + 6 * HOUR, HOUR, int(places), "", 4_500))

    assert owner(salon).press(FREE, **SAME | {"staff": "", "places": places}).status == status


@pytest.mark.spec("WL-07")
def test_of_a_time_that_somebody_missed_the_rest_is_freed_minutes_after_its_start(
    salon: Salon,
) -> None:
    salon.joins("Ann")
    salon.later(NINE + 6 * HOUR + timedelta(minutes=4) - salon.clock.now())
    staff = owner(salon)

    assert staff.press(FREE, **SAME).status == 422, "what was cancelled by phone is over"
    staff.send(FREE, FREE, **SAME | {"why": "missed"})

    salon.settle()
    (slot,) = salon.wl.slots(9)
    starts_at = NINE + 6 * HOUR + timedelta(minutes=15)
    wanted = Opening("Cut", starts_at, timedelta(minutes=45), 1, "Mia", 4_500)
    assert (slot.opening, salon.offers(slot)) == (wanted, [("Ann", "live")])

    salon.later(timedelta(minutes=50))
    late = staff.press(FREE, **SAME | {"why": "missed", "staff": "Jo"})
    assert error_at(late, "at") == (
        "This slot cannot be offered: too little of its time is still to come."
    )


def test_without_services_there_is_nothing_to_free_and_it_says_what_to_do(salon: Salon) -> None:
    salon.run(SetCatalogue(Catalogue()))
    says = owner(salon).get(FREE).says
    assert "Add them first, with how long they take and what they cost." in says


@pytest.mark.spec("FD-27")
@given(st.dictionaries(st.sampled_from(sorted(GOOD)), st.text(max_size=12)))
@tried(max_examples=60, deadline=None)
def test_any_input_is_an_opening_or_an_error_at_a_field(typed: dict[str, str]) -> None:
    opening, errors = read(**typed)
    assert (opening is None) == bool(errors)
    assert set(errors) <= set(GOOD)
