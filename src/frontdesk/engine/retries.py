"""Retry policies, and a tracker that counts failures until an item becomes a dead letter."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from frontdesk.values import Frozen


class RetryPolicy(Frozen):
    """At most `most` attempts, with exponential backoff."""

    most: int
    first: timedelta
    longest: timedelta

    def pause(self, failures: int) -> timedelta:
        return min(self.first * (1 << (failures - 1)), self.longest)


#: Short: a paused follower delays the facts after it.
BRIEF: Final = RetryPolicy(4, timedelta(seconds=1), timedelta(seconds=4))
#: For outside systems: about twenty minutes in all.
LONG: Final = RetryPolicy(10, timedelta(seconds=5), timedelta(minutes=5))


class _Pause(Frozen):
    failures: int
    until: datetime


class RetryTracker:
    """Counts failures by reference and pauses each. It is in memory: a restart clears it."""

    def __init__(self) -> None:
        self._pauses: dict[str, _Pause] = {}

    def count_failure(
        self, ref: str, now: datetime, policy: RetryPolicy = BRIEF
    ) -> datetime | None:
        """Counts a failure; returns when to retry. `None`: no more retries; the count restarts."""
        before = self._pauses.pop(ref, None)
        failures = before.failures + 1 if before else 1
        if failures >= policy.most:
            return None
        until = now + policy.pause(failures)
        self._pauses[ref] = _Pause(failures, until)
        return until

    def worked(self, ref: str) -> None:
        self._pauses.pop(ref, None)

    def is_paused(self, ref: str, now: datetime) -> bool:
        pause = self._pauses.get(ref)
        return pause is not None and now < pause.until

    def paused_until(self, ref: str) -> datetime | None:
        """Returns when its pause ends, or None if it did not fail."""
        pause = self._pauses.get(ref)
        return None if pause is None else pause.until

    def count_paused(self, now: datetime) -> int:
        return sum(now < pause.until for pause in self._pauses.values())

    def next_at(self, after: datetime | None) -> datetime | None:
        """Returns the earliest end of a pause after this instant."""
        if after is None or not self._pauses:
            return None
        return min(
            (each.until for each in self._pauses.values() if each.until > after), default=None
        )
