"""Random histories of the booking and waitlist desks: at every step each time has exactly one
holder."""

from __future__ import annotations

import tempfile
from datetime import date
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
from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import CancelBooking, MoveBooking
from frontdesk.desks.booking.model import BookingStatus, handover_id
from frontdesk.desks.waitlist import commands as wl
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, Lane, Opening, Slot, SlotId, SlotStatus, Wish
from tests.support.booking import HOUR, TEN, BookingDesk

WISH = Wish("cut", 1, date(2026, 11, 16), date(2026, 12, 16))
hours = st.integers(0, 3)
anything = st.integers(0, 100)


class BothDesks(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.desk = BookingDesk(Path(tempfile.mkdtemp()), with_waitlist=True)
        self.desk.given().wait(hours=2)
        self.count = 0

    def teardown(self) -> None:
        self.settle()
        self.desk.close()

    def ask(self, command: Command, *, now: bool) -> None:
        """Runs a command, which may be refused. Without `now`, followers run later, after other
        commands."""
        self.desk.run(command)
        if now:
            self.desk.settle()

    @rule(hour=hours, now=st.booleans())
    def book(self, hour: int, now: bool) -> None:
        self.count += 1
        self.ask(self.desk.command(f"g{self.count}", TEN + hour * HOUR), now=now)

    @rule(at=anything, now=st.booleans())
    def cancel(self, at: int, now: bool) -> None:
        if live := self.desk.reads.bookings_in(BookingStatus.CONFIRMED, 20):
            self.ask(CancelBooking(live[at % len(live)].id, by_staff=True), now=now)

    @rule(at=anything, hour=hours, now=st.booleans())
    def move(self, at: int, hour: int, now: bool) -> None:
        if live := self.desk.reads.bookings_in(BookingStatus.CONFIRMED, 20):
            one = live[at % len(live)]
            self.ask(MoveBooking(one.id, TEN + hour * HOUR, by_staff=True), now=now)

    @rule(now=st.booleans())
    def join(self, now: bool) -> None:
        self.count += 1
        who = f"w{self.count}"
        mail = f"{who}@example.org"
        command = wl.JoinList(EntryId(who), PersonId(who), who, mail, WISH, Lane.STAFF)
        self.ask(command, now=now)

    @rule(at=anything, hour=hours, now=st.booleans())
    def free_elsewhere(self, at: int, hour: int, now: bool) -> None:
        opening = Opening("cut", TEN + hour * HOUR, HOUR, 1, "Mira")
        self.ask(wl.FreeSlot(SlotId(f"s{at}"), f"webhook:{at}", opening), now=now)

    @rule(at=anything, now=st.booleans(), what=st.sampled_from(["claim", "decline", "back"]))
    def answer(self, at: int, now: bool, what: str) -> None:
        found = [one for one in self.slots() if one.status is SlotStatus.OPEN]
        if not found:
            return
        slot = found[at % len(found)]
        commands: dict[str, Command] = {
            "claim": wl.ClaimOffer(slot.id, slot.offer_seq, by_staff=True),
            "decline": wl.DeclineOffer(slot.id, slot.offer_seq, by_staff=True),
            "back": wl.TakeBackSlot(slot.id),
        }
        self.ask(commands[what], now=now)

    @rule(at=anything, now=st.booleans(), offer=st.booleans())
    def cancel_there(self, at: int, now: bool, offer: bool) -> None:
        self.count += 1
        if found := [one for one in self.slots() if one.status is SlotStatus.BOOKED]:
            slot = found[at % len(found)]
            new_id = SlotId(f"n{self.count}")
            entry_id = EntryId(slot.booked_by)
            self.ask(wl.CancelBooking(slot.id, entry_id, new_id, offer=offer), now=now)

    def slots(self) -> list[Slot]:
        return sorted(waitlist(self.desk.engine.reads()).slots(100), key=lambda one: one.id)

    @invariant()
    def each_time_has_one_holder(self) -> None:
        assert self.desk.problems() == []

    @rule()
    def settle(self) -> None:
        """Checks that every open slot is held, and every booked slot has its booking."""
        self.desk.settle()
        holders = {cell.holder for cell in self.desk.reads.every_cell()}
        opened = {
            f"handover:{handover_id(one.origin)}"
            for one in self.slots()
            if one.status is SlotStatus.OPEN
        }
        assert opened == {each for each in holders if each.startswith("handover:")}
        booked = {one.id for one in self.slots() if one.status is SlotStatus.BOOKED}
        from_offers = {
            one.waitlist_slot
            for one in self.desk.reads.bookings_in(BookingStatus.CONFIRMED, 100)
            if one.waitlist_slot
        }
        assert booked == from_offers
        assert self.desk.problems() == []
        assert self.desk.dead_letters() == []


@pytest.mark.spec("BK-16")
def test_times_go_to_the_waitlist_and_back_in_any_order() -> None:
    run_state_machine_as_test(
        BothDesks,
        settings=settings(
            max_examples=60,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
