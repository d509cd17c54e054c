"""Checks everything that must always hold in the data as it is; changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from frontdesk.engine.inspection import InspectableStore, Inspection, RowCount
from frontdesk.values import Frozen, replace
from frontdesk.wiring.desks import DESKS

#: Due work is normally done within a second.
LATE: Final = timedelta(minutes=5)
_LETTERS_SHOWN: Final = 20


class Checkup(Frozen):
    """`problems` are violations; `notes` are worth knowing and resolve by themselves."""

    problems: tuple[str, ...]
    notes: tuple[str, ...]
    counts: tuple[RowCount, ...]

    @property
    def is_well(self) -> bool:
        return not self.problems

    @property
    def data(self) -> dict[str, Any]:
        """For output as JSON."""
        numbers = {each.name: each.number for each in self.counts}
        return {"problems": self.problems, "notes": self.notes, **numbers}


def check_up(view: InspectableStore, now: datetime, *, served: bool) -> Checkup:
    """`served` means that a server is running, so overdue work is a problem and not a note."""
    inspection, desks = view.inspection, [desk.checks() for desk in DESKS]
    behind = inspection.behind(
        {name: kinds for desk in desks for name, kinds in desk.followed.items()}
    )
    examined = [desk.examine(view, now, not behind) for desk in desks]
    problems: list[str] = [
        *inspection.damage(),
        *inspection.ledger_problems(),
        *(problem for each in examined for problem in each.problems),
    ]
    waiting = inspection.waiting(now - LATE)
    notes = list(_unfinished(sending=waiting.sending, jobs=waiting.open_jobs))
    late = [str(lag) for lag in behind if now - lag.since > LATE]
    notes += [str(lag) for lag in behind if now - lag.since <= LATE]
    overdue = _overdue(timers=waiting.overdue_timers, sends=waiting.overdue_sends)
    (problems if served else notes).extend([*late, *overdue])
    problems += _dead_letters(inspection)
    counts = [one for each in examined for one in each.counts]
    facts = RowCount(inspection.fact_count(), "fact")
    return Checkup(tuple(problems), tuple(notes), (*counts, facts))


def lasting(look: Callable[[], Checkup], wait: Callable[[], None]) -> Checkup:
    """Checks twice, for tables that others write to meanwhile. Reports only the problems that both
    checks find.
    """
    first = look()
    if first.is_well:
        return first
    wait()
    second = look()
    lasts = frozenset(first.problems)
    return replace(second, problems=tuple(each for each in second.problems if each in lasts))


def _overdue(*, timers: int, sends: int) -> Iterator[str]:
    if timers:
        yield f"Timers that were due more than five minutes ago: {timers}."
    if sends:
        yield f"Messages that were due more than five minutes ago: {sends}."


def _unfinished(*, sending: int, jobs: int) -> Iterator[str]:
    if sending:
        yield f"Messages that are being sent: {sending}."
    if jobs:
        yield f"Imports and other work that is not finished: {jobs}."


def _dead_letters(inspection: Inspection) -> Iterator[str]:
    for each in inspection.open_dead_letters(_LETTERS_SHOWN):
        yield f"Dead letter {each.id}: a {each.what} could not be processed: {each.why}"
