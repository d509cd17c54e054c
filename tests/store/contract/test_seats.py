"""Each change of an event's counters: its effect if its condition holds, and its refusal if not."""

from __future__ import annotations

from typing import Any

import pytest

from frontdesk.desks.rsvp import changes
from frontdesk.desks.rsvp.changes import (
    AddEvent,
    ClaimSeats,
    DropHeldSeats,
    HoldSeats,
    JoinLine,
    KeepPlace,
    LeaveLine,
    LineChanged,
    LowerCap,
    NotInDebt,
    RaiseCap,
    ReleaseSeats,
    ReturnSeats,
    SameEvent,
    SeatChange,
    SeatFromLine,
    TakeBackSeats,
    TakeSeats,
)
from frontdesk.desks.rsvp.model import EventId
from frontdesk.engine.ports import Store
from frontdesk.errors import Conflict
from frontdesk.values import replace
from tests.store.samples import PARTY, commit, event, fact, given, rsvp

Row = dict[str, int]

#: The counters before, the change, and the counters that it sets.
HOLDS: list[tuple[Row, SeatChange, Row]] = [
    (
        {"cap": 5, "free": 2, "taken": 3},
        TakeSeats(PARTY, 0, 2, waited=False),
        {"free": 0, "taken": 5},
    ),
    (
        {"cap": 5, "free": 2, "taken": 3, "waiting": 2},
        TakeSeats(PARTY, 0, 1, waited=True),
        {"free": 1, "taken": 4, "waiting": 1},
    ),
    (
        {"cap": 1, "free": 0, "taken": 1},
        JoinLine(PARTY, 0, 1, rev=0),
        {"waiting": 1, "owed": 1, "tickets": 1, "rev": 1},
    ),
    (
        {"cap": 2, "free": 1, "taken": 1, "waiting": 1, "owed": 1, "rev": 4, "tickets": 1},
        JoinLine(PARTY, 0, 1, rev=4),
        {"waiting": 2, "owed": 2, "tickets": 2, "rev": 5},
    ),
    (
        {"cap": 2, "free": 1, "taken": 1, "waiting": 2, "owed": 2, "round": 3},
        SeatFromLine(PARTY, 0, 1, round=3, owed=True),
        {"free": 0, "taken": 2, "waiting": 1, "owed": 1, "rev": 1},
    ),
    (
        {"cap": 2, "free": 1, "taken": 1, "waiting": 2, "owed": 1, "round": 3},
        SeatFromLine(PARTY, 0, 1, round=3, owed=False),
        {"free": 0, "taken": 2, "waiting": 1, "rev": 1},
    ),
    (
        {"cap": 2, "free": 0, "taken": 2, "waiting": 3, "owed": 1, "round": 1},
        ReleaseSeats(PARTY, 2, taken=2, round=1, opens=True),
        {"free": 2, "taken": 0, "round": 2, "owed": 3, "rev": 1},
    ),
    (
        {"cap": 2, "free": -3, "taken": 5, "waiting": 3, "owed": 1, "round": 1},
        ReleaseSeats(PARTY, 3, taken=5, round=1, opens=False),
        {"free": 0, "taken": 2, "rev": 1},
    ),
    (
        {"cap": 2, "free": -3, "taken": 5, "waiting": 3, "owed": 1, "round": 1},
        ReleaseSeats(PARTY, 4, taken=5, round=1, opens=True),
        {"free": 1, "taken": 1, "round": 2, "owed": 3, "rev": 1},
    ),
    (
        {"cap": 2, "free": 0, "taken": 2, "waiting": 2, "owed": 0, "round": 1},
        RaiseCap(PARTY, cap=2, by=3, round=1, opens=True),
        {"cap": 5, "free": 3, "round": 2, "owed": 2, "rev": 1},
    ),
    (
        {"cap": 2, "free": -3, "taken": 5, "waiting": 2, "owed": 0, "round": 1},
        RaiseCap(PARTY, cap=2, by=3, round=1, opens=False),
        {"cap": 5, "free": 0, "rev": 1},
    ),
    (
        {"cap": 5, "free": 1, "taken": 4},
        LowerCap(PARTY, cap=5, by=3),
        {"cap": 2, "free": -2, "rev": 1},
    ),
    (
        {"cap": 3, "free": 2, "taken": 1, "waiting": 2, "owed": 2, "rev": 7},
        HoldSeats(PARTY, 0, 2, rev=7),
        {"free": 0, "offered": 2, "waiting": 1, "owed": 1, "rev": 8},
    ),
    (
        {"cap": 1, "free": -1, "offered": 1, "taken": 1, "rev": 7},
        TakeBackSeats(PARTY, 1, rev=7),
        {"offered": 0, "free": 0, "waiting": 1, "owed": 1, "rev": 8},
    ),
    ({"cap": 1, "free": 0, "offered": 1}, NotInDebt(PARTY, 0), {}),
    ({"cap": 1, "free": -1, "taken": 2}, SameEvent(PARTY, 0), {}),
    (
        {"cap": 3, "free": 0, "offered": 2, "taken": 1},
        ClaimSeats(PARTY, 0, 2),
        {"offered": 0, "taken": 3},
    ),
    (
        {"cap": 2, "free": -1, "offered": 1, "taken": 2},
        KeepPlace(PARTY, 1),
        {"offered": 0, "free": 0, "waiting": 1, "owed": 1, "rev": 1},
    ),
    (
        {"cap": 2, "free": 0, "offered": 1, "taken": 1, "round": 2},
        ReturnSeats(PARTY, 1, round=2),
        {"offered": 0, "free": 1, "waiting": 1, "rev": 1},
    ),
    (
        {"cap": 2, "free": 0, "offered": 2},
        DropHeldSeats(PARTY, 1),
        {"offered": 1, "free": 1, "rev": 1},
    ),
    (
        {"cap": 1, "free": 0, "taken": 1, "waiting": 2, "owed": 2, "round": 2},
        LeaveLine(PARTY, round=2, owed=True),
        {"waiting": 1, "owed": 1, "rev": 1},
    ),
    (
        {"cap": 1, "free": 0, "taken": 1, "waiting": 2, "owed": 1, "round": 2},
        LeaveLine(PARTY, round=2, owed=False),
        {"waiting": 1, "rev": 1},
    ),
    ({}, LineChanged(PARTY), {"rev": 1}),
    ({"tickets": 4}, LineChanged(PARTY, tickets=1), {"rev": 1, "tickets": 5}),
]

#: Counters, and a change whose condition does not hold for them.
FAILS: list[tuple[Row, SeatChange]] = [
    ({"cap": 5, "free": 1, "taken": 4}, TakeSeats(PARTY, 0, 2, waited=False)),
    ({"cap": 5, "free": -1, "taken": 6}, TakeSeats(PARTY, 0, 1, waited=False)),
    ({"cap": 5, "free": 5}, TakeSeats(PARTY, 1, 1, waited=False)),
    ({"cap": 5, "free": 5, "waiting": 1, "owed": 1}, TakeSeats(PARTY, 0, 1, waited=False)),
    ({"cap": 5, "free": 5}, TakeSeats(PARTY, 0, 1, waited=True)),
    ({"cap": 5, "free": 5}, TakeSeats(EventId("another"), 0, 1, waited=False)),
    ({"cap": 5, "free": 1, "taken": 4}, JoinLine(PARTY, 0, 1, rev=0)),
    ({"cap": 1, "free": 0, "taken": 1}, JoinLine(PARTY, 1, 1, rev=0)),
    ({"cap": 1, "free": 0, "taken": 1, "rev": 1}, JoinLine(PARTY, 0, 1, rev=0)),
    ({"cap": 1, "free": 0, "taken": 1, "waiting": 1}, SeatFromLine(PARTY, 0, 1, 0, owed=False)),
    ({"cap": 1, "free": 1, "waiting": 1, "round": 1}, SeatFromLine(PARTY, 0, 1, 0, owed=False)),
    ({"cap": 1, "free": 1, "waiting": 1}, SeatFromLine(PARTY, 1, 1, 0, owed=False)),
    ({"cap": 1, "free": 1, "waiting": 1}, SeatFromLine(PARTY, 0, 1, 0, owed=True)),
    ({"cap": 1, "free": 1, "waiting": 1, "owed": 1}, SeatFromLine(PARTY, 0, 1, 0, owed=False)),
    ({"cap": 3, "free": 0, "taken": 3}, ReleaseSeats(PARTY, 1, taken=2, round=0, opens=True)),
    ({"cap": 3, "free": 0, "taken": 3}, ReleaseSeats(PARTY, 1, taken=3, round=1, opens=True)),
    ({"cap": 3, "free": 0, "taken": 3}, ReleaseSeats(PARTY, 1, taken=3, round=0, opens=False)),
    ({"cap": 2, "free": -1, "taken": 3}, ReleaseSeats(PARTY, 1, taken=3, round=0, opens=True)),
    ({"cap": 3, "free": 2, "taken": 1}, ReleaseSeats(PARTY, 2, taken=1, round=0, opens=True)),
    ({"cap": 5, "free": 5}, RaiseCap(PARTY, cap=4, by=1, round=0, opens=True)),
    ({"cap": 5, "free": 5}, RaiseCap(PARTY, cap=5, by=1, round=1, opens=True)),
    ({"cap": 5, "free": 5}, RaiseCap(PARTY, cap=5, by=1, round=0, opens=False)),
    ({"cap": 5, "free": -1, "taken": 6}, RaiseCap(PARTY, cap=5, by=1, round=0, opens=True)),
    ({"cap": 5, "free": 5}, LowerCap(PARTY, cap=4, by=1)),
    ({"cap": 5, "free": 5}, LowerCap(PARTY, cap=5, by=6)),
    ({"cap": 1, "free": 1, "waiting": 1, "owed": 1, "rev": 1}, HoldSeats(PARTY, 0, 1, rev=0)),
    ({"cap": 1, "free": 1, "waiting": 1, "owed": 1}, HoldSeats(PARTY, 0, 2, rev=0)),
    ({"cap": 1, "free": 1, "waiting": 1, "owed": 1}, HoldSeats(PARTY, 1, 1, rev=0)),
    ({"cap": 1, "free": 1, "waiting": 1}, HoldSeats(PARTY, 0, 1, rev=0)),
    ({"cap": 1, "free": 0, "offered": 1}, TakeBackSeats(PARTY, 1, rev=0)),
    ({"cap": 1, "free": -1, "offered": 2, "rev": 1}, TakeBackSeats(PARTY, 1, rev=0)),
    ({"cap": 1, "free": -1, "taken": 2}, TakeBackSeats(PARTY, 1, rev=0)),
    ({"cap": 1, "free": -1, "taken": 2}, NotInDebt(PARTY, 0)),
    ({"cap": 1, "free": 1}, NotInDebt(PARTY, 1)),
    ({"cap": 1, "free": 1}, SameEvent(PARTY, 1)),
    ({"cap": 2, "free": -1, "offered": 1, "taken": 2}, ClaimSeats(PARTY, 0, 1)),
    ({"cap": 2, "free": 0, "offered": 1, "taken": 1}, ClaimSeats(PARTY, 1, 1)),
    ({"cap": 2, "free": 2}, ClaimSeats(PARTY, 0, 1)),
    ({"cap": 2, "free": 0, "offered": 1, "taken": 1}, KeepPlace(PARTY, 1)),
    ({"cap": 2, "free": 0, "taken": 2}, KeepPlace(PARTY, 1)),
    ({"cap": 1, "free": 0, "offered": 1, "round": 1}, ReturnSeats(PARTY, 1, round=0)),
    ({"cap": 1, "free": 1}, ReturnSeats(PARTY, 1, round=0)),
    ({"cap": 1, "free": 1}, DropHeldSeats(PARTY, 1)),
    ({"waiting": 1, "owed": 1, "round": 1}, LeaveLine(PARTY, round=0, owed=True)),
    ({"waiting": 1}, LeaveLine(PARTY, round=0, owed=True)),
    ({"waiting": 1, "owed": 1}, LeaveLine(PARTY, round=0, owed=False)),
    ({}, LeaveLine(PARTY, round=0, owed=False)),
    ({}, LineChanged(EventId("another"))),
]


def name(value: Any) -> str:
    return type(value).__name__ if isinstance(value, SeatChange) else ""


@pytest.mark.spec("EV-04")
@pytest.mark.parametrize(("before", "change", "moved"), HOLDS, ids=name)
def test_the_counters_move_when_the_condition_holds(
    store: Store, before: Row, change: SeatChange, moved: Row
) -> None:
    reads = given(store, **before)
    other = replace(event(**before), id=EventId("other"), slug="other")
    commit(store, AddEvent(other))

    commit(store, change)

    seats = replace(other.seats, **moved)
    assert reads.event(PARTY) == replace(event(**before), seats=seats)
    assert reads.event(other.id) == other


@pytest.mark.spec("EV-04")
@pytest.mark.parametrize(("before", "change"), FAILS, ids=name)
def test_nothing_moves_when_the_condition_does_not_hold(
    store: Store, before: Row, change: SeatChange
) -> None:
    given(store, **before)

    with pytest.raises(Conflict) as refused:
        commit(store, change, facts=(fact(),))

    assert refused.value.change is change
    assert rsvp(store).event(PARTY) == event(**before)
    assert rsvp(store).facts(PARTY) == []


def test_every_change_of_the_counters_is_tried_both_ways() -> None:
    classes = [each for each in vars(changes).values() if isinstance(each, type)]
    every = {each for each in classes if issubclass(each, SeatChange)} - {SeatChange}

    assert {type(change) for _, change, _ in HOLDS} == every
    assert {type(change) for _, change in FAILS} == every
