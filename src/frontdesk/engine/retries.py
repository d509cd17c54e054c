"""How often, and when, something that fails is tried again before it goes to the dead letters."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from frontdesk.values import Frozen


class RetryPolicy(Frozen):
    """How often something is tried, with pauses that grow to twice as long each time."""

    most: int
    first: timedelta
    longest: timedelta

    def pause(self, failures: int) -> timedelta:
        return min(self.first * (1 << (failures - 1)), self.longest)


#: Short, since a follower that rests keeps the facts behind waiting.
BRIEF: Final = RetryPolicy(4, timedelta(seconds=1), timedelta(seconds=4))
#: For what waits for somebody else to be back: about twenty minutes.
LONG: Final = RetryPolicy(10, timedelta(seconds=5), timedelta(minutes=5))


class _Pause(Frozen):
    failures: int
    until: datetime


class RetryTracker:
    """The failures of each thing by its reference, and how long it rests; a restart forgives them.

    Told the time, like everything.
    """

    def __init__(self) -> None:
        self._pauses: dict[str, _Pause] = {}

    def again(self, ref: str, now: datetime, policy: RetryPolicy = BRIEF) -> datetime | None:
        """It failed once more: when to try again. `None`: not any more; the count begins anew."""
        before = self._pauses.pop(ref, None)
        failures = before.failures + 1 if before else 1
        if failures >= policy.most:
            return None
        until = now + policy.pause(failures)
        self._pauses[ref] = _Pause(failures, until)
        return until

    def worked(self, ref: str) -> None:
        self._pauses.pop(ref, None)

    def rests(self, ref: str, now: datetime) -> bool:
        pause = self._pauses.get(ref)
        return pause is not None and now < pause.until

    def until(self, ref: str) -> datetime | None:
        """When its rest is over, if it failed."""
        pause = self._pauses.get(ref)
        return None if pause is None else pause.until

    def resting(self, now: datetime) -> int:
        return sum(now < pause.until for pause in self._pauses.values())

    def next_at(self, after: datetime | None) -> datetime | None:
        """When the first rest after this instant is over; by then everything else was tried."""
        if after is None:
            return None
        return min(
            (each.until for each in self._pauses.values() if each.until > after), default=None
        )
