"""Doctor checks of the reminders desk: chains, answers, quiet hours, timers, and the audit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from frontdesk.core.public_holidays import holidays_around
from frontdesk.desks.reminders.decide.allowed_times import AllowedTimes
from frontdesk.desks.reminders.decide.windows import Planner
from frontdesk.desks.reminders.document_facts import RulesChanged
from frontdesk.desks.reminders.invariants import (
    answer_problems,
    chain_problems,
    quiet_problems,
    timer_problems,
)
from frontdesk.desks.reminders.load import Loader, reminder_reads
from frontdesk.desks.reminders.model import SAVED_RULES, Appointment
from frontdesk.desks.reminders.notes import NOTES
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.replay import appointment_differs
from frontdesk.engine.inspection import (
    MANY,
    AuditDifferences,
    CheckResult,
    DeskChecks,
    InspectableStore,
    RowCount,
    every_row,
    kinds_of,
    unreadable_facts,
)

_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)


def examine(view: InspectableStore, now: datetime, _settled: bool) -> CheckResult:
    ar = reminder_reads(view.reads)
    loader = Loader(holidays=lambda country, region: holidays_around(country, region, now.year))
    problems = [
        *appointment_problems(ar, loader, view.inspection.timers()),
        *audit_problems(ar),
    ]
    number = sum(1 for _ in every_appointment(ar))
    return CheckResult(tuple(problems), (RowCount(number, "appointment"),))


def appointment_problems(
    ar: ReminderReads, loader: Loader, timers: Mapping[str, datetime]
) -> Iterator[str]:
    history = _allowed_times(ar, loader)
    for one in every_appointment(ar):
        reminders = ar.reminders_of(one.id)
        archived = ar.archived_reminders(one.id)
        yield from chain_problems(one, reminders)
        yield from answer_problems(one, reminders)
        yield from quiet_problems((*reminders, *archived), history)
        yield from timer_problems(one, timers)


def _allowed_times(ar: ReminderReads, loader: Loader) -> Sequence[tuple[datetime, AllowedTimes]]:
    """The times at which messages were allowed, by the rules as they changed."""
    facts = ar.facts("reminders", limit=MANY)
    changed = [(each.at, each.fact.rules) for each in facts if isinstance(each.fact, RulesChanged)]
    return [
        (since, Planner(rules, loader.holidays(rules.country, rules.region)).allowed)
        for since, rules in ((_FIRST, SAVED_RULES.default), *changed)
    ]


def audit_problems(ar: ReminderReads) -> Iterator[str]:
    """Replays the audit of each appointment."""
    for one in every_appointment(ar):
        facts = ar.facts(one.id, limit=MANY)
        yield from (unreadable := unreadable_facts(facts))
        if not unreadable:
            yield from appointment_differs(one, facts)


def rebuild(
    view: InspectableStore, _now: datetime, _progress: Callable[[int, int], None]
) -> AuditDifferences:
    found = list(audit_problems(reminder_reads(view.reads)))
    return AuditDifferences("reminders", found, tuple(found))


def every_appointment(ar: ReminderReads) -> Iterator[Appointment]:
    return every_row(lambda limit, after: ar.appointments(limit=limit, after=after))


CHECKS: Final = DeskChecks(followed={"ar.tell": kinds_of(NOTES)}, examine=examine, rebuild=rebuild)
