"""The page of an offer: its content in each state, and the effect of its buttons."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from icalendar import Calendar

from frontdesk.desks.waitlist.commands import (
    ChangeWish,
    DisarmOffer,
    LapseOffer,
    LeaveList,
    TakeBackSlot,
)
from frontdesk.desks.waitlist.model import EntryStatus, SlotStatus
from frontdesk.engine.ports import Committed
from frontdesk.values import replace
from tests.desks.waitlist.pages.salon import WISH, Salon, links_in
from tests.support.rsvp import HOUR, NINE

MINUTE = HOUR / 60
WHEN = "Monday 16 November 2026, 15:00 to 17:00 (SGT)"


@pytest.mark.spec("WL-14", "WL-17")
def test_an_offer_says_what_when_with_whom_how_long_its_price_and_until_when(salon: Salon) -> None:
    salon.given("ann").free()

    page = salon.visitor.get(salon.offer_link("ann"))

    assert (page.status, page.heading) == (200, "A time has come free.")
    assert f"Cut and colour {WHEN} with Mia 2 hours · S$120.00" in page.says
    assert "This time is yours until 09:11 today (SGT)" in page.says
    assert page.buttons == ["Yes, I'll take it", "I can't make it"]


def test_no_price_and_no_name_are_said_where_there_are_none(salon: Salon) -> None:
    salon.given("ann").free(staff="", price_cents=0)

    page = salon.visitor.get(salon.offer_link("ann"))

    assert f"Cut and colour {WHEN} 2 hours This time is yours" in page.says


@pytest.mark.spec("WL-14")
def test_a_text_carries_one_link_whose_page_has_both_buttons(salon: Salon) -> None:
    salon.given().join("ann", mobile="+6591234567").free()

    (link,) = links_in(salon.told("+6591234567")[-1])
    page = salon.visitor.get(link)

    assert page.buttons == ["Yes, I'll take it", "I can't make it"]
    assert salon.take(link).heading == "It's yours."


@pytest.mark.spec("WL-14")
def test_a_mail_has_a_link_to_claim_and_one_to_decline(salon: Salon) -> None:
    salon.given("ann", "bob").free()

    claim, decline, *_ = links_in(salon.told("ann@example.org")[-1])
    asked = salon.visitor.get(decline)

    assert salon.visitor.get(claim).buttons == ["Yes, I'll take it", "I can't make it"]
    assert (asked.heading, asked.buttons) == (
        "Can't make it?",
        ["I can't make it", "Yes, I'll take it"],
    )
    assert salon.tried() == [("ann", "live")]
    assert salon.pass_on(decline).heading == "You passed it on."
    assert salon.tried() == [("ann", "declined"), ("bob", "live")]


@pytest.mark.spec("WL-14", "WL-19")
def test_the_page_of_the_link_to_decline_can_accept_as_well(salon: Salon) -> None:
    salon.given("ann", "bob").free()

    page = salon.take(salon.decline_link("ann"))

    assert page.heading == "It's yours."
    assert salon.tried() == [("ann", "claimed")]


@pytest.mark.spec("WL-14")
def test_a_rolled_on_offer_reads_the_same_as_a_first_one(salon: Salon) -> None:
    salon.given("ann", "bob").free()
    first = salon.visitor.get(salon.offer_link("ann"))
    salon.pass_on(salon.offer_link("ann"))

    second = salon.visitor.get(salon.offer_link("bob"))

    assert second.says == first.says


@pytest.mark.spec("FD-09")
def test_opening_any_link_of_an_offer_changes_nothing(salon: Salon) -> None:
    salon.given("ann").free()
    links = [salon.offer_link("ann"), salon.decline_link("ann")]
    before = salon.served.dump()

    for link in links:
        for _ in range(2):
            assert salon.visitor.get(link).status == 200
            assert salon.visitor.head(link).status == 200
            assert salon.visitor.get(f"{link}/calendar.ics").status == 404
            assert salon.visitor.get(f"{link}?do=take").status == 200

    assert salon.served.dump() == before


@pytest.mark.spec("WL-19")
def test_a_claim_books_the_slot_and_pressing_again_shows_the_same(salon: Salon) -> None:
    salon.given("ann").free()
    link = salon.offer_link("ann")

    first, again = salon.take(link), salon.take(link)
    opened, declined = salon.visitor.get(link), salon.pass_on(salon.decline_link("ann"))

    assert first.heading == again.heading == opened.heading == declined.heading == "It's yours."
    assert WHEN in first.says
    assert (salon.slot().status, salon.slot().booked_by) == (
        SlotStatus.BOOKED,
        salon.entries["ann"],
    )
    assert salon.status("ann") is EntryStatus.BOOKED
    assert salon.kinds().count("wl.claimed") == 1


@pytest.mark.spec("WL-19")
def test_many_presses_at_once_book_it_once(salon: Salon) -> None:
    salon.given("ann").free()
    claim, decline = salon.offer_link("ann"), salon.decline_link("ann")
    presses = [(claim, "take"), (claim, "take"), (claim, "pass"), (decline, "pass")] * 4

    with ThreadPoolExecutor(8) as people:
        pages = list(people.map(lambda press: salon.visitor.post(press[0], do=press[1]), presses))

    outcome = salon.tried()
    assert outcome in ([("ann", "claimed")], [("ann", "declined")])
    assert salon.kinds().count("wl.claimed") + salon.kinds().count("wl.offer_declined") == 1
    said = "It's yours." if outcome == [("ann", "claimed")] else "You passed it on."
    assert {page.heading for page in pages} == {said}


@pytest.mark.spec("FD-14", "FD-11")
def test_a_booked_slot_has_a_calendar_file_without_any_link(salon: Salon) -> None:
    salon.given("ann").free()
    link = salon.offer_link("ann")
    page = salon.take(link)

    file = salon.visitor.get(f"{link}/calendar.ics")
    event: Any = Calendar.from_ical(file.body).walk("VEVENT")[0]

    assert f'href="{link.removeprefix(salon.served.base_url)}/calendar.ics"' in page.body
    assert file.headers["content-type"] == "text/calendar; charset=utf-8; method=PUBLISH"
    assert str(event["summary"]) == "Cut and colour with Mia"
    assert (event["dtstart"].dt, event["dtend"].dt) == (NINE + 6 * HOUR, NINE + 8 * HOUR)
    mailed: Any = Calendar.from_ical(salon.told("ann@example.org")[-1].calendar or b"")
    assert event["uid"] == mailed.walk("VEVENT")[0]["uid"]
    assert "/l/" not in file.body


def test_the_page_of_a_past_slot_says_that_it_is_over(salon: Salon) -> None:
    salon.given("ann").free()
    link = salon.offer_link("ann")
    salon.take(link)
    salon.wait(hours=9)

    page = salon.visitor.get(link)

    assert page.heading == "This appointment is over."
    assert "calendar" not in page.says
    assert salon.visitor.get(f"{link}/calendar.ics").status == 404


@pytest.mark.spec("WL-19", "FD-05")
def test_a_click_after_the_deadline_is_too_late_even_before_its_timer_rings(salon: Salon) -> None:
    salon.given("ann", "bob").free()
    link = salon.offer_link("ann")
    salon.jump(minutes=10)

    opened, pressed = salon.visitor.get(link), salon.visitor.post(link, do="take")

    for page in (opened, pressed):
        assert (page.status, page.heading) == (410, "This offer has expired.")
        assert 'href="/waitlist/link">Send me my link</a>' in page.body
        assert "You're still on the list. You're first in line for Cut and colour." in page.says
        assert page.buttons == []
    assert salon.kinds()[-1] == "wl.claim_lost"
    salon.settle()
    assert salon.tried() == [("ann", "expired"), ("bob", "live")]
    assert salon.visitor.get(link).heading == "This offer has expired."


@pytest.mark.spec("WL-19")
def test_a_losing_click_sees_a_calm_page_and_is_kept_in_the_audit(salon: Salon) -> None:
    salon.given("ann", "bob").free()
    link = salon.offer_link("ann")
    salon.wait(minutes=10)
    salon.take(salon.offer_link("bob"))

    page = salon.take(link)

    assert (page.status, page.heading) == (410, "Just filled.")
    assert "You're still on the list. You're first in line for Cut and colour." in page.says
    assert salon.kinds()[-1] == "wl.claim_lost"
    assert salon.slot().booked_by == salon.entries["bob"]


@pytest.mark.spec("WL-20")
def test_a_person_who_declines_stays_on_the_list_and_cannot_claim_any_more(salon: Salon) -> None:
    salon.given("ann", "bob").free()
    link = salon.offer_link("ann")

    passed, again, taken = salon.pass_on(link), salon.pass_on(link), salon.take(link)

    for page in (passed, again, taken):
        assert (page.status, page.heading) == (200, "You passed it on.")
    assert "You're still on the list. You're first in line for Cut and colour." in passed.says
    assert salon.status("ann") is EntryStatus.WAITING
    assert salon.tried() == [("ann", "declined"), ("bob", "live")]


@pytest.mark.spec("WL-20")
def test_declining_can_also_leave_the_list(salon: Salon) -> None:
    salon.given("ann", "bob").free()

    page = salon.pass_on(salon.decline_link("ann"), leave="yes")

    assert page.heading == "You passed it on."
    assert "You're not on the list any more." in page.says
    assert "To the waitlist" in page.says
    assert salon.status("ann") is EntryStatus.LEFT
    assert salon.tried() == [("ann", "declined"), ("bob", "live")]


@pytest.mark.spec("WL-13")
def test_after_claiming_one_of_two_offers_the_other_is_shown_as_passed_on(salon: Salon) -> None:
    salon.given("ann").free().free(starts_at=NINE + 8 * HOUR)
    other = salon.offer_link("ann", 1)
    salon.visitor.post(salon.offer_link("ann", 0), do="take")

    at_once, pressed = salon.visitor.get(other), salon.visitor.post(other, do="take")
    settled = (salon.settle(), salon.visitor.get(other))[1]

    for page in (at_once, pressed, settled):
        assert (page.status, page.heading) == (200, "You have taken another time.")
    assert salon.slot(0).booked_by == salon.entries["ann"]
    assert salon.tried(1) == [("ann", "withdrawn")]


def test_an_offer_is_taken_back_when_they_leave_or_want_something_else(salon: Salon) -> None:
    later = WISH.earliest_on.replace(day=20)
    salon.given("ann", "bob").free()
    ann = salon.offer_link("ann")
    salon.do(LeaveList(salon.entries["ann"]))
    bob = salon.offer_link("bob")
    salon.do(ChangeWish(salon.entries["bob"], replace(WISH, earliest_on=later)))

    left, changed = salon.visitor.get(ann), salon.take(bob)

    assert (left.status, left.heading) == (410, "This offer was taken back.")
    assert "You're not on the list any more." in left.says
    assert (changed.status, changed.heading) == (410, "This offer was taken back.")
    assert "You're still on the list. You're first in line for Cut and colour." in changed.says


def test_a_slot_that_staff_took_back_is_said_to_be_gone_with_regret(salon: Salon) -> None:
    salon.given("ann").free()
    link = salon.offer_link("ann")
    salon.do(TakeBackSlot(salon.slot().id))

    opened, pressed = salon.visitor.get(link), salon.take(link)

    for page in (opened, pressed):
        assert (page.status, page.heading) == (410, "We had to take this time back.")
        assert "You're still on the list." in page.says
    assert salon.slot().status is SlotStatus.HANDED_BACK


@pytest.mark.spec("WL-15")
def test_an_offer_whose_message_is_not_out_cannot_be_claimed(salon: Salon) -> None:
    salon.given("ann").wait(hours=13)
    salon.free(starts_at=NINE + 30 * HOUR)
    link = salon.offer_link("ann")

    opened, pressed = salon.visitor.get(link), salon.take(link)

    assert salon.tried() == [("ann", "pending")]
    for page in (opened, pressed):
        assert (page.status, page.heading) == (200, "This time is held for you.")
        assert page.buttons == []


@pytest.mark.spec("WL-16")
def test_an_offer_whose_message_was_refused_waits_for_the_next_one(salon: Salon) -> None:
    salon.given("ann").free()
    slot, offer = salon.slot(), salon.offer("ann")
    assert isinstance(salon.served.desk.run(DisarmOffer(slot.id, offer.seq)), Committed)

    page = salon.visitor.post(salon.offer_link("ann"), do="take")

    assert (page.status, page.heading) == (200, "This time is held for you.")
    assert salon.slot().status is SlotStatus.OPEN


def test_of_a_crossing_claim_and_decline_the_first_counts(salon: Salon) -> None:
    salon.given("ann", "bob").free()
    claim, decline = salon.offer_link("ann"), salon.decline_link("ann")

    pages = [
        salon.visitor.post(decline, do="pass"),
        salon.visitor.post(claim, do="take"),
        salon.visitor.get(claim),
        salon.visitor.get(decline),
    ]

    assert {page.heading for page in pages} == {"You passed it on."}
    assert salon.refused(LapseOffer(salon.slot().id, 1)) == "offer_gone"
    assert salon.settle().tried() == [("ann", "declined"), ("bob", "live")]


def test_a_press_of_no_button_does_nothing(salon: Salon) -> None:
    salon.given("ann").free()
    before = salon.served.dump()

    for link in (salon.offer_link("ann"), salon.decline_link("ann")):
        assert salon.visitor.post(link).status == 200
        assert salon.visitor.post(link, do="fly").status == 200

    assert salon.served.dump() == before


@pytest.mark.spec("FD-22")
def test_without_javascript_the_deadline_is_there_in_words(salon: Salon) -> None:
    salon.given("ann").free()

    page = salon.visitor.get(salon.offer_link("ann"))

    found = re.search(r'<time class="countdown" datetime="([^"]+)"[^>]*>([^<]+)</time>', page.body)
    assert found
    assert found[1] == (NINE + 11 * MINUTE).isoformat()
    assert found[2] == "until 09:11 today (SGT)"
