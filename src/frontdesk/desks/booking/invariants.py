"""The invariants of claimed times, checked on the current rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from frontdesk.desks.booking.decide import tallies, timers
from frontdesk.desks.booking.decide.claims import OVERBOOKED
from frontdesk.desks.booking.model import (
    Booking,
    BookingRequest,
    BookingStatus,
    Handover,
    HandoverStatus,
    RequestStatus,
    Tally,
)
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.ticks import Cell, HolderKind, Span, parse_holder, starts_of

Places = Counter[tuple[str, int]]
"""The number of cells by resource and tick."""


def cell_problems(
    cells: Iterable[Cell], bookings: Sequence[Booking], handovers: Sequence[Handover]
) -> Iterator[str]:
    """Checks that bookings and open handovers have exactly their cells, and that no others do."""
    found: dict[str, Places] = {}
    for cell in cells:
        if parse_holder(cell.holder).kind is not HolderKind.HOLD:
            found.setdefault(cell.holder, Counter())[cell.resource, cell.tick] += 1
    wanted = {one.holder: _wanted(one) for one in bookings if one.takes_time}
    wanted |= {one.holder: _wanted(one) for one in handovers if is_open(one)}
    for holder in sorted({*found, *wanted}):
        has, needs = found.get(holder, Counter()), wanted.get(holder)
        if needs is None:
            yield f"{holder} has {has.total()} cells, and there is no such booking or handover"
        elif has != needs:
            yield f"{holder} has {has.total()} cells and needs {needs.total()}"


def is_open(handover: Handover) -> bool:
    return handover.status is HandoverStatus.OPEN


def _wanted(one: Booking | Handover) -> Places:
    span: Span = one.span
    return Counter(
        {
            (resource, tick): places
            for resource, places in zip(one.resources, one.places, strict=True)
            for tick in span
        }
    )


def capacity_problems(
    cells: Iterable[Cell], bookings: Iterable[Booking], rules: BookingRules, since: datetime
) -> Iterator[str]:
    """Checks that no tick has more holders than places, unless staff knowingly overbooked it. If
    the capacity was reduced after a booking was made, the capacity of the booking counts."""
    overbooked = {one.holder for one in bookings if OVERBOOKED in one.overrides}
    now = {one.id: one.capacity for one in rules.resources}
    capacities = {
        (one.holder, resource): capacity
        for one in bookings
        for resource, capacity in zip(one.resources, one.capacities, strict=True)
    }
    by_tick: dict[tuple[str, int], list[Cell]] = {}
    for cell in cells:
        if parse_holder(cell.holder).kind is not HolderKind.HOLD and starts_of(cell.tick) >= since:
            by_tick.setdefault((cell.resource, cell.tick), []).append(cell)
    for (resource, tick), there in by_tick.items():
        usual = [cell for cell in there if cell.holder not in overbooked]
        then = [capacities.get((cell.holder, cell.resource), 1) for cell in there]
        capacity = max(now.get(there[0].resource, 1), *then)
        if len(usual) > capacity:
            yield f"{resource} has {len(usual)} holders of {capacity} places at {starts_of(tick)}"


def tally_problems(rows: Iterable[Tally], bookings: Iterable[Booking]) -> Iterator[str]:
    """Checks that every tally equals the count of the bookings that take time."""
    counted: dict[tuple[str, str], list[int]] = {}
    for booking in bookings:
        if booking.takes_time:
            for key in tallies.keys_of(booking):
                sums = counted.setdefault(key, [0, 0])
                sums[0] += 1
                sums[1] += tallies.minutes_of(booking)
    found = {(row.scope, row.period): [row.bookings, row.minutes] for row in rows}
    for key in sorted({*found, *counted}):
        says, is_ = found.get(key, [0, 0]), counted.get(key, [0, 0])
        if says != is_:
            yield f"tally {' '.join(key)} says {says}, the bookings say {is_}"


def request_problems(
    bookings: Iterable[Booking], requests: Iterable[BookingRequest]
) -> Iterator[str]:
    """Checks that each booking and the record of its request name each other."""
    by_id = {one.id: one for one in requests}
    for booking in bookings:
        if not booking.request_id:
            continue
        request = by_id.pop(booking.request_id, None)
        if request is None or request.booking_id != booking.id:
            yield f"booking {booking.id} has no record of its request {booking.request_id}"
    for request in by_id.values():
        if request.status is RequestStatus.BOOKED or request.booking_id:
            yield f"request {request.id} is {request.status}, and there is no such booking"


def timer_problems(
    booking: Booking, rules: BookingRules, set_: Mapping[str, datetime], now: datetime
) -> Iterator[str]:
    """Checks that each booking has the timers that its row asks for; an ended one has none."""
    decide = timers.decide_timer(booking.id)
    is_pending = booking.status is BookingStatus.PENDING
    if (decide in set_) != is_pending:
        yield f"booking {booking.id} is {booking.status}, and its timer is {_lost(is_pending)}"
    for seconds in booking.reminders:
        name = timers.reminder_timer(booking.id, seconds)
        due_at = timers.reminder_at(booking.starts_at, seconds, rules)
        if name not in set_ and due_at > now:
            yield f"booking {booking.id} has no timer for its reminder {seconds} seconds before"
    if not booking.takes_time:
        for left in set_:
            if left.startswith(f"bk/remind/{booking.id}/"):
                yield f"booking {booking.id} is {booking.status}, and {left} is still set"


def _lost(wanted: bool) -> str:
    return "lost" if wanted else "still set"
