"""Random weeks of reminders, compared with rules that hold for every customer at every time."""

from __future__ import annotations

import tempfile
from datetime import datetime
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

from frontdesk.core.decision import Command, Refused
from frontdesk.desks.reminders.commands import MarkNoShow, MoveAppointment
from frontdesk.desks.reminders.model import AppointmentState, Window
from frontdesk.desks.reminders.tags import parse_tags
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.reminders import HOUR, MINUTE, RemindersDesk, id_of

people = st.sampled_from(["ann", "bob"])
hours = st.integers(1, 24 * 6)
minutes = st.sampled_from([0, 20, 45])
tags = st.sampled_from(["", "", "#skip", "#remind 2h"])
windows = st.sampled_from([Window.FIRST, Window.SECOND])
LEAST_GAP = 4 * HOUR


class Reminding(RuleBasedStateMachine):
    """Drives the desk and remembers which answers were given when, and to which chain."""

    tables: Tables | None = None

    def __init__(self) -> None:
        super().__init__()
        self.desk = RemindersDesk(Path(tempfile.mkdtemp()), self.tables).given()
        self.starts: dict[str, datetime] = {}
        self.silent_since: dict[str, datetime] = {}
        """When each appointment was answered or ended; a move removes its entry."""
        self.whose: dict[str, str] = {}

    def teardown(self) -> None:
        self.desk.close()
        if self.tables is not None:
            self.tables.empty()

    @property
    def now(self) -> datetime:
        return self.desk.clock.now()

    def said_yes(self, command: Command) -> bool:
        is_refused = isinstance(self.desk.run(command), Refused)
        self.desk.settle()
        return not is_refused

    def pick(self, at: int) -> str:
        return sorted(self.starts)[at % len(self.starts)]

    # --- people -----------------------------------------------------------------------------

    @rule(who=people, ahead=hours, minute=minutes, tag=tags)
    def add(self, who: str, ahead: int, minute: int, tag: str) -> None:
        ref = f"{who}{len(self.starts)}"
        at = self.now.replace(minute=0) + ahead * HOUR + minute * MINUTE
        command = self.desk.record(who, at, ref=ref, tags=parse_tags(tag))
        assert self.said_yes(command) == (at > self.now)
        if at > self.now:
            self.starts[ref], self.whose[ref] = at, who

    @precondition(lambda self: self.starts)
    @rule(at=st.integers(0, 99), window=windows)
    def confirm(self, at: int, window: Window) -> None:
        ref = self.pick(at)
        is_expected = self.desk.of(ref).state is AppointmentState.EXPECTED
        if self.said_yes(self.desk.confirm(ref, window)):
            assert is_expected
            assert self.now < self.starts[ref]
            self.silent_since.setdefault(ref, self.now)

    @precondition(lambda self: self.starts)
    @rule(at=st.integers(0, 99), window=windows)
    def cancel(self, at: int, window: Window) -> None:
        ref = self.pick(at)
        is_live = self.desk.of(ref).is_live
        can = is_live and self.now < self.starts[ref]
        assert self.said_yes(self.desk.cancel(ref, window)) == can
        if can:
            self.silent_since.setdefault(ref, self.now)

    @precondition(lambda self: self.starts)
    @rule(at=st.integers(0, 99), window=windows)
    def ask(self, at: int, window: Window) -> None:
        ref = self.pick(at)
        if self.said_yes(self.desk.ask_to_move(ref, window)):
            self.silent_since.setdefault(ref, self.now)

    @precondition(lambda self: self.starts)
    @rule(at=st.integers(0, 99), ahead=hours)
    def move(self, at: int, ahead: int) -> None:
        ref = self.pick(at)
        later = self.now.replace(minute=0) + ahead * HOUR
        can = self.desk.of(ref).is_live and later > self.now and later != self.starts[ref]
        assert self.said_yes(MoveAppointment(id_of(ref), later)) == can
        if can:
            self.starts[ref] = later
            self.silent_since.pop(ref, None)

    @precondition(lambda self: self.starts)
    @rule(at=st.integers(0, 99))
    def miss(self, at: int) -> None:
        ref = self.pick(at)
        can = self.desk.of(ref).is_live and self.now >= self.starts[ref]
        assert self.said_yes(MarkNoShow(id_of(ref))) == can
        if can:
            self.silent_since.setdefault(ref, self.now)

    @rule(span=st.integers(1, 30))
    def wait(self, span: int) -> None:
        self.desk.wait(hours=span)

    @rule(span=st.integers(1, 60), minute=minutes)
    def sleep(self, span: int, minute: int) -> None:
        self.desk.sleep_until(self.now + span * HOUR + minute * MINUTE)

    # --- invariants -------------------------------------------------------------------------

    @invariant()
    def the_doctor_is_content(self) -> None:
        assert self.desk.problems() == []
        assert self.desk.dead_letters() == []

    @invariant()
    def nobody_is_reminded_twice_or_after_an_answer_or_at_night(self) -> None:
        seen: set[str] = set()
        last: dict[str, datetime] = {}
        for send in self.desk.sends():
            if not send.kind.endswith("_reminder"):
                continue
            at = send.sent_at
            assert at is not None
            assert send.key not in seen
            seen.add(send.key)
            assert 8 <= at.hour < 21, send
            assert send.tell_by is not None
            assert at < send.tell_by
            before = last.get(send.person_id)
            assert before is None or at - before >= LEAST_GAP, (before, send)
            last[send.person_id] = at

    @invariant()
    def silence_is_kept(self) -> None:
        for ref, since in self.silent_since.items():
            told = [at for kind, of, at in self.desk.told() if of == ref and kind != "cancelled"]
            rows = self.desk.reads.reminders_of(id_of(ref))
            assert all(row.at <= since for row in rows if row.state == "sent"), (ref, since, told)


FEW = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.spec("AR-04", "AR-05", "AR-19")
def test_random_weeks_keep_the_rules() -> None:
    run_state_machine_as_test(Reminding, settings=FEW)


@needs_dynamodb
@pytest.mark.spec("AR-04", "AR-05", "AR-19")
def test_random_weeks_keep_the_rules_on_dynamodb(dynamodb: Tables) -> None:
    class OnDynamo(Reminding):
        tables = dynamodb

    few = settings(FEW, max_examples=2, stateful_step_count=10)
    run_state_machine_as_test(OnDynamo, settings=few)
