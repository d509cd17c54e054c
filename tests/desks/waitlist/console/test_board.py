"""The board: current and future slots with their states, and the actions of staff."""

from __future__ import annotations

import json
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path

import pytest
import urllib3

from frontdesk.core.members import Role
from frontdesk.desks.rsvp.commands import CreateEvent
from frontdesk.desks.rsvp.model import EventId, EventSettings
from frontdesk.desks.waitlist.commands import LeaveList, SetRules, TakeBackSlot
from frontdesk.desks.waitlist.model import Opening, Slot
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.engine.live import LiveUpdates
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import replace
from tests.desks.rsvp.console_desk import Host
from tests.desks.waitlist.console.counter import BOARD, claims, declines, member, owner, url_of
from tests.support.rsvp import DETAILS
from tests.support.salon import HOUR, MINUTE, NINE, OPENING, Salon
from tests.support.salon import salon as open_salon


def stands(salon: Salon, slot: Slot) -> str:
    found = salon.wl.slot(slot.id)
    assert found is not None
    return found.status.value


def subjects(salon: Salon, who: str) -> list[str]:
    return [each["subject"] for each in salon.messages(f"{who.lower()}@example.org")]


def freed_from(salon: Salon, slot: Slot) -> Slot | None:
    return salon.wl.slot_by_origin(f"no-show:{slot.id}")


@pytest.mark.spec("FD-21")
def test_an_empty_board_says_what_to_do_first_services_then_people_then_a_slot(
    tmp_path: Path, salon: Salon
) -> None:
    with open_salon(tmp_path / "bare", shop=Catalogue()) as bare:
        first = owner(bare).get(BOARD).says
    assert "Nothing is free at the moment." in first
    assert "Add your services first." in first
    assert "Free a slot" not in first

    staff = owner(salon)
    assert "Nobody is on the list yet" in staff.get(BOARD).says
    salon.joins("Ann")
    assert "When somebody cancels or does not come, free the slot here." in staff.get(BOARD).says


@pytest.mark.spec("FD-21", "WL-14")
def test_a_slot_on_offer_shows_to_whom_until_when_and_their_number(salon: Salon) -> None:
    salon.joins("Ann", mobile="+6591234567")
    salon.frees()
    page = owner(salon).get(BOARD)

    assert "1 open, 1 of them on offer; 0 booked." in page.says
    card = "Today, 15:00 On offer Cut with Mia 1 hour · S$45.00 Ann +65 9123 4567"
    assert f"{card} until 09:11 today (SGT) Stop offering" in page.says
    assert 'href="tel:+6591234567"' in page.text


@pytest.mark.spec("WL-15")
def test_an_offer_that_waits_for_the_end_of_quiet_hours_says_until_when(salon: Salon) -> None:
    salon.joins("Ann")
    salon.later(13 * HOUR)
    salon.frees("test:1", replace(OPENING, starts_at=NINE + 30 * HOUR))

    says = owner(salon).get(BOARD).says
    assert "Tomorrow, 15:00 Held Cut with Mia 1 hour · S$45.00 Ann" in says
    assert "Quiet hours: the offer goes out at 08:00 (SGT)." in says


def test_a_slot_that_nobody_fits_says_so_and_one_that_came_back_says_why(salon: Salon) -> None:
    salon.frees("test:1", replace(OPENING, service="Table", capacity=4, staff=""))
    salon.joins("Ann")
    tried = salon.frees("test:2", replace(OPENING, starts_at=NINE + 7 * HOUR))
    declines(salon, tried)

    says = owner(salon).get(BOARD).says
    assert "Today, 15:00 Nobody fits Table 1 hour · 4 places · S$45.00" in says
    assert "Today, 16:00 Handed back Cut with Mia" in says
    assert "It was offered to 1 person, and nobody else on the list suits it." in says


def test_a_slot_of_another_day_is_not_on_todays_board_once_it_is_over(salon: Salon) -> None:
    salon.joins("Ann")
    claims(salon, salon.frees())
    staff = owner(salon)
    assert "Today, 15:00 Booked" in staff.get(BOARD).says

    salon.later(24 * HOUR)
    assert "Nothing is free at the moment." in staff.get(BOARD).says


@pytest.mark.spec("WL-07", "FD-21")
def test_a_visit_of_last_night_is_on_the_board_until_its_end(salon: Salon) -> None:
    salon.joins("Ann")
    late = Opening("Cut", NINE + 14 * HOUR + 30 * MINUTE, HOUR, 1, "Mia", 4_500)
    slot = claims(salon, salon.frees("test:1", late))
    staff = owner(salon)

    salon.later(late.starts_at + 45 * MINUTE - salon.clock.now())
    assert f"{url_of(slot)}/no-show" in staff.get(BOARD).text, "at a quarter past midnight"

    salon.later(15 * MINUTE)
    assert "Nothing is free at the moment." in staff.get(BOARD).says


@pytest.mark.spec("FD-21")
def test_a_slot_that_came_back_is_on_the_board_while_its_rest_can_be_offered(salon: Salon) -> None:
    slot, staff = salon.frees(), owner(salon)
    salon.run(TakeBackSlot(slot.id))

    salon.later(OPENING.starts_at + 10 * MINUTE - salon.clock.now())
    assert "Offer the rest" in staff.get(BOARD).says

    salon.later(40 * MINUTE)
    assert "Nothing is free at the moment." in staff.get(BOARD).says


# --- withdrawing ------------------------------------------------------------------------------


def test_staff_are_asked_before_a_slot_is_taken_back_and_then_nobody_has_it(salon: Salon) -> None:
    salon.joins("Ann")
    slot = salon.frees()
    staff = owner(salon)

    asked = staff.press(BOARD, f"{url_of(slot)}/take-back")
    assert (asked.status, asked.heading) == (200, "Stop offering this slot?")
    assert salon.offers(slot) == [("Ann", "live")]

    page = staff.send(BOARD, f"{url_of(slot)}/take-back", confirmed="yes")
    assert page.flash == "The slot is offered to nobody any more."
    assert salon.offers(slot) == [("Ann", "withdrawn")]

    again = staff.act(BOARD, f"{url_of(slot)}/take-back", confirmed="yes")
    assert again.flash == "It is not on offer any more."


@pytest.mark.spec("WL-20")
def test_a_returned_slot_is_offered_once_more_but_not_to_those_who_declined(
    salon: Salon,
) -> None:
    salon.joins("Ann")
    salon.joins("Bob")
    slot = salon.frees()
    declines(salon, slot)
    salon.later(10 * MINUTE)
    staff = owner(salon)

    first, second = (staff.act(BOARD, f"{url_of(slot)}/again") for _ in range(2))
    assert first.flash == second.flash == "The time is free again. See here who is asked."
    salon.settle()
    fresh = salon.wl.slot_by_origin(f"again:{slot.id}")
    assert fresh is not None
    assert salon.offers(slot) == [("Ann", "declined"), ("Bob", "expired")]
    assert (fresh.opening, salon.offers(fresh)) == (slot.opening, [("Bob", "live")])
    assert len(salon.wl.slots(10)) == 2
    assert "Handed back to you 0" in staff.get(BOARD).says
    says = staff.get(f"{url_of(fresh)}?q=Ann").says
    assert "They had this time before, and declined, cancelled or missed it." in says


@pytest.mark.spec("WL-20")
def test_somebody_who_declined_once_is_not_asked_the_third_time_either(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Bob")
    slot, staff = salon.frees(), owner(salon)
    declines(salon, slot)

    for _ in range(2):
        salon.later(10 * MINUTE)
        staff.act(BOARD, f"{url_of(slot)}/again")
        salon.settle()
        again = salon.wl.slot_by_origin(f"again:{slot.id}")
        assert again is not None
        slot = again
        assert salon.offers(slot) == [("Bob", "live")]


@pytest.mark.spec("WL-07")
def test_the_rest_of_a_returned_slot_can_be_offered_after_its_start(salon: Salon) -> None:
    slot = salon.frees()
    salon.later(OPENING.starts_at + 2 * MINUTE - salon.clock.now())
    salon.joins("Ann")
    staff = owner(salon)
    assert "Offer the rest" in staff.get(url_of(slot)).says

    staff.act(url_of(slot), f"{url_of(slot)}/again")

    salon.settle()
    rest = salon.wl.slot_by_origin(f"again:{slot.id}")
    assert rest is not None
    starts_at = OPENING.starts_at + 15 * MINUTE
    assert rest.opening == replace(OPENING, starts_at=starts_at, duration=45 * MINUTE)
    assert salon.offers(rest) == [("Ann", "live")]


# --- a booking that ends early ----------------------------------------------------------------


@pytest.mark.spec("WL-07")
def test_two_taps_on_did_not_come_free_the_rest_of_the_time_as_one_slot(salon: Salon) -> None:
    ann = salon.joins("Ann")
    salon.joins("Bob")
    slot = claims(salon, salon.frees())
    salon.later(OPENING.starts_at + 7 * MINUTE - salon.clock.now())
    staff = owner(salon)
    assert "Did not come" in staff.get(BOARD).says
    assert "Cancel for them" not in staff.get(BOARD).says

    asked = staff.press(BOARD, f"{url_of(slot)}/no-show")
    assert (asked.heading, freed_from(salon, slot)) == ("Mark this as a no-show?", None)
    taps = [staff.act(BOARD, f"{url_of(slot)}/no-show", confirmed="yes") for _ in range(2)]

    salon.settle()
    rest = freed_from(salon, slot)
    assert rest is not None
    starts_at = OPENING.starts_at + 20 * MINUTE
    assert rest.opening == replace(OPENING, starts_at=starts_at, duration=40 * MINUTE)
    assert salon.offers(rest) == [("Bob", "live")]
    assert [tap.flash for tap in taps] == [
        "Noted: they did not come. The time is free for the next.",
        "It was noted already that they did not come. Its time is free again.",
    ]
    assert len(salon.wl.slots(10)) == 2
    assert (stands(salon, slot), salon.status(ann)) == ("no_show", "left")
    assert "Ann did not come. The time is offered again. By Owner." in staff.get(url_of(slot)).says
    assert subjects(salon, "Ann")[-1] == "We missed you: Cut on Monday 16 November, 15:00 (SGT)"


@pytest.mark.spec("WL-07")
def test_a_visit_cannot_be_missed_before_its_start(salon: Salon) -> None:
    salon.joins("Ann")
    slot = claims(salon, salon.frees())

    page = owner(salon).act(BOARD, f"{url_of(slot)}/no-show", confirmed="yes")

    assert page.flash == "It has not begun yet. Cancel the booking if they cannot come."
    assert (stands(salon, slot), freed_from(salon, slot)) == ("booked", None)


@pytest.mark.spec("WL-07", "WL-19")
@pytest.mark.parametrize(("stay", "status"), [({}, "left"), ({"stay": "yes"}, "waiting")])
def test_staff_cancel_for_a_customer_who_is_told_and_the_next_is_asked(
    salon: Salon, stay: dict[str, str], status: str
) -> None:
    ann = salon.joins("Ann")
    salon.joins("Bob")
    slot = claims(salon, salon.frees())
    staff = owner(salon)
    page = staff.get(f"{url_of(slot)}/cancel")
    assert page.heading == "Cancel for Ann?"
    assert stands(salon, slot) == "booked", "opening the page cancels nothing"

    done = staff.act(f"{url_of(slot)}/cancel", f"{url_of(slot)}/cancel", offer="yes", **stay)
    again = staff.act(BOARD, f"{url_of(slot)}/cancel", offer="yes")

    salon.settle()
    assert done.flash == "Cancelled, and they are told. The time is free for the next."
    assert again.flash == "This booking was cancelled already. Its time is free again."
    assert (stands(salon, slot), salon.status(ann)) == ("cancelled", status)
    rest = salon.wl.slot_by_origin(f"cancelled:{slot.id}")
    assert rest is not None
    assert (rest.opening, salon.offers(rest)) == (OPENING, [("Bob", "live")])
    assert subjects(salon, "Ann")[-1] == (
        "Cancelled for you: Cut on Monday 16 November, 15:00 (SGT)"
    )
    says = staff.get(url_of(slot)).says
    assert "The booking of Ann was cancelled for them. The time is offered again. By Owner." in says
    assert "did not come" not in says


def test_staff_cancel_for_a_customer_and_keep_the_time(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Bob")
    slot = claims(salon, salon.frees())

    staff = owner(salon)
    done = staff.act(BOARD, f"{url_of(slot)}/cancel")
    again = staff.act(BOARD, f"{url_of(slot)}/no-show", confirmed="yes")

    assert done.flash == "Cancelled, and they are told. The time is not offered again."
    assert again.flash == "This booking was cancelled already. Nothing was changed."
    assert (stands(salon, slot), len(salon.wl.slots(9))) == ("cancelled", 1)


def test_a_rest_that_is_too_short_is_not_offered(salon: Salon) -> None:
    salon.joins("Ann")
    slot = claims(salon, salon.frees())
    salon.later(OPENING.starts_at + 45 * MINUTE - salon.clock.now())

    page = owner(salon).act(BOARD, f"{url_of(slot)}/no-show", confirmed="yes")

    assert page.flash == "Noted: they did not come. The time is not offered again."
    assert (stands(salon, slot), freed_from(salon, slot)) == ("no_show", None)


def test_only_a_booked_slot_can_be_missed_and_only_a_returned_one_offered_again(
    salon: Salon,
) -> None:
    slot, staff = salon.frees(), owner(salon)

    missed = staff.act(BOARD, f"{url_of(slot)}/no-show", confirmed="yes")
    again = staff.act(BOARD, f"{url_of(slot)}/again")
    assert missed.flash == "Nobody has booked this slot."
    assert again.flash == "This slot was not handed back."
    assert len(salon.wl.slots(10)) == 1


# --- live updates, and access -----------------------------------------------------------------


@pytest.mark.spec("FD-21")
def test_the_board_hears_of_every_change_and_of_nothing_else(salon: Salon) -> None:
    staff = owner(salon)

    def heard() -> dict[str, str]:
        found: dict[str, str] = json.loads(staff.get(f"{BOARD}/live?poll=1").text)
        return found

    salon.joins("Ann")
    stamps = [heard()]
    slot = salon.frees()
    stamps.append(heard())
    claims(salon, slot)
    stamps.append(heard())
    unfit = salon.frees("test:2", replace(OPENING, service="Table", staff="Jo"))
    stamps.append(heard())
    salon.run(TakeBackSlot(unfit.id))
    stamps.append(heard())
    salon.run(LeaveList(salon.joins("Bob")))

    assert [one["says"] for one in stamps] == [
        "Nothing is free at the moment.",
        "1 open, 1 of them on offer; 0 booked.",
        "0 open, 0 of them on offer; 1 booked.",
        "1 open, 0 of them on offer; 1 booked.",
        "0 open, 0 of them on offer; 1 booked.",
    ]
    assert len({one["stamp"] for one in stamps}) == 5
    assert heard() == stamps[-1]
    assert stamps[-1]["stamp"] in staff.get(BOARD).text


def listens(salon: Salon, staff: Host, url: str) -> Generator[dict[str, str], None, None]:
    """Yields the updates of an open page, in order."""
    cookie = "; ".join(f"{name}={value}" for name, value in staff.cookies.items())
    headers = {"cookie": cookie, "accept": "text/event-stream"}
    address = salon.product.settings.base_url + url
    with urllib3.PoolManager() as http:
        answer = http.request("GET", address, headers=headers, preload_content=False, timeout=20)
        rest = b""
        for chunk in answer.stream(1, decode_content=False):
            *lines, rest = (rest + chunk).split(b"\n")
            told = [one for one in lines if one.startswith(b"data: ")]
            yield from (json.loads(one.removeprefix(b"data: ")) for one in told)


@pytest.mark.spec("FD-21")
def test_an_open_board_is_told_of_a_slot_as_soon_as_it_comes_free(salon: Salon) -> None:
    heard = listens(salon, owner(salon), f"{BOARD}/live")
    assert next(heard)["says"] == "Nothing is free at the moment."

    slot_intake_in(salon.product.site).free("test:1", OPENING, by="test")
    assert next(heard)["says"] == "1 open, 0 of them on offer; 0 booked."
    heard.close()
    salon.settle()


def test_when_too_many_pages_are_open_the_next_one_is_told_to_reload(salon: Salon) -> None:
    staff = owner(salon)
    salon.product.site.live = LiveUpdates(most=0)

    answer = staff.get(f"{BOARD}/live")
    assert (answer.status, answer.heading) == (429, "Too many pages are open for live numbers.")
    head = staff.ask("HEAD", f"{BOARD}/live")
    assert (head.status, head.body) == (200, b"")
    assert staff.get(BOARD).status == 200


@pytest.mark.spec("FD-21")
def test_where_no_answer_stays_open_the_board_is_told_once_and_asks_again(salon: Salon) -> None:
    staff = owner(salon)
    salon.product.site.live.streams = False

    text = staff.get(f"{BOARD}/live").text
    assert text.startswith("retry: 10000\nevent: count\ndata: {")
    assert "Nothing is free at the moment." in text


@pytest.mark.spec("FD-21")
def test_owner_and_staff_see_the_waitlist_and_the_host_of_an_event_does_not(salon: Salon) -> None:
    event = EventId(salon.product.engine.new_id())
    salon.run(CreateEvent(event, "supper", DETAILS, EventSettings(), 10))
    slot = salon.frees()
    host = member(salon, "Hans", Role.HOST, event)
    staff = member(salon, "Stella", Role.STAFF)
    pages = (BOARD, f"{BOARD}/free", f"{BOARD}/day", f"{BOARD}/figures", url_of(slot))

    assert [staff.get(page).status for page in pages] == [200] * 5
    assert [host.get(page).status for page in pages] == [403] * 5
    assert "Waitlist" not in host.get("/console/events").says
    assert host.get(f"{BOARD}/live?poll=1").status == 403


def test_very_many_slots_are_counted_and_not_shown(salon: Salon) -> None:
    salon.run(SetRules(replace(salon.wl.rules(), tries=1)))
    for n in range(63):
        opening = Opening("Cut", NINE + timedelta(days=1, minutes=n), HOUR, 2)
        slot_intake_in(salon.product.site).free(f"test:{n}", opening, by="test")

    page = owner(salon).get(BOARD)
    assert "Open slots 63" in page.says
    assert "3 more come later." in page.says
    assert page.text.count("<article") == 60
