"""The query of a search, and the state of the business that it searches, as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum

from frontdesk.desks.booking.model import Tally
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.values import Frozen, field


class WishedTime(Frozen):
    """One alternative of a wish. With an empty field, anything suits."""

    first_on: date | None = None
    last_on: date | None = None
    clocks: tuple[tuple[int, int], ...] = ()
    """Wall times of the start, in minutes of the day: earliest and latest, both included."""
    weekdays: frozenset[int] = frozenset()
    """0 is Monday."""


class TimeWish(Frozen):
    """The wished time of a customer. It ranks times; only its exclusions remove times."""

    options: tuple[WishedTime, ...] = ()
    not_weekdays: frozenset[int] = frozenset()
    not_on: tuple[tuple[date, date], ...] = ()
    """Days that do not suit, as first and last day."""


class Query(Frozen):
    service: str
    first_on: date
    last_on: date
    """The local days of the starts that are asked for, both included."""
    party: int = 1
    resource: ResourceId = ResourceId("")
    """A resource of the service's first need; empty: anyone."""
    wish: TimeWish = TimeWish()


class Occupancy(Frozen):
    """Everything that already takes time of the resources, in the span of a query.

    `busy` does not contain the events of this desk: bookings count by their ticks alone, so that
    capacities above one and moves by a few minutes work.
    """

    busy: Mapping[ResourceId, Sequence[tuple[datetime, datetime]]] = field(default_factory=dict)
    """Busy times in connected calendars."""
    unreadable: Mapping[ResourceId, str] = field(default_factory=dict)
    """Why resources have no times: a calendar could not be read, or was read too long ago."""
    taken: Mapping[ResourceId, Sequence[tuple[int, int, int]]] = field(default_factory=dict)
    """Spans of ticks as start, end (not included), and the number of places that a booking, hold or
    handover has in each tick. Spans may overlap: then their places add up."""
    tallies: Mapping[tuple[str, str], Tally] = field(default_factory=dict)
    """Counts for caps and loads, by scope and period."""
    last_booked_at: Mapping[ResourceId, datetime] = field(default_factory=dict)
    """The instant at which each resource last got a booking."""


class Filter(StrEnum):
    """The five filters, in their order."""

    CALENDAR = "calendar"
    HOURS = "working hours"
    DURATION = "duration and buffers"
    LIMITS = "blackouts and caps"
    RANKING = "ranking"


class Cause(StrEnum):
    """The rule or the state that removed a time."""

    UNREADABLE = "unreadable calendar"
    BUSY = "busy in a calendar"
    TAKEN = "booked"
    TOO_FEW_PLACES = "too few places"
    NOT_WORKING = "outside working hours"
    AWAY = "away"
    CLOSED = "closed"
    TOO_SHORT = "too short"
    OFF_GRID = "not a start time"
    NEED = "another resource is missing"
    BLACKOUT = "blackout"
    CAP = "cap reached"
    NOTICE = "too soon"
    HORIZON = "too far ahead"
    PARTY = "party too large"
    NOT_QUALIFIED = "not offered by this resource"
    UNKNOWN_SERVICE = "unknown service"


class Removed(Frozen):
    """The reason why a time cannot be booked: its filter, its cause, and the line of the rules."""

    filter: Filter
    cause: Cause
    line: int = 0
    """The line in `rules.yml`; 0 if no line is the reason."""
    resource: ResourceId = ResourceId("")
    spans: tuple[tuple[datetime, datetime], ...] = ()
    """The times that it removed."""
    note: str = ""
    """The owner's own words, or the reason that a calendar gave."""
    limit: int = 0
    used: int = 0
    """The value to compare with `limit`: bookings or minutes of a cap, places of a party. For a
    visit that is too long, the longest free time in minutes."""
    unit: str = ""
    scope: str = ""
