"""The answers to 'Why?' in the console, for any entry and slot."""

from __future__ import annotations

import pytest

from frontdesk.desks.waitlist.commands import (
    ChangeWish,
    ClaimOffer,
    DeclineOffer,
    LeaveList,
    StopOffers,
    TakeBackSlot,
)
from frontdesk.desks.waitlist.eligibility import Failure
from frontdesk.desks.waitlist.model import Check, EntryId, SlotId
from frontdesk.desks.waitlist.why import Explanation, OfferVerdict, explain
from frontdesk.values import replace
from tests.support.waitlist import NEXT_OPENING, OPENING, WISH, WaitlistDesk, entry

S1 = SlotId("s1")


def why(desk: WaitlistDesk, who: str, slot_id: str = "s1") -> Explanation:
    found = explain(desk.reads, SlotId(slot_id), EntryId(who))
    assert found is not None
    return found


@pytest.mark.spec("WL-11")
def test_the_answer_about_an_open_slot_names_its_holder_and_the_place_of_others(
    desk: WaitlistDesk,
) -> None:
    desk.given("ann", "bob", "cat", "dan").free()
    desk.settle()

    [live] = desk.offers()
    assert why(desk, "ann") == Explanation(
        OfferVerdict.OFFERED,
        "It was offered to them at 09:00 (SGT), as number 1; they can claim it until 09:10 (SGT).",
        offer=live,
        offers=1,
    )
    assert why(desk, "bob") == Explanation(
        OfferVerdict.IN_LINE, "They suit it and are the next in line.", ahead=0, offers=1
    )
    assert why(desk, "cat").sentence == "They suit it; one other comes before them."
    assert why(desk, "dan").sentence == "They suit it; 2 others come before them."


@pytest.mark.spec("WL-11")
def test_the_answer_names_the_outcome_of_each_offer(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob", "cat").free()
    desk.settle().do(DeclineOffer(S1, 1)).wait(minutes=10)
    desk.do(ClaimOffer(S1, 3))

    passed_on = "they did not answer in time, and it passed on"
    assert [why(desk, who).sentence for who in ("ann", "bob", "cat")] == [
        "It was offered to them at 09:00 (SGT), as number 1; they declined at 09:00 (SGT).",
        f"It was offered to them at 09:00 (SGT), as number 2; {passed_on} at 09:10 (SGT).",
        "It was offered to them at 09:10 (SGT), as number 3; they claimed it at 09:10 (SGT).",
    ]


@pytest.mark.spec("WL-08", "WL-11")
def test_the_answer_names_the_check_that_failed(desk: WaitlistDesk) -> None:
    desk.given("ann")
    desk.join("bob", replace(WISH, staff="leo"))
    desk.free()
    desk.settle()

    sentence = "They asked for leo; this is with mia."
    assert why(desk, "bob") == Explanation(
        OfferVerdict.UNSUITED, sentence, failed=Failure(Check.STAFF, sentence), offers=1
    )


@pytest.mark.spec("WL-11")
def test_the_answer_is_about_the_time_of_the_decision_and_not_about_later_changes(
    desk: WaitlistDesk,
) -> None:
    """The answer uses the state at that time, not later changes."""
    desk.given("ann", "bob", "cat")
    desk.join("dan", replace(WISH, staff="leo"))
    desk.join("eve")
    desk.do(LeaveList(EntryId("eve"))).free()
    desk.settle().do(ClaimOffer(S1, 1)).do(LeaveList(EntryId("bob")))
    desk.do(StopOffers(entry("cat").person_id)).do(ChangeWish(EntryId("dan"), WISH))
    desk.join("fay")

    behind = "They suit it, but it was claimed before their turn came, after one offer."
    assert {who: why(desk, who).sentence for who in ("bob", "cat", "dan", "eve", "fay")} == {
        "bob": behind,
        "cat": behind,
        "dan": "They asked for leo; this is with mia.",
        "eve": "They had left the list.",
        "fay": "They were not on the list yet when it was decided.",
    }
    assert why(desk, "bob").verdict is OfferVerdict.NOT_REACHED


@pytest.mark.spec("WL-11")
def test_the_answer_says_that_a_slot_was_handed_back_before_their_turn(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob").free()
    desk.settle().do(TakeBackSlot(S1))

    assert why(desk, "ann").sentence.endswith("it was taken back at 09:00 (SGT).")
    assert why(desk, "bob").sentence == (
        "They suit it, but it was handed back before their turn came, after one offer."
    )


@pytest.mark.spec("WL-11")
def test_the_reason_names_another_slot_of_the_person(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob").free()
    desk.settle().do(ClaimOffer(S1, 1))
    desk.free(NEXT_OPENING, slot_id="s2")
    desk.settle()

    assert why(desk, "ann", "s2") == Explanation(
        OfferVerdict.NOT_WAITING, "They have another slot already.", offers=1
    )


@pytest.mark.spec("WL-11")
def test_there_is_no_answer_about_an_unknown_slot_or_entry(desk: WaitlistDesk) -> None:
    desk.given("ann").free(OPENING)

    assert explain(desk.reads, SlotId("s9"), EntryId("ann")) is None
    assert explain(desk.reads, S1, EntryId("zoe")) is None
