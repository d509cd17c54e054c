"""A day of reminders ends in the same way, at whatever instant the power fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.core.decision import Command
from frontdesk.desks.reminders.commands import MarkNoShow, MoveAppointment, PlanTick, SetRules
from frontdesk.desks.reminders.model import Window
from frontdesk.desks.reminders.rules import LeadTime, Schedule
from frontdesk.engine.ports import Store
from frontdesk.values import replace
from tests.support.power_cuts import Fuse, FusedStore, PowerCut
from tests.support.reminders import HOUR, MONDAY, RULES, RemindersDesk, id_of


@dataclass
class FragileDesk(RemindersDesk):
    fuse: Fuse = field(default_factory=Fuse)
    cuts: int = 0

    def new_store(self) -> Store:
        return FusedStore(super().new_store(), self.fuse)

    def restart(self) -> None:
        self.close()
        self.fuse = Fuse()
        self.open()
        self.runtime.start(self.clock.now())
        self.cuts += 1

    def wait_until(self, at: datetime) -> FragileDesk:
        """Continues to wait after a power cut."""
        while True:
            try:
                super().wait_until(at)
            except PowerCut:
                self.restart()
            else:
                return self


#: A short day, since each of its commits is cut once.
THREE = MONDAY + 6 * HOUR
SHORT = replace(
    RULES,
    usual=Schedule(reminders=(LeadTime(minutes=300), LeadTime(minutes=150))),
    after_booking=timedelta(),
    least_gap=timedelta(minutes=30),
)


def steps(desk: FragileDesk) -> Iterator[Command]:
    """Yields the commands of the day. Each is repeated after a power cut, and then refused or
    done."""
    yield SetRules(SHORT)
    yield PlanTick()
    yield desk.record("ann", THREE)
    yield desk.record("bob", THREE)
    yield desk.record("bob", THREE + HOUR, ref="again")
    desk.wait_until(THREE - 4 * HOUR)
    yield desk.confirm("ann")
    yield desk.cancel("again")
    yield MoveAppointment(id_of("bob"), THREE + 2 * HOUR)
    desk.wait_until(THREE + 2 * HOUR)
    yield MarkNoShow(id_of("bob"))
    yield desk.cancel("ann", Window.SECOND)


def play(desk: FragileDesk) -> int:
    """Plays the day; returns how often the power failed."""
    for command in steps(desk):
        for _ in range(2):
            try:
                desk.run(command)
                desk.settle()
            except PowerCut:
                desk.restart()
    return desk.cuts


def told(desk: FragileDesk) -> list[object]:
    """Returns the results of the day. A mail that is repeated after a cut may be a second late."""
    rows = sorted(desk.reads.appointments(), key=lambda one: one.ref)
    return [
        *((one.ref, one.state, one.starts_at, one.settled, one.version) for one in rows),
        *(desk.kinds(one.ref) for one in rows),
        sorted((*rest, at.replace(second=0)) for *rest, at in desk.told()),
        desk.problems(),
        desk.dead_letters(),
        desk.timers(),
    ]


@pytest.mark.spec("FD-02", "AR-05")
def test_a_power_cut_after_any_commit_changes_nothing_in_the_end(tmp_path: Path) -> None:
    calm = FragileDesk(tmp_path)
    assert play(calm) == 0
    expected = told(calm)
    calm.close()
    assert expected[-3:] == [[], [], {}]

    cut = 0
    while True:
        cut += 1
        folder = tmp_path / f"{cut}"
        folder.mkdir()
        desk = FragileDesk(folder, fuse=Fuse(cut))
        cuts = play(desk)
        assert told(desk) == expected, f"after commit {cut}"
        desk.close()
        if not cuts or cut > 400:
            break
    assert 20 < cut < 400
