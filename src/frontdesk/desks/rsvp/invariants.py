"""Checks the invariants of each event on its stored rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.decision import Fact
from frontdesk.core.localtime import zone
from frontdesk.core.notes import Quiet
from frontdesk.core.sends import Send
from frontdesk.desks.rsvp.facts import EventCreated, EventEdited
from frontdesk.desks.rsvp.model import Details, Event, EventSettings, EventState, Guest, State
from frontdesk.values import Frozen

#: Kinds of messages that never answer a request, whatever the stored send says.
_NEVER_AN_ANSWER: Final = frozenset(
    {"called_off", "invitation", "moved", "offer", "offer_lapsed", "reminder", "removed", "thanks"}
)
#: The tolerance for an edit between the check of a message and its sending.
_A_MOMENT: Final = timedelta(seconds=1)


def broken_invariants(
    event: Event, guests: Sequence[Guest], timers: frozenset[str]
) -> Iterator[str]:
    """Describes each broken invariant. `timers` are the names of all timers that are set."""
    where = f"event {event.slug}"
    for problem in (*_sums(event, guests), *_places(guests), *_timers(event, guests, timers)):
        yield f"{where}: {problem}"


def _sums(event: Event, guests: Sequence[Guest]) -> Iterator[str]:
    seats = event.seats
    if seats.free + seats.offered + seats.taken != seats.cap:
        yield f"free + offered + taken is not the cap: {seats}"
    taken = sum(one.party for one in guests if one.state is State.CONFIRMED)
    offered = sum(one.party for one in guests if one.state is State.OFFERED)
    waiting = [one for one in guests if one.state is State.WAITING]
    owed = sum(one.seen < seats.round for one in waiting)
    for name, said, counted in (
        ("taken", seats.taken, taken),
        ("offered", seats.offered, offered),
        ("waiting", seats.waiting, len(waiting)),
        ("owed", seats.owed, owed),
    ):
        if said != counted:
            yield f"{name} says {said}, the guests add up to {counted}"


def _places(guests: Sequence[Guest]) -> Iterator[str]:
    people: set[str] = set()
    for guest in guests:
        if guest.person_id in people:
            yield f"person {guest.person_id} has two places"
        people.add(guest.person_id)
        if guest.live and (guest.state is not State.OFFERED or guest.claim_by is None):
            yield f"guest {guest.id} has a live offer without a deadline"
        if guest.arrived > guest.party:
            yield f"guest {guest.id}: {guest.arrived} of {guest.party} have arrived"


def _timers(event: Event, guests: Sequence[Guest], timers: frozenset[str]) -> Iterator[str]:
    for guest in guests:
        has_timer = f"ev/offer/{guest.id}/{guest.seq}" in timers
        if guest.live and not has_timer:
            yield f"the live offer of guest {guest.id} has no timer"
        if has_timer and not guest.live:
            yield f"guest {guest.id} has no live offer and still has its timer"
        if guest.state is not State.CONFIRMED and guest.reminders:
            yield f"guest {guest.id} is {guest.state} and still has reminders"
        missing = [name for name in guest.reminders if name not in timers]
        if missing:
            yield f"guest {guest.id} has lost the timers {', '.join(missing)}"
    if event.state is EventState.CALLED_OFF and f"ev/headcount/{event.id}" in timers:
        yield "it is called off and still has a headcount timer"


def unfilled_seat(event: Event, waiting: Iterable[Guest]) -> str | None:
    """Describes a free seat that the desk should have offered to a guest in line. Valid only when
    no work is due."""
    seats = event.seats
    if seats.free <= 0 or event.state is EventState.CALLED_OFF:
        return None
    owed = sorted(
        (one for one in waiting if one.state is State.WAITING and one.seen < seats.round),
        key=lambda one: (one.lapsed, one.ticket),
    )
    if event.settings.strict_order:
        owed = [one for one in owed if one.party <= seats.cap][:1]
    for guest in owed:
        if guest.party <= seats.free:
            return f"event {event.slug}: {seats.free} free, and guest {guest.id} is owed and fits"
    return None


class EventVersion(Frozen):
    """Details and settings of an event from `since` until the next version."""

    since: datetime
    details: Details
    settings: EventSettings
    sequence: int


def versions(facts: Iterable[tuple[datetime, Fact]]) -> tuple[EventVersion, ...]:
    """Builds the event's versions in order, so that later changes of quiet hours do not affect past
    nights."""
    found: list[EventVersion] = []
    for at, fact in facts:
        match fact:
            case EventCreated(details=details, settings=settings):
                found.append(EventVersion(at, details, settings, sequence=0))
            case EventEdited(details=details, settings=settings, sequence=sequence):
                found.append(EventVersion(at, details, settings, sequence))
            case _:
                pass
    return tuple(found)


def sent_in_quiet_hours(history: Sequence[EventVersion], sends: Iterable[Send]) -> Iterator[str]:
    """Describes each message that went out in quiet hours and should have waited."""
    for send in sends:
        if send.sent_at is None or not history or not _can_wait(send):
            continue
        if not any(
            _may_go(past, send, send.sent_at) for past in _histories_at(history, send.sent_at)
        ):
            yield f"{send.kind} {send.id} went out in quiet hours, at {send.sent_at.isoformat()}"


def _can_wait(send: Send) -> bool:
    return send.quiet is Quiet.HOLD or send.kind in _NEVER_AN_ANSWER


def _histories_at(
    history: Sequence[EventVersion], at: datetime
) -> Iterator[Sequence[EventVersion]]:
    """Returns the history up to each version in force at `at`. There are several if an edit came at
    that moment."""
    for number, version in enumerate(history, start=1):
        is_over = number < len(history) and history[number].since < at - _A_MOMENT
        if not is_over and version.since <= at + _A_MOMENT:
            yield history[:number]


def _may_go(past: Sequence[EventVersion], send: Send, at: datetime) -> bool:
    event = past[-1]
    settings, starts_at = event.settings, event.details.starts_at
    until = settings.quiet.next_allowed(at, zone(event.details.zone))
    if until <= at:
        return True
    match send.kind:
        case "offer":
            return settings.time_critical and starts_at - until < settings.claim_window
        case "called_off" | "confirmed":
            return starts_at <= until
        case "removed":
            return send.params.get("before") == State.CONFIRMED and starts_at <= until
        case "moved":
            told = next((one for one in reversed(past) if one.sequence < event.sequence), past[0])
            return starts_at <= until or at < told.details.starts_at <= until
        case _:
            return False
