"""What `doctor` reads of a store besides the desks' rows. Both stores implement it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from frontdesk.core.decision import Fact
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


class Counted(Frozen):
    """How many rows of one sort were checked."""

    number: int
    one: str
    many: str = ""

    @property
    def name(self) -> str:
        return self.many or f"{self.one}s"

    def __str__(self) -> str:
        return count(self.number, self.one, self.many)


class Examined(Frozen):
    """What the checks of a desk found."""

    problems: tuple[str, ...]
    counts: tuple[Counted, ...] = ()


class Rebuilt(Frozen):
    """Where the rows of a desk differ from what its audit adds up to."""

    name: str
    data: Sequence[Any]
    """For output as JSON."""
    differences: tuple[str, ...]
    summary: str = ""
    """Such as '3 events with 40 guests'."""


class DeskChecks(Frozen):
    """What `doctor` and `rebuild` check about a desk."""

    followed: Mapping[str, tuple[str, ...]]
    """The kinds of facts that each of its followers acts on."""
    examine: Callable[[Inspected, datetime, bool], Examined] = lambda _view, _now, _settled: (
        Examined(())
    )
    """`settled`: no follower is behind."""
    rebuild: Callable[[Inspected, datetime, Callable[[int, int], None]], Rebuilt] | None = None


def kinds_of(facts: Iterable[type[Fact]]) -> tuple[str, ...]:
    return tuple(fact.kind for fact in facts)
