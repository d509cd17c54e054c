"""Staff give a booking to another person, on a store: the time has one holder at every step."""

from __future__ import annotations

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import ClaimOffer, EditEntry
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, SlotId, SlotStatus
from frontdesk.values import replace
from tests.support.waitlist import OPENING, WISH, WaitlistDesk


def given_to(desk: WaitlistDesk, who: str) -> EditEntry:
    return EditEntry(
        EntryId("ann"),
        EntryId(f"{who}-entry"),
        who.title(),
        f"{who}@example.org",
        "",
        WISH,
        desk.entry("ann").joined_at,
        person_id=PersonId(f"p-{who}"),
        slot_id=SlotId("s9"),
    )


@pytest.mark.spec("FD-10", "WL-19")
def test_a_booking_is_cancelled_for_the_one_and_confirmed_to_the_other(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob").free()
    desk.settle().do(ClaimOffer(SlotId("s1"), 1))
    desk.do(given_to(desk, "zoe"))

    old, given = desk.slot("s1"), desk.slot("s9")
    assert (old.status, given.status) == (SlotStatus.CANCELLED, SlotStatus.BOOKED)
    assert (given.booked_by, given.opening) == ("zoe-entry", OPENING)
    assert desk.status("ann") is EntryStatus.LEFT
    assert desk.status("bob") is EntryStatus.WAITING
    assert desk.status("zoe-entry") is EntryStatus.BOOKED
    assert sorted(desk.mail()[-2:]) == [("ann", "cancelled_for"), ("zoe", "booked")]
    assert desk.tried("s9") == [("zoe-entry", "claimed")]


@pytest.mark.spec("FD-10", "WL-13")
def test_giving_a_slot_to_a_person_with_an_offer_passes_the_offer_on(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob", "cat").free()
    desk.settle().do(ClaimOffer(SlotId("s1"), 1))
    desk.free(replace(OPENING, staff="jo"), slot_id="s2")
    desk.settle().do(given_to(desk, "bob"))

    assert desk.slot("s9").booked_by == "bob"
    assert desk.tried("s2") == [("bob", "withdrawn"), ("cat", "live")]
    assert len(desk.reads.entries()) == 3


@pytest.mark.spec("FD-10")
def test_a_booking_is_not_given_to_somebody_who_has_one_or_wants_none(desk: WaitlistDesk) -> None:
    desk.given("ann", "zoe").free()
    desk.settle().do(ClaimOffer(SlotId("s1"), 1))
    desk.free(replace(OPENING, staff="jo"), slot_id="s2")
    desk.settle().do(ClaimOffer(SlotId("s2"), 1))

    assert desk.refused(given_to(desk, "zoe")) == "has_a_slot"
    assert desk.slot("s1").booked_by == "ann"
