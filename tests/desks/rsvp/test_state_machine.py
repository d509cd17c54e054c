"""The desk under random commands, time jumps, repeated deliveries and sudden ends."""

from __future__ import annotations

import shutil
import tempfile
from datetime import timedelta
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

from frontdesk.core.decision import Command
from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp import commands
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.model import EventState, Lane
from frontdesk.values import replace
from frontdesk.wiring.one_machine import build
from tests.support.data_file import run_sql
from tests.support.rsvp import RsvpDesk, rsvp_desk

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")
people = st.sampled_from(NAMES)


class Desk(RuleBasedStateMachine):
    """Checks the invariants after each step of any sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="frontdesk-"))
        self.desk: RsvpDesk = rsvp_desk(self.folder)
        self.desk.given(cap=2, party_limit=3)
        self.most_ever = 0

    def teardown(self) -> None:
        desk = self.desk
        try:
            desk.wait(days=20)
            assert desk.problems() == []
            assert desk.dead_letters() == []
            self.each_offer_was_for_one_freeing()
        finally:
            desk.product.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    # --- people -----------------------------------------------------------------------------

    @rule(who=people, party=st.integers(1, 3), lane=st.sampled_from([Lane.FORM, Lane.HOST]))
    def signs_up(self, who: str, party: int, lane: Lane) -> None:
        self.desk.sign_up(who, party, lane)

    @rule(who=people)
    def is_invited(self, who: str) -> None:
        self.desk.sign_up(who, 1, Lane.IMPORT, invite=True)

    @rule(who=people)
    def accepts_the_invitation(self, who: str) -> None:
        self.about(who, lambda guest_id: commands.ConfirmInvitation(guest_id))

    @rule(who=people)
    def cancels(self, who: str) -> None:
        self.about(who, lambda guest_id: commands.Cancel(guest_id))

    @rule(who=people, back=st.integers(0, 1))
    def claims(self, who: str, back: int) -> None:
        self.about(who, lambda one: commands.ClaimOffer(one, self.desk.guest(who).seq - back))

    @rule(who=people, back=st.integers(0, 1))
    def declines(self, who: str, back: int) -> None:
        self.about(who, lambda one: commands.DeclineOffer(one, self.desk.guest(who).seq - back))

    @rule(who=people)
    def takes_a_free_seat(self, who: str) -> None:
        self.about(who, lambda guest_id: commands.TakeFreeSeat(guest_id))

    @rule(who=people, party=st.integers(1, 2))
    def comes_with_fewer(self, who: str, party: int) -> None:
        self.about(who, lambda guest_id: commands.ReduceParty(guest_id, party))

    # --- the host ---------------------------------------------------------------------------

    @rule(cap=st.integers(0, 5))
    def changes_the_cap(self, cap: int) -> None:
        self.desk.run(commands.SetCap(self.desk.event_id, cap))

    @rule(who=people, to_front=st.booleans())
    def moves_in_line(self, who: str, to_front: bool) -> None:
        self.about(who, lambda guest_id: commands.MoveInLine(guest_id, to_front))

    @rule(who=people)
    def gives_a_seat(self, who: str) -> None:
        self.about(who, lambda guest_id: commands.SeatFromTheLine(guest_id))

    @rule(who=people, arrived=st.integers(0, 2))
    def checks_in(self, who: str, arrived: int) -> None:
        self.about(who, lambda guest_id: commands.CheckIn(guest_id, arrived))

    @rule(who=people)
    def resends(self, who: str) -> None:
        self.about(who, lambda guest_id: commands.ResendLink(guest_id))

    @rule(
        days=st.sampled_from([-11, -10, -1, 0, 1, 2]), strict=st.booleans(), critical=st.booleans()
    )
    def edits_the_event(self, days: int, strict: bool, critical: bool) -> None:
        event = self.desk.event
        moved = replace(
            event.details,
            starts_at=event.details.starts_at + timedelta(days=days),
            ends_at=event.details.ends_at + timedelta(days=days),
        )
        wished = replace(event.settings, strict_order=strict, time_critical=critical)
        self.desk.run(
            commands.EditEvent(event.id, event.version, event.slug, moved, wished, self.new_job())
        )

    @rule(whom=st.lists(people, min_size=1, max_size=3, unique=True), invite=st.booleans())
    def imports(self, whom: list[str], invite: bool) -> None:
        rows = tuple(
            ImportRow(line, who.title(), f"{who}@example.org", 1)
            for line, who in enumerate(whom, 1)
        )
        event_id = self.desk.event_id
        self.desk.run(commands.BeginImport(event_id, self.new_job(), rows, invite))

    @precondition(lambda self: self.desk.seats.tickets > 4)
    @rule()
    def calls_it_off(self) -> None:
        self.desk.run(commands.CallOff(self.desk.event_id, self.new_job(), "Sorry."))

    # --- the machine ------------------------------------------------------------------------

    @rule(hours=st.sampled_from([0, 1, 5, 6, 7, 12, 30]), seconds=st.integers(0, 1))
    def time_passes(self, hours: int, seconds: int) -> None:
        self.desk.wait(hours=hours, seconds=seconds)

    @rule(hours=st.sampled_from([1, 6, 48]))
    def the_machine_sleeps(self, hours: int) -> None:
        clock = self.desk.clock
        clock.move_to(clock.now() + timedelta(hours=hours))

    @rule(which=st.integers(0, 3))
    def one_step_is_done(self, which: int) -> None:
        runtime = self.desk.product.runtime
        steps = (runtime.follow, runtime.timers.step, runtime.jobs.step, runtime.sender.step)
        steps[which](self.desk.clock.now())

    @rule()
    def the_process_dies_and_comes_back(self) -> None:
        product = self.desk.product
        product.close()
        again = build(product.settings, clock=self.desk.clock)
        again.runtime.start(self.desk.clock.now())
        self.desk.product = again

    @rule(back=st.integers(1, 10))
    def facts_are_delivered_twice(self, back: int) -> None:
        """Delivers the latest facts again, as after a restore or on an at-least-once bus."""
        self.desk.settle()
        self.desk.product.close()
        run_sql(self.folder, "UPDATE fd_follower SET seq = max(0, seq - ?)", back)
        self.desk.product = build(self.desk.product.settings, clock=self.desk.clock)
        self.desk.settle()

    # --- invariants -------------------------------------------------------------------------

    @invariant()
    def nothing_is_broken(self) -> None:
        desk = self.desk
        problems = [each for each in desk.problems() if "is owed and fits" not in each]
        assert problems == []
        self.most_ever = max(self.most_ever, desk.seats.cap)
        assert desk.seats.taken <= self.most_ever

    @precondition(lambda self: self.desk.event.state is EventState.OPEN)
    @rule()
    def once_settled_no_seat_is_left_while_someone_owed_fits(self) -> None:
        assert self.desk.settle().problems() == []

    def each_offer_was_for_one_freeing(self) -> None:
        """Checks that nobody is offered the same seat twice: one offer at most for each guest and
        freeing, unless the host took it back or the guest gave it up in between."""
        made = [
            (one.guest_id, one.fills)
            for one in self.desk.reads.offers(self.desk.event_id)
            if one.state.value in ("expired", "declined", "claimed")
        ]
        ended = [each for each in made if made.count(each) > 1]
        came_back = {one.fact.about for one in self.desk.facts("ev.cancelled") if one.fact.about}
        assert [each for each in ended if each[0] not in came_back] == []

    # ----------------------------------------------------------------------------------------

    def about(self, who: str, command: object) -> None:
        if who in self.desk.ids and self.desk.reads.guest(self.desk.ids[who]) is not None:
            made = command(self.desk.ids[who])  # type: ignore[operator]
            assert isinstance(made, Command)
            self.desk.run(made)

    def new_job(self) -> JobId:
        return JobId(self.desk.product.engine.new_id())


@pytest.mark.spec("FD-01", "FD-02", "FD-03", "EV-04", "EV-12", "EV-23", "EV-30")
def test_the_invariants_hold_after_any_sequence_of_commands() -> None:
    run_state_machine_as_test(
        Desk,
        settings=settings(
            max_examples=25,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
