"""Every state of very small waitlists, and every decision that is committed too late."""

from datetime import datetime

import pytest

from frontdesk.core.decision import Accepted, Command
from frontdesk.desks.waitlist.changes import HoldSlot, SlotAsRead, SlotChange
from frontdesk.desks.waitlist.commands import MakeMove
from frontdesk.desks.waitlist.model import Entry, Slot
from frontdesk.values import replace
from tests.support import small_waitlist as small
from tests.support.reachable_states import reachable
from tests.support.small_waitlist import NOW, World, small_world

MOST_STATES = 20_000


def explore(start: World) -> list[World]:
    """Returns every state that can be reached; checks each of them."""
    return reachable(
        start,
        lambda world: (step(world, command, now) for command, now in world.commands()),
        most=MOST_STATES,
    )


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
    assert before.skipped_for(after) == [], (command, before)
    if not (after.fickle or after.cancels):
        assert after.booked_twice() == [], (command, before)


def settled(world: World) -> World:
    """Returns the world after one move for each slot."""
    for slot in world.slots:
        after = step(world, MakeMove(slot.id), NOW)
        world = world if after is None else after
    return world


CASES = [
    pytest.param(small_world(3, 1), id="1 slot, 3 people"),
    pytest.param(small_world(2, 2), id="2 slots, 2 people"),
    pytest.param(small_world(2, 1, fickle=True), id="1 slot, 2 people who change their minds"),
    pytest.param(small_world(2, 2, twins=True), id="2 slots at the same time, 2 people"),
    pytest.param(small_world(2, 1, cancels=True), id="1 slot, 2 people whose bookings end early"),
]


@pytest.mark.spec("WL-09", "WL-10", "WL-12", "WL-19")
@pytest.mark.parametrize("start", CASES)
def test_in_no_state_of_a_small_list_is_a_slot_given_twice_or_anybody_skipped(
    start: World,
) -> None:
    worlds = explore(start)

    assert 50 < len(worlds) < MOST_STATES
    for world in worlds:
        assert settled(world).left_over() == [], world


def commit_too_late(start: World, *, every: int = 5) -> int:
    """Commits decisions after another one on the same rows; returns how many were not refused."""
    held = 0
    for world in explore(start)[::every]:
        decided = [
            (command, decision)
            for command, now in world.commands()
            if isinstance(decision := world.decide(command, now), Accepted) and decision.changes
        ]
        for first, winner in decided:
            between = world.after(winner)
            assert between is not None
            for second, loser in decided:
                after = between.after(loser)
                if after is not None:
                    held += writes(winner)
                    assert after.problems() == [], (first, second, world)
                    assert between.unsuited_in(after) == [], (first, second, world)
                    once = after.fickle or after.cancels or after.booked_twice() == []
                    assert once, (first, second, world)
    return held


def writes(decision: Accepted) -> bool:
    """Returns whether a decision changes the slot; it may also set timers only."""
    return not all(isinstance(change, SlotAsRead) for change in decision.changes)


@pytest.mark.spec("WL-12", "WL-19", "FD-01")
@pytest.mark.parametrize("start", CASES[1:3])
def test_a_decision_that_comes_too_late_is_refused_by_its_conditions_or_does_no_harm(
    start: World,
) -> None:
    assert commit_too_late(start) > 50


@pytest.mark.spec("WL-12", "WL-19", "FD-01")
@pytest.mark.parametrize("start", CASES[3:])
def test_a_time_that_is_taken_twice_or_given_back_late_is_refused_by_the_conditions(
    start: World,
) -> None:
    """Of two decisions on the same rows, the second is always refused."""
    assert commit_too_late(start, every=1) == 0


@pytest.mark.spec("WL-12")
def test_where_nobody_moves_on_the_list_every_decision_that_comes_too_late_is_refused() -> None:
    assert commit_too_late(small_world(3, 1), every=1) == 0


def test_the_search_notices_a_staff_member_who_is_given_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(small, "_taken", lambda *_: False)

    with pytest.raises(AssertionError, match="are at the same time: mia"):
        commit_too_late(small_world(1, 2, twins=True), every=1)


def test_the_search_notices_a_slot_that_forgets_whose_turn_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = small._slot_after

    def forgetful(slot: Slot, change: SlotChange) -> Slot | None:
        """Leaves the sequence out of the conditions."""
        seq = 0 if isinstance(change, HoldSlot) else getattr(change, "seq", 0)
        return real(replace(slot, offer_seq=seq), change)

    monkeypatch.setattr(small, "_slot_after", forgetful)

    with pytest.raises(AssertionError, match="is said to be current"):
        commit_too_late(small_world(3, 1), every=1)


def test_the_search_notices_a_line_that_is_jumped(monkeypatch: pytest.MonkeyPatch) -> None:
    def backwards(entries: object, order: object) -> list[Entry]:
        return list(reversed(list(entries)))  # type: ignore[call-overload]

    def last_of(entries: object, order: object) -> Entry | None:
        return next(iter(backwards(entries, order)), None)

    monkeypatch.setattr("frontdesk.desks.waitlist.decide.moves.first_of", last_of)
    monkeypatch.setattr(small, "in_order", backwards)

    with pytest.raises(AssertionError, match="was skipped"):
        explore(small_world(3, 1))
