"""A slow model of the search, which goes minute by minute and uses wall times."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import product
from zoneinfo import ZoneInfo

from frontdesk.desks.booking.rules import (
    BookingRules,
    CapOf,
    DatedHours,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
)
from frontdesk.desks.booking.search.query import Occupancy, Query

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


@cache
def walk_of(zone: str, first_on: date, last_on: date) -> "Walk":
    return Walk(zone, first_on, last_on)


class Walk:
    """Lists the minutes of a span with their wall times."""

    def __init__(self, zone: str, first_on: date, last_on: date) -> None:
        tz = ZoneInfo(zone)
        start = datetime.combine(first_on, time(), UTC) - DAY
        count = ((last_on - first_on).days + 3) * 24 * 60
        self.at = [start + n * MINUTE for n in range(count)]
        self.wall = [each.astimezone(tz).replace(tzinfo=None) for each in self.at]

    def minutes(self, on: date, period: Period) -> range:
        """Returns the numbers of the minutes in a period."""
        nominal = datetime.combine(on, time())
        return range(
            self._first(nominal + period.start * MINUTE), self._first(nominal + period.end * MINUTE)
        )

    @cache  # noqa: B019
    def _first(self, wall: datetime) -> int:
        return next((n for n, each in enumerate(self.wall) if each >= wall), len(self.wall))


def times(
    rules: BookingRules, query: Query, occupancy: Occupancy, now: datetime
) -> list[tuple[datetime, tuple[ResourceId, ...]]]:
    """Returns all times with the resources that can be chosen."""
    service = next(one for one in rules.services if one.name == query.service)
    walk = walk_of(rules.zone, query.first_on - 3 * DAY, query.last_on + 3 * DAY)
    day = _Day(rules, service, query, occupancy, now, walk)
    found = []
    for n in range(0, len(walk.at), 5):
        if query.first_on <= walk.wall[n].date() <= query.last_on:
            free = tuple(day.choices(n))
            if free:
                found.append((walk.at[n], free))
    return found


class _Day:
    def __init__(
        self,
        rules: BookingRules,
        service: ServiceRules,
        query: Query,
        occupancy: Occupancy,
        now: datetime,
        walk: Walk,
    ) -> None:
        self.rules, self.service, self.query = rules, service, query
        self.occupancy, self.now, self.walk = occupancy, now, walk
        self.known = {one.id: one for one in rules.resources}
        self.working = {one.id: set(self._working(one)) for one in rules.resources}
        self.grid = {one.id: set(self._grid(one)) for one in rules.resources}
        self.blackout = set(self._blackout())
        self.visit = service.duration // MINUTE
        self.before = service.buffer_before // MINUTE
        self.after = service.buffer_after // MINUTE

    def choices(self, n: int) -> Iterator[ResourceId]:
        if not self._allowed(n):
            return
        fits = {key: self._fits(n, one) for key, one in self.known.items()}
        first, *others = (need.anyone_of for need in self.service.needs)
        for one in first:
            if self.query.resource not in ("", one) or n not in self.grid[one]:
                continue
            if any(
                len({one, *rest}) == len(rest) + 1 and all(fits[each] for each in (one, *rest))
                for rest in product(*others)
            ):
                yield one

    def _allowed(self, n: int) -> bool:
        at, on = self.walk.at[n], self.walk.wall[n].date()
        tz = ZoneInfo(self.rules.zone)
        horizon_on = (self.now + self.service.horizon).astimezone(tz).date()
        if at < self.now + self.service.notice or on > horizon_on:
            return False
        if any(n + minute in self.blackout for minute in range(self.visit)):
            return False
        service = self.service
        return not self._full("business", self.rules.caps, on) and not self._full(
            f"service:{service.name}", service.caps, on
        )

    def _full(self, scope: str, caps: tuple, on: date) -> bool:  # type: ignore[type-arg]
        for cap in caps:
            key = str(on) if cap.per is CapOf.DAY else f"{on:%G}-W{on:%V}"
            tally = self.occupancy.tallies.get((scope, key))
            bookings, minutes = (tally.bookings, tally.minutes) if tally else (0, 0)
            if cap.bookings is not None and bookings >= cap.bookings:
                return True
            if cap.minutes is not None and minutes + self.visit > cap.minutes:
                return True
        return False

    def _fits(self, n: int, one: Resource) -> bool:
        if one.id in self.occupancy.unreadable:
            return False
        if self._full(f"resource:{one.id}", one.caps, self.walk.wall[n].date()):
            return False
        if not all(n + minute in self.working[one.id] for minute in range(self.visit)):
            return False
        return all(
            self._has_room(self.walk.at[0] + (n + minute) * MINUTE, one)
            for minute in range(-self.before, self.visit + self.after)
        )

    def _has_room(self, at: datetime, one: Resource) -> bool:
        """Returns whether the tick of a minute is free; a partly busy tick is not."""
        tick = int(at.timestamp()) // 300
        start = datetime.fromtimestamp(tick * 300, UTC)
        if any(
            busy_from < start + 5 * MINUTE and start < busy_to and busy_from < busy_to
            for busy_from, busy_to in self.occupancy.busy.get(one.id, ())
        ):
            return False
        places = self.query.party if one.capacity > 1 else 1
        rows = self.occupancy.taken.get(one.id, ())
        taken = sum(used for start, end, used in rows if start <= tick < end)
        return taken + places <= one.capacity

    def _working(self, one: Resource) -> Iterator[int]:
        for on, period in self._periods(one):
            yield from self.walk.minutes(on, period)

    def _grid(self, one: Resource) -> Iterator[int]:
        step = self.service.step // MINUTE
        offset = self.service.offset // MINUTE
        for on, period in self._periods(one):
            opens = datetime.combine(on, time()) + period.start * MINUTE
            for n in self.walk.minutes(on, period):
                since = (self.walk.wall[n] - opens) // MINUTE - offset
                if since >= 0 and since % step == 0:
                    yield n

    def _periods(self, one: Resource) -> Iterator[tuple[date, Period]]:
        on = self.query.first_on - 2 * DAY
        while on <= self.query.last_on + 2 * DAY:
            yield from ((on, period) for period in day_periods(self.rules, one, on))
            on += DAY

    def _blackout(self) -> Iterator[int]:
        for one in self.rules.blackouts:
            if one.services and self.service.name not in one.services:
                continue
            on = max(one.first_on, self.query.first_on - 2 * DAY)
            while on <= min(one.last_on, self.query.last_on + 2 * DAY):
                yield from self.walk.minutes(on, one.period or Period(0, 24 * 60))
                on += DAY


def day_periods(rules: BookingRules, one: Resource, on: date) -> list[Period]:
    """Returns the working periods that start on a day."""
    week = rules.hours if one.hours is None else one.hours
    own = _replaced(one.exceptions, on)
    closed = _replaced(rules.closed, on)
    follows = own is None and one.hours is None
    if follows and closed is not None:
        found = closed
    else:
        found = list(week[on.weekday()]) if own is None else own
        if closed is not None:
            found = _common(found, closed)
    extras = (*one.exceptions, *(rules.closed if follows else ()))
    for each in extras:
        if each.extra and each.first_on <= on <= each.last_on:
            found += each.periods
    return found


def _replaced(dated: tuple[DatedHours, ...], on: date) -> list[Period] | None:
    """Returns the hours that exceptions allow on a day; None without exceptions."""
    here = [one for one in dated if not one.extra and one.first_on <= on <= one.last_on]
    if not here:
        return None
    if any(not one.periods for one in here):
        return []
    fewest = min(one.last_on - one.first_on for one in here)
    first, *others = (one for one in here if one.last_on - one.first_on == fewest)
    found = list(first.periods)
    for one in others:
        found = _common(found, one.periods)
    return found


def _common(periods: Iterable[Period], limits: Iterable[Period]) -> list[Period]:
    pairs = product(periods, list(limits))
    cut = (Period(max(a.start, b.start), min(a.end, b.end)) for a, b in pairs)
    return [one for one in cut if one.start < one.end]
