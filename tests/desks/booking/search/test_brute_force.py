"""The search finds exactly the times of a model that goes minute by minute."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import Phase, event, given, settings
from hypothesis import strategies as st

from frontdesk.desks.booking.model import Tally
from frontdesk.desks.booking.rules import (
    Blackout,
    BookingRules,
    Cap,
    CapOf,
    DatedHours,
    Need,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
)
from frontdesk.desks.booking.search.anyone import Choice, choose_resources, load_of
from frontdesk.desks.booking.search.local_days import local_days
from frontdesk.desks.booking.search.one_time import choose_one
from frontdesk.desks.booking.search.query import Occupancy, Query, Removed
from frontdesk.desks.booking.search.times import (
    FreeTime,
    Times,
    check_time,
)
from frontdesk.desks.booking.ticks import starts_of, tick_at
from frontdesk.values import Frozen, replace
from tests.desks.booking.search import brute_force
from tests.desks.booking.search.salon import find_times

#: Days beside clock changes, a skipped day, and usual days.
PLACES = (
    ("Europe/Berlin", date(2026, 3, 29)),
    ("Europe/Berlin", date(2026, 10, 25)),
    ("America/New_York", date(2026, 3, 8)),
    ("America/New_York", date(2026, 11, 1)),
    ("Asia/Kolkata", date(2026, 6, 1)),
    ("Australia/Lord_Howe", date(2026, 4, 5)),
    ("Australia/Lord_Howe", date(2026, 10, 4)),
    ("Pacific/Apia", date(2011, 12, 30)),
    ("Pacific/Apia", date(2026, 6, 1)),
    ("America/Sao_Paulo", date(2018, 11, 4)),
    ("America/Sao_Paulo", date(2018, 2, 18)),
)
IDS = tuple(ResourceId(each) for each in ("ana", "bea", "mira", "room", "room-2"))
DAY = timedelta(days=1)
#: Does not shrink, since the cases are large and each would take minutes.
QUICK = settings(deadline=None, phases=set(Phase) - {Phase.shrink})


class Case(Frozen):
    rules: BookingRules
    query: Query
    occupancy: Occupancy
    now: datetime


def five(low: int, high: int) -> st.SearchStrategy[int]:
    """Generates multiples of five."""
    return st.integers(low // 5, high // 5).map(lambda n: n * 5)


periods = st.builds(
    lambda start, length: Period(start, start + length), five(0, 1435), five(30, 900)
)
#: Night shifts include the clock changes.
nights = st.builds(lambda start, length: Period(start, start + length), five(0, 240), five(30, 400))
#: Few days are closed, so that most cases have times.
day_hours = st.integers(0, 9).flatmap(
    lambda n: st.lists(periods | nights, min_size=n > 0, max_size=3).map(tuple)
)
lengths = st.sampled_from([5, 15, 30, 45, 60, 90, 180]).map(lambda n: timedelta(minutes=n))
buffers = st.sampled_from([0, 0, 5, 10, 30]).map(lambda n: timedelta(minutes=n))
one_cap = st.builds(
    Cap,
    st.sampled_from(CapOf),
    st.none() | st.integers(0, 3),
    st.none() | st.sampled_from([0, 60, 120, 400]),
)
caps = st.integers(0, 3).flatmap(
    lambda n: st.lists(one_cap, min_size=n == 3, max_size=n == 3).map(tuple)
)


def dated(around: date) -> st.SearchStrategy[tuple[DatedHours, ...]]:
    one = st.builds(
        lambda first, length, hours, extra: DatedHours(
            around + first * DAY, around + (first + length) * DAY, hours, extra
        ),
        st.integers(-3, 3),
        st.integers(0, 3),
        day_hours,
        st.booleans(),
    )
    return st.lists(one, max_size=2).map(tuple)


@st.composite
def cases(draw: Any) -> Case:
    zone, around = draw(st.sampled_from(PLACES))
    noon = datetime.combine(around, time(12), UTC)
    ids = IDS[: draw(st.integers(1, 5))]
    week = st.tuples(*([day_hours] * 7)) | day_hours.map(lambda one: (one,) * 7)
    resources = tuple(
        draw(
            st.builds(
                Resource,
                st.just(each),
                st.just(each),
                capacity=st.sampled_from([1, 1, 2, 4]),
                hours=st.none() | week,
                exceptions=dated(around),
                caps=caps,
            )
        )
        for each in ids
    )
    pool = st.lists(st.sampled_from(ids), min_size=1, max_size=4, unique=True).map(tuple)
    service = draw(
        st.builds(
            ServiceRules,
            st.just("Cut"),
            lengths,
            st.lists(pool.map(Need), min_size=1, max_size=3).map(tuple),
            most=st.just(4),
            buffer_before=buffers,
            buffer_after=buffers,
            step=st.sampled_from([5, 15, 20, 30, 60]).map(lambda n: timedelta(minutes=n)),
            offset=st.sampled_from([0, 0, 5, 20]).map(lambda n: timedelta(minutes=n)),
            notice=st.sampled_from([0, 2, 2, 30]).map(lambda n: timedelta(hours=n)),
            horizon=st.sampled_from([60, 60, 1, 3]).map(lambda n: timedelta(days=n)),
            caps=caps,
        )
    )
    blackouts = st.lists(
        st.builds(
            lambda first, length, within, services: Blackout(
                around + first * DAY, around + (first + length) * DAY, within, services
            ),
            st.integers(-3, 3),
            st.integers(0, 1),
            periods | nights | st.none(),
            st.sampled_from([(), ("Cut",), ("Other",)]),
        ),
        max_size=2,
    ).map(tuple)
    rules = BookingRules(
        zone,
        draw(week),
        draw(dated(around)),
        draw(blackouts),
        draw(caps),
        (service,),
        resources,
    )
    minute = st.integers(-3000, 3000).map(lambda n: noon + timedelta(minutes=n))
    busy = st.lists(
        st.tuples(minute, st.integers(0, 300)).map(
            lambda one: (one[0], one[0] + timedelta(minutes=one[1]))
        ),
        max_size=3,
    )
    middle = tick_at(noon)
    taken = st.lists(
        st.tuples(st.integers(-500, 500), st.integers(1, 20), st.integers(1, 4)), max_size=4
    ).map(lambda rows: [(middle + at, middle + at + length, used) for at, length, used in rows])
    scopes = ("business", "service:Cut", *(f"resource:{each}" for each in ids))
    keys = [(scope, str(around + n * DAY)) for scope in scopes for n in (-1, 0, 1)]
    keys += [(scope, f"{around + n * DAY:%G-W%V}") for scope in scopes for n in (-2, 2)]
    tallies = st.dictionaries(
        st.sampled_from(keys), st.tuples(st.integers(0, 3), st.integers(0, 300)), max_size=3
    ).map(lambda found: {key: Tally(*key, *numbers) for key, numbers in found.items()})
    occupancy = Occupancy(
        draw(st.dictionaries(st.sampled_from(ids), busy)),
        {ids[0]: "down"} if draw(st.integers(0, 7)) == 7 else {},
        draw(st.dictionaries(st.sampled_from(ids), taken)),
        draw(tallies),
    )
    first_on = around + draw(st.integers(-1, 1)) * DAY
    query = Query(
        "Cut",
        first_on,
        first_on + draw(st.integers(0, 2)) * DAY,
        draw(st.sampled_from([1, 1, 1, 2, 4])),
        draw(st.just("") | st.sampled_from(service.needs[0].anyone_of)),
    )
    now = noon - timedelta(minutes=draw(st.integers(0, 4000)))
    return Case(rules, query, occupancy, now)


@pytest.mark.spec("BK-07", "BK-09")
@settings(QUICK, max_examples=100)
@given(cases())
def test_the_search_finds_exactly_the_times_of_a_minute_by_minute_walk(case: Case) -> None:
    found = find_times(case.rules, case.query, case.occupancy, case.now)
    expected = brute_force.times(case.rules, case.query, case.occupancy, case.now)

    event("some times" if expected else "no times")
    written = [(one.starts_at, one.resources) for one in all_of(found)]
    assert written == expected


@pytest.mark.spec("BK-07")
@settings(QUICK, max_examples=60)
@given(cases(), st.integers(-3000, 3000))
def test_a_time_can_be_booked_exactly_if_the_search_shows_it(case: Case, minute: int) -> None:
    found = find_times(case.rules, case.query, case.occupancy, case.now)
    shown = {one.starts_at for one in all_of(found)}
    noon = datetime.combine(case.query.first_on, time(12), UTC)
    tried = [noon + timedelta(minutes=minute + n) for n in (0, 5, 60)]
    tried += sorted(shown)[:20]

    for starts_at in tried:
        local = starts_at.astimezone(ZoneInfo(case.rules.zone)).date()
        if case.query.first_on <= local <= case.query.last_on:
            removed = check_time(case.rules, case.query, starts_at, case.occupancy, case.now)
            assert (removed is None) == (starts_at in shown), removed


@pytest.mark.spec("BK-07")
@settings(QUICK, max_examples=150)
@given(cases())
def test_a_claim_makes_the_same_choice_as_the_search_of_the_whole_day(case: Case) -> None:
    """Compares at every tick of the day, and between two ticks."""
    on = case.query.first_on
    query = replace(case.query, last_on=on)
    found = find_times(case.rules, query, case.occupancy, case.now)
    start, end = local_days(case.rules.zone, on, on).bounds(on)

    chosen = 0
    for tick in range(start, end):
        starts_at = starts_of(tick)
        choice = choose_one(case.rules, query, starts_at, case.occupancy, case.now)
        shown = choose_at(found, starts_at, case.occupancy) if isinstance(found, Times) else None
        assert choice == shown
        chosen += choice is not None
        between = starts_at + timedelta(minutes=2)
        assert choose_one(case.rules, query, between, case.occupancy, case.now) is None
    event("some times" if chosen else "no times")


def choose_at(times: Times, starts_at: datetime, occupancy: Occupancy) -> Choice | None:
    """Chooses with the search of the whole day; None if the time cannot be booked."""
    space, available = times.space, times.stages[-1]
    tick = tick_at(starts_at) - space.first
    if tick < 0:
        return None
    on = space.days.date_of(space.first + tick)
    free = [key for key, fits in available.fits.items() if fits >> tick & 1]
    return choose_resources(
        space.service,
        choosable=[key for key, starts in available.starts.items() if starts >> tick & 1],
        free=free,
        loads={key: load_of(occupancy, key, on) for key in free},
        wished=bool(space.query.resource),
    )


def all_of(found: Times | Removed) -> tuple[FreeTime, ...]:
    return found.all() if isinstance(found, Times) else ()
