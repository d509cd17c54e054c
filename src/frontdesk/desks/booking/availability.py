"""Finds times for pages, mails and commands: reads everything that a search needs, and runs it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final

import msgspec

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.booking.decide.tallies import last_key, without
from frontdesk.desks.booking.load import BusyPort, booking_reads, no_calendars
from frontdesk.desks.booking.model import Booking
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.desks.booking.search.explain import DayExplanation, explain_day
from frontdesk.desks.booking.search.local_days import TICK_MINUTES
from frontdesk.desks.booking.search.query import Occupancy, Query, Removed, TimeWish, WishedTime
from frontdesk.desks.booking.search.space import Space, prepare
from frontdesk.desks.booking.search.times import Times, check_time, needed_tallies, times_in
from frontdesk.desks.booking.ticks import has_ended, starts_of
from frontdesk.desks.booking.wish_wording import parts_of_day
from frontdesk.engine.ports import Reads
from frontdesk.reading.when_model import ClockRange, When
from frontdesk.values import Frozen, replace

Taken = Mapping[ResourceId, list[tuple[int, int, int]]]
_NO_WISH: Final = TimeWish()


class OwnTime(Frozen):
    """The time that the customer who asks has already. It counts as free for them."""

    holders: frozenset[str] = frozenset()
    """The holder of a hold."""
    moving: Booking | None = None
    """The booking that gets another time."""

    @property
    def all_holders(self) -> frozenset[str]:
        return self.holders | ({self.moving.holder} if self.moving else frozenset())


NOTHING: Final = OwnTime()


class Availability(Frozen):
    """Searches with the rows of a store. The wiring gives it the port of busy times."""

    busy: BusyPort = no_calendars

    def find(
        self,
        reads: Reads,
        rules: BookingRules,
        query: Query,
        now: datetime,
        *,
        most: int | None = None,
        mine: OwnTime = NOTHING,
    ) -> Times | Removed:
        """Finds the times on the days of the query. A month view needs no proposals: `most=0`."""
        space = prepare(rules, query, now)
        if isinstance(space, Removed):
            return space
        return times_in(space, self.occupancy(reads, space, mine), most)

    def check(
        self,
        reads: Reads,
        rules: BookingRules,
        query: Query,
        starts_at: datetime,
        now: datetime,
        *,
        mine: OwnTime = NOTHING,
    ) -> Removed | None:
        """The reason why a time cannot be booked, as a claim would give it."""
        on = to_wall(starts_at, zone(rules.zone)).date()
        space = prepare(rules, replace(query, first_on=on, last_on=on), now)
        if isinstance(space, Removed):
            return space
        return check_time(rules, query, starts_at, self.occupancy(reads, space, mine), now)

    def explain(
        self, reads: Reads, rules: BookingRules, query: Query, now: datetime
    ) -> DayExplanation | Removed:
        """Explains the first day of a query."""
        one_day = replace(query, last_on=query.first_on)
        space = prepare(rules, one_day, now)
        occupancy = Occupancy() if isinstance(space, Removed) else self.occupancy(reads, space)
        return explain_day(rules, one_day, occupancy, now)

    def occupancy(self, reads: Reads, space: Space, mine: OwnTime = NOTHING) -> Occupancy:
        """Reads only the span of a search, so the cost does not grow with the history."""
        bk, resources = booking_reads(reads), space.resources
        span = space.span
        busy = self.busy(reads, resources, starts_of(span.start), starts_of(span.end))
        keys = set(needed_tallies(space))
        if len(space.choices) > 1:
            keys |= {last_key(one.id) for one in space.choices}
        tallies = {(one.scope, one.period): one for one in bk.tallies(keys)} if keys else {}
        return Occupancy(
            busy=busy.busy,
            unreadable=busy.unreadable,
            taken=_taken(bk, space, mine.all_holders),
            tallies=without(tallies, mine.moving) if mine.moving else tallies,
            last_booked_at={
                one.id: tally.last_at
                for one in space.choices
                if (tally := tallies.get(last_key(one.id))) and tally.last_at
            },
        )


def _taken(bk: BookingReads, space: Space, mine: Collection[str]) -> Taken:
    """The places that are taken. Expired holds and the customer's own do not count."""
    found: dict[ResourceId, list[tuple[int, int, int]]] = {}
    for one in bk.taken([each.id for each in space.resources], space.span):
        if one.holder not in mine and not has_ended(one.holder, space.now):
            found.setdefault(one.resource, []).append((one.start, one.end, one.places))
    return found


def wish_of(when: When | None, rules: BookingRules) -> TimeWish:
    """The wish of a customer, as a search takes it."""
    if when is None:
        return _NO_WISH
    parts = msgspec.structs.astuple(parts_of_day(rules))
    return TimeWish(
        tuple(
            WishedTime(
                one.first_on,
                one.last_on,
                tuple(_starts(clock, parts) for clock in one.clocks),
                one.weekdays,
            )
            for one in when.options
        ),
        when.not_weekdays,
        when.not_on,
    )


def _starts(clock: ClockRange, parts: Collection[ClockRange]) -> tuple[int, int]:
    """The earliest and the latest start. A visit that starts at noon is not in the morning."""
    ends_before = TICK_MINUTES if clock in parts else 0
    return clock.earliest, clock.latest - ends_before
