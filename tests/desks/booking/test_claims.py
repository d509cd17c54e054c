"""A time has one holder for each place, with any starts, lengths, buffers and parties."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import (
    Book,
    CancelBooking,
    DropHold,
    ForgetHold,
    HoldTime,
    MoveBooking,
)
from frontdesk.desks.booking.model import BookingStatus, HoldId, Lane
from frontdesk.desks.booking.rules import Cap, CapOf, Period, ResourceId
from frontdesk.desks.booking.ticks import parse_holder, span_of
from frontdesk.errors import Busy
from frontdesk.values import replace
from frontdesk.wiring.booking.desk import HoldCleanup
from tests.support.booking import (
    ANA,
    BEA,
    DAY,
    HOUR,
    MINUTE,
    MIRA,
    SEVEN,
    TEN,
    BookingDesk,
    hex_id,
    resource,
    rules,
    service,
)


@pytest.mark.spec("BK-11")
def test_bookings_that_overlap_at_all_are_refused_and_neighbours_are_not(desk: BookingDesk) -> None:
    desk.given().book("ann")

    for minutes in (-55, -30, 0, 5, 55):
        assert desk.refused(desk.command("bob", TEN + minutes * MINUTE)) == "taken"
    desk.book("bob", TEN - HOUR)
    desk.book("cat", TEN + HOUR)


@pytest.mark.spec("BK-32", "FD-03")
def test_a_customer_who_has_the_visit_already_needs_a_second_yes(desk: BookingDesk) -> None:
    desk.given(rules([service(), service("nails")], [resource(MIRA, capacity=9)])).book("ann")

    numbers = count()

    def again(starts_at: datetime = TEN, **more: Any) -> Book:
        same = {"booking_id": hex_id(f"again-{next(numbers)}"), "unless_same": True}
        return desk.command("ann", starts_at, **{**same, **more})

    for minutes in (-55, 0, 55):
        assert desk.refused(again(starts_at=TEN + minutes * MINUTE)) == "same_visit"
    assert desk.refused(again(name="ANN")) == "same_visit"
    for other in (
        again(name="Ann's son"),
        again(service="nails"),
        again(starts_at=TEN + HOUR, lane=Lane.STAFF),
        again(unless_same=False, lane=Lane.STAFF),
    ):
        desk.do(other)
    assert len(desk.reads.bookings()) == 5


@pytest.mark.spec("BK-11")
def test_buffers_count(desk: BookingDesk) -> None:
    cut = service(buffer_before=10 * MINUTE, buffer_after=15 * MINUTE)
    desk.given(rules([cut])).book("ann")

    assert desk.refused(desk.command("bob", TEN + HOUR + 20 * MINUTE)) == "taken"
    assert desk.refused(desk.command("bob", TEN - HOUR - 20 * MINUTE)) == "taken"
    desk.book("bob", TEN + HOUR + 25 * MINUTE)
    desk.book("cat", TEN - HOUR - 25 * MINUTE)


@pytest.mark.spec("BK-11")
def test_the_place_is_chosen_for_each_tick_by_itself(desk: BookingDesk) -> None:
    desk.given(rules(resources=[resource(MIRA, capacity=2)]))
    for who, starts_at in (("ann", TEN), ("bob", TEN), ("cat", TEN + HOUR), ("dan", TEN + HOUR)):
        desk.book(who, starts_at)
    desk.do(CancelBooking(hex_id("bob"), by_staff=True))
    desk.do(CancelBooking(hex_id("cat"), by_staff=True))

    across = desk.book("eve", TEN + 30 * MINUTE)

    cells = desk.reads.cells([MIRA], across.span)
    assert {cell.place for cell in cells if cell.holder == across.holder} == {0, 1}


@pytest.mark.spec("BK-11")
def test_a_party_takes_a_place_for_each_person(desk: BookingDesk) -> None:
    desk.given(rules(resources=[resource(MIRA, capacity=4)]))
    desk.book("ann", party=3)

    assert desk.refused(desk.command("bob", party=2)) == "taken"
    desk.book("bob", party=1)
    assert desk.refused(desk.command("cat", party=5)) == "bad_party"


@pytest.mark.spec("BK-29")
def test_all_needs_are_claimed_in_one_commit_or_none_is(desk: BookingDesk) -> None:
    room = ResourceId("room")
    staff_and_room = service("cut", [MIRA, ANA], [room])
    desk.given(rules([staff_and_room], [resource(MIRA), resource(ANA), resource(room)]))

    assert desk.book("ann").resources == (ANA, room)
    assert desk.refused(desk.command("bob", TEN + 30 * MINUTE)) == "taken"
    assert desk.reads.cells([MIRA], desk.of("ann").span) == []


@pytest.mark.spec("BK-29")
def test_anyone_is_the_one_with_the_fewest_minutes_then_the_longest_wait(desk: BookingDesk) -> None:
    everybody = service("cut", [MIRA, ANA, BEA])
    desk.given(rules([everybody], [resource(each) for each in (MIRA, ANA, BEA)]))
    chosen = []
    for hour, who in enumerate(("ann", "bob", "cat", "dan")):
        booking = desk.book(who, TEN + hour * HOUR)
        chosen.append((booking.resources[0], booking.why_resource))
        desk.wait(minutes=1)

    assert chosen == [
        (ANA, "equal loads, first by key"),
        (BEA, "equal loads, first by key"),
        (MIRA, "fewest booked minutes that day"),
        (ANA, "longest since the last booking"),
    ]


@pytest.mark.spec("BK-32")
def test_a_contact_has_at_most_so_many_upcoming_bookings(desk: BookingDesk) -> None:
    desk.given(rules([service(most_upcoming=1)]))
    desk.book("ann")
    again = replace(desk.command("ann", TEN + 2 * HOUR), booking_id=hex_id("ann again"))

    assert desk.refused(again) == "too_many"
    desk.wait(days=2)
    desk.do(replace(again, starts_at=TEN + 7 * DAY))


@pytest.mark.spec("BK-28")
def test_caps_hold_by_count_and_by_minutes(desk: BookingDesk) -> None:
    day = Cap(CapOf.DAY, bookings=2)
    week = Cap(CapOf.WEEK, minutes=180)
    desk.given(replace(rules([service(caps=(week,))]), caps=(day,)))
    desk.book("ann")
    desk.book("bob", TEN + 2 * HOUR)

    assert desk.refused(desk.command("cat", TEN + 4 * HOUR)) == "cap"
    desk.book("cat", TEN + DAY)
    assert desk.refused(desk.command("dan", TEN + 2 * DAY)) == "cap"
    desk.do(CancelBooking(hex_id("bob"), by_staff=True))
    desk.book("dan", TEN + 5 * HOUR)


@pytest.mark.spec("BK-22")
def test_staff_overbook_and_book_outside_hours_knowingly(desk: BookingDesk) -> None:
    desk.given().book("ann")
    by_phone = desk.command("bob", TEN + 30 * MINUTE, lane=Lane.STAFF)

    assert desk.refused(by_phone) == "taken"
    assert desk.refused(replace(by_phone, lane=Lane.FORM, override=True)) == "taken"
    outcome = desk.run(replace(by_phone, override=True), by="member:mia")

    booking = desk.of("bob")
    assert booking.overrides == ("overbooked",)
    assert [(each.by, each.fact.booking.overrides) for each in outcome.facts[:1]] == [  # type: ignore[union-attr]
        ("member:mia", ("overbooked",))
    ]
    desk.do(CancelBooking(hex_id("ann"), by_staff=True))
    assert desk.refused(desk.command("cat", TEN)) == "taken"


@pytest.mark.spec("BK-22")
def test_the_record_names_the_rules_that_were_broken_and_no_others(desk: BookingDesk) -> None:
    """Mira and Bea serve each visit together. At night neither can be booked, and at the end Bea
    never."""
    nine_to_five = ((Period(9 * 60, 17 * 60),),) * 7
    visit, mira = service("cut", [MIRA], [BEA]), resource(MIRA, hours=nine_to_five)
    desk.given(rules([visit], [mira, resource(BEA, hours=nine_to_five)]))
    night = TEN - 8 * HOUR
    for name in ("ann", "bob"):
        desk.book(name, night, lane=Lane.STAFF, override=True)
    desk.given(rules([visit], [mira, resource(BEA, hours=((),) * 7)]))
    desk.book("cat", TEN + DAY, lane=Lane.STAFF, override=True)

    assert desk.of("ann").overrides == ("outside hours",)
    assert desk.of("bob").overrides == ("outside hours", "overbooked")
    assert desk.of("cat").overrides == ("room or device not available",)


@pytest.mark.spec("BK-17")
def test_a_held_time_is_kept_for_its_visitor_and_ends_by_itself(desk: BookingDesk) -> None:
    desk.given()
    hold = HoldTime(HoldId("visitor"), "cut", TEN)
    desk.do(hold)

    assert desk.refused(desk.command("bob", TEN + 30 * MINUTE)) == "taken"
    assert desk.refused(replace(hold, hold_id=HoldId("other"))) == "taken"
    desk.do(replace(hold, starts_at=TEN + 5 * HOUR))
    desk.do(hold)
    desk.wait(minutes=5)
    desk.book("bob", TEN + 30 * MINUTE)
    assert desk.refused(desk.command("ann", hold_id=HoldId("visitor"))) == "taken"


@pytest.mark.spec("BK-17")
def test_a_held_time_can_be_booked_although_its_notice_has_passed_since(desk: BookingDesk) -> None:
    desk.given(rules([service(notice=HOUR)]))
    soon, hold_id = SEVEN + HOUR, HoldId("visitor")
    desk.do(HoldTime(hold_id, "cut", soon)).wait(minutes=3)

    assert desk.refused(desk.command("ann", soon - 5 * MINUTE, hold_id=hold_id)) == "too_soon"
    desk.book("ann", soon, hold_id=hold_id)

    later = SEVEN + 3 * HOUR
    desk.wait(hours=1, minutes=57).do(HoldTime(hold_id, "cut", later)).wait(minutes=5)
    assert desk.refused(desk.command("bob", later, hold_id=hold_id)) == "too_soon"


@pytest.mark.spec("BK-17")
def test_a_first_hold_does_not_replace_a_hold(desk: BookingDesk) -> None:
    desk.given().do(HoldTime(HoldId("visitor"), "cut", TEN))

    with pytest.raises(Busy):
        desk.do(HoldTime(HoldId("visitor"), "cut", TEN + 5 * HOUR, is_first=True))

    assert {cell.tick for cell in desk.reads.every_cell()} == set(
        span_of(TEN, TEN + HOUR, timedelta(), timedelta())
    )


@pytest.mark.spec("BK-17")
def test_booking_replaces_the_hold_in_one_commit(desk: BookingDesk) -> None:
    desk.given().do(HoldTime(HoldId("visitor"), "cut", TEN))

    booking = desk.book("ann", hold_id=HoldId("visitor"))

    assert {cell.holder for cell in desk.reads.cells([MIRA], booking.span)} == {booking.holder}
    assert desk.reads.hold(HoldId("visitor")) is None
    assert desk.refused(DropHold(HoldId("visitor"))) == "no_such_hold"


def test_a_dropped_hold_is_free_at_once(desk: BookingDesk) -> None:
    desk.given().do(HoldTime(HoldId("visitor"), "cut", TEN))
    desk.do(DropHold(HoldId("visitor")))

    desk.book("ann")


@pytest.mark.spec("BK-17")
def test_ended_holds_are_deleted_in_bounded_turns_with_their_cells(desk: BookingDesk) -> None:
    """One of the times has been booked since its hold ended, so its cells stay."""
    desk.given()
    for n in range(3):
        desk.do(HoldTime(HoldId(f"visitor{n}"), "cut", TEN + n * HOUR))
    desk.wait(minutes=30).do(HoldTime(HoldId("late"), "cut", TEN + 5 * HOUR))
    booking = desk.book("ann")
    cleanup = HoldCleanup(desk.engine, desk.clock, at_once=2)

    assert desk.refused(ForgetHold(HoldId("late"))) == "still_held"
    assert not cleanup.turn(), "they ended less than an hour ago"
    desk.wait(minutes=40)
    held = [HoldId(f"visitor{n}") for n in range(3)]
    assert cleanup.turn()
    assert [desk.reads.hold(each) for each in held].count(None) == 2
    assert cleanup.turn()
    assert not cleanup.turn()

    holders = {parse_holder(cell.holder).id for cell in desk.reads.every_cell()}
    assert holders == {"late", booking.id}
    assert [desk.reads.hold(each) for each in held] == [None] * 3
    assert desk.refused(ForgetHold(held[0])) == "no_such_hold"


def test_nothing_is_held_where_the_rules_hold_nothing(desk: BookingDesk) -> None:
    desk.given(rules(hold_for=timedelta()))

    assert desk.refused(HoldTime(HoldId("visitor"), "cut", TEN)) == "no_holds"


@pytest.mark.parametrize(
    ("reason", "more"),
    [
        ("no_such_service", {"service": "massage"}),
        ("no_such_resource", {"resource": ResourceId("nobody")}),
        ("no_contact", {"email": ""}),
        ("bad_party", {"party": 0}),
        ("bad_party", {"party": 11}),
        ("off_grid", {"starts_at": TEN + timedelta(minutes=2)}),
        ("too_soon", {"starts_at": TEN - 2 * DAY}),
        ("too_far", {"starts_at": TEN + 100 * DAY}),
        ("too_far", {"starts_at": TEN + 5_000 * DAY}),
        ("bad_answers", {"answers": {"unknown": "question"}}),
    ],
)
def test_a_senseless_command_is_refused_and_changes_nothing(
    desk: BookingDesk, reason: str, more: dict[str, Any]
) -> None:
    desk.given()
    plain = desk.command("ann")

    assert desk.refused(replace(plain, **more)) == reason
    assert desk.reads.every_cell() == []
    assert desk.reads.person(PersonId("p-ann")) is None


def test_the_same_command_twice_makes_one_booking(desk: BookingDesk) -> None:
    desk.given().book("ann")

    assert desk.refused(desk.command("ann")) == "already_booked"


def test_rows_of_many_places_are_compared_as_a_whole(desk: BookingDesk) -> None:
    desk.given(rules([service(most=30)], [resource(MIRA, capacity=30)]))
    desk.book("ann", party=20)

    assert desk.refused(desk.command("bob", party=11)) == "taken"
    desk.book("bob", TEN + 30 * MINUTE, party=10)
    desk.do(MoveBooking(hex_id("ann"), TEN + 30 * MINUTE, by_staff=True))
    assert desk.refused(desk.command("cat", TEN + HOUR, party=1)) == "taken"


def test_a_span_that_one_commit_cannot_write_is_refused(desk: BookingDesk) -> None:
    desk.given(rules([service(duration=17 * HOUR)]))

    assert desk.refused(desk.command("ann")) == "too_long"


def test_a_booking_is_kept_as_it_was_given(desk: BookingDesk) -> None:
    desk.given()
    command = Book(
        hex_id("ann"),
        PersonId("p-ann"),
        "cut",
        TEN,
        "Ann Öz",
        mobile="+4915112345678",
        resource=MIRA,
    )
    booking = desk.do(command).of("ann")

    assert (booking.name, booking.email, booking.mobile) == ("Ann Öz", "", "+4915112345678")
    assert (booking.status, booking.anyone) == (BookingStatus.CONFIRMED, False)
    assert list(desk.reads.bookings_of(PersonId("p-ann"))) == [booking]
    assert list(desk.reads.bookings_between(TEN, TEN + HOUR, resources=[MIRA])) == [booking]
    assert desk.reads.bookings_between(TEN, TEN + HOUR, resources=[ANA]) == []
    assert list(desk.reads.bookings_in(BookingStatus.CONFIRMED, 10)) == [booking]
