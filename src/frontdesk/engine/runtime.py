"""Everything that has to be done after a commit: followed, fired, worked off and shipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Final

from frontdesk.core.messages import Channels
from frontdesk.core.text_rules import TextRules
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.delivery import Sender
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding, Follower, followers
from frontdesk.engine.jobs import Jobs
from frontdesk.engine.ports import Recorded
from frontdesk.engine.timers import Timers

MOST_ROUNDS: Final = 100_000


class DoesNotSettle(Exception):
    """There is always something more to do at this instant: one thing causes the next for ever."""


class Runtime:
    """An engine with all that follows from what it commits. Told the time, like everything."""

    def __init__(
        self,
        engine: Engine,
        channels: Channels,
        *,
        chance: Callable[[], float],
        bindings: Iterable[Binding] = (),
        text_rules: TextRules | None = None,
    ) -> None:
        self.engine = engine
        self.followers = followers(engine, bindings)
        engine.store.expect({each.name: each.kinds for each in self.followers})
        self.timers = Timers(engine)
        self.jobs = Jobs(engine)
        self.slow_jobs = Jobs(engine, slow=True)
        self.sender = Sender(engine, channels, chance=chance, text_rules=text_rules)
        self._head = 0
        self._idle: set[str] = set()
        """Followers that have acted on everything that concerns them. Nobody has to look again."""
        engine.store.on_commit(self._heard)

    def start(self, now: datetime) -> None:
        """Once, before anything else: what the last process left in the middle."""
        self.sender.recover(now)

    def follow(self, now: datetime) -> bool:
        """One step of each follower; whether there was anything to follow."""
        head = self._head
        stepped = [self._step(follower, now, head) for follower in self.followers]
        return any(stepped)

    def _step(self, follower: Follower, now: datetime, head: int) -> bool:
        """First idle, then a look: what is committed after the look ends it again."""
        if follower.name in self._idle:
            follower.pass_over(head)
            return False
        self._idle.add(follower.name)
        stepped, done = True, False
        try:
            stepped = follower.step(now, head)
            done = not stepped and follower.next_at() is None
        finally:
            if not (done and self.engine.store.follows_in_order):
                self._idle.discard(follower.name)
        return stepped

    def settle(self, now: datetime) -> None:
        """Do all that is due, until nothing is left."""
        jobs = (self.jobs.step, self.slow_jobs.step)
        steps = (self.follow, self.timers.step, *jobs, self.sender.step)
        for _ in range(MOST_ROUNDS):
            stepped = [step(now) for step in steps]
            if not any(stepped):
                return
        raise DoesNotSettle(f"still busy at {now} after {MOST_ROUNDS} rounds")

    def next_follow_at(self) -> datetime | None:
        """The next instant at which a follower tries again what failed."""
        return _first(follower.next_at() for follower in self.followers)

    def next_at(self) -> datetime | None:
        """The next instant at which something is due, or is tried again."""
        sends_at = self.engine.store.next_send_at()
        jobs_at = (self.jobs.next_at(), self.slow_jobs.next_at())
        return _first((self.next_follow_at(), self.timers.next_at(), *jobs_at, sends_at))

    def _heard(self, facts: Sequence[Recorded]) -> None:
        if not facts:
            return
        kinds = {recorded.fact.kind for recorded in facts}
        for follower in self.followers:
            if not kinds.isdisjoint(follower.kinds):
                self._idle.discard(follower.name)
        self._head = facts[-1].seq


def _first(instants: Iterable[datetime | None]) -> datetime | None:
    return min((at for at in instants if at is not None), default=None)


def advance(runtime: Runtime, clock: VirtualClock, until: datetime) -> None:
    """Let virtual time pass: from one instant at which something is due to the next."""
    runtime.settle(clock.now())
    while (due_at := runtime.next_at()) is not None and due_at <= until:
        clock.move_to(max(due_at, clock.now()))
        runtime.settle(clock.now())
    clock.move_to(until)
    runtime.settle(until)
