"""Every state of very small booking desks, and every decision that is committed too late."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from frontdesk.core.decision import Accepted, Command
from frontdesk.desks.booking.changes import WriteCells
from frontdesk.desks.booking.rules import Cap, CapOf
from frontdesk.values import replace
from tests.support.reachable_states import reachable
from tests.support.small_bookings import (
    World,
    bookings_and_moves,
    holds,
    overbookings,
    settlements,
    small_world,
)

MOST_STATES = 150
Commands = Callable[[World], Iterator[Command]]


def all_of(*kinds: Commands) -> Commands:
    return lambda world: (command for kind in kinds for command in kind(world))


def parties(world: World) -> Iterator[Command]:
    return bookings_and_moves(world, parties=(1, 2, 1))


def couples(world: World) -> Iterator[Command]:
    return bookings_and_moves(world, parties=(1, 1))


CASES = [
    pytest.param(small_world(), couples, id="1 place, 2 people"),
    pytest.param(small_world(capacity=2), parties, id="2 places, parties"),
    pytest.param(small_world(), all_of(couples, holds), id="1 place, a hold"),
    pytest.param(small_world(capacity=2), all_of(couples, overbookings), id="overbooked"),
    pytest.param(
        small_world(hands_over=True), all_of(couples, settlements), id="handed to the waitlist"
    ),
    pytest.param(small_world(capacity=2, most_upcoming=1), couples, id="1 booking per contact"),
    pytest.param(small_world(capacity=2, cap=Cap(CapOf.DAY, bookings=1)), couples, id="a cap"),
]


def explore(start: World, commands: Commands) -> list[World]:
    """Returns the states that can be reached; checks each of them."""
    return reachable(
        start,
        lambda world: (step(world, command) for command in commands(world)),
        most=MOST_STATES,
    )


def step(world: World, command: Command) -> World | None:
    decision = world.decide(command)
    if not isinstance(decision, Accepted):
        return None
    after = world.after(decision)
    assert after is not None, f"{command} is refused by the world it was decided in"
    assert after.problems() == [], command
    return after


@pytest.mark.spec("BK-11", "BK-15", "BK-16", "BK-17", "BK-22", "BK-32")
@pytest.mark.parametrize(("start", "commands"), CASES)
def test_in_no_state_is_a_chair_given_twice_also_by_late_commits(
    start: World, commands: Commands
) -> None:
    """Commits each decision after another one that was decided on the same rows."""
    refused = 0
    worlds = explore(start, commands)
    for world in worlds:
        decided = [
            (command, decision)
            for command in commands(world)
            if isinstance(decision := world.decide(command), Accepted)
        ]
        for _, first in decided:
            between = world.after(first)
            assert between is not None
            for command, second in decided:
                after = between.after(second)
                refused += after is None
                if after is not None:
                    assert after.problems() == [], command
                    assert is_within_limits(after), command

    assert len(worlds) > 50
    assert refused > 100


def is_within_limits(world: World) -> bool:
    """Checks the limits that late commits could exceed together."""
    [service] = world.rules.services
    live = [one for one in world.rows.bookings.values() if one.takes_time]
    people = [one.person_id for one in live]
    caps = [cap.bookings for cap in service.caps if cap.bookings is not None]
    return all(people.count(each) <= service.most_upcoming for each in people) and all(
        len(live) <= cap for cap in caps
    )


def test_without_the_comparison_of_cells_late_commits_give_a_chair_twice() -> None:
    """Shows that the worlds detect it: if writes compared nothing, two people would get one
    chair."""
    world = small_world()
    first, second = (
        decision
        for command in list(couples(world))[:4:3]
        if isinstance(decision := world.decide(command), Accepted)
    )
    between = world.after(first)
    assert between is not None
    assert between.after(second) is None
    careless = replace(
        second,
        changes=tuple(each for each in second.changes if not isinstance(each, WriteCells)),
    )
    after = between.after(careless)
    assert after is not None
    assert after.problems() != []
