"""Checks the stored events, guests and offers against their invariants and the audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from frontdesk.core.mail import MailReceived
from frontdesk.core.words import count
from frontdesk.desks.rsvp.decide.timers import offer_timer
from frontdesk.desks.rsvp.facts import EventCreated, EventEdited, GuestConfirmed
from frontdesk.desks.rsvp.invariants import (
    broken_invariants,
    sent_in_quiet_hours,
    unfilled_seat,
    versions,
)
from frontdesk.desks.rsvp.model import Event, EventId, Guest
from frontdesk.desks.rsvp.notes import NOTES
from frontdesk.desks.rsvp.react import MAY_CHANGE_WHO_IS_NEXT
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.replay import differences, replay
from frontdesk.engine.inspection import (
    MANY,
    AuditDifferences,
    CheckResult,
    DeskChecks,
    InspectableStore,
    Inspection,
    RowCount,
    kinds_of,
    unreadable_facts,
)
from frontdesk.engine.ports import Recorded

_PAGE: Final = 5_000
_FIRST: Final = datetime.min.replace(tzinfo=UTC)
_LAST: Final = datetime.max.replace(tzinfo=UTC)


def examine(view: InspectableStore, now: datetime, settled: bool) -> CheckResult:
    ev: RsvpReads = view.reads.desk("ev")
    timers = view.inspection.timers()
    problems = night_problems(view.inspection, ev)
    events, guests = list(ev.events()), 0
    for event in events:
        listed = ev.guests_after(event.id, "", MANY)
        guests += len(listed)
        problems += _late_timers(listed, timers)
        problems += event_problems(ev, event, listed, frozenset(timers), now, settled=settled)
    return CheckResult(tuple(problems), (RowCount(len(events), "event"), RowCount(guests, "guest")))


def rebuild(
    view: InspectableStore, _now: datetime, progress: Callable[[int, int], None]
) -> AuditDifferences:
    ev: RsvpReads = view.reads.desk("ev")
    events = list(ev.events())
    report: list[dict[str, Any]] = []
    for done, event in enumerate(events):
        progress(done, len(events))
        guests = ev.guests_after(event.id, "", MANY)
        found = audit_problems(ev, event, guests)
        report.append({"event": event.slug, "guests": len(guests), "differences": found})
    different = [f"{each['event']}: {one}" for each in report for one in each["differences"]]
    guests_in_all = sum(each["guests"] for each in report)
    summary = f"{count(len(report), 'event')} with {count(guests_in_all, 'guest')}"
    return AuditDifferences("events", report, tuple(different), summary)


def event_problems(
    ev: RsvpReads,
    event: Event,
    guests: Iterable[Guest],
    timers: frozenset[str],
    now: datetime,
    *,
    settled: bool = True,
) -> list[str]:
    """Describes broken sums, places and timers, unfilled seats, and differences from the audit."""
    listed = list(guests)
    found = list(broken_invariants(event, listed, timers))
    if settled and now < event.details.starts_at and (left := unfilled_seat(event, listed)):
        found.append(left)
    return [*found, *audit_problems(ev, event, listed)]


def audit_problems(ev: RsvpReads, event: Event, guests: Iterable[Guest]) -> list[str]:
    """Describes each difference between the guest list and its facts."""
    audit = list(_audit(ev, event))
    unreadable = unreadable_facts(audit)
    if unreadable:
        return unreadable
    return differences(replay(audit), [event], guests)


def _audit(ev: RsvpReads, event: Event) -> Iterator[Recorded]:
    after = 0
    while page := ev.facts(event.id, after=after, limit=_PAGE):
        yield from page
        after = page[-1].seq


def night_problems(inspection: Inspection, ev: RsvpReads) -> list[str]:
    """Describes messages that went out in quiet hours although nobody had just asked for them."""
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


CHECKS: Final = DeskChecks(
    followed={
        "ev.react": kinds_of((*MAY_CHANGE_WHO_IS_NEXT, GuestConfirmed, MailReceived)),
        "ev.tell": kinds_of(NOTES),
    },
    examine=examine,
    rebuild=rebuild,
)
