"""Bookings from before the reminders desk was switched on become appointments."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from frontdesk.desks.booking import commands as booking
from frontdesk.desks.booking.model import BookingId
from frontdesk.desks.reminders.commands import EndAppointment
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import AppointmentSource, appointment_id
from frontdesk.wiring.reminders.existing_bookings import ExistingBookings
from tests.desks.reminders.test_connections import Shop
from tests.support.reminders import DAY, FRIDAY, HOUR


def known(shop: Shop, *booked: BookingId) -> list[bool]:
    ar = reminder_reads(shop.product.engine.reads())
    ids = [appointment_id(AppointmentSource.BOOKING, each) for each in booked]
    return [ar.appointment(each) is not None for each in ids]


def all_followed(shop: Shop) -> int:
    """Runs the task until it has no work left; returns the number of its turns."""
    [task] = [each for each in shop.product.periodic_tasks if each.name == "existing bookings"]
    turns = 0
    while task.turn():
        turns += 1
    shop.settle()
    return turns


@pytest.mark.spec("AR-01")
def test_upcoming_bookings_become_appointments_when_the_desk_is_switched_on(
    tmp_path: Path,
) -> None:
    with closing(Shop(tmp_path, desks_off="reminders")) as off:
        off.opens()
        ann, bob = off.book("ann"), off.book("bob", FRIDAY + 40 * DAY)
        cat = off.book("cat", FRIDAY + HOUR)
        off.do(booking.CancelBooking(cat, by_staff=True))

    with closing(Shop(tmp_path)) as on:
        assert known(on, ann, bob, cat) == [False, False, False]
        all_followed(on)

        assert known(on, ann, bob, cat) == [True, True, False]
        on.wait_until(FRIDAY - HOUR)
        assert on.subjects("ann")[1:] == [
            "Your appointment in 3 days: cut",
            "cut tomorrow at 10:00: please confirm",
        ]
        assert on.problems() == ()


@pytest.mark.spec("AR-01")
def test_bookings_that_are_followed_already_are_left_alone(tmp_path: Path) -> None:
    with closing(Shop(tmp_path)) as shop:
        shop.opens()
        ann = shop.book("ann")
        before = shop.appointment(ann)

        assert all_followed(shop) == 0
        assert shop.appointment(ann) == before


def test_many_bookings_are_followed_in_several_turns(tmp_path: Path) -> None:
    with closing(Shop(tmp_path, desks_off="reminders")) as off:
        off.opens()
        booked = [off.book(f"p{number}", FRIDAY + number * HOUR) for number in range(3)]

    with closing(Shop(tmp_path)) as on:
        existing = ExistingBookings(on.product.engine, on.clock, at_once=1)
        turns = []
        while existing.turn():
            turns.append(sum(known(on, *booked)))

        assert turns == [1, 2, 3]
        assert existing.is_done


@pytest.mark.spec("AR-01", "AR-18")
def test_bookings_that_moved_or_ended_while_the_desk_was_off_are_followed_at_the_start(
    tmp_path: Path,
) -> None:
    with closing(Shop(tmp_path)) as on:
        on.opens()
        ann, bob, cat = (
            on.book(who, FRIDAY + n * HOUR) for n, who in enumerate(("ann", "bob", "cat"))
        )
        before = on.appointment(cat)
    with closing(Shop(tmp_path, desks_off="reminders")) as off:
        off.do(booking.MoveBooking(ann, FRIDAY + 40 * DAY, by_staff=True))
        off.do(booking.CancelBooking(bob, by_staff=True))
        dan = off.book("dan", FRIDAY + 3 * HOUR)

    with closing(Shop(tmp_path)) as again:
        assert again.appointment(ann).starts_at == FRIDAY + 40 * DAY
        assert again.appointment(ann).chain == 2
        assert not again.appointment(bob).is_live
        assert again.appointment(cat) == before
        assert known(again, dan) == [False]
        all_followed(again)
        assert known(again, dan) == [True]
        assert again.settle().problems() == ()


def test_a_booking_whose_appointment_has_ended_is_tried_once(tmp_path: Path) -> None:
    with closing(Shop(tmp_path)) as shop:
        shop.opens()
        ann = shop.book("ann")
        one = shop.appointment(ann)
        shop.product.engine.run(EndAppointment(one.id), by="test", now=shop.clock.now())
        moved = booking.MoveBooking(ann, FRIDAY + 2 * DAY, by_staff=True)
        shop.product.engine.run(moved, by="test", now=shop.clock.now())

        existing = ExistingBookings(shop.product.engine, shop.clock, at_once=1)
        assert [existing.turn() for _ in range(3)] == [False, False, False]
        assert existing.is_done
        shop.settle()
