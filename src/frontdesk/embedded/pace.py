"""Who comes first: under load the requests, with everything else a moment later."""

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
#: How long a worker rests at least between two steps then, so that more facts share a commit.
REST_SECONDS: Final = 0.2
#: And at most: load may end at any moment.
LONGEST_REST_SECONDS: Final = 2.0
#: How long a worker steps back between two messages then, so that a request is not kept waiting
#: for the interpreter.
BREATH_SECONDS: Final = 0.0002

_OURS: Final = ("follower:", "timer", "shipping", "job:")


class Pace:
    """Counts what people do, in seconds of the machine's own clock."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._second = 0
        self._facts = 0
        self._facts_before = 0

    def heard(self, facts: Sequence[Recorded]) -> None:
        """For `Store.on_commit`."""
        if facts:
            self._turn()
            self._facts += sum(not each.by.startswith(_OURS) for each in facts)

    def is_busy(self) -> bool:
        self._turn()
        return max(self._facts, self._facts_before) >= BUSY_FACTS

    def rest_seconds(self, worked_seconds: float) -> float:
        """How long to step back after so much work."""
        if not self.is_busy():
            return 0.0
        fair = worked_seconds * (1 - SHARE) / SHARE
        return min(max(REST_SECONDS, fair), LONGEST_REST_SECONDS)

    def breathe(self) -> None:
        if self.is_busy():
            time.sleep(BREATH_SECONDS)

    def _turn(self) -> None:
        second = int(self._seconds())
        if second != self._second:
            self._facts_before = self._facts if second == self._second + 1 else 0
            self._facts = 0
            self._second = second
