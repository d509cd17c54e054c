"""Staff answer an offer for somebody; the story names the staff member."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.desks.waitlist.console.counter import owner, url_of
from tests.support.salon import OPENING, Salon


@pytest.mark.spec("WL-19", "WL-20", "WL-22")
@pytest.mark.parametrize(
    ("answer", "flash", "offers", "story"),
    [
        (
            "accept",
            "Booked for them. They get the confirmation.",
            [("Ann", "claimed")],
            "The offer was accepted for Ann: booked. By Owner.",
        ),
        (
            "decline",
            "Declined for them. The slot is free for the next.",
            [("Ann", "declined"), ("Bob", "live")],
            "The offer was declined for Ann. By Owner.",
        ),
        (
            "withdraw",
            "The offer is withdrawn. The slot is free for the next.",
            [("Ann", "withdrawn"), ("Bob", "live")],
            "The offer to Ann was withdrawn; the slot goes to the next. By Owner.",
        ),
    ],
)
def test_staff_answer_for_the_person_who_has_the_offer(
    salon: Salon, answer: str, flash: str, offers: list[tuple[str, str]], story: str
) -> None:
    salon.joins("Ann")
    salon.joins("Bob")
    slot = salon.frees()
    staff, url = owner(salon), f"{url_of(slot)}/offers/1/{answer}"

    asked = staff.press(url_of(slot), url)
    assert (asked.status, salon.offers(slot)) == (200, [("Ann", "live")])
    page = staff.send(url_of(slot), url, confirmed="yes")
    again = staff.act(url_of(slot), url, confirmed="yes")

    salon.settle()
    assert (page.flash, again.flash) == (
        flash,
        "This offer is over, or they are not on the list any more.",
    )
    assert salon.offers(slot) == offers
    assert story in staff.get(url_of(slot)).says
    assert salon.problems() == []


def test_the_person_is_told_of_a_withdrawn_offer_and_of_an_accepted_one(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Bob")
    slot, staff = salon.frees(), owner(salon)

    staff.act(url_of(slot), f"{url_of(slot)}/offers/1/withdraw", confirmed="yes")
    salon.settle()
    staff.act(url_of(slot), f"{url_of(slot)}/offers/2/accept", confirmed="yes")
    salon.settle()

    when = "Monday 16 November, 15:00 (SGT)"
    ann, bob = (salon.messages(f"{who}@example.org")[-1]["subject"] for who in ("ann", "bob"))
    assert (ann, bob) == (f"Cut on {when} is no longer free", f"Booked: Cut on {when}")


@pytest.mark.spec("WL-15", "WL-19")
def test_an_offer_that_is_held_in_quiet_hours_can_be_accepted_by_phone(salon: Salon) -> None:
    salon.joins("Ann")
    salon.later(timedelta(hours=13))
    slot = salon.frees(
        opening=OPENING.__class__(
            "Cut", OPENING.starts_at + timedelta(days=1), OPENING.duration, 1, "Mia", 4_500
        )
    )
    assert salon.offers(slot) == [("Ann", "pending")]

    staff = owner(salon)
    staff.act(url_of(slot), f"{url_of(slot)}/offers/1/accept", confirmed="yes")

    salon.settle()
    assert salon.offers(slot) == [("Ann", "claimed")]
    subjects = [each["subject"] for each in salon.messages("ann@example.org")]
    assert subjects == ["Booked: Cut on Tuesday 17 November, 15:00 (SGT)"]
    assert salon.problems() == []


def test_the_row_of_somebody_with_an_offer_has_the_same_buttons(salon: Salon) -> None:
    ann = salon.joins("Ann")
    slot, staff = salon.frees(), owner(salon)

    page = staff.get(f"/console/waitlist/entries/{ann}")
    assert f"{url_of(slot)}/offers/1/accept" in page.text
    staff.send(
        f"/console/waitlist/entries/{ann}", f"{url_of(slot)}/offers/1/decline", confirmed="yes"
    )
    assert salon.settle().offers(slot) == [("Ann", "declined")]
