"""The reads of `doctor` besides the desks' rows. Both stores implement them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from frontdesk.core.decision import Fact
from frontdesk.core.sends import Send
from frontdesk.core.unreadable import Unreadable
from frontdesk.core.words import count
from frontdesk.engine.ports import DeadLetter, Reads, Recorded
from frontdesk.values import Frozen

#: More facts or rows than a desk has.
MANY: Final = 1_000_000
_PAGE: Final = 1_000


class Lag(Frozen):
    """Facts that a follower has not acted on yet, the oldest of them at `since`."""

    follower: str
    facts: int
    since: datetime

    def __str__(self) -> str:
        return f"{self.follower} still has to act on {count(self.facts, 'fact')}."


class WaitingWork(Frozen):
    """The amount of work that waits."""

    overdue_timers: int
    overdue_sends: int
    sending: int
    open_jobs: int


class Inspection(Protocol):
    """Reads the engine's tables and changes nothing."""

    def damage(self) -> Iterator[str]:
        """Yields a sentence for each damage in the store itself."""

    def ledger_problems(self) -> Iterator[str]:
        """Yields a sentence for each contradiction between kept messages and the ledger."""

    def timers(self) -> Mapping[str, datetime]:
        """Returns when each timer is due, by its name."""

    def sent(self, desk: str) -> Iterator[Send]:
        """Yields the sends of a desk that went out, sorted by subject."""

    def behind(self, followed: Mapping[str, Iterable[str]]) -> list[Lag]:
        """Returns the followers with a lag. `followed`: the kinds of facts of each follower."""

    def waiting(self, late_since: datetime) -> WaitingWork:
        """Counts waiting work. A row that was due before `late_since` is overdue."""

    def open_dead_letters(self, limit: int) -> list[DeadLetter]:
        """The oldest first."""

    def fact_count(self) -> int: ...


class InspectableStore(Protocol):
    """A store that is opened for inspection."""

    @property
    def reads(self) -> Reads: ...
    @property
    def inspection(self) -> Inspection: ...


class RowCount(Frozen):
    """The number of checked rows of one kind."""

    number: int
    one: str
    many: str = ""

    @property
    def name(self) -> str:
        return self.many or f"{self.one}s"

    def __str__(self) -> str:
        return count(self.number, self.one, self.many)


class CheckResult(Frozen):
    """The result of a desk's checks."""

    problems: tuple[str, ...]
    counts: tuple[RowCount, ...] = ()


class AuditDifferences(Frozen):
    """The differences between the rows of a desk and the rows rebuilt from its audit."""

    name: str
    data: Sequence[Any]
    """For output as JSON."""
    differences: tuple[str, ...]
    summary: str = ""
    """Such as '3 events with 40 guests'."""


class DeskChecks(Frozen):
    """The checks of a desk that `doctor` and `rebuild` run."""

    followed: Mapping[str, tuple[str, ...]]
    """The kinds of facts that each of its followers acts on."""
    examine: Callable[[InspectableStore, datetime, bool], CheckResult] = (
        lambda _view, _now, _settled: CheckResult(())
    )
    """`settled`: no follower is behind."""
    rebuild: (
        Callable[[InspectableStore, datetime, Callable[[int, int], None]], AuditDifferences] | None
    ) = None


def kinds_of(facts: Iterable[type[Fact]]) -> tuple[str, ...]:
    return tuple(fact.kind for fact in facts)


def every_row(page_after: Callable[[int, str], Sequence[Any]]) -> Iterator[Any]:
    """Reads all rows in pages. `page_after` reads a number of rows with ids after the last one."""
    after = ""
    while page := page_after(_PAGE, after):
        yield from page
        after = page[-1].id


def unreadable_facts(facts: Iterable[Recorded]) -> list[str]:
    """A sentence for each fact that cannot be read; rows are not compared with such an audit."""
    return [
        f"fact {each.seq} ({each.fact.kind}) cannot be read"
        for each in facts
        if isinstance(each.fact, Unreadable)
    ]
