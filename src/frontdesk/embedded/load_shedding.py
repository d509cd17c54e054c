"""Slows workers and jobs down while many requests come in."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from frontdesk.engine.ports import Recorded

#: From this many facts by people in a second on, the server is busy.
BUSY_FACTS: Final = 100
#: The share of its time that each worker may use then. Messages are delayed meanwhile, and sent
#: soon after.
SHARE: Final = 0.15
#: From this many facts on, people are signing up. (Starting an import causes a fact, too.)
SOME_FACTS: Final = 5
#: The share of its time that a large job may use then.
SHARE_BESIDE_PEOPLE: Final = 0.4
#: The minimum rest of a worker between two steps under load: more facts then share a commit.
REST_SECONDS: Final = 0.2
#: The maximum rest: the load may end at any moment.
LONGEST_REST_SECONDS: Final = 2.0
#: The pause of a worker between two messages then, so that requests get the interpreter.
BREATH_SECONDS: Final = 0.0002

_OURS: Final = ("follower:", "timer", "shipping", "job:")
_JOBS: Final = "job:"


class LoadShedding:
    """Counts facts by people and by jobs in each second of a monotonic clock.

    Jobs yield to people. All other workers yield to both: a large import is faster and cheaper if
    its messages are handled in large batches.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._second = 0
        self._by_people = _Count()
        self._by_jobs = _Count()

    def heard(self, facts: Sequence[Recorded]) -> None:
        """Listens to `Store.on_commit`."""
        if facts:
            self._turn()
            self._by_people.now += sum(not each.by.startswith(_OURS) for each in facts)
            self._by_jobs.now += sum(each.by.startswith(_JOBS) for each in facts)

    def is_busy(self) -> bool:
        """Counts facts by people only."""
        self._turn()
        return self._by_people.highest >= BUSY_FACTS

    def is_busy_with_jobs(self) -> bool:
        """Counts facts by people and jobs."""
        self._turn()
        return self._by_people.highest + self._by_jobs.highest >= BUSY_FACTS

    def share(self) -> float:
        """Returns the share of its time that a worker may use now."""
        return SHARE if self.is_busy_with_jobs() else 1.0

    def share_of_jobs(self) -> float:
        """The same for workers that do jobs: people who sign up meanwhile should hardly notice."""
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
    """Counts the facts of this second and the one before."""

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
    """Returns the rest after so much work that keeps to this share of the time."""
    if share >= 1.0:
        return 0.0
    fair = worked_seconds * (1 - share) / share
    least = REST_SECONDS if share <= SHARE else 0.0
    return min(max(least, fair), LONGEST_REST_SECONDS)
