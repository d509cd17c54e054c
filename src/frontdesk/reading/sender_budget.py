"""How long attachments may be read within an hour: of one sender, and of all together."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from typing import Final

MOST_SECONDS: Final = 60.0
#: A sender's address is easily forged. With all of this used up, mails are read without their
#: attachments, so that nobody's request waits for hours.
MOST_SECONDS_IN_ALL: Final = 300.0
WITHIN: Final = timedelta(hours=1)
MOST_SENDERS: Final = 1_000

_Spent = deque[tuple[datetime, float]]


class SenderBudget:
    """Adds up the seconds that reading has cost. A restart forgets them."""

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
        """In seconds; none if it is used up."""
        own = self._most_seconds - self._sum(self._spent.get(sender, deque()), now)
        return max(0.0, min(own, self._most_in_all - self._sum(self._in_all, now)))

    def spend(self, sender: str, seconds: float, now: datetime) -> None:
        """Of too many senders the one that was seen first is forgotten."""
        if sender not in self._spent and len(self._spent) >= MOST_SENDERS:
            del self._spent[next(iter(self._spent))]
        self._spent.setdefault(sender, deque()).append((now, seconds))
        self._in_all.append((now, seconds))

    def _sum(self, spent: _Spent, now: datetime) -> float:
        while spent and now - spent[0][0] >= self._within:
            spent.popleft()
        return sum(seconds for _, seconds in spent)
