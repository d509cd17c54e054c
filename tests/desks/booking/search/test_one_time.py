"""The choice for a single time, in edge cases that the random rules of test_brute_force seldom
reach."""

from datetime import date, datetime, timedelta

import pytest

from frontdesk.desks.booking.rules import BookingRules, Need
from frontdesk.desks.booking.search.one_time import choose_one
from frontdesk.desks.booking.search.query import Cause, Occupancy, Query
from frontdesk.desks.booking.search.times import check_time
from frontdesk.values import replace
from tests.desks.booking.search.salon import (
    ANA,
    CUT,
    MIRA,
    MONDAY,
    TUESDAY,
    at,
    booked,
    salon,
    staff,
    week,
)

TEN, ELEVEN, NOON = (at(MONDAY, clock) for clock in ("10:00", "11:00", "12:00"))
BEFORE = TEN - timedelta(days=2)


def can_be_booked(
    rules: BookingRules,
    starts_at: datetime,
    *,
    on: date = MONDAY,
    taken: Occupancy = Occupancy(),  # noqa: B008 - it is frozen
    now: datetime = BEFORE,
) -> bool:
    query = Query(rules.services[0].name, on, on)
    return choose_one(rules, query, starts_at, taken, now) is not None


@pytest.mark.spec("BK-09")
def test_bookings_that_overlap_add_up() -> None:
    rules = salon(resources=(staff(MIRA, "10:00-18:00", capacity=2),))
    one = booked((TEN, NOON))

    assert can_be_booked(rules, ELEVEN, taken=Occupancy(taken={MIRA: one}))
    assert not can_be_booked(rules, ELEVEN, taken=Occupancy(taken={MIRA: [*one, *one]}))


@pytest.mark.spec("BK-09")
def test_the_whole_last_day_of_the_horizon_can_be_booked() -> None:
    rules = salon(replace(CUT, horizon=timedelta(days=1)))
    now = at(MONDAY, "09:00")

    assert can_be_booked(rules, at(TUESDAY, "17:00"), on=TUESDAY, now=now)
    assert not can_be_booked(rules, at(TUESDAY, "17:00"), on=TUESDAY, now=now - timedelta(days=1))


@pytest.mark.spec("BK-07")
def test_the_buffer_of_the_first_visit_reaches_back_over_a_day_that_never_was() -> None:
    """Samoa skipped 30 December 2011."""
    on, night = date(2011, 12, 31), replace(CUT, buffer_before=timedelta(hours=1))
    rules = salon(
        night,
        zone="Pacific/Apia",
        hours=week("00:00-24:00"),
        resources=(staff(MIRA, "00:00-24:00"),),
    )
    midnight = at(on, "00:00", "Pacific/Apia")
    now, last_visit = (
        midnight - timedelta(days=2),
        booked((midnight - timedelta(hours=1), midnight)),
    )

    assert can_be_booked(rules, midnight, on=on, now=now)
    assert check_time(rules, Query(night.name, on, on), midnight, Occupancy(), now) is None
    taken = Occupancy(taken={MIRA: last_visit})
    removed = check_time(rules, Query(night.name, on, on), midnight, taken, now)
    assert removed is not None
    assert removed.cause is Cause.TAKEN


def test_new_rules_are_followed_at_once() -> None:
    rules = salon()
    assert can_be_booked(rules, TEN)

    later = salon(resources=(staff(MIRA, "11:00-18:00"),))

    assert not can_be_booked(later, TEN)
    assert can_be_booked(rules, TEN), "the cache takes the rules that are asked for"


def test_each_service_and_day_is_kept_apart() -> None:
    long = replace(CUT, name="Color", duration=timedelta(hours=4), needs=(Need((ANA,)),))
    rules = salon(
        CUT,
        long,
        resources=(staff(MIRA, "10:00-18:00"), staff(ANA, "10:00-18:00")),
        hours=week("09:00-18:00"),
    )
    late = at(MONDAY, "17:00")

    assert can_be_booked(rules, late)
    assert choose_one(rules, Query("Color", MONDAY, MONDAY), late, Occupancy(), BEFORE) is None
