"""A booking ends early: the effect on the slot, the entry and the time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.changes import EntryAsRead
from frontdesk.desks.waitlist.commands import (
    CancelBooking,
    ClaimOffer,
    DeclineOffer,
    FreeSlot,
    MakeMove,
    MarkNoShow,
    StopOffers,
)
from frontdesk.desks.waitlist.decide.bookings import cancel
from frontdesk.desks.waitlist.decide.moves import rest_of
from frontdesk.desks.waitlist.model import (
    EntryId,
    EntryStatus,
    Offer,
    OfferState,
    SlotId,
    SlotStatus,
)
from frontdesk.desks.waitlist.views import BookingView
from frontdesk.values import replace
from tests.support.waitlist import (
    HOUR,
    MINUTE,
    NINE,
    OPENING,
    RULES,
    WaitlistDesk,
    entry,
    slot,
    waitlist_desk_at,
)

S1, S2 = SlotId("s1"), SlotId("s2")
ANN = EntryId("ann")
CANCEL = CancelBooking(S1, ANN, S2)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WaitlistDesk]:
    """Has a slot that Abe declined and Ann booked; Bob waits."""
    desk = waitlist_desk_at(tmp_path)
    desk.given("abe", "ann", "bob").free()
    desk.settle().do(DeclineOffer(S1, 1)).do(ClaimOffer(S1, 2))
    yield desk
    assert desk.settle().problems() == []
    assert desk.dead_letters() == []
    desk.close()


@pytest.mark.spec("WL-07", "WL-20")
def test_the_time_goes_to_the_next_who_has_not_declined_it(desk: WaitlistDesk) -> None:
    desk.do(replace(CANCEL, stay=True))

    assert (desk.slot().status, desk.status("ann")) == (SlotStatus.CANCELLED, EntryStatus.WAITING)
    assert desk.slot("s2").opening == OPENING
    assert desk.slot("s2").not_to == ("abe", "ann")
    assert desk.tried("s2") == [("bob", "live")]
    desk.do(DeclineOffer(S2, 1))
    assert desk.slot("s2").status is SlotStatus.HANDED_BACK, "neither Abe nor Ann is asked"


@pytest.mark.spec("WL-07")
def test_a_person_who_stays_is_offered_another_idle_slot_at_once(desk: WaitlistDesk) -> None:
    desk.free(replace(OPENING, starts_at=OPENING.starts_at + 3 * HOUR, staff="jo"), slot_id="s3")
    desk.settle()
    assert desk.tried("s3") == [("abe", "live")]
    desk.do(replace(CANCEL, stay=True))

    assert desk.tried("s2") == [("bob", "live")]


@pytest.mark.spec("WL-06")
def test_stop_still_holds_after_a_booking_is_cancelled(desk: WaitlistDesk) -> None:
    desk.do(StopOffers(PersonId("p-ann"))).do(replace(CANCEL, stay=True))

    assert (desk.status("ann"), desk.entry("ann").no_more) == (EntryStatus.STOPPED, False)


def test_a_booking_is_cancelled_before_the_start_and_missed_from_then_on(
    desk: WaitlistDesk,
) -> None:
    assert desk.refused(MarkNoShow(S1, S2)) == "not_begun"
    assert desk.refused(replace(CANCEL, entry_id=EntryId("bob"))) == "not_booked"
    desk.wait(hours=6)
    assert desk.refused(CANCEL) == "begun"
    desk.do(MarkNoShow(S1, S2))

    assert (desk.slot().status, desk.status("ann")) == (SlotStatus.NO_SHOW, EntryStatus.LEFT)
    starts_at = OPENING.starts_at + 10 * MINUTE
    rest = replace(OPENING, starts_at=starts_at, duration=50 * MINUTE)
    assert desk.slot("s2").opening == rest
    assert desk.tried("s2") == [("bob", "live")]
    assert desk.refused(MarkNoShow(S1, SlotId("s3"))) == "not_booked"


@pytest.mark.parametrize(
    ("minutes", "left"), [(-60, 60), (-5, 55), (0, 50), (1, 45), (39, 10), (40, 10), (41, 0)]
)
def test_the_rest_of_a_slot_begins_when_the_next_customer_could_be_there(
    minutes: int, left: int
) -> None:
    rest = rest_of(OPENING, RULES, OPENING.starts_at + minutes * MINUTE)

    wanted = replace(OPENING, starts_at=OPENING.ends_at - left * MINUTE, duration=left * MINUTE)
    assert rest == (wanted if left else None)


def test_a_time_that_another_slot_has_by_now_is_not_offered_with_the_cancelled_one() -> None:
    """An older version may have written two slots at one time."""
    other = replace(slot(), id=SlotId("s9"), origin="old")
    decision = cancel(view(near=[other]), CANCEL, NINE)

    assert isinstance(decision, Accepted)
    assert [type(each).__name__ for each in decision.facts] == ["BookingCancelled"]


def test_a_person_with_another_booking_stays_booked() -> None:
    decision = cancel(view(has_another=True), CANCEL, NINE)

    assert isinstance(decision, Accepted)
    assert decision.changes[1] == EntryAsRead(ANN, 1)
    assert decision.facts[0].status is EntryStatus.BOOKED  # type: ignore[attr-defined]


def view(**more: object) -> BookingView:
    booked = replace(slot(), status=SlotStatus.BOOKED, booked_by="ann", offers=1, closed_at=NINE)
    claimed = Offer(S1, 1, ANN, OfferState.CLAIMED, NINE, ended_at=NINE)
    one = entry("ann", status=EntryStatus.BOOKED)
    plain = BookingView(booked, claimed, [claimed], one, False, RULES, [booked])
    return replace(plain, **more)  # type: ignore[arg-type]


@pytest.mark.spec("WL-07")
def test_a_time_that_has_begun_is_freed_as_far_as_it_is_left_if_asked_for(
    desk: WaitlistDesk,
) -> None:
    begun = replace(OPENING, starts_at=NINE - 7 * MINUTE)

    assert desk.refused(FreeSlot(S2, "missed:1", begun)) == "begun"
    desk.do(FreeSlot(S2, "missed:1", begun, rest=True)).run(MakeMove(S2))

    rest = replace(OPENING, starts_at=NINE + 10 * MINUTE, duration=43 * MINUTE)
    assert desk.slot("s2").opening == rest
    gone = replace(OPENING, starts_at=NINE - 50 * MINUTE)
    assert desk.refused(FreeSlot(SlotId("s3"), "missed:2", gone, rest=True)) == "begun"
