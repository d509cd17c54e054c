"""The day board as values: a column for each person, and blocks for everything that takes time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.booking.model import Booking, BookingStatus, Handover
from frontdesk.desks.booking.rules import BookingRules, Resource, ResourceId
from frontdesk.desks.booking.search.hours import hours_rules
from frontdesk.desks.booking.search.local_days import LocalDays, local_days
from frontdesk.desks.booking.ticks import (
    TICKS_PER_HOUR,
    HolderKind,
    Span,
    TakenTicks,
    parse_holder,
    starts_of,
    tick_after,
    tick_at,
)
from frontdesk.values import Frozen, replace

#: The board always shows this part of the day, in minutes.
_USUAL: Final = (9 * 60, 17 * 60)


class BlockKind(StrEnum):
    BOOKED = "booked"
    CONFIRMING = "confirming"
    PENDING = "pending"
    BUFFER = "buffer"
    HELD = "held"
    ON_OFFER = "on offer"
    BUSY = "busy"
    GAP = "gap"


class Block(Frozen):
    """A part of a column. With a capacity above one, blocks that overlap are in different lanes."""

    kind: BlockKind
    span: Span
    booking: Booking | None = None
    places: int = 1
    lane: int = 0


class DayColumn(Frozen):
    resource: Resource
    working: tuple[Span, ...]
    blocks: tuple[Block, ...]
    lanes: int
    booked_minutes: int


class DayColumns(Frozen):
    on: date
    span: Span
    """The ticks that the board shows, from a full hour to a full hour."""
    columns: tuple[DayColumn, ...]
    zone: str

    @property
    def hours(self) -> Iterator[tuple[int, str]]:
        """The ticks of full hours, with the wall time: '09:00'."""
        tz = zone(self.zone)
        for tick in range(self.span.start, self.span.end, TICKS_PER_HOUR):
            yield tick, f"{to_wall(starts_of(tick), tz):%H:%M}"


def day_columns(
    rules: BookingRules,
    on: date,
    *,
    taken: Iterable[TakenTicks],
    bookings: Mapping[str, Booking],
    handovers: Mapping[str, Handover],
    busy: Mapping[ResourceId, Sequence[tuple[datetime, datetime]]],
    resources: Sequence[Resource],
    now: datetime,
) -> DayColumns:
    """Builds the board of a local day. `bookings` and `handovers` are those of the day, by id."""
    visits: dict[str, Booking | Handover] = {
        **{f"{HolderKind.BOOKING.value}:{key}": one for key, one in bookings.items()},
        **{one.holder: one for one in handovers.values()},
    }
    days = local_days(rules.zone, on, on)
    day = Span(*days.bounds(on))
    held = [each for each in taken if parse_holder(each.holder).holds_at(now)]
    columns = tuple(
        _column(rules, days, resource, held, visits, busy.get(resource.id, ()), tick_after(now))
        for resource in resources
    )
    return DayColumns(on, _shown(days, on, day, columns), columns, rules.zone)


def day_span(rules: BookingRules, on: date) -> Span:
    """The ticks of a local day."""
    return Span(*local_days(rules.zone, on, on).bounds(on))


def _column(
    rules: BookingRules,
    days: LocalDays,
    resource: Resource,
    taken: Iterable[TakenTicks],
    visits: Mapping[str, Booking | Handover],
    busy: Sequence[tuple[datetime, datetime]],
    first_free: int,
) -> DayColumn:
    on = days.first_on
    day = Span(*days.bounds(on))
    working = _working(rules, days, resource)
    groups = [tuple(_blocks_of(each, visits)) for each in taken if each.resource == resource.id]
    outside = (Span(tick_at(start), tick_after(end)) for start, end in busy)
    groups += [(Block(BlockKind.BUSY, span),) for span in outside]
    blocks, lanes = _in_lanes([group for group in groups if _span(group).overlaps(day)])
    gaps = (Block(BlockKind.GAP, span) for span in _gaps(working, blocks, first_free))
    booked = sum(
        5 * (b.span.end - b.span.start) for b in blocks if b.kind is BlockKind.BOOKED and b.booking
    )
    ordered = tuple(sorted((*blocks, *gaps), key=lambda block: (block.span.start, block.lane)))
    return DayColumn(resource, working, ordered, lanes, booked)


def _working(rules: BookingRules, days: LocalDays, resource: Resource) -> tuple[Span, ...]:
    on = days.first_on
    periods = hours_rules(rules, resource, on, on).on(on).periods
    found = (
        Span(stretch.start, stretch.end)
        for period in periods
        for stretch in days.stretches(on, period.start, period.end)
    )
    return tuple(sorted(found, key=lambda span: span.start))


_KINDS: Final = {
    BookingStatus.PENDING: BlockKind.PENDING,
    BookingStatus.CLAIMED: BlockKind.CONFIRMING,
}


def _blocks_of(taken: TakenTicks, visits: Mapping[str, Booking | Handover]) -> Iterator[Block]:
    """Yields a visit and its buffers as blocks of their own; one block if the visit is unknown."""
    holder, span = parse_holder(taken.holder), Span(taken.start, taken.end)
    visit = visits.get(f"{holder.kind.value}:{holder.id}")
    if visit is None:
        kinds = {HolderKind.HOLD: BlockKind.HELD, HolderKind.HANDOVER: BlockKind.ON_OFFER}
        yield Block(kinds.get(holder.kind, BlockKind.BOOKED), span, places=taken.places)
        return
    booking = visit if isinstance(visit, Booking) else None
    kind = _KINDS.get(booking.status, BlockKind.BOOKED) if booking else BlockKind.ON_OFFER
    middle = Span(tick_at(visit.starts_at), tick_after(visit.ends_at))
    parts = (
        (BlockKind.BUFFER, Span(span.start, middle.start)),
        (kind, middle),
        (BlockKind.BUFFER, Span(middle.end, span.end)),
    )
    for each, part in parts:
        if part.start < part.end:
            yield Block(each, part, booking, taken.places)


def _span(group: Sequence[Block]) -> Span:
    return Span(group[0].span.start, group[-1].span.end)


def _in_lanes(groups: Iterable[Sequence[Block]]) -> tuple[list[Block], int]:
    """Puts each group into the lowest lane that is free, so that groups do not overlap."""
    ends: list[int] = []
    laid: list[Block] = []
    for group in sorted(groups, key=lambda each: (_span(each).start, _span(each).end)):
        span = _span(group)
        lane = next((n for n, end in enumerate(ends) if end <= span.start), len(ends))
        ends[lane : lane + 1] = [span.end]
        laid += [replace(block, lane=lane) for block in group]
    return laid, max(1, len(ends))


def _gaps(working: Sequence[Span], blocks: Iterable[Block], first_free: int) -> Iterator[Span]:
    """The working time from the tick `first_free` on in which nothing is booked."""
    taken = sorted((block.span for block in blocks), key=lambda span: span.start)
    for period in working:
        at = max(period.start, first_free)
        for span in taken:
            if span.end <= at or span.start >= period.end:
                continue
            if at < span.start:
                yield Span(at, span.start)
            at = max(at, span.end)
        if at < period.end:
            yield Span(at, period.end)


def _shown(days: LocalDays, on: date, day: Span, columns: Iterable[DayColumn]) -> Span:
    """The ticks to show: full hours that contain everything on the day."""
    spans = [
        span
        for column in columns
        for span in (*column.working, *(block.span for block in column.blocks))
    ]
    usual = (days.tick(on, minutes) for minutes in _USUAL)
    start, end = usual if not spans else (min(s.start for s in spans), max(s.end for s in spans))
    past_the_hour = to_wall(starts_of(max(start, day.start)), zone(days.zone)).minute // 5
    first = max(start, day.start) - past_the_hour
    hours = -(-(min(end, day.end) - first) // TICKS_PER_HOUR)
    return Span(first, first + hours * TICKS_PER_HOUR)
