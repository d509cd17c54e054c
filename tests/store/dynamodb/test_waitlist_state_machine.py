"""The waitlist desk under random commands on DynamoDB, where facts come twice and in any order."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from tests.desks.waitlist.test_state_machine import Desk
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.flaky_channel import FlakyChannel
from tests.support.waitlist_dynamodb import dynamo_waitlist_desk


class DynamoDesk(Desk):
    tables: ClassVar[Tables]

    def __init__(self) -> None:
        RuleBasedStateMachine.__init__(self)
        self.folder = Path(tempfile.mkdtemp(prefix="frontdesk-"))
        self.post = FlakyChannel()
        self.desk = dynamo_waitlist_desk(self.tables, self.post).given("ann", "bob", tries=3)
        self.freed = 0
        self.looked_to = 0
        self.a_slot_comes_free(hours=5, staff="mia")

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            self.tables.empty()

    @rule()
    def the_process_dies_and_comes_back(self) -> None:
        """Continues with a new function, which has only the tables."""
        self.desk.open()
        self.desk.runtime.start(self.desk.clock.now())

    @rule(steps=st.integers(1, 10))
    def facts_are_delivered_twice(self, steps: int) -> None:
        """Delivers all facts again, the newest first."""
        now = self.desk.clock.now()
        newest = sorted(self.everything(), key=lambda one: one.seq)[-steps:]
        for recorded in reversed(newest):
            for follower in self.desk.runtime.followers * 2:
                follower.act_on(recorded, now)


@needs_dynamodb
@pytest.mark.spec("FD-01", "FD-03", "WL-09", "WL-11", "WL-12", "WL-13", "WL-19", "WL-21")
def test_the_invariants_hold_after_any_sequence_of_commands_on_dynamodb_too(
    dynamodb: Tables,
) -> None:
    DynamoDesk.tables = dynamodb
    run_state_machine_as_test(
        DynamoDesk,
        settings=settings(
            max_examples=2,
            stateful_step_count=15,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
