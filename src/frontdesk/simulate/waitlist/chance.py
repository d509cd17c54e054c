"""Draws the random parts of a month: people who join, and slots that come free."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from itertools import islice
from random import Random
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import same_wall_time, to_wall
from frontdesk.simulate.names import names
from frontdesk.simulate.waitlist.scenario import Cause, ComesFree, Guest, Month
from frontdesk.values import Frozen


class Chance(Frozen):
    random: Random
    month: Month
    tz: ZoneInfo

    def percent(self, share: int) -> bool:
        return self.random.randrange(100) < share

    def minutes(self, least: int, most: int) -> timedelta:
        return timedelta(minutes=self.random.randint(least, most))

    def days(self, least: int, most: int) -> timedelta:
        return timedelta(days=self.random.randint(least, most))

    def part_of(self, span: timedelta) -> timedelta:
        """Returns a random part of the span in whole seconds, at times a little more."""
        return timedelta(seconds=self.random.randint(5, int(span.total_seconds() * 1.1)))

    def moment(self, first: int = 7, last: int = 23) -> datetime:
        """Returns a random moment in the month, between these hours."""
        on = self.month.begins_on + self.days(0, self.month.days - 1)
        hour, minute = self.random.randint(first, last), self.random.randrange(60)
        at = time(hour, minute, self.random.randrange(60))
        return same_wall_time(on, at, self.tz)


def arrivals(by: Chance) -> Iterator[tuple[datetime, Guest]]:
    """Half of them join in the first hour; most of their wishes can be met."""
    month, catalogue = by.month, by.month.place.catalogue
    opens_at = same_wall_time(month.begins_on, time(7), by.tz)
    for name in islice(names(), month.people):
        at = opens_at + by.minutes(0, 60) if by.percent(50) else by.moment()
        service = by.random.choice(catalogue.services)
        earliest_on = to_wall(at, by.tz).date() + by.days(0, 4)
        yield (
            at,
            Guest(
                name,
                service.name,
                earliest_on,
                earliest_on + by.days(2, 20),
                by.random.choice(catalogue.staff) if catalogue.staff and by.percent(25) else "",
                by.random.randint(1, service.most),
                priority=by.percent(5),
                by_text=by.percent(70),
            ),
        )


def openings(by: Chance) -> Iterator[tuple[datetime, ComesFree]]:
    """Slots come free from minutes to days before they start."""
    catalogue = by.month.place.catalogue
    for _ in range(by.month.slots):
        freed_at = by.moment(6)
        service = by.random.choice(catalogue.services)
        cause = by.random.choice(tuple(Cause))
        deed = ComesFree(
            service.name,
            _start(by, freed_at, cause),
            by.random.choice(catalogue.staff) if catalogue.staff else "",
            by.random.randint(1, service.most),
            cause,
        )
        yield freed_at, deed


def _start(by: Chance, freed_at: datetime, cause: Cause) -> datetime:
    """A no-show frees a slot about when it starts; other causes do so earlier."""
    if cause is Cause.MISSED:
        return freed_at + by.minutes(5, 40)
    on = to_wall(freed_at, by.tz).date() + by.days(0, 3)
    at = time(by.random.randint(8, 20), by.random.choice((0, 15, 30, 45)))
    starts_at = same_wall_time(on, at, by.tz)
    return starts_at if starts_at > freed_at else freed_at + by.minutes(30, 600)
