"""A slot's page: its state, offers, the next in line, reasons, and its story."""

from __future__ import annotations

import json

import pytest

from frontdesk.desks.admin.commands import Erase
from frontdesk.desks.waitlist.commands import ClaimOffer, TakeBackSlot
from frontdesk.desks.waitlist.model import Slot
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.values import replace
from tests.desks.waitlist.console.counter import BOARD, claims, declines, member_id, owner, url_of
from tests.support.browser import Answer
from tests.support.salon import MINUTE, WISH, Salon


def part(page: Answer, title: str, until: str) -> str:
    """Returns the text from one heading to the next."""
    return page.says.partition(title)[2].partition(until)[0].strip()


def loses_a_click(salon: Salon, slot: Slot, seq: int) -> None:
    salon.product.engine.run(ClaimOffer(slot.id, seq), by="guest:x", now=salon.clock.now())


@pytest.mark.spec("WL-22", "FD-21")
def test_the_story_is_told_to_the_second_with_every_losing_click(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Bob")
    salon.later(MINUTE / 4)
    slot = salon.frees("phone:1")
    salon.later(MINUTE / 6)
    declines(salon, slot)
    claims(salon, slot)
    salon.later(MINUTE / 20)
    loses_a_click(salon, slot, 1)

    story = part(owner(salon).get(url_of(slot)), "Story", "\n")
    assert story.split("Mon 16 Nov, ") == [
        "Came free: Cut with Mia, Monday 16 November, 15:00 (SGT). It was cancelled by phone. ",
        "09:02:15 It is held for Ann, who is first. ",
        "09:02:15 Ann The offer to Ann goes out, open until 09:12:15. ",
        "09:02:15 Ann Ann can't make it. ",
        "09:02:25 Ann It rolls on to Bob, who is next. ",
        "09:02:25 Bob The offer to Bob goes out, open until 09:12:25. ",
        "09:02:25 Bob Bob claimed it: booked. ",
        "09:02:25 Bob Ann wanted to claim it, but it was filled. ",
        "09:02:28 Ann",
    ]


def test_offers_are_listed_with_their_outcomes_and_then_the_next_in_line(salon: Salon) -> None:
    for name in ("Ann", "Bob", "Cat"):
        salon.joins(name)
    salon.joins("Dot", wish=replace(WISH, priority=True, service="Table"))
    slot = salon.frees()
    declines(salon, slot)
    page = owner(salon).get(url_of(slot))

    assert part(page, "Offers", "Next in line") == (
        "1 Ann Mon 16 Nov, 09:04:00 to 09:04:00 Can't make it"
        " 2 Bob Open until 09:14 today (SGT) Open"
    )
    assert part(page, "Next in line", "Why, or why not?") == (
        "1 Cat At most 5 people are offered it, one at a time."
    )


def test_a_slot_that_is_offered_once_says_so(salon: Salon) -> None:
    host = owner(salon)
    host.send("/console/waitlist/rules", text="Tries: 1", do="save")
    for name in ("Ann", "Bob"):
        salon.joins(name)

    page = host.get(url_of(salon.frees()))

    assert part(page, "Next in line", "Why, or why not?") == "1 Bob Only one person is offered it."


@pytest.mark.spec("WL-11")
def test_for_any_name_it_says_why_they_were_or_were_not_offered_it(salon: Salon) -> None:
    for name in ("Ann One", "Ann Two", "Ann Three"):
        salon.joins(name, email=f"{name[-3:]}@example.org")
    salon.joins("Ann Four", email="four@example.org", wish=replace(WISH, staff="Jo"))
    slot = salon.frees()
    staff = owner(salon)

    found = part(staff.get(f"{url_of(slot)}?q=ann"), "Why, or why not?", "Story")
    assert "Cut: It was offered to them at 09:04 (SGT), as number 1; they can claim it" in found
    assert "Ann Two Cut: They suit it and are the next in line. Waiting" in found
    assert "Ann Three Cut: They suit it; one other comes before them. Waiting" in found
    assert "Ann Four Cut: They asked for Jo; this is with Mia. Waiting" in found
    nobody = staff.get(f"{url_of(slot)}?q=nobody")
    assert "Nobody of that name is on the list." in nobody.says


def test_actions_of_staff_have_a_name_and_erased_people_have_none(salon: Salon) -> None:
    entry = salon.wl.entry(salon.joins("Ann"))
    assert entry is not None
    slot = salon.frees()
    staff = owner(salon)
    salon.run(TakeBackSlot(slot.id), by=f"member:{member_id(salon)}")
    assert "It was handed back." in staff.get(url_of(slot)).says
    assert "By Owner." in staff.get(url_of(slot)).says

    salon.run(Erase(entry.person_id))
    salon.settle()
    says = staff.get(url_of(slot)).says
    assert "Ann" not in says
    assert "It is held for Somebody who was erased, who is first." in says


def test_an_open_page_hears_of_a_losing_click(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Bob")
    slot = salon.frees()
    declines(salon, slot)
    staff = owner(salon)

    def stamp() -> str:
        return str(json.loads(staff.get(f"{url_of(slot)}/live?poll=1").text)["stamp"])

    before = stamp()
    assert (stamp(), before in staff.get(url_of(slot)).text) == (before, True)
    loses_a_click(salon, slot, 1)
    assert stamp() != before


def test_a_slot_that_is_not_there_is_not_found(salon: Salon) -> None:
    staff = owner(salon)
    assert staff.get(f"{BOARD}/slots/nothing-here").status == 404
    assert staff.get(f"{BOARD}/slots/nothing-here/live").status == 404
    page = staff.act("/console/settings", f"{BOARD}/slots/nothing-here/take-back")
    assert page.status == 404


def test_a_time_that_was_freed_again_links_to_its_new_slot(salon: Salon) -> None:
    salon.joins("Ann")
    slot = claims(salon, salon.frees())
    staff = owner(salon)
    assert "The time was freed again" not in staff.get(url_of(slot)).says

    slot_intake_in(salon.product.site).cancel(slot, by="test", by_staff=True)
    rest = salon.wl.slot_by_origin(f"cancelled:{slot.id}")
    assert rest is not None
    assert f'href="{url_of(rest)}">See what became of the time' in staff.get(url_of(slot)).text
