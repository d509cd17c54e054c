"""A freed time goes to the waitlist desk and back: at every step it has exactly one holder."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import CancelBooking, MarkNoShow, MoveBooking
from frontdesk.desks.booking.model import Booking, BookingStatus, Handover, Lane, handover_id
from frontdesk.desks.booking.rules import ResourceKind
from frontdesk.desks.waitlist import commands as wl
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import (
    EntryId,
    EntryStatus,
    Opening,
    Slot,
    SlotId,
    SlotStatus,
    Wish,
)
from frontdesk.desks.waitlist.model import Lane as WaitlistLane
from frontdesk.desks.waitlist.reasons import HandBack
from frontdesk.desks.waitlist.words import with_staff
from frontdesk.engine.ports import Committed
from frontdesk.wiring.between_desks.handovers import HandoverTimes
from tests.support.booking import DAY, HOUR, MINUTE, MIRA, TEN, BookingDesk, hex_id, resource, rules

ANN = hex_id("ann")
Opened = Callable[..., BookingDesk]


@pytest.fixture
def both(open_desk: Opened) -> BookingDesk:
    """Ann has a booking; the waitlist desk gets times that come free."""
    desk = open_desk(with_waitlist=True)
    desk.given()
    desk.wait(hours=2)
    desk.book("ann")
    return desk.settle()


@pytest.mark.spec("BK-16")
@pytest.mark.parametrize(
    ("kind", "says"), [(ResourceKind.STAFF, "with Mira"), (ResourceKind.ROOM, "")]
)
def test_an_offer_names_a_staff_member_and_no_room(
    open_desk: Opened, kind: ResourceKind, says: str
) -> None:
    desk = open_desk(with_waitlist=True)
    desk.given(rules(resources=[resource(MIRA, kind=kind)])).wait(hours=2)
    booking = desk.book("ann")
    waits(desk, "bob")

    desk.settle().do(CancelBooking(booking.id))

    [slot] = slots(desk)
    assert (slot.opening.staff, with_staff(slot.opening)) == ("Mira", says)


def waits(desk: BookingDesk, who: str) -> None:
    wish = Wish("cut", 1, date(2026, 11, 16), date(2026, 12, 16))
    desk.do(
        wl.JoinList(
            EntryId(who),
            PersonId(f"w-{who}"),
            who.title(),
            f"{who}@example.org",
            wish,
            WaitlistLane.STAFF,
        )
    )


def slots(desk: BookingDesk) -> list[Slot]:
    found = waitlist(desk.engine.reads()).slots(100)
    return sorted(found, key=lambda each: (each.freed_at, each.id))


def handovers(desk: BookingDesk) -> list[Handover]:
    return list(desk.reads.handovers())


def holders(desk: BookingDesk) -> set[str]:
    return {cell.holder for cell in desk.reads.every_cell()}


def claim(desk: BookingDesk, slot: Slot) -> None:
    desk.do(wl.ClaimOffer(slot.id, slot.offer_seq or slot.offers))


def booked(desk: BookingDesk) -> Booking:
    """Returns the booking that an offer became."""
    [found] = [one for one in desk.reads.bookings() if one.lane is Lane.WAITLIST]
    return found


@pytest.mark.spec("BK-16")
def test_a_cancelled_time_is_held_while_it_is_offered(both: BookingDesk) -> None:
    waits(both, "wim")
    both.run(CancelBooking(ANN))

    [handover] = handovers(both)
    assert holders(both) == {handover.holder}
    assert both.refused(both.command("bob")) == "taken"
    both.settle()
    [slot] = slots(both)
    assert (slot.origin, slot.status, slot.live) == (handover.origin, SlotStatus.OPEN, True)
    assert slot.opening == Opening("cut", TEN, HOUR, 1, "Mira")
    assert both.refused(both.command("bob")) == "taken"


@pytest.mark.spec("BK-16")
def test_a_claimed_offer_becomes_a_booking_with_the_same_ticks(both: BookingDesk) -> None:
    waits(both, "wim")
    both.do(CancelBooking(ANN))
    [slot] = slots(both)

    claim(both, slot)

    booking = booked(both)
    assert (booking.person_id, booking.starts_at, booking.status, booking.waitlist_slot) == (
        "w-wim",
        TEN,
        BookingStatus.CONFIRMED,
        slot.id,
    )
    assert holders(both) == {booking.holder}


@pytest.mark.spec("BK-16")
def test_a_time_that_nobody_suits_can_be_booked_again_at_once(both: BookingDesk) -> None:
    both.do(CancelBooking(ANN))

    [slot] = slots(both)
    assert slot.status is SlotStatus.HANDED_BACK
    assert holders(both) == set()
    both.book("bob")
    waits(both, "wim")
    assert slots(both) == [slot]


@pytest.mark.spec("BK-16")
def test_a_time_that_everybody_declines_is_set_free(both: BookingDesk) -> None:
    waits(both, "wim")
    both.do(CancelBooking(ANN))
    [slot] = slots(both)

    both.do(wl.DeclineOffer(slot.id, 1))

    assert slots(both)[0].status is SlotStatus.HANDED_BACK
    assert holders(both) == set()
    both.book("bob")


@pytest.mark.spec("BK-16")
def test_the_old_time_of_a_moved_booking_is_offered_too(both: BookingDesk) -> None:
    waits(both, "wim")
    both.do(MoveBooking(ANN, TEN + DAY))

    [slot] = slots(both)
    assert (slot.opening.starts_at, slot.live) == (TEN, True)
    claim(both, slot)
    assert holders(both) == {booked(both).holder, both.of("ann").holder}


def test_a_move_by_a_few_minutes_offers_nothing(both: BookingDesk) -> None:
    waits(both, "wim")
    both.do(MoveBooking(ANN, TEN + timedelta(minutes=15)))

    assert slots(both) == []


@pytest.mark.spec("BK-16")
def test_a_booking_from_an_offer_that_is_cancelled_here_goes_to_the_next(both: BookingDesk) -> None:
    waits(both, "wim")
    both.do(CancelBooking(ANN))
    claim(both, slots(both)[0])
    waits(both, "xia")

    both.do(CancelBooking(booked(both).id))

    first, second = slots(both)
    assert (first.status, second.status) == (SlotStatus.CANCELLED, SlotStatus.OPEN)
    assert waitlist(both.engine.reads()).entry(EntryId("wim")).status is EntryStatus.LEFT  # type: ignore[union-attr]
    assert [offer.entry_id for offer in waitlist(both.engine.reads()).offers(second.id)] == ["xia"]
    assert holders(both) == {f"handover:{handover_id(second.origin)}"}


@pytest.mark.spec("BK-16")
def test_a_booking_from_an_offer_that_is_cancelled_there_goes_to_the_next(
    both: BookingDesk,
) -> None:
    waits(both, "wim")
    both.do(CancelBooking(ANN))
    claim(both, slots(both)[0])
    waits(both, "xia")
    [slot] = slots(both)

    both.do(wl.CancelBooking(slot.id, EntryId("wim"), SlotId("next")))

    assert booked(both).status is BookingStatus.CANCELLED
    assert both.kinds(booked(both).id)[-1] == "bk.cancelled"
    assert holders(both) == {f"handover:{handover_id(f'cancelled:{slot.id}')}"}
    claim(both, slots(both)[1])
    assert [one.status for one in both.reads.bookings_of(PersonId("w-xia"))] == [
        BookingStatus.CONFIRMED
    ]


@pytest.mark.spec("BK-16")
def test_the_rest_of_a_missed_time_is_offered(both: BookingDesk) -> None:
    waits(both, "wim")
    both.wait(hours=25)

    both.do(MarkNoShow(ANN))

    [slot] = slots(both)
    assert (slot.opening.starts_at, slot.opening.ends_at) == (TEN + 10 * MINUTE, TEN + HOUR)
    both.wait(minutes=1)
    claim(both, slot)
    assert (booked(both).starts_at, booked(both).ends_at) == (TEN + 10 * MINUTE, TEN + HOUR)
    assert holders(both) == {booked(both).holder}


@pytest.mark.spec("BK-16")
def test_an_opening_from_elsewhere_is_taken_before_it_is_offered(both: BookingDesk) -> None:
    waits(both, "wim")
    times = HandoverTimes(both.engine, both.clock)
    taken, free = Opening("cut", TEN, HOUR, 1, "mira"), Opening("cut", TEN + HOUR, HOUR, 1, "mira")
    stranger = Opening("cut", TEN, HOUR, 1, "somebody else")

    assert not times.hold("webhook:1", taken, by="test")
    assert times.hold("webhook:2", free, by="test")
    assert times.hold("webhook:3", stranger, by="test")
    assert both.refused(both.command("bob", TEN + HOUR)) == "taken"
    both.do(wl.FreeSlot(SlotId("s2"), "webhook:2", free))
    claim(both, waitlist(both.engine.reads()).slot(SlotId("s2")))  # type: ignore[arg-type]
    assert booked(both).resources == (MIRA,)


@pytest.mark.spec("BK-16")
def test_a_slot_at_a_time_that_is_booked_is_taken_back(both: BookingDesk) -> None:
    """Staff freed it at the waitlist desk, without the booking desk."""
    waits(both, "wim")
    both.do(wl.FreeSlot(SlotId("s1"), "form:1", Opening("cut", TEN, HOUR, 1, "mira")))

    [slot] = slots(both)
    assert slot.status is SlotStatus.HANDED_BACK
    assert holders(both) == {both.of("ann").holder}


@pytest.mark.spec("BK-16")
def test_a_hold_for_a_slot_that_never_came_is_set_free_within_the_hour(both: BookingDesk) -> None:
    times = HandoverTimes(both.engine, both.clock)
    times.hold("webhook:1", Opening("cut", TEN + HOUR, HOUR, 1, "mira"), by="test")
    assert len(holders(both)) == 2

    both.wait(hours=1)

    assert holders(both) == {both.of("ann").holder}


def test_a_handover_stays_open_as_long_as_its_slot_is(both: BookingDesk) -> None:
    waits(both, "wim")
    both.do(CancelBooking(ANN))
    [handover] = handovers(both)

    for _ in range(3):
        both.run(wl.MakeMove(slots(both)[0].id))
        both.settle()

    assert handovers(both) == [handover]
    assert f"bk/handover/{handover.id}" in both.timers()


def test_two_places_of_one_class_are_offered_side_by_side(both: BookingDesk) -> None:
    both.given(rules(resources=[resource(MIRA, capacity=3)]))
    both.book("bob")
    for who in ("wim", "xia"):
        waits(both, who)

    both.run(CancelBooking(ANN))
    both.run(CancelBooking(hex_id("bob")))
    both.settle()

    assert [slot.live for slot in slots(both)] == [True, True]
    both.book("cat")
    assert both.refused(both.command("dan")) == "taken"
    for slot in slots(both):
        claim(both, slot)
    assert len(holders(both)) == 3


def test_staff_get_the_time_of_a_slot_that_they_take_back(both: BookingDesk) -> None:
    waits(both, "wim")
    both.do(CancelBooking(ANN))

    outcome = both.run(wl.TakeBackSlot(slots(both)[0].id))
    both.settle()

    assert isinstance(outcome, Committed)
    assert outcome.facts[-1].fact.why is HandBack.STAFF  # type: ignore[attr-defined]
    both.book("bob")
