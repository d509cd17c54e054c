"""Ticks: time is claimed in steps of 5 minutes, and each place of a tick has one holder.

A booking claims every tick of its span, including buffers, of each resource that it needs. It may
have different places in different ticks. So bookings never overlap beyond the capacity, and a
booking that fits is never refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

from frontdesk.desks.booking.rules import TICK, ResourceId
from frontdesk.values import Frozen

TICK_SECONDS: Final = int(TICK.total_seconds())
TICKS_PER_HOUR: Final = 3600 // TICK_SECONDS


class HolderKind(StrEnum):
    BOOKING = "booking"
    HANDOVER = "handover"
    """The waitlist desk offers the time."""
    HOLD = "hold"
    """The time is held for somebody who fills in the form, or is proposed, until `until`."""


class Holder(Frozen):
    """The holder of a place. It is stored as text: 'booking:<id>', 'hold:<id>:<epoch seconds>'."""

    kind: HolderKind
    id: str
    until: int = 0
    """The end of a hold in epoch seconds. Other holders have no end."""

    def __str__(self) -> str:
        end = f":{self.until}" if self.kind is HolderKind.HOLD else ""
        return f"{self.kind.value}:{self.id}{end}"

    def holds_at(self, now: datetime) -> bool:
        """Whether it has the place at this time. A stored hold that has expired does not."""
        return self.kind is not HolderKind.HOLD or now.timestamp() < self.until


def parse_holder(text: str) -> Holder:
    kind, _, rest = text.partition(":")
    holder_id, _, until = rest.partition(":")
    return Holder(HolderKind(kind), holder_id, int(until or 0))


def has_ended(holder: str, now: datetime) -> bool:
    """Whether a stored holder is a hold that has ended."""
    return holder.startswith(_HOLD) and not parse_holder(holder).holds_at(now)


_HOLD: Final = f"{HolderKind.HOLD.value}:"


class Cell(Frozen):
    """One place of one tick of a resource, as stored."""

    resource: ResourceId
    tick: int
    """The number of ticks since 1970 (UTC)."""
    place: int
    holder: str


class TakenTicks(Frozen):
    """Consecutive ticks of one holder at one resource, with the places in each tick."""

    resource: ResourceId
    start: int
    end: int
    places: int
    holder: str


class Span(Frozen):
    """A half-open range of ticks."""

    start: int
    end: int

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.end))

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


def tick_at(at: datetime) -> int:
    """The tick that contains an instant."""
    return int(at.timestamp()) // TICK_SECONDS


def tick_after(at: datetime) -> int:
    """The first tick that starts at this instant or later."""
    return -(-int(at.timestamp()) // TICK_SECONDS)


def starts_of(tick: int) -> datetime:
    """The instant at which a tick starts."""
    return datetime.fromtimestamp(tick * TICK_SECONDS, UTC)


def span_of(starts_at: datetime, ends_at: datetime, before: timedelta, after: timedelta) -> Span:
    """The ticks of a visit with its buffers. Parts of a tick count as the whole tick."""
    return Span(tick_at(starts_at - before), tick_after(ends_at + after))
