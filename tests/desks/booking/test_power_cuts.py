"""A power failure at any instant does not change how a day of bookings ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import CancelBooking, MoveBooking, SetRules
from frontdesk.desks.booking.rules import CalendarRef
from frontdesk.desks.waitlist import commands as wl
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, Lane, Wish
from frontdesk.engine.ports import Store
from tests.support.booking import DAY, MIRA, TEN, BookingDesk, hex_id, resource, rules
from tests.support.power_cuts import Fuse, FusedStore, PowerCut

WITH_CALENDAR = rules(
    resources=[resource(MIRA, calendars=(CalendarRef("mira@salon", write=True),))]
)
WISH = Wish("cut", 1, date(2026, 11, 16), date(2026, 12, 16))
WIM = wl.JoinList(EntryId("wim"), PersonId("w-wim"), "Wim", "wim@example.org", WISH, Lane.STAFF)


@dataclass
class FragileDesk(BookingDesk):
    fuse: Fuse = field(default_factory=Fuse)

    def new_store(self) -> Store:
        return FusedStore(super().new_store(), self.fuse)

    def restart(self) -> None:
        self.close()
        self.fuse = Fuse()
        self.open()
        self.runtime.start(self.clock.now())


def steps(desk: FragileDesk) -> Iterator[Command]:
    """Yields the commands of the day. Each is repeated after a power cut, and then refused or
    done."""
    yield SetRules(WITH_CALENDAR)
    yield WIM
    yield desk.command("ann")
    yield CancelBooking(hex_id("ann"))
    [slot] = waitlist(desk.engine.reads()).slots(9)
    yield wl.ClaimOffer(slot.id, 1)
    [booking] = desk.reads.bookings_of(PersonId("w-wim"))
    yield MoveBooking(booking.id, TEN + DAY, by_staff=True)


def play(desk: FragileDesk) -> int:
    """Plays the day; returns how often the power failed."""
    cuts = 0
    desk.clock.move_to(desk.clock.now().replace(hour=9))
    for command in steps(desk):
        for _ in range(2):
            try:
                desk.run(command)
                desk.settle()
            except PowerCut:
                cuts += 1
                desk.restart()
    try:
        desk.wait(hours=30)
    except PowerCut:
        cuts += 1
        desk.restart()
        desk.settle()
    return cuts


def told(desk: FragileDesk) -> list[object]:
    """Returns the results of the day without random ids."""
    bookings = sorted(desk.reads.bookings(), key=lambda one: one.person_id)
    return [
        *((one.person_id, one.status, one.starts_at, one.version) for one in bookings),
        *(desk.kinds(one.id) for one in bookings),
        sorted(cell.holder.partition(":")[0] for cell in desk.reads.every_cell()),
        sorted((one.status, one.starts_at) for one in desk.reads.handovers()),
        desk.problems(),
        desk.dead_letters(),
        desk.store.open_jobs(9),
    ]


@pytest.mark.spec("BK-12", "BK-16")
def test_a_power_cut_after_any_commit_changes_nothing_in_the_end(tmp_path: Path) -> None:
    """The cuts are between claim, calendar, confirmation, cancellation, offer, new booking, move
    and reminder."""
    calm = FragileDesk(tmp_path, with_waitlist=True)
    assert play(calm) == 0
    expected = told(calm)
    calm.close()
    assert expected[-3:] == [[], [], []]

    cut = 0
    while True:
        cut += 1
        folder = tmp_path / f"{cut}"
        folder.mkdir()
        desk = FragileDesk(folder, with_waitlist=True, fuse=Fuse(cut))
        cuts = play(desk)
        assert told(desk) == expected, f"after commit {cut}"
        desk.close()
        if not cuts:
            break
    assert cut > 20
