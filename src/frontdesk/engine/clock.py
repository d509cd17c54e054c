"""The time as entry points read it: aware, in UTC, in whole seconds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Only entry points ask it; everything else is told the time."""

    def now(self) -> datetime: ...

    def seconds_until(self, instant: datetime) -> float:
        """How long to wait until `now()` has reached it; nothing if it has."""


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC).replace(microsecond=0)

    def seconds_until(self, instant: datetime) -> float:
        return max(0.0, (instant - datetime.now(UTC)).total_seconds())


class VirtualClock:
    """Stands still until it is moved, and only moves forward."""

    def __init__(self, start: datetime) -> None:
        self._now = _whole(start)

    def now(self) -> datetime:
        return self._now

    def seconds_until(self, instant: datetime) -> float:
        return max(0.0, (instant - self._now).total_seconds())

    def move_to(self, instant: datetime) -> None:
        if instant < self._now:
            raise ValueError(f"time does not run backwards: {self._now} to {instant}")
        self._now = _whole(instant)


def _whole(instant: datetime) -> datetime:
    if instant.utcoffset() is None or instant.microsecond:
        raise ValueError(f"an instant has a zone and whole seconds: {instant!r}")
    return instant.astimezone(UTC)
