"""Claims compared with a brute-force model of intervals, in random histories on both stores."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from frontdesk.core.decision import Refused
from frontdesk.desks.booking.commands import CancelBooking, HoldTime, MoveBooking
from frontdesk.desks.booking.model import HoldId, Lane
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.engine.ports import Outcome
from tests.support.booking import (
    ANA,
    MINUTE,
    MIRA,
    TEN,
    BookingDesk,
    hex_id,
    resource,
    rules,
    service,
)
from tests.support.dynamodb import Tables, needs_dynamodb

CAPACITIES = {MIRA: 2, ANA: 1}
#: By name: minutes before, minutes of the visit, minutes after.
SERVICES = {"short": (0, 10, 0), "long": (5, 20, 10)}
TICKS = 14
FEW = 5


@dataclass
class Interval:
    """Places of a resource that somebody has for some minutes; a hold also has an end."""

    resource: ResourceId
    start: int
    end: int
    places: int
    until: datetime | None = None

    def has(self, minute: int, now: datetime) -> bool:
        is_over = self.until is not None and now >= self.until
        return self.start <= minute < self.end and not is_over


starts = st.integers(0, TICKS).map(lambda at: 5 * at)
services = st.sampled_from(sorted(SERVICES))
wishes = st.sampled_from(["", MIRA, ANA])
parties = st.integers(1, 3)


class Claims(RuleBasedStateMachine):
    tables: Tables | None = None

    def __init__(self) -> None:
        super().__init__()
        self.desk = BookingDesk(Path(tempfile.mkdtemp()), self.tables)
        offered = [
            service(
                name,
                [MIRA, ANA],
                duration=timedelta(minutes=visit),
                buffer_before=timedelta(minutes=before),
                buffer_after=timedelta(minutes=after),
                most=3,
                change_notice=timedelta(),
                most_moves=1_000,
            )
            for name, (before, visit, after) in SERVICES.items()
        ]
        staff = [resource(each, capacity=places) for each, places in CAPACITIES.items()]
        self.desk.given(rules(offered, staff))
        self.bookings: dict[str, tuple[str, int, Interval]] = {}
        self.holds: dict[str, Interval] = {}
        self.count = 0

    def teardown(self) -> None:
        self.desk.close()
        if self.tables is not None:
            self.tables.empty()

    # --- the model --------------------------------------------------------------------------

    def used(self, where: ResourceId, minute: int, without: tuple[str, ...]) -> int:
        taken = {name: one for name, (_, _, one) in self.bookings.items()} | self.holds
        return sum(
            one.places
            for name, one in taken.items()
            if name not in without and one.resource == where and one.has(minute, self.now)
        )

    def fits(self, wanted: Interval, *without: str) -> bool:
        most = CAPACITIES[wanted.resource]
        return all(
            self.used(wanted.resource, minute, without) + wanted.places <= most
            for minute in range(wanted.start, wanted.end, 5)
        )

    def possible(
        self, name: str, start: int, party: int, wish: str, *without: str
    ) -> dict[ResourceId, Interval]:
        choices = [ResourceId(wish)] if wish else list(CAPACITIES)
        wanted = [interval(name, start, party, each) for each in choices]
        return {one.resource: one for one in wanted if self.fits(one, *without)}

    @property
    def now(self) -> datetime:
        return self.desk.clock.now()

    # --- people -----------------------------------------------------------------------------

    @rule(name=services, start=starts, party=parties, wish=wishes, held=st.booleans())
    def book(self, name: str, start: int, party: int, wish: str, held: bool) -> None:
        self.count += 1
        who = f"g{self.count}"
        hold = next(iter(self.holds), "") if held else ""
        command = self.desk.command(
            who,
            TEN + start * MINUTE,
            service=name,
            party=party,
            resource=ResourceId(wish),
            hold_id=HoldId(hold),
        )
        possible = self.possible(name, start, party, wish, hold)
        if self.said_yes(self.desk.run(command)):
            chosen = self.desk.of(who).resources[0]
            assert chosen in possible, (command, possible)
            self.bookings[who] = (name, party, possible[chosen])
            self.holds.pop(hold, None)
        else:
            assert not possible, (command, possible)

    @rule(name=services, start=starts, party=parties)
    def overbook(self, name: str, start: int, party: int) -> None:
        self.count += 1
        who = f"g{self.count}"
        command = self.desk.command(
            who,
            TEN + start * MINUTE,
            service=name,
            party=party,
            resource=ANA,
            lane=Lane.STAFF,
            override=True,
        )
        wanted = interval(name, start, party, ANA)
        fitted = self.fits(wanted)
        assert self.said_yes(self.desk.run(command))
        assert ("overbooked" in self.desk.of(who).overrides) == (not fitted)
        self.bookings[who] = (name, party, wanted)

    @precondition(lambda self: self.bookings)
    @rule(at=st.integers(0, 1_000))
    def cancel(self, at: int) -> None:
        who = sorted(self.bookings)[at % len(self.bookings)]
        assert self.said_yes(self.desk.run(CancelBooking(hex_id(who))))
        del self.bookings[who]

    @precondition(lambda self: self.bookings)
    @rule(at=st.integers(0, 1_000), start=starts, wish=wishes)
    def move(self, at: int, start: int, wish: str) -> None:
        who = sorted(self.bookings)[at % len(self.bookings)]
        name, party, before = self.bookings[who]
        anyone = self.desk.of(who).anyone
        outcome = self.desk.run(
            MoveBooking(hex_id(who), TEN + start * MINUTE, resource=ResourceId(wish))
        )
        same = self.possible(name, start, party, wish or before.resource, who)
        possible = same or (self.possible(name, start, party, "", who) if anyone else {})
        possible = same if wish else possible
        if self.said_yes(outcome):
            chosen = self.desk.of(who).resources[0]
            assert chosen in possible, (who, possible)
            self.bookings[who] = (name, party, possible[chosen])
        elif possible:
            assert isinstance(outcome, Refused)
            assert outcome.reason == "unchanged", (outcome, possible)

    @rule(visitor=st.sampled_from(["v1", "v2"]), name=services, start=starts, party=parties)
    def hold(self, visitor: str, name: str, start: int, party: int) -> None:
        command = HoldTime(HoldId(visitor), name, TEN + start * MINUTE, party)
        possible = self.possible(name, start, party, "", visitor)
        if self.said_yes(self.desk.run(command)):
            held = self.desk.reads.hold(HoldId(visitor))
            assert held is not None
            one = possible[held.resources[0]]
            one.until = held.until
            self.holds[visitor] = one
        else:
            assert not possible, (command, possible)

    @rule(minutes=st.sampled_from([2, 6]))
    def wait(self, minutes: int) -> None:
        self.desk.clock.move_to(self.now + timedelta(minutes=minutes))

    @invariant()
    def nothing_is_broken(self) -> None:
        assert self.desk.problems() == []

    @staticmethod
    def said_yes(outcome: Outcome) -> bool:
        return not isinstance(outcome, Refused)


def interval(name: str, start: int, party: int, where: ResourceId) -> Interval:
    before, visit, after = SERVICES[name]
    places = party if CAPACITIES[where] > 1 else 1
    return Interval(where, start - before, start + visit + after, places)


def run(machine: type[RuleBasedStateMachine], examples: int, steps: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.spec("BK-11", "BK-15", "BK-17")
def test_claims_are_those_of_a_brute_force_model_on_one_machine() -> None:
    run(Claims, examples=40, steps=30)


@pytest.mark.spec("BK-11", "BK-15", "BK-17")
@needs_dynamodb
def test_claims_are_those_of_a_brute_force_model_on_dynamodb(dynamodb: Tables) -> None:
    class OnDynamo(Claims):
        tables = dynamodb

    run(OnDynamo, examples=FEW, steps=15)
