"""A small salon for tests of the search, with short ways to write rules, queries and times."""

from datetime import UTC, date, datetime, timedelta

from frontdesk.core.localtime import to_instant, zone
from frontdesk.desks.booking.rules import (
    BookingRules,
    Need,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
    WeekHours,
)
from frontdesk.desks.booking.search.query import Occupancy, Query, Removed
from frontdesk.desks.booking.search.space import prepare
from frontdesk.desks.booking.search.times import Times, times_in
from frontdesk.desks.booking.ticks import span_of

BERLIN = "Europe/Berlin"
#: Monday.
MONDAY = date(2026, 11, 16)
TUESDAY = date(2026, 11, 17)
MIRA, ANA, BEA = ResourceId("mira"), ResourceId("ana"), ResourceId("bea")
ROOM, SAUNA = ResourceId("room"), ResourceId("sauna")


def minutes(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def period(text: str, line: int = 0) -> Period:
    """Parses a period like '10:00-18:00'."""
    start, end = text.split("-")
    return Period(minutes(start), minutes(end), line)


def week(*periods: str, line: int = 0) -> WeekHours:
    """Returns a week with the same periods on each day."""
    return (tuple(period(one, line) for one in periods),) * 7


def at(on: date, clock: str, tz: str = BERLIN) -> datetime:
    wall = datetime.combine(on, datetime.min.time()) + timedelta(minutes=minutes(clock))
    return to_instant(wall, zone(tz))


def clocks(times: Times | Removed, on: date) -> list[str]:
    """Returns the wall times of a day."""
    assert isinstance(times, Times), times
    tz = zone(times.space.rules.zone)
    return [f"{one.starts_at.astimezone(tz):%H:%M}" for one in times.on(on)]


CUT = ServiceRules(
    "Haircut",
    timedelta(minutes=45),
    (Need((MIRA,), line=21),),
    buffer_after=timedelta(minutes=10),
    step=timedelta(minutes=15),
    notice=timedelta(),
    line=20,
)


def salon(*services: ServiceRules, **rules: object) -> BookingRules:
    """Returns rules with Mira, who works from 10:00 to 18:00 on each day."""
    usual: dict[str, object] = {
        "zone": BERLIN,
        "hours": week("09:00-18:00", line=5),
        "services": services or (CUT,),
        "resources": (Resource(MIRA, "Mira", hours=week("10:00-18:00", line=14), line=12),),
    }
    return BookingRules(**(usual | rules))  # type: ignore[arg-type]


def staff(resource: ResourceId, *periods: str, **fields: object) -> Resource:
    return Resource(
        resource,
        resource.capitalize(),
        hours=week(*periods) if periods else None,
        **fields,  # type: ignore[arg-type]
    )


def find_times(
    rules: BookingRules, query: Query, occupancy: Occupancy, now: datetime
) -> Times | Removed:
    space = prepare(rules, query, now)
    return space if isinstance(space, Removed) else times_in(space, occupancy)


def ask(
    rules: BookingRules,
    first_on: date,
    last_on: date | None = None,
    occupancy: Occupancy | None = None,
    now: datetime | None = None,
    **query: object,
) -> Times | Removed:
    """Searches from the evening before the first day, unless another time is given."""
    question = Query(
        rules.services[0].name,
        first_on,
        last_on or first_on,
        **query,  # type: ignore[arg-type]
    )
    if now is None:
        now = datetime(first_on.year, first_on.month, first_on.day, tzinfo=UTC) - timedelta(days=1)
    return find_times(rules, question, occupancy or Occupancy(), now)


def booked(
    *visits: tuple[datetime, datetime], places: int = 1, before: int = 0, after: int = 0
) -> list[tuple[int, int, int]]:
    """Returns the spans of bookings, with buffers in minutes."""
    buffers = timedelta(minutes=before), timedelta(minutes=after)
    spans = (span_of(*visit, *buffers) for visit in visits)
    return [(span.start, span.end, places) for span in spans]
