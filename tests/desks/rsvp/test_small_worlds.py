"""Every state of very small events, and every decision that is committed too late."""

from collections.abc import Iterator
from datetime import datetime

import pytest

from frontdesk.core.decision import Accepted, Command
from frontdesk.desks.rsvp.changes import SeatChange
from frontdesk.desks.rsvp.commands import SeatFromTheLine, SetCap
from frontdesk.desks.rsvp.model import Event, Guest, Seats, State
from frontdesk.values import replace
from tests.support import small_world as small
from tests.support.reachable_states import reachable
from tests.support.small_world import World, small_world

MOST_STATES = 60_000


def explore(start: World, *, with_caps: bool) -> list[World]:
    """Returns every state that can be reached; checks each of them."""

    def followers(world: World) -> Iterator[World | None]:
        for command, now in world.commands():
            if not isinstance(command, SetCap) or (with_caps and 0 <= command.cap <= 2):
                yield step(world, command, now)

    return reachable(start, followers, most=MOST_STATES)


def step(world: World, command: Command, now: datetime) -> World | None:
    decision = world.decide(command, now)
    if not isinstance(decision, Accepted):
        return None
    after = world.after(decision)
    assert after is not None, f"{command} is refused by the world it was decided in: {world}"
    check(world, command, after)
    return after


def check(before: World, command: Command, after: World) -> None:
    assert after.problems() == [], (command, before)
    grown = after.event.seats.taken > before.event.seats.taken
    assert not grown or after.event.seats.taken <= after.event.seats.cap, (command, before)
    if isinstance(command, SeatFromTheLine):
        return
    for guest in after.guests:
        was = before.guest(guest.id)
        if _is_served(was, guest):
            skipped = _ahead_and_fitting(before, was)
            assert skipped == [], (command, before, skipped)


def _is_served(was: Guest | None, guest: Guest) -> bool:
    """Returns whether the guest got a seat directly, or an offer. A claim takes a seat that they
    had."""
    before = None if was is None else was.state
    if guest.state is State.OFFERED:
        return before is not State.OFFERED
    return guest.state is State.CONFIRMED and before not in (State.CONFIRMED, State.OFFERED)


def _ahead_and_fitting(before: World, was: Guest | None) -> list[Guest]:
    """Returns guests ahead who were owed a chance and would have fitted."""
    seats = before.event.seats
    place = None if was is None or was.state is not State.WAITING else (was.lapsed, was.ticket)
    return [
        one
        for one in before.line(seats.round)
        if one.party <= seats.free and (place is None or (one.lapsed, one.ticket) < place)
    ]


CASES = [
    pytest.param(small_world(1, (1, 1, 1)), False, id="1 seat, 3 guests"),
    pytest.param(small_world(2, (1, 2)), True, id="2 seats, 2 parties, the cap moves"),
    pytest.param(small_world(1, (1, 1)), True, id="1 seat, 2 guests, the cap moves"),
    pytest.param(small_world(2, (2, 1), strict_order=True), True, id="strict order"),
]


@pytest.mark.spec("EV-04", "EV-11", "EV-12", "EV-20")
@pytest.mark.parametrize(("start", "with_caps"), CASES)
def test_in_no_state_of_a_small_event_is_anything_oversold_or_anyone_passed(
    start: World, with_caps: bool
) -> None:
    worlds = explore(start, with_caps=with_caps)

    assert len(worlds) < MOST_STATES, "not all states were visited"
    for world in worlds:
        assert world.settled().left_over() is None, world


@pytest.mark.spec("EV-04", "FD-01")
@pytest.mark.parametrize(("start", "with_caps"), CASES[1:3])
def test_a_decision_that_comes_too_late_is_refused_by_its_conditions_or_does_no_harm(
    start: World, with_caps: bool
) -> None:
    """Two commands are decided on the same rows. After one of them is committed, the other is
    refused or does no harm."""
    tried = 0
    for world in explore(start, with_caps=with_caps)[::7]:
        decided = [
            (command, decision)
            for command, now in world.commands()
            if isinstance(decision := world.decide(command, now), Accepted)
        ]
        for first, winner in decided:
            between = world.after(winner)
            assert between is not None
            for second, loser in decided:
                after = between.after(loser)
                if after is not None:
                    tried += 1
                    assert after.problems() == [], (first, second, world)
                    grown = after.event.seats.taken > between.event.seats.taken
                    full = after.event.seats.taken > after.event.seats.cap
                    assert not (grown and full), (first, second, world)
    assert tried > 100


def test_the_search_notices_a_rule_that_oversells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "frontdesk.desks.rsvp.decide.seats.seat_is_free", lambda seats, party: seats.free >= 0
    )

    with pytest.raises(AssertionError):
        explore(small_world(1, (1, 1)), with_caps=False)


def test_the_search_notices_a_line_that_is_jumped(monkeypatch: pytest.MonkeyPatch) -> None:
    real = small._seats_after

    def forgets_who_is_owed(event: Event, change: SeatChange) -> Seats | None:
        after = real(event, change)
        return None if after is None else replace(after, owed=0)

    monkeypatch.setattr(small, "_seats_after", forgets_who_is_owed)

    with pytest.raises(AssertionError):
        explore(small_world(1, (1, 1, 1)), with_caps=False)
