"""The RSVP desk under random commands on DynamoDB, where facts come twice and in any order."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from tests.desks.rsvp.test_state_machine import Desk
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.rsvp_dynamodb import dynamo_rsvp_desk


class DynamoDesk(Desk):
    tables: ClassVar[Tables]

    def __init__(self) -> None:
        RuleBasedStateMachine.__init__(self)
        self.folder = Path(tempfile.mkdtemp(prefix="frontdesk-"))
        self.desk = dynamo_rsvp_desk(self.tables, self.folder, pause=lambda _seconds: None)
        self.desk.given(cap=2, party_limit=3)
        self.most_ever = 0

    def teardown(self) -> None:
        try:
            self.desk.wait(days=3)
            assert self.desk.problems() == []
            assert self.desk.dead_letters() == []
            self.each_offer_was_for_one_freeing()
        finally:
            self.tables.empty()
            shutil.rmtree(self.folder, ignore_errors=True)

    @rule()
    def the_process_dies_and_comes_back(self) -> None:
        """Continues with a new function, which has only the tables."""
        before = self.desk
        self.desk = dynamo_rsvp_desk(self.tables, self.folder, pause=lambda _seconds: None)
        self.desk.event_id, self.desk.ids = before.event_id, before.ids
        self.desk.clock.move_to(before.clock.now())
        self.desk.product.runtime.start(self.desk.clock.now())

    @rule(back=st.integers(1, 10))
    def facts_are_delivered_twice(self, back: int) -> None:
        """Delivers all facts again, the newest first."""
        now = self.desk.clock.now()
        for recorded in reversed(self.desk.facts()[-back:]):
            for follower in self.desk.product.runtime.followers * 2:
                follower.act_on(recorded, now)


@needs_dynamodb
@pytest.mark.spec("FD-01", "FD-03", "EV-04", "EV-12", "EV-30")
def test_the_invariants_hold_after_any_sequence_of_commands_on_dynamodb_too(
    dynamodb: Tables,
) -> None:
    DynamoDesk.tables = dynamodb
    run_state_machine_as_test(
        DynamoDesk,
        settings=settings(
            max_examples=4,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
