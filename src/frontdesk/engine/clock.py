"""Clocks for entry points. Their instants are aware, in UTC and in whole seconds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Only entry points read a clock; all other code gets the time as an argument."""

    def now(self) -> datetime: ...

    def seconds_until(self, instant: datetime) -> float:
        """Returns the seconds until `now()` reaches this instant; 0 if it is past."""


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC).replace(microsecond=0)

    def seconds_until(self, instant: datetime) -> float:
        return max(0.0, (instant - datetime.now(UTC)).total_seconds())


class VirtualClock:
    """A clock for tests and simulations: it changes only by `move_to`, and only forward."""

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
