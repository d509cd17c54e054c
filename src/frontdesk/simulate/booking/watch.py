"""Rebuilds the booked times from committed facts alone, and reports violations."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from frontdesk.desks.booking import facts as f
from frontdesk.desks.booking.decide.claims import OVERBOOKED
from frontdesk.desks.booking.model import Booking, BookingId
from frontdesk.engine.ports import Recorded
from frontdesk.values import Frozen


class _Taken(Frozen):
    """A period of one resource that somebody has."""

    holder: str
    since: datetime
    until: datetime
    places: int


class BookingWatch:
    """Compares the intervals of bookings and handovers, independently of the cells in the store.
    `capacities` has the places of each resource."""

    def __init__(self, capacities: Mapping[str, int]) -> None:
        self._capacities = capacities
        self._heard: deque[Sequence[Recorded]] = deque()
        self._holders: dict[str, dict[str, _Taken]] = {}
        """By holder and resource."""
        self._live: set[BookingId] = set()
        self._reminded: set[tuple[BookingId, int, datetime]] = set()
        self.moved = 0

    def hear(self, facts: Sequence[Recorded]) -> None:
        """Called in the thread that commits, once for each commit."""
        self._heard.append([each for each in facts if each.fact.kind.startswith(("bk.", "wl."))])

    def new(self) -> Iterator[Sequence[Recorded]]:
        """Returns the facts since the last call, commit by commit."""
        while self._heard:
            yield self._heard.popleft()

    def take(self, facts: Sequence[Recorded]) -> Iterator[str]:
        """Applies the facts of a commit; yields violations."""
        for recorded in facts:
            yield from self._take(recorded)
        yield from self._overlaps()

    def _take(self, recorded: Recorded) -> Iterator[str]:
        match recorded.fact:
            case f.BookingMade(booking=booking):
                self._hold(booking)
            case f.BookingMoved(booking=booking):
                self._hold(booking)
                self.moved += 1
            case f.BookingEnded(booking_id=booking_id):
                self._live.discard(booking_id)
                self._holders.pop(booking_id, None)
            case f.TimeFreed(handover=held) | f.HandoverTaken(handover=held):
                self._holders[held.holder] = {
                    resource: _Taken(held.holder, held.starts_at, held.ends_at, places)
                    for resource, places in zip(held.resources, held.places, strict=True)
                }
            case f.HandoverBooked() | f.HandoverReleased():
                self._holders.pop(f"handover:{recorded.fact.subject}", None)
            case f.ReminderDue():
                yield from self._reminder(recorded.fact)
            case _:
                pass

    def _hold(self, booking: Booking) -> None:
        self._live.add(booking.id)
        if OVERBOOKED in booking.overrides:
            self._holders.pop(booking.id, None)
            return
        since = booking.starts_at - booking.buffer_before
        until = booking.ends_at + booking.buffer_after
        self._holders[booking.id] = {
            resource: _Taken(booking.holder, since, until, places)
            for resource, places in zip(booking.resources, booking.places, strict=True)
        }

    def _reminder(self, fact: f.ReminderDue) -> Iterator[str]:
        if fact.booking_id not in self._live:
            yield f"booking {fact.booking_id} has ended, and a reminder is due"
        key = fact.booking_id, fact.seconds_before, fact.starts_at
        if key in self._reminded:
            yield f"booking {fact.booking_id} has the same reminder twice"
        self._reminded.add(key)

    def _overlaps(self) -> Iterator[str]:
        by_resource: dict[str, list[_Taken]] = {}
        for parts in self._holders.values():
            for resource, taken in parts.items():
                by_resource.setdefault(resource, []).append(taken)
        for resource, all_taken in by_resource.items():
            capacity = self._capacities[resource]
            for one in all_taken:
                there = [each for each in all_taken if each.since <= one.since < each.until]
                places = sum(each.places for each in there)
                if places > capacity:
                    holders = ", ".join(sorted(each.holder for each in there))
                    yield f"{resource} has {places} of {capacity} places taken: {holders}"
