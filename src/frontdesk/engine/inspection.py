"""What `doctor` reads of a store besides the desks' rows. Both stores implement it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Protocol

from frontdesk.core.sends import Send
from frontdesk.core.words import count
from frontdesk.engine.ports import DeadLetter, Reads
from frontdesk.values import Frozen


class Lag(Frozen):
    """Facts that a follower has not acted on yet, the oldest of them at `since`."""

    follower: str
    facts: int
    since: datetime

    def __str__(self) -> str:
        return f"{self.follower} still has to act on {count(self.facts, 'fact')}."


class Waiting(Frozen):
    """How much there is to do."""

    overdue_timers: int
    overdue_sends: int
    sending: int
    open_jobs: int


class Inspection(Protocol):
    """Reads the engine's tables and changes nothing."""

    def damage(self) -> Iterator[str]:
        """What is wrong with the store itself, in words."""

    def ledger_problems(self) -> Iterator[str]:
        """Messages and the ledger of sends that contradict each other."""

    def timers(self) -> Mapping[str, datetime]:
        """Every timer by its name."""

    def sent(self, desk: str) -> Iterator[Send]:
        """What a desk has sent, by what it is about."""

    def behind(self, followed: Mapping[str, Iterable[str]]) -> list[Lag]:
        """`followed`: the kinds of facts of each follower."""

    def waiting(self, late_since: datetime) -> Waiting:
        """What was due before `late_since` is overdue."""

    def open_dead_letters(self, limit: int) -> list[DeadLetter]:
        """The oldest first."""

    def fact_count(self) -> int: ...


class Inspected(Protocol):
    """A store, opened to be looked at."""

    @property
    def reads(self) -> Reads: ...
    @property
    def inspection(self) -> Inspection: ...
