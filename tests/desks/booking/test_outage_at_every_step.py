"""A booking ends with one event and each mail once, at whatever step the process dies.

The power fails after each commit, before and after each write to the calendar, and after each mail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest

from frontdesk.connect.calendars.port import (
    BusySource,
    BusySpan,
    CalendarEntry,
    Changes,
    WrittenEvent,
)
from frontdesk.core.decision import Command
from frontdesk.core.messages import Message, Text
from frontdesk.desks.booking.calendar_job import CalendarWriter
from frontdesk.desks.booking.commands import CancelBooking, MoveBooking
from frontdesk.desks.booking.decide.states import CALENDAR_JOB
from frontdesk.desks.booking.notes import NOTES
from frontdesk.desks.booking.rules import CalendarRef
from frontdesk.engine.ports import Store
from tests.support.booking import DAY, HOUR, MIRA, SEVEN, BookingDesk, hex_id, resource, rules
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.flaky_channel import FlakyChannel
from tests.support.power_cuts import Fuse, FusedStore, PowerCut

NAME = "mira-private"
WITH_CALENDAR = rules(resources=[resource(MIRA, calendars=(CalendarRef(NAME, write=True),))])
#: On DynamoDB only every fifth step is cut; on a data file each step is.
EVERY_ON_DYNAMODB = 5
MOST_RUNS = 100


@dataclass
class World:
    """Everything outside the process: the calendar, the delivered mails, and the fuse."""

    fuse: Fuse = field(default_factory=Fuse)
    events: dict[str, WrittenEvent] = field(default_factory=dict)
    written: Counter[str] = field(default_factory=Counter)
    """The number of times that an event was created, by its key."""
    delivered: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Recipient and kind of each mail, by its Message-ID: mail programs show repeated ones once."""

    # --- the calendar -----------------------------------------------------------------------

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        return ()

    def find(self, key: str, event_id: str = "") -> WrittenEvent | None:
        return self.events.get(key)

    def put(self, entry: CalendarEntry, event_id: str = "") -> WrittenEvent:
        self.fuse.burn()
        self.written[entry.key] += entry.key not in self.events
        event = WrittenEvent(entry.key, entry.key, entry.starts_at, entry.ends_at)
        self.events[entry.key] = event
        self.fuse.burn()
        return event

    def remove(self, key: str, event_id: str = "") -> None:
        self.fuse.burn()
        self.events.pop(key, None)
        self.fuse.burn()

    def changes(self, known: str, start: datetime, end: datetime) -> Changes:
        return Changes(tuple(self.events.values()), known)


class FragilePost(FlakyChannel):
    """Dies after it has delivered a mail, before any process can record that."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def send(self, message: Message | Text) -> None:
        assert isinstance(message, Message)
        self._world.delivered[message.message_id] = (message.to_email, message.subject)
        self._world.fuse.burn()


@dataclass
class FragileDesk(BookingDesk):
    world: World = field(default_factory=World)

    def __post_init__(self) -> None:
        calendars: Mapping[str, BusySource] = {NAME: self.world}
        writer = CalendarWriter(lambda: self.engine.reads(), lambda: calendars)
        self.jobs, self.notes = {CALENDAR_JOB: writer.run}, NOTES
        self.post = FragilePost(self.world)
        super().__post_init__()

    def new_store(self) -> Store:
        return FusedStore(super().new_store(), self.world.fuse)

    def restart(self) -> None:
        self.close()
        self.world.fuse = Fuse()
        self.open()
        self.runtime.start(self.clock.now())

    def plays(self, who: str, cut: int) -> bool:
        """Plays the life of one booking with one power cut; returns whether the power was cut."""
        self.world.fuse = Fuse(cut)
        self.close()
        self.open()
        is_cut = False
        for due_at, command in self._steps(who, self.clock.now()):
            for _ in range(2):
                try:
                    self.wait(seconds=max((due_at - self.clock.now()).total_seconds(), 0))
                    self.run(command)
                    self.settle()
                except PowerCut:
                    is_cut = True
                    self.restart()
        self.wait(hours=1)
        return is_cut

    def _steps(self, who: str, now: datetime) -> Iterator[tuple[datetime, Command]]:
        """Yields commands with their times. A customer without an answer tries again; a repeated
        command is refused. Reminders are due a day and an hour before."""
        starts_at = now + 26 * HOUR
        yield now, self.command(who, starts_at)
        yield now + 3 * HOUR, MoveBooking(hex_id(who), starts_at + HOUR, by_staff=True)
        yield now + 26.5 * HOUR, CancelBooking(hex_id(who), by_staff=True)


def outcome(desk: FragileDesk, who: str) -> list[object]:
    """Returns the facts about a booking without their times."""
    booking = desk.of(who)
    mails = Counter(kind for to, kind in desk.world.delivered.values() if to.startswith(f"{who}@"))
    return [
        (booking.status, booking.version, booking.sequence),
        desk.kinds(booking.id),
        desk.world.events.get(booking.id),
        desk.world.written[booking.id],
        mails,
    ]


def test_the_calm_day_writes_the_calendar_and_tells_the_customer(tmp_path: Path) -> None:
    desk = calm(FragileDesk(tmp_path))

    status, kinds, event, written, mails = outcome(desk, "calm")
    assert (status, event, written) == (("cancelled", 8, 2), None, 1)
    assert mails == {"confirmed": 1, "reminder": 2, "moved_by_staff": 1, "cancelled_by_staff": 1}
    assert kinds == [
        *("bk.booked", "bk.confirmed", "bk.reminder_due", "bk.moved", "bk.calendar_written"),
        *("bk.reminder_due", "bk.cancelled_by_staff", "bk.calendar_written"),
    ]
    desk.close()


def calm(desk: FragileDesk) -> FragileDesk:
    desk.given(WITH_CALENDAR)
    desk.clock.move_to(SEVEN + 2 * HOUR)
    assert not desk.plays("calm", cut=10_000)
    return desk


@pytest.mark.spec("BK-12", "BK-13", "BK-14", "BK-15", "BK-16", "FD-02", "FD-03")
def test_a_power_cut_at_any_step_changes_nothing_in_the_end(tmp_path: Path) -> None:
    check(FragileDesk(tmp_path), every=1, least=30)


@needs_dynamodb
@pytest.mark.spec("BK-12", "BK-13", "BK-14", "BK-15", "BK-16", "FD-02", "FD-03")
def test_a_function_that_dies_at_any_step_changes_nothing_in_the_end(
    dynamodb: Tables, tmp_path: Path
) -> None:
    check(FragileDesk(tmp_path, dynamodb), every=EVERY_ON_DYNAMODB, least=6)


def check(desk: FragileDesk, *, every: int, least: int) -> None:
    """Uses one store for all runs: each must leave nothing for the next."""
    expected = outcome(calm(desk), "calm")
    run = 0
    while True:
        run += 1
        desk.clock.move_to((desk.clock.now() + DAY).replace(hour=9))
        is_cut = desk.plays(f"ann{run}", cut=run * every)
        assert outcome(desk, f"ann{run}") == expected, f"cut at step {run * every}"
        if not is_cut:
            break
        assert run < MOST_RUNS
    assert run > least
    assert desk.problems() == []
    assert desk.dead_letters() == []
    desk.close()
