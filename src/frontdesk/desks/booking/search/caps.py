"""Caps: the most bookings or minutes of the business, a service or a resource in a day or week.

A booking counts in the local day and week of its start, once whatever its party, and with the
minutes of its visit without buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from frontdesk.desks.booking.model import Tally
from frontdesk.desks.booking.rules import (
    BookingRules,
    Cap,
    CapOf,
    Resource,
    ResourceId,
    ServiceRules,
)
from frontdesk.values import Frozen

Tallies = Mapping[tuple[str, str], Tally]
BUSINESS = "business"


class FullCap(Frozen):
    """A cap that leaves no room for one more booking of this length."""

    cap: Cap
    scope: str
    used: int
    limit: int
    unit: str


def service_scope(name: str) -> str:
    return f"service:{name}"


def resource_scope(resource: ResourceId) -> str:
    return f"resource:{resource}"


def day_period(on: date) -> str:
    return on.isoformat()


def week_period(on: date) -> str:
    year, week, _ = on.isocalendar()
    return f"{year}-W{week:02}"


def period_of(per: CapOf, on: date) -> str:
    return day_period(on) if per is CapOf.DAY else week_period(on)


def shared_caps(rules: BookingRules, service: ServiceRules) -> Iterator[tuple[str, Cap]]:
    """The caps of the business and of a service, with their scopes."""
    yield from ((BUSINESS, cap) for cap in rules.caps)
    yield from ((service_scope(service.name), cap) for cap in service.caps)


def own_caps(resource: Resource) -> Iterator[tuple[str, Cap]]:
    return ((resource_scope(resource.id), cap) for cap in resource.caps)


def full_cap(scope: str, cap: Cap, tallies: Tallies, on: date, minutes: int) -> FullCap | None:
    """The full cap, if one more visit of so many minutes on this day exceeds it."""
    tally = tallies.get((scope, period_of(cap.per, on))) or Tally(scope, "")
    if cap.bookings is not None and tally.bookings + 1 > cap.bookings:
        return FullCap(cap, scope, tally.bookings, cap.bookings, "bookings")
    if cap.minutes is not None and tally.minutes + minutes > cap.minutes:
        return FullCap(cap, scope, tally.minutes, cap.minutes, "minutes")
    return None
