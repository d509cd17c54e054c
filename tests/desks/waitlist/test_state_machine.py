"""The desk under random commands, time jumps, repeated deliveries and sudden ends."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from frontdesk.core.decision import Command
from frontdesk.core.messages import SendFailed, SendLater, SendRefused, SendUnknown
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist import commands
from frontdesk.desks.waitlist.commands import OfferCommand
from frontdesk.desks.waitlist.facts import OfferMade, OfferRolledOn
from frontdesk.desks.waitlist.invariants import skipped
from frontdesk.desks.waitlist.model import (
    Check,
    EntryId,
    Lane,
    OrderBy,
    SlotId,
    SlotStatus,
    Wish,
)
from frontdesk.desks.waitlist.why import OfferVerdict, entry_after, explain
from frontdesk.engine.ports import Committed, Recorded
from frontdesk.values import replace
from tests.support.data_file import run_sql
from tests.support.flaky_channel import FlakyChannel
from tests.support.waitlist import OPENING, RULES, TODAY, WISH, waitlist_desk_at

NAMES = ("ann", "bob", "cat", "dan", "eve")
people = st.sampled_from(NAMES)
wishes = st.builds(
    lambda party, days, staff, priority: replace(
        WISH, party=party, latest_on=TODAY + timedelta(days=days), staff=staff, priority=priority
    ),
    st.sampled_from([1, 1, 2]),
    st.sampled_from([0, 1, 30]),
    st.sampled_from(["", "", "mia", "leo"]),
    st.booleans(),
)
slots = st.integers(1, 4)
back = st.sampled_from([0, 0, 0, 1])
OFFER_COMMANDS = (
    commands.ArmOffer,
    commands.DisarmOffer,
    commands.GiveUpOffer,
    commands.LapseOffer,
    commands.WithdrawOffer,
)
FAILURES: tuple[SendFailed, ...] = (
    SendLater("busy"),
    SendRefused("no such mailbox"),
    SendUnknown("the line went dead"),
)


class Desk(RuleBasedStateMachine):
    """Checks the invariants after each step of any sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="frontdesk-"))
        self.post = FlakyChannel()
        self.desk = waitlist_desk_at(self.folder, self.post).given("ann", "bob", tries=3)
        self.freed = 0
        self.looked_to = 0
        self.a_slot_comes_free(hours=5, staff="mia")

    def teardown(self) -> None:
        desk = self.desk
        try:
            desk.wait(days=9)
            self.nothing_is_broken()
            assert [one.id for one in desk.reads.slots(99) if one.status is SlotStatus.OPEN] == []
            assert list(desk.timers()) == ["wl/house/daily", "wl/summary/monthly"]
            letters = {"busy", "no such mailbox", "the line went dead"}
            assert [why for why in desk.dead_letters() if not why.endswith(tuple(letters))] == []
        finally:
            desk.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    # --- people -----------------------------------------------------------------------------

    @rule(who=people, wish=wishes, lane=st.sampled_from(Lane))
    def joins(self, who: str, wish: Wish, lane: Lane) -> None:
        self.desk.join(who, wish, lane)

    @rule(who=people, wish=wishes)
    def changes_their_wish(self, who: str, wish: Wish) -> None:
        self.desk.run(commands.ChangeWish(entry_id(who), wish))

    @rule(who=people)
    def leaves(self, who: str) -> None:
        self.desk.run(commands.LeaveList(entry_id(who)))

    @rule(who=st.sampled_from(NAMES[3:]))
    def says_stop(self, who: str) -> None:
        self.desk.run(commands.StopOffers(person_id(who)))

    @rule(who=st.sampled_from(NAMES[3:]))
    def wants_offers_again(self, who: str) -> None:
        self.desk.run(commands.ResumeOffers(person_id(who)))

    @rule(number=slots, back=back, settled=st.booleans())
    def claims(self, number: int, back: int, settled: bool) -> None:
        self.say(number, commands.ClaimOffer, back, settled=settled)

    @rule(number=slots, back=back, leave=st.booleans())
    def declines(self, number: int, back: int, leave: bool) -> None:
        self.say(number, partial(commands.DeclineOffer, leave=leave), back, settled=True)

    @rule(number=slots, back=back, kind=st.sampled_from(OFFER_COMMANDS), settled=st.booleans())
    def something_is_said_about_an_offer(
        self, number: int, back: int, kind: type[OfferCommand], settled: bool
    ) -> None:
        self.say(number, kind, back, settled=settled)

    def say(
        self, number: int, command: Callable[[SlotId, int], Command], back: int, *, settled: bool
    ) -> None:
        """Runs a command about the newest offer of a slot, or the previous one. Slots with an open
        offer come first."""
        if settled:
            self.desk.settle()
        found = sorted(self.desk.reads.slots(99), key=lambda slot: (-slot.offer_seq, slot.id))
        if found:
            slot = found[number % len(found)] if number > 2 else found[0]
            self.desk.run(command(slot.id, slot.offers - back))

    # --- staff ------------------------------------------------------------------------------

    @rule(hours=st.sampled_from([1, 5, 13, 24, 40]), staff=st.sampled_from(["", "mia"]))
    def a_slot_comes_free(self, hours: int, staff: str) -> None:
        self.freed += 1
        starts_at = self.desk.clock.now() + timedelta(hours=hours, minutes=7)
        opening = replace(
            OPENING, starts_at=starts_at, staff=staff, capacity=1 + (self.freed % 3 == 0)
        )
        self.desk.free(opening, slot_id=slot_id(self.freed))

    @rule(number=slots)
    def it_is_told_again(self, number: int) -> None:
        again = commands.FreeSlot(SlotId("again"), f"webhook:s{number}", OPENING)
        if number <= self.freed:
            assert not isinstance(self.desk.run(again), Committed)

    @rule(number=slots)
    def takes_it_back(self, number: int) -> None:
        self.desk.run(commands.TakeBackSlot(slot_id(number)))

    @rule(
        tries=st.integers(1, 4),
        down=st.sampled_from([0, None]),
        order=st.sampled_from([RULES.order, (OrderBy.JOINED,)]),
        checks=st.sampled_from([tuple(Check), (Check.PARTY,)]),
        cut_off=st.sampled_from([0, 30]),
    )
    def changes_the_rules(
        self,
        tries: int,
        down: int | None,
        order: tuple[OrderBy, ...],
        checks: tuple[Check, ...],
        cut_off: int,
    ) -> None:
        rules = replace(
            RULES,
            tries=tries,
            down_fitting=down,
            order=order,
            checks=checks,
            cut_off=timedelta(minutes=cut_off),
        )
        self.desk.run(commands.SetRules(rules))

    # --- the machine ------------------------------------------------------------------------

    @rule(minutes=st.sampled_from([0, 1, 9, 10, 11, 60, 400, 1500]), seconds=st.integers(0, 1))
    def time_passes(self, minutes: int, seconds: int) -> None:
        self.desk.wait(minutes=minutes, seconds=seconds)

    @rule(minutes=st.sampled_from([5, 10, 300, 1500]))
    def the_machine_sleeps(self, minutes: int) -> None:
        clock = self.desk.clock
        clock.move_to(clock.now() + timedelta(minutes=minutes))

    @rule(failures=st.lists(st.sampled_from(FAILURES), max_size=4))
    def messages_fail(self, failures: list[SendFailed]) -> None:
        self.post.failures[:] = failures

    @rule(which=st.integers(0, 2))
    def one_step_is_done(self, which: int) -> None:
        runtime = self.desk.runtime
        (runtime.follow, runtime.timers.step, runtime.sender.step)[which](self.desk.clock.now())

    @rule(number=slots, house=st.booleans())
    def a_move_is_asked_for(self, number: int, house: bool) -> None:
        self.desk.run(commands.ExpireEntries() if house else commands.MakeMove(slot_id(number)))

    @rule(steps=st.integers(1, 10))
    def facts_are_delivered_twice(self, steps: int) -> None:
        """Delivers the latest facts again, as after a restore or on an at-least-once bus."""
        self.desk.close()
        run_sql(self.desk.path, "UPDATE fd_follower SET seq = max(0, seq - ?)", steps)
        self.desk.open()
        self.desk.runtime.start(self.desk.clock.now())

    @rule()
    def everything_settles(self) -> None:
        """Checks that no slot is idle while it suits somebody."""
        self.desk.settle()
        reads = self.desk.reads
        for slot in reads.slots(99):
            if slot.status is SlotStatus.OPEN and not slot.offer_seq:
                assert reads.candidates(slot, 1) == []
                assert slot.nobody_fits

    # --- invariants -------------------------------------------------------------------------

    @invariant()
    def nothing_is_broken(self) -> None:
        assert self.desk.problems() == []

    @invariant()
    def nobody_was_skipped(self) -> None:
        """Checks in the audit that nobody before the chosen person suited the slot and had no
        offer."""
        for slot in self.desk.reads.slots(99):
            for made in self.desk.facts(slot.id):
                if made.seq > self.looked_to and isinstance(made.fact, OfferMade | OfferRolledOn):
                    self.check_the_choice(made, made.fact)
        self.looked_to = max((one.seq for one in self.everything()), default=0)

    def check_the_choice(self, made: Recorded, fact: OfferMade | OfferRolledOn) -> None:
        reads = self.desk.reads
        slot = reads.slot(fact.slot_id)
        assert slot is not None
        then = [
            entry_after(
                entry, (one.fact for one in reads.facts_about(entry.id) if one.seq < made.seq)
            )
            for entry in reads.entries()
        ]
        listed = [one for one in then if one is not None]
        assert list(skipped(slot, reads.offers(slot.id)[: fact.seq], listed)) == []

    def everything(self) -> list[Recorded]:
        return [one for slot in self.desk.reads.slots(99) for one in self.desk.facts(slot.id)]

    @invariant()
    def everybody_without_an_offer_is_told_why(self) -> None:
        reads = self.desk.reads
        for slot in reads.slots(99):
            had = {one.entry_id for one in reads.offers(slot.id)}
            for entry in reads.entries():
                found = explain(reads, slot.id, entry.id)
                assert found is not None
                assert (found.verdict is OfferVerdict.OFFERED) == (entry.id in had)
                assert found.sentence.endswith(".")


def entry_id(who: str) -> EntryId:
    return EntryId(who)


def person_id(who: str) -> PersonId:
    return PersonId(f"p-{who}")


def slot_id(number: int) -> SlotId:
    return SlotId(f"s{number}")


@pytest.mark.spec("WL-09", "WL-11", "WL-12", "WL-13", "WL-16", "WL-19", "WL-21", "FD-03")
def test_the_invariants_hold_after_any_sequence_of_commands() -> None:
    run_state_machine_as_test(
        Desk,
        settings=settings(
            max_examples=20,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
