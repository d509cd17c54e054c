"""Everything that must always hold, looked at in the data as it is: in words, and read-only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Final

from frontdesk import checkup_waitlist
from frontdesk.checkup_waitlist import every_entry, list_problems
from frontdesk.core.decision import Fact
from frontdesk.core.mail import MailReceived
from frontdesk.core.unreadable import Unreadable
from frontdesk.desks.house import notes as house_notes
from frontdesk.desks.rsvp import notes as rsvp_notes
from frontdesk.desks.rsvp.decide.timers import offer_timer
from frontdesk.desks.rsvp.facts import EventCreated, EventEdited, GuestConfirmed
from frontdesk.desks.rsvp.invariants import broken, sent_in_quiet_hours, unfilled, versions
from frontdesk.desks.rsvp.model import Event, EventId, Guest
from frontdesk.desks.rsvp.react import MAY_CHANGE_WHO_IS_NEXT
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.replay import differences, replay
from frontdesk.desks.waitlist import notes as waitlist_notes
from frontdesk.desks.waitlist import react as waitlist_react
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.inspection import Inspected, Inspection
from frontdesk.engine.ports import Recorded
from frontdesk.values import Frozen, replace

#: What is due is normally done within a second.
LATE: Final = timedelta(minutes=5)
_MANY: Final = 1_000_000
_PAGE: Final = 5_000
_LETTERS_SHOWN: Final = 20
_FIRST: Final = datetime.min.replace(tzinfo=UTC)
_LAST: Final = datetime.max.replace(tzinfo=UTC)


class Checkup(Frozen):
    """`problems` must not be; `notes` are worth knowing and pass by themselves."""

    problems: tuple[str, ...]
    notes: tuple[str, ...]
    events: int
    guests: int
    facts: int
    slots: int = 0
    entries: int = 0

    @property
    def is_well(self) -> bool:
        return not self.problems


def check_up(view: Inspected, now: datetime, *, served: bool) -> Checkup:
    """`served`: somebody works on it, so that nothing may be long overdue."""
    ev: RsvpReads = view.reads.desk("ev")
    inspection = view.inspection
    timers, behind = inspection.timers(), inspection.behind(_FOLLOWED)
    names = frozenset(timers)
    problems: list[str] = [*inspection.damage(), *inspection.ledger_problems()]
    problems += night_problems(inspection, ev)
    events, guests = list(ev.events()), 0
    for event in events:
        listed = ev.guests_after(event.id, "", _MANY)
        guests += len(listed)
        problems += _late_timers(listed, timers)
        problems += event_problems(ev, event, listed, names, now, settled=not behind)
    wl: WaitlistReads = view.reads.desk("wl")
    problems += list_problems(wl, timers, now)
    problems += checkup_waitlist.night_problems(wl, inspection.sent("wl"), timers)
    waiting = inspection.waiting(now - LATE)
    notes = list(_unfinished(sending=waiting.sending, jobs=waiting.open_jobs))
    late = [str(lag) for lag in behind if now - lag.since > LATE]
    notes += [str(lag) for lag in behind if now - lag.since <= LATE]
    overdue = _overdue(timers=waiting.overdue_timers, sends=waiting.overdue_sends)
    (problems if served else notes).extend([*late, *overdue])
    problems += _dead_letters(inspection)
    slots = len(wl.slots(_MANY))
    entries = sum(1 for _ in every_entry(wl))
    facts = inspection.fact_count()
    return Checkup(tuple(problems), tuple(notes), len(events), guests, facts, slots, entries)


def lasting(look: Callable[[], Checkup], wait: Callable[[], None]) -> Checkup:
    """For tables that others write to while they are read: a problem counts if a second look,
    a little later, finds it as well."""
    first = look()
    if first.is_well:
        return first
    wait()
    second = look()
    lasts = frozenset(first.problems)
    return replace(second, problems=tuple(each for each in second.problems if each in lasts))


def event_problems(
    ev: RsvpReads,
    event: Event,
    guests: Iterable[Guest],
    timers: frozenset[str],
    now: datetime,
    *,
    settled: bool = True,
) -> list[str]:
    """Sums, places and timers; the audit says the same as the rows; no seat is left in vain."""
    listed = list(guests)
    found = list(broken(event, listed, timers))
    if settled and now < event.details.starts_at and (left := unfilled(event, listed)):
        found.append(left)
    return [*found, *audit_problems(ev, event, listed)]


def audit_problems(ev: RsvpReads, event: Event, guests: Iterable[Guest]) -> list[str]:
    """Where the list says something else than what its facts add up to."""
    audit = list(_audit(ev, event))
    unreadable = [each for each in audit if isinstance(each.fact, Unreadable)]
    if unreadable:
        return [f"fact {each.seq} ({each.fact.kind}) cannot be read" for each in unreadable]
    return differences(replay(audit), [event], guests)


def _audit(ev: RsvpReads, event: Event) -> Iterator[Recorded]:
    after = 0
    while page := ev.facts(event.id, after=after, limit=_PAGE):
        yield from page
        after = page[-1].seq


def night_problems(inspection: Inspection, ev: RsvpReads) -> list[str]:
    """What went out in quiet hours although nobody had just asked for it."""
    found: list[str] = []
    for event_id, sends in groupby(inspection.sent("ev"), key=attrgetter("subject")):
        history = versions(
            (recorded.at, recorded.fact)
            for kind in (EventCreated.kind, EventEdited.kind)
            for recorded in ev.facts_between(EventId(event_id), kind, _FIRST, _LAST)
        )
        event = ev.event(EventId(event_id))
        where = f"event {event.slug if event else event_id}"
        found += (f"{where}: {each}" for each in sent_in_quiet_hours(history, sends))
    return found


def _late_timers(guests: Iterable[Guest], timers: Mapping[str, datetime]) -> Iterator[str]:
    for guest in guests:
        due_at = timers.get(offer_timer(guest.id, guest.seq))
        if guest.live and guest.claim_by and due_at and due_at > guest.claim_by:
            yield f"The timer of the live offer of guest {guest.id} comes after its deadline."


# --- the engine's own -----------------------------------------------------------------------


def _kinds(facts: Iterable[type[Fact]]) -> tuple[str, ...]:
    return tuple(fact.kind for fact in facts)


_FOLLOWED: Final[Mapping[str, tuple[str, ...]]] = {
    "ev.react": _kinds((*MAY_CHANGE_WHO_IS_NEXT, GuestConfirmed, MailReceived)),
    "ev.tell": _kinds(rsvp_notes.NOTES),
    "wl.react": _kinds(waitlist_react.REACTIONS),
    "wl.tell": _kinds(waitlist_notes.NOTES),
    "fd.tell": _kinds(house_notes.NOTES),
}


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
