"""Plays a random period in virtual time: an agenda of planned actions, faults and crashes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import ClassVar, Final, Generic, TypeVar
from zoneinfo import ZoneInfo

from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.localtime import same_wall_time
from frontdesk.simulate.runtime import SimulatedMail, SimulatedTexts, Simulation, sent_by_kind
from frontdesk.simulate.scenario import Progress, Scenario

S = TypeVar("S", bound=Scenario)
DAY: Final = timedelta(days=1)
Do = Callable[[], object]


@dataclass(slots=True)
class PlayedPeriod(Generic[S]):
    scenario: S
    seed: int
    figures: dict[str, int] = field(default_factory=dict)
    messages: dict[str, int] = field(default_factory=dict)
    not_sent: dict[str, int] = field(default_factory=dict)
    restarts: int = 0
    problems: list[str] = field(default_factory=list)


class PeriodPlayer(ABC):
    """Does planned actions at their instants, and due work in between. A subclass plans the actions
    and checks the invariants."""

    stage: Simulation
    settles_after_actions: ClassVar = True
    """Whether followers run right after each action, rather than with the next due work."""

    def __init__(self, begins_on: date, tz: ZoneInfo, seed: int) -> None:
        self.begins_on = begins_on
        self.tz = tz
        self.chance = Random(seed)  # noqa: S311 - a simulation
        self.mail, self.texts = SimulatedMail(local=False), SimulatedTexts(local=False)
        self._agenda: list[tuple[datetime, int, Do]] = []
        self._numbers = count()

    @abstractmethod
    def plan(self) -> None:
        """Plans everything that does not depend on earlier events."""

    @abstractmethod
    def moment(self) -> datetime:
        """Returns a random moment in the period."""

    @abstractmethod
    def listen(self) -> None:
        """Takes the facts of an instant."""

    @abstractmethod
    def finish(self) -> None:
        """Checks the end of the period."""

    def play(self, days: int, progress: Progress) -> None:
        with self.stage:
            self.plan()
            for day in range(days + 1):
                progress(day, days + 1)
                self._play_until(self.midnight(day + 1))
            self.finish()

    def _play_until(self, until: datetime) -> None:
        """Moves the clock from one instant with work to the next."""
        while True:
            due_at = self.stage.product.runtime.next_at()
            planned_at = self._agenda[0][0] if self._agenda else None
            at = min((each for each in (due_at, planned_at) if each is not None), default=until)
            if at >= until:
                return
            self.stage.clock.move_to(max(at, self.stage.clock.now()))
            while self._agenda and self._agenda[0][0] <= at:
                heappop(self._agenda)[2]()
            if self.settles_after_actions or (due_at is not None and due_at <= at):
                self.stage.settle()
            self.listen()

    # --- plans --------------------------------------------------------------------------------

    def new_id(self) -> str:
        return new_id(self.chance.randbytes(ID_BYTES))

    def midnight(self, day: int) -> datetime:
        return same_wall_time(self.begins_on + day * DAY, time(), self.tz)

    def percent(self, share: int) -> bool:
        return self.chance.randrange(100) < share

    def at(self, at: datetime, do: Do) -> None:
        heappush(self._agenda, (at.replace(microsecond=0), next(self._numbers), do))

    def plan_faults(self, faults: int, *, most_minutes: int) -> None:
        """Plans periods in which mail or texts fail."""
        for _ in range(faults):
            channel = self.chance.choice((self.mail, self.texts))
            begins_at = self.moment()
            ends_at = begins_at + timedelta(minutes=self.chance.randint(10, most_minutes))
            self.at(begins_at, partial(setattr, channel, "is_down", True))
            self.at(ends_at, partial(setattr, channel, "is_down", False))

    def plan_crashes(self, crashes: int, crash: Do) -> None:
        """Plans each crash at the instant of another action."""
        planned = [at for at, _, _ in self._agenda]
        for at in self.chance.sample(planned, min(crashes, len(planned))):
            self.at(at, crash)

    def note_messages(self, played: PlayedPeriod[S]) -> None:
        with self.stage.data() as db:
            played.messages = sent_by_kind(db, "state = 'sent'")
            played.not_sent = sent_by_kind(db, "state <> 'sent'")
