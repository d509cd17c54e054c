"""Limits the time for reading attachments in an hour, by sender and in total."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from typing import Final

MOST_SECONDS: Final = 60.0
#: Sender addresses are easily forged, so there is a total. When it is used up, mails are read
#: without attachments, so that no request waits for hours.
MOST_SECONDS_IN_ALL: Final = 300.0
WITHIN: Final = timedelta(hours=1)
MOST_SENDERS: Final = 1_000

_Spent = deque[tuple[datetime, float]]


class SenderBudget:
    """Adds up the seconds spent on reading. A restart resets them."""

    def __init__(
        self,
        most_seconds: float = MOST_SECONDS,
        within: timedelta = WITHIN,
        most_in_all: float = MOST_SECONDS_IN_ALL,
    ) -> None:
        self._most_seconds = most_seconds
        self._most_in_all = most_in_all
        self._within = within
        self._spent: dict[str, _Spent] = {}
        self._in_all: _Spent = deque()

    def left(self, sender: str, now: datetime) -> float:
        """Returns the seconds that are left."""
        own = self._most_seconds - self._sum(self._spent.get(sender, deque()), now)
        return max(0.0, min(own, self._most_in_all - self._sum(self._in_all, now)))

    def spend(self, sender: str, seconds: float, now: datetime) -> None:
        """Records the time. With too many senders, it drops the oldest."""
        if sender not in self._spent and len(self._spent) >= MOST_SENDERS:
            del self._spent[next(iter(self._spent))]
        self._spent.setdefault(sender, deque()).append((now, seconds))
        self._in_all.append((now, seconds))

    def _sum(self, spent: _Spent, now: datetime) -> float:
        while spent and now - spent[0][0] >= self._within:
            spent.popleft()
        return sum(seconds for _, seconds in spent)
