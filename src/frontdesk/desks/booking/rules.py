"""The rules of bookings, as values: services, resources, working hours, limits, preferences.

`rules.yml` is their source. Each value that can remove a time has its line in that file,
so that an answer to 'why is there nothing on Tuesday?' can name it; 0 is a built-in default.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import Final, NewType

from frontdesk.core.quiet_hours import DEFAULT_QUIET_HOURS, QuietHours
from frontdesk.values import Frozen, replace

ResourceId = NewType("ResourceId", str)
"""The key of a resource in `rules.yml`: 'mira', 'room-2'. Claims keep it, so it never changes."""

#: Time is claimed in steps of this length; everything in the rules is a multiple of it.
TICK: Final = timedelta(minutes=5)
DAY_MINUTES: Final = 24 * 60
_NOT_IN_SLUGS: Final = re.compile(r"[^\w.]+")


def slug_of(name: str) -> str:
    """The name of a service in its URL: 'Cut & Colour' is 'cut-colour'. Keeps letters of all
    scripts."""
    plain = unicodedata.normalize("NFC", name.casefold())
    return _NOT_IN_SLUGS.sub("-", plain).strip("-.") or "service"


class Period(Frozen):
    """A part of a day in local wall time. An end after 24:00 lies on the next day."""

    start: int
    """Minutes after midnight."""
    end: int
    line: int = 0


WeekHours = tuple[tuple[Period, ...], ...]
"""The working periods of Monday to Sunday."""


def minus(periods: Sequence[Period], without: Sequence[Period]) -> tuple[Period, ...]:
    """The periods without the times in `without`, also where those lie after midnight in a period
    over midnight."""
    left = list(periods)
    for gap in without:
        for shift in (0, DAY_MINUTES):
            start, end = gap.start + shift, gap.end + shift
            left = [
                replace(one, start=first, end=last)
                for one in left
                for first, last in (
                    (one.start, min(one.end, start)),
                    (max(one.start, end), one.end),
                )
                if first < last
            ]
    return tuple(left)


class DatedHours(Frozen):
    """Hours for certain days. They replace the week's hours, or are added to them (`extra`)."""

    first_on: date
    last_on: date
    periods: tuple[Period, ...] = ()
    """Empty: closed or away on these days."""
    extra: bool = False
    note: str = ""
    line: int = 0


class Blackout(Frozen):
    """A time in which the business takes no bookings: whole days, or a period on each day."""

    first_on: date
    last_on: date
    period: Period | None = None
    services: tuple[str, ...] = ()
    """Only for these services; empty: for all."""
    note: str = ""
    line: int = 0


class CapOf(StrEnum):
    DAY = "day"
    WEEK = "week"


class Cap(Frozen):
    """The most bookings, or the most booked minutes, in a local day or week (from Monday)."""

    per: CapOf
    bookings: int | None = None
    minutes: int | None = None
    line: int = 0


class ResourceKind(StrEnum):
    STAFF = "staff"
    ROOM = "room"
    DEVICE = "device"


class AllDay(StrEnum):
    """How all-day events of a calendar count."""

    BLOCK = "block"
    AS_MARKED = "as_marked"
    IGNORE = "ignore"


class CalendarRef(Frozen):
    """A calendar whose events block a resource, and into which its bookings are written."""

    name: str
    """The name of a connected calendar in the settings."""
    write: bool = False
    all_day: AllDay = AllDay.AS_MARKED
    line: int = 0


class Resource(Frozen):
    """A staff member, room or device that bookings need."""

    id: ResourceId
    name: str
    kind: ResourceKind = ResourceKind.STAFF
    capacity: int = 1
    """The number of places in each tick. With more than one, a party takes a place per person."""
    hours: WeekHours | None = None
    """Without breaks. None: the hours of the business."""
    breaks: WeekHours = ()
    """The breaks of a resource that works in the hours of the business. `hours` is already without
    them; they also shorten the special and extra hours of the business."""
    exceptions: tuple[DatedHours, ...] = ()
    caps: tuple[Cap, ...] = ()
    calendars: tuple[CalendarRef, ...] = ()
    line: int = 0

    def places(self, party: int) -> int:
        """The number of places that a party takes."""
        return party if self.capacity > 1 else 1


class Need(Frozen):
    """A need of a service: one resource out of several, such as 'Mira or Ana'."""

    anyone_of: tuple[ResourceId, ...]
    line: int = 0


class QuestionKind(StrEnum):
    TEXT = "text"
    CHOICE = "choice"
    CONSENT = "consent"


class Question(Frozen):
    id: str
    label: str
    kind: QuestionKind = QuestionKind.TEXT
    choices: tuple[str, ...] = ()
    required: bool = False
    line: int = 0


class Approval(StrEnum):
    NEVER = "never"
    FIRST_VISIT = "first visit"
    ALWAYS = "always"


class ServiceRules(Frozen):
    """A service as customers book it. They choose the resource of the first need, usually staff."""

    name: str
    duration: timedelta
    needs: tuple[Need, ...]
    price_cents: int = 0
    most: int = 1
    """The largest party."""
    aliases: tuple[str, ...] = ()
    buffer_before: timedelta = timedelta()
    buffer_after: timedelta = timedelta()
    step: timedelta = timedelta(minutes=15)
    """Starts lie on this grid, counted from the start of each working period."""
    offset: timedelta = timedelta()
    notice: timedelta = timedelta(hours=2)
    horizon: timedelta = timedelta(days=60)
    change_notice: timedelta = timedelta(hours=24)
    """Customers can cancel and move until this time before the start."""
    most_moves: int = 3
    most_upcoming: int = 3
    """The most upcoming bookings of one contact, of any service."""
    caps: tuple[Cap, ...] = ()
    approval: Approval = Approval.NEVER
    approve_within: timedelta = timedelta(hours=24)
    """A request that nobody approves ends after this time, at the latest at its start."""
    questions: tuple[Question, ...] = ()
    unlisted: bool = False
    """Bookable by a private link only."""
    colour: str = ""
    line: int = 0


class Preference(StrEnum):
    """A preference that ranks possible times. The rules list them in the order of their weight."""

    TOUCHING = "touching"
    """Starts that touch another booking of the resource."""
    NO_SMALL_GAPS = "no small gaps"
    """Never leaves a gap shorter than the shortest service."""
    EARLIEST = "earliest"
    SPREAD = "spread"
    """Proposes times on different days and parts of the day."""
    WISHED = "wished"
    """Closest to the time that the customer named."""


class PartOfDay(Frozen):
    """The business's definition of 'morning' or 'after work'."""

    name: str
    period: Period


class BookingRules(Frozen):
    """All rules of bookings. Empty services mean that nothing can be booked."""

    zone: str = "UTC"
    hours: WeekHours = ((),) * 7
    closed: tuple[DatedHours, ...] = ()
    """Exceptions of the whole business: they also apply to each resource."""
    blackouts: tuple[Blackout, ...] = ()
    caps: tuple[Cap, ...] = ()
    services: tuple[ServiceRules, ...] = ()
    resources: tuple[Resource, ...] = ()
    parts_of_day: tuple[PartOfDay, ...] = ()
    ranking: tuple[Preference, ...] = (
        Preference.WISHED,
        Preference.NO_SMALL_GAPS,
        Preference.TOUCHING,
        Preference.SPREAD,
        Preference.EARLIEST,
    )
    hold_for: timedelta = timedelta(minutes=5)
    """How long a time is held while somebody fills in the form; zero: not at all."""
    hold_proposals: bool = False
    proposals: int = 3
    reminders: tuple[timedelta, ...] = (timedelta(days=1), timedelta(hours=1))
    quiet: QuietHours = DEFAULT_QUIET_HOURS
    event_title: str = "{service}, {first_name}"
    """The title of events in calendars of staff."""
    certain_from: float = 0.8
    """A request that is read with less confidence becomes a draft for staff."""
    tone: str = ""
    calendar_max_age: timedelta = timedelta(minutes=10)
    """A calendar that was read longer ago offers no times."""

    def service(self, name: str) -> ServiceRules | None:
        """Finds a service by its name or an alias, ignoring case."""
        for one in self.services:
            if one.name == name:
                return one
        wanted = name.strip().casefold()
        return next(
            (
                one
                for one in self.services
                if wanted in (each.casefold() for each in (one.name, *one.aliases))
            ),
            None,
        )

    def without_notice(self, service: str) -> BookingRules:
        """The rules without the notice of this service: for a time that was held early enough."""
        services = (
            replace(one, notice=timedelta()) if one.name == service else one
            for one in self.services
        )
        return replace(self, services=tuple(services))

    def resource(self, resource_id: str) -> Resource | None:
        return next((one for one in self.resources if one.id == resource_id), None)
