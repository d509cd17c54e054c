"""Slows workers and jobs down while many requests come in."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from frontdesk.engine.ports import Recorded

#: Facts that people cause in a second, from which on there is load.
BUSY_FACTS: Final = 100
#: How much of its time each worker may take then. What people are told comes later while it
#: lasts, and all of it soon after.
SHARE: Final = 0.15
#: From so many on, people sign up. (Whoever begins an import causes a fact, too.)
SOME_FACTS: Final = 5
#: How much of its time a large job may take then.
SHARE_BESIDE_PEOPLE: Final = 0.4
#: How long a worker rests at least between two steps under load, so that more facts share a commit.
REST_SECONDS: Final = 0.2
#: And at most: load may end at any moment.
LONGEST_REST_SECONDS: Final = 2.0
#: How long a worker steps back between two messages then, so that a request is not kept waiting
#: for the interpreter.
BREATH_SECONDS: Final = 0.0002

_OURS: Final = ("follower:", "timer", "shipping", "job:")
_JOBS: Final = "job:"


class LoadShedding:
    """Counts what people do, and what jobs do for them, in seconds of the machine's own clock.

    Jobs give way to people. All other workers give way to both: a large import is quicker, and
    cheaper, if its messages are dealt with many at a time.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._second = 0
        self._by_people = _Count()
        self._by_jobs = _Count()

    def heard(self, facts: Sequence[Recorded]) -> None:
        """For `Store.on_commit`."""
        if facts:
            self._turn()
            self._by_people.now += sum(not each.by.startswith(_OURS) for each in facts)
            self._by_jobs.now += sum(each.by.startswith(_JOBS) for each in facts)

    def is_busy(self) -> bool:
        """By what people do."""
        self._turn()
        return self._by_people.highest >= BUSY_FACTS

    def is_busy_with_jobs(self) -> bool:
        """By what people and jobs do."""
        self._turn()
        return self._by_people.highest + self._by_jobs.highest >= BUSY_FACTS

    def share(self) -> float:
        """How much of its time a worker may take now."""
        return SHARE if self.is_busy_with_jobs() else 1.0

    def share_of_jobs(self) -> float:
        """The same for who works jobs off: whoever signs up meanwhile should hardly notice it."""
        if self.is_busy():
            return SHARE
        return SHARE_BESIDE_PEOPLE if self._by_people.highest >= SOME_FACTS else 1.0

    def breathe(self) -> None:
        if self.is_busy_with_jobs():
            time.sleep(BREATH_SECONDS)

    def _turn(self) -> None:
        second = int(self._seconds())
        if second != self._second:
            for count in (self._by_people, self._by_jobs):
                count.turn(follows=second == self._second + 1)
            self._second = second


class _Count:
    """Facts in this second and in the one before."""

    def __init__(self) -> None:
        self.now = 0
        self._before = 0

    @property
    def highest(self) -> int:
        return max(self.now, self._before)

    def turn(self, *, follows: bool) -> None:
        self._before = self.now if follows else 0
        self.now = 0


def rest_seconds(worked_seconds: float, share: float) -> float:
    """How long to step back after so much work, to take no more than this share of the time."""
    if share >= 1.0:
        return 0.0
    fair = worked_seconds * (1 - share) / share
    least = REST_SECONDS if share <= SHARE else 0.0
    return min(max(least, fair), LONGEST_REST_SECONDS)
