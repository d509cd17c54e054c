"""How long the attachments of one sender may be read within an hour."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from typing import Final

MOST_SECONDS: Final = 60.0
WITHIN: Final = timedelta(hours=1)
MOST_SENDERS: Final = 1_000


class SenderBudget:
    """What reading has cost, by sender; a restart forgives. Told the time, like everything."""

    def __init__(self, most_seconds: float = MOST_SECONDS, within: timedelta = WITHIN) -> None:
        self._most_seconds = most_seconds
        self._within = within
        self._spent: dict[str, deque[tuple[datetime, float]]] = {}

    def left(self, sender: str, now: datetime) -> float:
        """In seconds; none if it is used up."""
        spent = self._spent.get(sender, deque())
        while spent and now - spent[0][0] >= self._within:
            spent.popleft()
        return max(0.0, self._most_seconds - sum(seconds for _, seconds in spent))

    def spend(self, sender: str, seconds: float, now: datetime) -> None:
        """Of too many senders the one that was seen first is forgotten."""
        if sender not in self._spent and len(self._spent) >= MOST_SENDERS:
            del self._spent[next(iter(self._spent))]
        self._spent.setdefault(sender, deque()).append((now, seconds))
