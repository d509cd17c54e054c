"""How often, and when, something that fails is tried again before it goes to the dead letters."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from frontdesk.frozen import frozen

MOST_TRIES: Final = 4
#: Twice as long each time. Short, since a follower that rests keeps the facts behind waiting.
FIRST_PAUSE: Final = timedelta(seconds=1)


@frozen
class _Pause:
    failures: int
    until: datetime


class Tries:
    """The failures of each thing by its reference, and how long it rests; a restart forgives them.

    Told the time, like everything.
    """

    def __init__(self, most: int = MOST_TRIES) -> None:
        self._most = most
        self._pauses: dict[str, _Pause] = {}

    def again(self, ref: str, now: datetime) -> datetime | None:
        """It failed once more: when to try again. `None`: not any more; the count begins anew."""
        before = self._pauses.pop(ref, None)
        failures = before.failures + 1 if before else 1
        if failures >= self._most:
            return None
        until = now + FIRST_PAUSE * (1 << (failures - 1))
        self._pauses[ref] = _Pause(failures, until)
        return until

    def worked(self, ref: str) -> None:
        self._pauses.pop(ref, None)

    def rests(self, ref: str, now: datetime) -> bool:
        pause = self._pauses.get(ref)
        return pause is not None and now < pause.until

    def resting(self, now: datetime) -> int:
        return sum(now < pause.until for pause in self._pauses.values())

    def next_at(self, after: datetime | None) -> datetime | None:
        """When the first rest after this instant is over; by then everything else was tried."""
        if after is None:
            return None
        return min(
            (each.until for each in self._pauses.values() if each.until > after), default=None
        )
