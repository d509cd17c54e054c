"""Many people at once for one time: never two in one chair, and no refusal of a time that fits."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from frontdesk.core.decision import Command, Refused
from frontdesk.desks.booking.commands import HoldTime, MoveBooking
from frontdesk.desks.booking.model import HoldId
from tests.support.at_once import run_until_answered
from tests.support.booking import (
    ANA,
    BEA,
    HOUR,
    MINUTE,
    MIRA,
    TEN,
    BookingDesk,
    hex_id,
    resource,
    rules,
    service,
)

pytestmark = pytest.mark.xdist_group("booking-races")
THREADS = 25


def all_at_once(desk: BookingDesk, commands: Sequence[Command]) -> list[str]:
    """Runs all commands at once; repeats busy ones, as a browser would."""
    begin = threading.Barrier(THREADS)

    def one_thread(number: int) -> list[tuple[int, str]]:
        begin.wait()
        mine = range(number, len(commands), THREADS)
        return [(at, answer(desk, commands[at])) for at in mine]

    with ThreadPoolExecutor(THREADS) as pool:
        found = [each for part in pool.map(one_thread, range(THREADS)) for each in part]
    return [said for _, said in sorted(found)]


def answer(desk: BookingDesk, command: Command) -> str:
    outcome = run_until_answered(desk, command)
    return str(outcome.reason) if isinstance(outcome, Refused) else "yes"


def guests(number: int) -> list[str]:
    return [f"g{each}" for each in range(number)]


@pytest.mark.spec("BK-11")
def test_of_200_customers_for_one_time_one_gets_it(desk: BookingDesk) -> None:
    desk.given()

    answers = all_at_once(desk, [desk.command(who) for who in guests(200)])

    assert Counter(answers) == {"yes": 1, "taken": 199}


@pytest.mark.spec("BK-32", "FD-03")
@pytest.mark.parametrize("known", [False, True])
def test_forms_that_one_customer_sends_at_once_make_one_booking(
    desk: BookingDesk, known: bool
) -> None:
    """For a new customer each form also adds a person; for a known one only the tally decides."""
    desk.given(rules(resources=[resource(MIRA, capacity=50)]))
    if known:
        desk.book("ann", TEN + 3 * HOUR)
    forms = [
        desk.command("ann", booking_id=hex_id(each), unless_same=True) for each in guests(THREADS)
    ]

    answers = all_at_once(desk, forms)

    assert Counter(answers) == {"yes": 1, "same_visit": THREADS - 1}


@pytest.mark.spec("BK-11")
def test_overlapping_services_never_share_a_chair(desk: BookingDesk) -> None:
    short = service("trim", duration=20 * MINUTE)
    desk.given(rules([service(), short]))
    starts = [TEN + 5 * each * MINUTE for each in range(24)]
    commands = [
        desk.command(f"g{at}-{name}", starts_at, service=name)
        for at, starts_at in enumerate(starts)
        for name in ("cut", "trim")
    ]

    answers = all_at_once(desk, commands)

    spans = sorted(
        (command.starts_at, command.starts_at + (HOUR if command.service == "cut" else 20 * MINUTE))
        for command, said in zip(commands, answers, strict=True)
        if said == "yes"
    )
    assert spans
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert set(answers) == {"yes", "taken"}


@pytest.mark.spec("BK-15")
def test_crossing_moves_leave_nobody_without_a_time(desk: BookingDesk) -> None:
    desk.given(rules(resources=[resource(MIRA, capacity=2)]))
    for each in range(10):
        desk.book(f"g{each}", TEN + each % 5 * HOUR)
    moves = [
        MoveBooking(hex_id(f"g{each % 10}"), TEN + (each * 7) % 6 * HOUR, by_staff=True)
        for each in range(100)
    ]

    answers = all_at_once(desk, moves)

    assert set(answers) <= {"yes", "taken", "unchanged"}
    assert desk.problems() == []
    assert len({cell.holder for cell in desk.reads.every_cell()}) == 10


@pytest.mark.spec("BK-29")
def test_anyone_with_three_staff_has_three_winners(desk: BookingDesk) -> None:
    everybody = service("cut", [MIRA, ANA, BEA])
    desk.given(rules([everybody], [resource(each) for each in (MIRA, ANA, BEA)]))

    answers = all_at_once(desk, [desk.command(who) for who in guests(60)])

    assert Counter(answers) == {"yes": 3, "taken": 57}
    assert {cell.resource for cell in desk.reads.every_cell()} == {MIRA, ANA, BEA}


@pytest.mark.spec("BK-11")
def test_a_capacity_of_four_with_parties_is_filled_and_never_exceeded(desk: BookingDesk) -> None:
    desk.given(rules(resources=[resource(MIRA, capacity=4)]))
    commands = [desk.command(who, party=1 + at % 3) for at, who in enumerate(guests(60))]

    answers = all_at_once(desk, commands)

    seated = sum(
        command.party for command, said in zip(commands, answers, strict=True) if said == "yes"
    )
    assert seated == 4
    assert set(answers) == {"yes", "taken"}


@pytest.mark.spec("BK-11")
def test_large_parties_fill_a_room_and_never_exceed_it(desk: BookingDesk) -> None:
    """Each takes so many cells of an hour that DynamoDB compares the revision of the row
    instead."""
    desk.given(rules(resources=[resource(MIRA, capacity=20)]))

    answers = all_at_once(desk, [desk.command(who, party=5) for who in guests(50)])

    assert Counter(answers) == {"yes": 4, "taken": 46}
    assert len(desk.reads.every_cell()) == 4 * 5 * 12


@pytest.mark.spec("BK-11")
def test_everybody_who_fits_gets_a_time_on_a_busy_day(desk: BookingDesk) -> None:
    """All of them want different times of one day, so they share tallies."""
    desk.given(rules([service(duration=15 * MINUTE)]))
    commands = [desk.command(who, TEN + 15 * at * MINUTE) for at, who in enumerate(guests(40))]

    assert Counter(all_at_once(desk, commands)) == {"yes": 40}


@pytest.mark.spec("BK-17")
def test_one_of_many_visitors_holds_a_time(desk: BookingDesk) -> None:
    desk.given()
    holds = [HoldTime(HoldId(who), "cut", TEN) for who in guests(50)]

    assert Counter(all_at_once(desk, holds)) == {"yes": 1, "taken": 49}


@pytest.mark.spec("BK-32")
def test_one_contact_cannot_pass_the_limit_at_the_same_moment(desk: BookingDesk) -> None:
    desk.given(rules([service(most_upcoming=2)]))
    desk.book("ann")
    commands = [
        desk.command("ann", TEN + each * HOUR, booking_id=hex_id(f"ann {each}"))
        for each in range(1, 13)
    ]

    assert Counter(all_at_once(desk, commands)) == {"yes": 1, "too_many": 11}
