"""Doctor checks of the waitlist: invariants of slots, offers and entries, and the audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.localtime import zone
from frontdesk.core.notes import Quiet
from frontdesk.core.sends import Send
from frontdesk.desks.waitlist.decide.timers import EXPIRY_TIMER, SUMMARY_TIMER
from frontdesk.desks.waitlist.document_facts import RulesChanged
from frontdesk.desks.waitlist.invariants import broken_invariants, overlapping, unbooked_entries
from frontdesk.desks.waitlist.model import Entry, EntryId, Rules, Slot, SlotId
from frontdesk.desks.waitlist.notes import NOTES
from frontdesk.desks.waitlist.react import REACTIONS
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.replay import entry_differs, slot_differs
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

#: The subject of facts about the desk itself.
DESK: Final = "waitlist"
#: The tolerance between a change of the rules and a message that follows them.
A_MOMENT: Final = timedelta(seconds=1)


def examine(view: InspectableStore, now: datetime, _settled: bool) -> CheckResult:
    wl: WaitlistReads = view.reads.desk("wl")
    timers = view.inspection.timers()
    problems = [
        *list_problems(wl, timers, now),
        *night_problems(wl, view.inspection.sent("wl"), timers),
    ]
    entries, slots = sum(1 for _ in every_entry(wl)), len(wl.slots(MANY))
    return CheckResult(
        tuple(problems), (RowCount(entries, "entry", "entries"), RowCount(slots, "slot"))
    )


def rebuild(
    view: InspectableStore, now: datetime, _progress: Callable[[int, int], None]
) -> AuditDifferences:
    found = list_problems(view.reads.desk("wl"), view.inspection.timers(), now)
    return AuditDifferences("waitlist", found, tuple(found))


def list_problems(
    wl: WaitlistReads, timers: Mapping[str, datetime], now: datetime | None = None
) -> list[str]:
    """Checks offers, ends and timers of every slot, and compares the rows with the audit.

    With `now`, it ignores overlaps of past slots and also checks that the entry of a booked slot
    stays booked until the slot is over.
    """
    slots = wl.slots(MANY)
    return [
        *(problem for slot in slots for problem in slot_problems(wl, slot, timers)),
        *(problem for slot in slots if now for problem in booking_problems(wl, slot, now)),
        *overlapping(slots, now),
        *(problem for entry in every_entry(wl) for problem in entry_problems(wl, entry)),
    ]


def slot_problems(wl: WaitlistReads, slot: Slot, timers: Mapping[str, datetime]) -> Iterator[str]:
    offers, facts = wl.offers(slot.id), wl.facts(slot.id, limit=MANY)
    yield from broken_invariants(slot, offers, timers)
    if not (unreadable := unreadable_facts(facts)):
        yield from slot_differs(slot, offers, facts)
    yield from unreadable


def booking_problems(wl: WaitlistReads, slot: Slot, now: datetime) -> Iterator[str]:
    entry = wl.entry(EntryId(slot.booked_by)) if slot.booked_by else None
    yield from unbooked_entries(slot, entry, now)


def entry_problems(wl: WaitlistReads, entry: Entry) -> Iterator[str]:
    about = wl.facts_about(entry.id, limit=MANY)
    if not unreadable_facts(about):
        yield from entry_differs(entry, about)


# --- nights -----------------------------------------------------------------------------------


def night_problems(
    wl: WaitlistReads, sends: Iterable[Send], timers: Mapping[str, datetime]
) -> list[str]:
    """Finds messages that went out in quiet hours although they could wait, and missing timers."""
    history = [
        (each.at, each.fact.rules)
        for each in wl.facts(DESK, limit=MANY)
        if isinstance(each.fact, RulesChanged)
    ]
    return [*_sent_in_quiet_hours(wl, sends, history), *_missing_timers(history, timers)]


def _sent_in_quiet_hours(
    wl: WaitlistReads, sends: Iterable[Send], history: Sequence[tuple[datetime, Rules]]
) -> Iterator[str]:
    """Checks messages about a slot by its own rules, others by the rules that were in force."""
    for send in sends:
        if send.sent_at is None or send.quiet is Quiet.IGNORE:
            continue
        slot = wl.slot(SlotId(send.subject))
        rules = [slot.rules] if slot else _in_force(history, send.sent_at)
        if all(each.quiet.is_quiet(send.sent_at, zone(each.zone)) for each in rules):
            at = send.sent_at.isoformat()
            yield f"waitlist: {send.kind} {send.id} went out in quiet hours, at {at}"


def _in_force(history: Sequence[tuple[datetime, Rules]], at: datetime) -> list[Rules]:
    """The rules in force at that time; several if they changed within a moment of it."""
    before = [rules for since, rules in history if since < at - A_MOMENT]
    just_then = [rules for since, rules in history if abs(since - at) <= A_MOMENT]
    return [before[-1] if before else Rules(), *just_then]


def _missing_timers(
    history: Sequence[tuple[datetime, Rules]], timers: Mapping[str, datetime]
) -> Iterator[str]:
    """Reports a missing nightly or monthly timer. Each run sets the next timer."""
    names = {EXPIRY_TIMER: "expiring entries at night", SUMMARY_TIMER: "the summary of the month"}
    for timer, called in names.items():
        if history and timer not in timers:
            yield f"waitlist: {called} is not planned any more"


# --- rows -------------------------------------------------------------------------------------


def every_entry(wl: WaitlistReads) -> Iterator[Entry]:
    return every_row(lambda limit, after: wl.entries(limit=limit, after=EntryId(after)))


CHECKS: Final = DeskChecks(
    followed={"wl.react": kinds_of(REACTIONS), "wl.tell": kinds_of(NOTES)},
    examine=examine,
    rebuild=rebuild,
)
