"""Measures the search for times beside a hand-written merge of intervals over the same data."""

import random
import time
from bisect import bisect_left
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time
from statistics import median
from zoneinfo import ZoneInfo

from frontdesk.desks.booking.rules import (
    BookingRules,
    Need,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
)
from frontdesk.desks.booking.search.query import Occupancy, Query
from frontdesk.desks.booking.search.space import Space, prepare
from frontdesk.desks.booking.search.times import Times, times_in
from frontdesk.desks.booking.ticks import span_of
from frontdesk.values import Frozen

ZONE = "Europe/Berlin"
MONDAY = date(2026, 9, 28)
NOW = datetime(2026, 9, 27, 12, tzinfo=UTC)
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
DURATION, AFTER, STEP = 45 * MINUTE, 10 * MINUTE, 15 * MINUTE
SHIFTS = ((10 * 60, 13 * 60), (14 * 60, 18 * 60))
ROUNDS = 60

Interval = tuple[datetime, datetime]


class Salon(Frozen):
    rules: BookingRules
    occupancy: Occupancy
    bookings: dict[ResourceId, list[Interval]]
    busy: dict[ResourceId, list[Interval]]


def salon(staff: int, days: int, bookings: int) -> Salon:
    """Builds a salon whose bookings and private events are spread over the days."""
    chance = random.Random(17)
    ids = [ResourceId(f"staff-{n}") for n in range(staff)]
    booked: dict[ResourceId, list[Interval]] = {each: [] for each in ids}
    busy: dict[ResourceId, list[Interval]] = {each: [] for each in ids}
    for n in range(bookings):
        one = ids[n % staff]
        starts_at = _instant(MONDAY + chance.randrange(days) * DAY, chance.randrange(40, 68) * 15)
        visit = starts_at, starts_at + DURATION
        if all(visit[0] >= b + AFTER or a >= visit[1] + AFTER for a, b in booked[one]):
            booked[one].append(visit)
        if n % 5 == 0:
            busy[one].append((starts_at + 3 * 60 * MINUTE, starts_at + 4 * 60 * MINUTE))
    taken = {one: [_span(*visit) for visit in visits] for one, visits in booked.items()}
    return Salon(_rules(ids), Occupancy(busy, {}, taken), booked, busy)


def _span(starts_at: datetime, ends_at: datetime) -> tuple[int, int, int]:
    span = span_of(starts_at, ends_at, timedelta(), AFTER)
    return span.start, span.end, 1


def _rules(ids: list[ResourceId]) -> BookingRules:
    week = (tuple(Period(*shift) for shift in SHIFTS),) * 6 + ((),)
    return BookingRules(
        zone=ZONE,
        hours=week,
        services=(
            ServiceRules(
                "Haircut",
                DURATION,
                (Need(tuple(ids)),),
                buffer_after=AFTER,
                step=STEP,
                horizon=400 * DAY,
            ),
        ),
        resources=tuple(Resource(each, each, hours=week) for each in ids),
    )


def search(one: Salon, days: int) -> list[tuple[datetime, tuple[ResourceId, ...]]]:
    found = _search(one, days)
    return [(each.starts_at, each.resources) for each in found.all()]


def days_with_times(one: Salon, days: int) -> tuple[date, ...]:
    """Searches a month, as its view does."""
    return _search(one, days, most=0).days()


def _search(one: Salon, days: int, most: int | None = None) -> Times:
    space = prepare(one.rules, _query(days), NOW)
    assert isinstance(space, Space)
    return times_in(space, one.occupancy, most)


def _query(days: int) -> Query:
    return Query("Haircut", MONDAY, MONDAY + (days - 1) * DAY)


def merge(one: Salon, days: int) -> list[tuple[datetime, tuple[ResourceId, ...]]]:
    """Searches as a careful engineer would by hand: sorted intervals and the gaps between them.

    It knows one service without pools, capacities, caps, blackouts and ranking.
    """
    earliest = NOW + timedelta(hours=2)
    found: dict[datetime, list[ResourceId]] = {}
    for resource in one.bookings:
        blocks = sorted([(a, b + AFTER) for a, b in one.bookings[resource]] + one.busy[resource])
        merged: list[Interval] = []
        for start, end in blocks:
            if merged and start <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(end, merged[-1][1])
            else:
                merged.append((start, end))
        ends = [end for _, end in merged]
        for n in range(days):
            on = MONDAY + n * DAY
            if on.weekday() == 6:
                continue
            for opens, closes in SHIFTS:
                starts_at, last = _instant(on, opens), _instant(on, closes) - DURATION
                at = bisect_left(ends, starts_at)
                while starts_at <= last:
                    while at < len(merged) and merged[at][1] <= starts_at:
                        at += 1
                    is_free = at >= len(merged) or merged[at][0] >= starts_at + DURATION + AFTER
                    if is_free and starts_at >= earliest:
                        found.setdefault(starts_at, []).append(resource)
                    starts_at += STEP
    return [(each, tuple(found[each])) for each in sorted(found)]


def _instant(on: date, minutes: int) -> datetime:
    clock = clock_time(minutes // 60, minutes % 60, tzinfo=ZoneInfo(ZONE))
    return datetime.combine(on, clock).astimezone(UTC)


def report() -> None:
    large, small = salon(10, 60, 500), salon(1, 31, 60)
    assert search(large, 60) == merge(large, 60), "both find the same times"
    ours, by_hand = _ms(lambda: search(large, 60)), _ms(lambda: merge(large, 60))
    print(
        f"times of 10 staff, 60 days, 500 bookings: {ours:.1f} ms,"
        f" merge by hand {by_hand:.1f} ms, ratio {ours / by_hand:.2f}"
    )
    month, view = _ms(lambda: search(small, 31)), _ms(lambda: days_with_times(large, 42))
    print(f"times of one person, 31 days: {month:.2f} ms; days with times, 42 days: {view:.2f} ms")
    week = _ms(lambda: search(large, 7))
    quarters = [_ms(lambda days=days: search(large, days)) for days in (14, 28, 56)]  # type: ignore[misc]
    print(
        f"times of 1, 2, 4 and 8 weeks: {', '.join(f'{each:.2f}' for each in (week, *quarters))} ms"
    )


def _ms(do: Callable[[], object]) -> float:
    """Returns the median of CPU milliseconds."""
    taken = []
    for _ in range(ROUNDS):
        before = time.process_time()
        do()
        taken.append((time.process_time() - before) * 1000)
    return median(taken)


if __name__ == "__main__":
    report()
