"""Counts bookings in the tallies of business, service, resources and person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Final

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.changes import AddToTally
from frontdesk.desks.booking.model import Booking, Tally
from frontdesk.desks.booking.rules import BookingRules, Cap, Resource, ResourceId, ServiceRules
from frontdesk.desks.booking.search.caps import (
    BUSINESS,
    day_period,
    own_caps,
    period_of,
    resource_scope,
    service_scope,
    shared_caps,
    week_period,
)
from frontdesk.values import replace

#: The period of tallies that count all bookings of a resource or person.
ALL: Final = "all"
Key = tuple[str, str]


def person_key(person_id: PersonId) -> Key:
    return f"person:{person_id}", ALL


def last_key(resource: ResourceId) -> Key:
    """The key of the tally with the instant of a resource's last booking."""
    return resource_scope(resource), ALL


def keys_of(booking: Booking) -> Iterator[Key]:
    yield from time_keys(booking.service, booking.resources, booking.local_on)
    yield person_key(booking.person_id)


def time_keys(service: str, resources: tuple[ResourceId, ...], on: date) -> Iterator[Key]:
    """The tallies of a visit on a day, without the person."""
    day, week = day_period(on), week_period(on)
    for scope in (BUSINESS, service_scope(service), *map(resource_scope, resources)):
        yield scope, day
        yield scope, week
    yield from map(last_key, resources)


def deciding_keys(
    rules: BookingRules, service: ServiceRules, resources: Iterable[Resource], on: date
) -> Iterator[Key]:
    """The tallies that decide a claim on a day: those with caps, and the loads of resources, by
    which 'anyone' is chosen."""
    for scope, cap in shared_caps(rules, service):
        yield scope, period_of(cap.per, on)
    day = day_period(on)
    for one in resources:
        yield from ((scope, period_of(cap.per, on)) for scope, cap in own_caps(one))
        yield resource_scope(one.id), day
        yield last_key(one.id)


def minutes_of(booking: Booking) -> int:
    return int((booking.ends_at - booking.starts_at).total_seconds()) // 60


def without(counted: Mapping[Key, Tally], booking: Booking) -> dict[Key, Tally]:
    """The tallies as if this booking did not exist."""
    left = dict(counted)
    for key in keys_of(booking):
        if key in left:
            one = left[key]
            left[key] = replace(
                one, bookings=one.bookings - 1, minutes=one.minutes - minutes_of(booking)
            )
    return left


def count(
    before: Booking | None,
    after: Booking | None,
    rules: BookingRules,
    now: datetime,
    *,
    seen: int | None = None,
    capped: bool = True,
) -> tuple[AddToTally, ...]:
    """The changes of tallies when `after` replaces `before`: at most one for each tally.

    With `capped`, the condition is that caps leave room; `seen` is the number of the person's
    bookings that the decision has read.
    """
    change: dict[Key, tuple[int, int]] = {}
    for booking, sign in ((before, -1), (after, 1)):
        if booking is None:
            continue
        minutes = sign * minutes_of(booking)
        for key in keys_of(booking):
            bookings, counted = change.get(key, (0, 0))
            change[key] = bookings + sign, counted + minutes
    rooms = _rooms(after, rules) if after is not None and capped else {}
    person = person_key(after.person_id) if after is not None else None
    return tuple(
        AddToTally(
            *key,
            bookings=bookings,
            minutes=minutes,
            at=now if before is None and key[1] == ALL else None,
            bookings_room=_room(rooms.get(key, ()), "bookings", bookings),
            minutes_room=_room(rooms.get(key, ()), "minutes", minutes),
            seen=seen if key == person else None,
        )
        for key, (bookings, minutes) in change.items()
        if bookings or minutes or (key == person and seen is not None)
    )


def _rooms(booking: Booking, rules: BookingRules) -> dict[Key, list[Cap]]:
    found: dict[Key, list[Cap]] = {}
    service = rules.service(booking.service)
    caps = list(shared_caps(rules, service)) if service else []
    for each in booking.resources:
        resource = rules.resource(each)
        caps += own_caps(resource) if resource else ()
    for scope, cap in caps:
        found.setdefault((scope, period_of(cap.per, booking.local_on)), []).append(cap)
    return found


def _room(caps: list[Cap] | tuple[()], unit: str, more: int) -> int | None:
    """The largest count before this booking that no cap forbids; None if nothing is added."""
    limits = [limit for cap in caps if (limit := getattr(cap, unit)) is not None]
    return min(limits) - more if limits and more > 0 else None
