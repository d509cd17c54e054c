"""What must always hold at every event, checked on the rows as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from frontdesk.desks.rsvp.model import Event, EventState, Guest, State


def broken(event: Event, guests: Sequence[Guest], timers: frozenset[str]) -> Iterator[str]:
    """Each thing that does not hold, in words. `timers` are the names of all that are set."""
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


def _timers(event: Event, guests: Sequence[Guest], timers: frozenset[str]) -> Iterator[str]:
    for guest in guests:
        if guest.live and f"ev/offer/{guest.id}/{guest.seq}" not in timers:
            yield f"the live offer of guest {guest.id} has no timer"
        if guest.state is not State.CONFIRMED and guest.reminders:
            yield f"guest {guest.id} is {guest.state} and still has reminders"
        missing = [name for name in guest.reminders if name not in timers]
        if missing:
            yield f"guest {guest.id} has lost the timers {', '.join(missing)}"
    if event.state is EventState.CALLED_OFF and f"ev/headcount/{event.id}" in timers:
        yield "it is called off and still has a headcount timer"


def unfilled(event: Event, waiting: Iterable[Guest]) -> str | None:
    """Once everything has settled: a seat is left although someone owed fits."""
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
