"""Runs all work that follows from commits: followers, timers, jobs and delivery."""

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
from frontdesk.engine.jobs import Jobs, JobWorker
from frontdesk.engine.ports import Recorded
from frontdesk.engine.text_limits import TellSpending
from frontdesk.engine.timers import Timers

MOST_ROUNDS: Final = 100_000
#: The places of idle followers are checked after this many new facts.
PASS_EVERY: Final = 500


class DoesNotSettle(Exception):
    """Work at this instant never ends: each step causes the next."""


class Runtime:
    """An engine with its followers, timers, jobs and sender. Callers pass the time."""

    def __init__(
        self,
        engine: Engine,
        channels: Channels,
        *,
        chance: Callable[[], float],
        bindings: Iterable[Binding] = (),
        text_rules: TextRules | None = None,
        tell_spending: TellSpending = lambda _is_reached: None,
    ) -> None:
        self.engine = engine
        self.followers = followers(engine, bindings)
        engine.store.register_followers({each.name: each.kinds for each in self.followers})
        self.timers = Timers(engine)
        self.jobs = Jobs(engine)
        self.reading_jobs = Jobs(engine, JobWorker.READING)
        self.outside_jobs = Jobs(engine, JobWorker.OUTSIDE)
        self.every_jobs = (self.jobs, self.reading_jobs, self.outside_jobs)
        self.sender = Sender(
            engine, channels, chance=chance, text_rules=text_rules, tell_spending=tell_spending
        )
        self._head = 0
        self._pass_at = 0
        self._idle: set[str] = set()
        """Followers that have acted on all of their facts. A commit of their facts unmarks them."""
        engine.store.on_commit(self._heard)

    def start(self, now: datetime) -> None:
        """Recovers sends that the last process left unfinished. Call it once, first."""
        self.sender.recover(now)

    def follow(self, now: datetime) -> bool:
        """Runs one step of each follower. Returns whether there were facts to act on."""
        head = self._head
        self._pass_over_idle(head)
        stepped = [
            self._step(follower, now, head)
            for follower in self.followers
            if follower.name not in self._idle
        ]
        return any(stepped)

    def _pass_over_idle(self, head: int) -> None:
        if head < self._pass_at:
            return
        self._pass_at = head + PASS_EVERY
        for follower in self.followers:
            if follower.name in self._idle:
                follower.pass_over(head)

    def _step(self, follower: Follower, now: datetime, head: int) -> bool:
        """Marks the follower idle before it reads facts, so that a commit meanwhile unmarks it."""
        self._idle.add(follower.name)
        stepped, done = True, False
        try:
            stepped = follower.step(now, head)
            done = not follower.may_have_more and follower.next_at() is None
        finally:
            if not (done and self.engine.store.follows_in_order):
                self._idle.discard(follower.name)
        return stepped

    def settle(self, now: datetime) -> None:
        """Does all due work until none is left."""
        jobs = (each.step for each in self.every_jobs)
        steps = (self.follow, self.timers.step, *jobs, self.sender.step)
        for _ in range(MOST_ROUNDS):
            stepped = [step(now) for step in steps]
            if not any(stepped):
                return
        raise DoesNotSettle(f"still busy at {now} after {MOST_ROUNDS} rounds")

    def next_follow_at(self) -> datetime | None:
        """Returns the next instant at which a follower retries a fact."""
        return _first(follower.next_at() for follower in self.followers)

    def next_at(self) -> datetime | None:
        """Returns the next instant at which work is due or is retried."""
        sends_at = self.engine.store.next_send_at()
        jobs_at = (each.next_at() for each in self.every_jobs)
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
    """Moves virtual time from one due instant to the next, and does the work at each."""
    runtime.settle(clock.now())
    while (due_at := runtime.next_at()) is not None and due_at <= until:
        clock.move_to(max(due_at, clock.now()))
        runtime.settle(clock.now())
    clock.move_to(until)
    runtime.settle(until)
