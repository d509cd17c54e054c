"""Each filter of the search alone, with days and hours that a person can check."""

from datetime import UTC, date, datetime, timedelta

import pytest

from frontdesk.core.localtime import zone
from frontdesk.desks.booking.model import Tally
from frontdesk.desks.booking.rules import Blackout, Cap, CapOf, DatedHours, Need
from frontdesk.desks.booking.search.query import Cause, Filter, Occupancy, Removed
from frontdesk.desks.booking.search.times import Times
from frontdesk.values import replace
from tests.desks.booking.search.salon import (
    ANA,
    BERLIN,
    CUT,
    MIRA,
    MONDAY,
    ROOM,
    SAUNA,
    TUESDAY,
    ask,
    at,
    booked,
    clocks,
    period,
    salon,
    staff,
    week,
)

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
HOURLY = replace(CUT, duration=HOUR, buffer_after=timedelta(), step=HOUR)
SHORT_DAY = staff(MIRA, "10:00-12:00")


@pytest.mark.spec("BK-07")
def test_each_filter_leaves_less_than_the_one_before_and_can_be_looked_at() -> None:
    rules = salon(HOURLY, caps=(Cap(CapOf.DAY, minutes=30),))
    busy = {MIRA: [(at(TUESDAY, "12:10"), at(TUESDAY, "13:00"))]}

    found = ask(rules, TUESDAY, occupancy=Occupancy(busy))

    assert isinstance(found, Times)
    calendar, hours, duration, limits = found.stages
    tz = zone(BERLIN)

    def written(ticks: int) -> list[str]:
        return [
            f"{a.astimezone(tz):%d %H:%M}-{b.astimezone(tz):%d %H:%M}"
            for a, b in found.space.instants(ticks & found.space.days_between(TUESDAY, TUESDAY))
        ]

    assert [one.after for one in found.stages] == list(Filter)[:4]
    assert written(calendar.free[MIRA]) == ["17 00:00-17 12:10", "17 13:00-18 00:00"]
    assert written(hours.open[MIRA]) == ["17 10:00-17 12:10", "17 13:00-17 18:00"]
    assert [each[3:8] for each in written(duration.starts[MIRA])] == [
        *("10:00", "11:00", "13:00", "14:00", "15:00", "16:00", "17:00")
    ]
    assert written(limits.starts[MIRA]) == []


def test_the_visit_lies_in_working_hours_and_its_buffers_may_lie_outside() -> None:
    buffered = replace(HOURLY, buffer_before=HOUR, buffer_after=HOUR)
    rules = salon(buffered, resources=(SHORT_DAY,))

    assert clocks(ask(rules, TUESDAY), TUESDAY) == ["10:00", "11:00"]


@pytest.mark.parametrize("clock", ["09:30", "12:30"])
def test_buffers_are_free_of_other_bookings_and_of_events(clock: str) -> None:
    buffered = replace(HOURLY, buffer_before=HOUR, buffer_after=HOUR)
    rules = salon(buffered, resources=(SHORT_DAY,))
    visit = at(TUESDAY, clock), at(TUESDAY, clock) + timedelta(minutes=20)
    left = ["11:00"] if clock == "09:30" else ["10:00"]

    for occupancy in (Occupancy({MIRA: [visit]}), Occupancy(taken={MIRA: booked(visit)})):
        assert clocks(ask(rules, TUESDAY, occupancy=occupancy), TUESDAY) == left


@pytest.mark.spec("BK-30")
def test_a_calendar_that_cannot_be_read_offers_nothing() -> None:
    rules = salon(
        replace(HOURLY, needs=(Need((MIRA, ANA)),)),
        resources=(SHORT_DAY, staff(ANA, "10:00-11:00")),
    )

    found = ask(rules, TUESDAY, occupancy=Occupancy(unreadable={MIRA: "no answer"}))

    assert isinstance(found, Times)
    assert [(one.starts_at, one.resources) for one in found.on(TUESDAY)] == [
        (at(TUESDAY, "10:00"), (ANA,))
    ]


@pytest.mark.spec("BK-27")
def test_starts_lie_on_a_grid_from_the_start_of_each_working_period() -> None:
    service = replace(HOURLY, step=timedelta(minutes=30), offset=timedelta(minutes=10))
    rules = salon(service, resources=(staff(MIRA, "09:05-11:00", "14:20-16:00"),))

    assert clocks(ask(rules, TUESDAY), TUESDAY) == ["09:15", "09:45", "14:30", "15:00"]


@pytest.mark.spec("BK-28")
def test_time_off_counts_beside_other_hours_of_the_same_day() -> None:
    off = DatedHours(TUESDAY, TUESDAY, (period("11:00-18:00"),))
    off_again = DatedHours(TUESDAY, TUESDAY, (period("10:00-13:00"), period("16:00-18:00")))
    holiday = DatedHours(TUESDAY - 3 * DAY, TUESDAY + 3 * DAY)
    opening = DatedHours(TUESDAY, TUESDAY, (period("19:00-20:00"),), extra=True)

    hours = {
        name: clocks(
            ask(
                salon(
                    HOURLY,
                    closed=(opening,),
                    resources=(staff(MIRA, exceptions=exceptions),),
                ),
                TUESDAY,
            ),
            TUESDAY,
        )[-3:]
        for name, exceptions in (
            ("follows the business", ()),
            ("twice off", (off, off_again)),
            ("holiday", (off, holiday)),
        )
    }

    assert hours == {
        "follows the business": ["16:00", "17:00", "19:00"],
        "twice off": ["12:00", "16:00", "17:00"],
        "holiday": [],
    }


@pytest.mark.spec("BK-28")
def test_breaks_cut_special_and_extra_hours_of_the_business() -> None:
    closed = (
        DatedHours(TUESDAY, TUESDAY, (period("10:00-14:00"),)),
        DatedHours(TUESDAY, TUESDAY, (period("20:00-23:00"),), extra=True),
    )
    breaks = week("12:00-13:00", "21:00-22:00")
    mira = staff(MIRA, "09:00-12:00", "13:00-18:00", breaks=breaks)
    rules = salon(HOURLY, closed=closed, resources=(mira,))

    assert clocks(ask(rules, TUESDAY), TUESDAY) == ["10:00", "11:00", "13:00", "20:00", "22:00"]
    assert clocks(ask(rules, MONDAY), MONDAY)[2:4] == ["11:00", "13:00"]


@pytest.mark.spec("BK-28")
def test_dated_hours_replace_the_week_and_extra_openings_are_added() -> None:
    other_week = DatedHours(MONDAY, MONDAY + 6 * DAY, (period("10:00-11:00"),))
    back = DatedHours(TUESDAY, TUESDAY, (period("15:00-16:00"),))
    extra = DatedHours(TUESDAY, TUESDAY, (period("20:00-21:00"),), extra=True)
    rules = salon(
        HOURLY, resources=(staff(MIRA, "10:00-12:00", exceptions=(other_week, back, extra)),)
    )

    found = ask(rules, MONDAY, MONDAY + 7 * DAY)

    assert isinstance(found, Times)
    assert clocks(found, MONDAY) == ["10:00"]
    assert clocks(found, TUESDAY) == ["15:00", "20:00"]
    assert clocks(found, MONDAY + 7 * DAY) == ["10:00", "11:00"]


@pytest.mark.spec("BK-28")
def test_an_exception_of_the_business_cuts_the_hours_of_all() -> None:
    closed = (
        DatedHours(TUESDAY, TUESDAY, (period("09:00-11:00"),)),
        DatedHours(TUESDAY + DAY, TUESDAY + DAY),
    )
    both = replace(HOURLY, needs=(Need((MIRA, ANA)),))
    rules = salon(both, closed=closed, resources=(SHORT_DAY, staff(ANA)))

    found = ask(rules, TUESDAY, TUESDAY + DAY)

    assert isinstance(found, Times)
    assert [(one.starts_at, one.resources) for one in found.all()] == [
        (at(TUESDAY, "09:00"), (ANA,)),
        (at(TUESDAY, "10:00"), (MIRA, ANA)),
    ]


@pytest.mark.spec("BK-28")
def test_a_blackout_of_other_services_removes_nothing() -> None:
    stocktaking = Blackout(TUESDAY, TUESDAY, period("10:30-11:00"), line=40)
    for services, left in (((), ["11:00"]), (("Haircut",), ["11:00"]), (("Dye",), None)):
        blackout = replace(stocktaking, services=services)
        rules = salon(HOURLY, blackouts=(blackout,), resources=(SHORT_DAY,))
        assert clocks(ask(rules, TUESDAY), TUESDAY) == (left or ["10:00", "11:00"])


@pytest.mark.spec("BK-28")
@pytest.mark.parametrize("scope", ["business", "service:Haircut", "resource:mira"])
@pytest.mark.parametrize(
    ("cap", "key", "days"),
    [
        (Cap(CapOf.DAY, bookings=2), "2026-11-17", [MONDAY, TUESDAY + DAY]),
        (Cap(CapOf.WEEK, bookings=2), "2026-W47", [MONDAY + 7 * DAY]),
        (Cap(CapOf.DAY, minutes=179), "2026-11-17", [MONDAY, TUESDAY + DAY]),
        (Cap(CapOf.DAY, minutes=180), "2026-11-17", [MONDAY, TUESDAY, TUESDAY + DAY]),
        (Cap(CapOf.DAY, bookings=3), "2026-11-17", [MONDAY, TUESDAY, TUESDAY + DAY]),
    ],
)
def test_a_cap_removes_days_and_weeks_that_are_full(
    scope: str, cap: Cap, key: str, days: list[date]
) -> None:
    kind = scope.partition(":")[0]
    rules = salon(
        replace(HOURLY, caps=(cap,) if kind == "service" else ()),
        caps=(cap,) if kind == "business" else (),
        resources=(staff(MIRA, "10:00-12:00", caps=(cap,) if kind == "resource" else ()),),
    )
    tallies = {(scope, key): Tally(scope, key, bookings=2, minutes=120)}
    asked = [MONDAY, TUESDAY, TUESDAY + DAY, MONDAY + 7 * DAY]

    found = ask(rules, MONDAY, MONDAY + 7 * DAY, Occupancy(tallies=tallies))

    assert isinstance(found, Times)
    still = {*days, MONDAY + 7 * DAY}
    assert [on for on in asked if on in found.days()] == [on for on in asked if on in still]


@pytest.mark.spec("BK-09")
def test_notice_is_counted_in_minutes_and_the_horizon_in_local_days() -> None:
    service = replace(HOURLY, notice=2 * HOUR, horizon=DAY)
    rules = salon(service, resources=(SHORT_DAY,))

    found = ask(rules, MONDAY, MONDAY + 9 * DAY, now=at(MONDAY, "08:05"))

    assert isinstance(found, Times)
    assert found.days() == (MONDAY, TUESDAY)
    assert found.counts() == {on: len(found.on(on)) for on in (MONDAY, TUESDAY)}
    assert clocks(found, MONDAY) == ["11:00"]
    too_far = ask(rules, MONDAY + 2 * DAY, now=at(MONDAY, "08:05"))
    assert too_far == Removed(Filter.LIMITS, Cause.HORIZON, line=20, limit=1, unit="days")


def test_a_party_takes_a_place_per_person_where_there_are_several() -> None:
    sauna = staff(SAUNA, "10:00-12:00", capacity=4)
    service = replace(HOURLY, needs=(Need((SAUNA,)),), most=4)
    rules = salon(service, resources=(sauna,))
    taken = {SAUNA: booked((at(TUESDAY, "10:00"), at(TUESDAY, "11:00")), places=2)}

    for party, left in ((2, ["10:00", "11:00"]), (3, ["11:00"]), (4, ["11:00"])):
        found = ask(rules, TUESDAY, occupancy=Occupancy(taken=taken), party=party)
        assert clocks(found, TUESDAY) == left
    assert ask(rules, TUESDAY, party=5) == Removed(
        Filter.LIMITS, Cause.PARTY, line=20, limit=4, used=5
    )


def test_places_of_bookings_that_overlap_add_up() -> None:
    sauna = staff(SAUNA, "10:00-14:00", capacity=4)
    rules = salon(replace(HOURLY, needs=(Need((SAUNA,)),), most=4), resources=(sauna,))
    first = booked((at(TUESDAY, "10:00"), at(TUESDAY, "12:00")))
    second = booked((at(TUESDAY, "11:00"), at(TUESDAY, "13:00")), places=2)
    occupancy = Occupancy(taken={SAUNA: first + second})

    found = {
        party: clocks(ask(rules, TUESDAY, occupancy=occupancy, party=party), TUESDAY)
        for party in (1, 2, 3, 4)
    }

    assert found == {
        1: ["10:00", "11:00", "12:00", "13:00"],
        2: ["10:00", "12:00", "13:00"],
        3: ["10:00", "13:00"],
        4: ["13:00"],
    }


def test_staff_with_the_same_week_but_other_breaks_have_hours_of_their_own() -> None:
    """On an extra day of the business, only Mira follows the business, with her break."""
    mira = staff(MIRA, "09:00-12:00", "13:00-18:00", breaks=week("12:00-13:00"))
    ana = staff(ANA, "09:00-12:00", "13:00-18:00")
    extra = DatedHours(TUESDAY, TUESDAY, (period("12:00-13:00"), period("18:00-19:00")), extra=True)
    service = replace(HOURLY, needs=(Need((MIRA, ANA)),))
    rules = salon(service, resources=(mira, ana), hours=week("09:00-18:00"), closed=(extra,))

    found = {each: clocks(ask(rules, TUESDAY, resource=each), TUESDAY) for each in (MIRA, ANA)}
    both = ask(rules, TUESDAY)

    assert [found[MIRA][-1], found[ANA][-1]] == ["18:00", "17:00"]
    assert isinstance(both, Times)
    assert [one.resources for one in both.on(TUESDAY)][-2:] == [(MIRA, ANA), (MIRA,)]


@pytest.mark.spec("BK-29")
def test_staff_and_a_room_of_the_pool_are_both_free() -> None:
    service = replace(HOURLY, needs=(Need((MIRA,)), Need((ROOM, SAUNA), line=22)))
    rules = salon(service, resources=(SHORT_DAY, staff(ROOM), staff(SAUNA)))
    ten = at(TUESDAY, "10:00"), at(TUESDAY, "11:00")

    one_room = Occupancy(taken={ROOM: booked(ten)})
    no_room = Occupancy(taken={ROOM: booked(ten), SAUNA: booked(ten)})

    assert clocks(ask(rules, TUESDAY, occupancy=one_room), TUESDAY) == ["10:00", "11:00"]
    assert clocks(ask(rules, TUESDAY, occupancy=no_room), TUESDAY) == ["11:00"]


@pytest.mark.spec("BK-29")
def test_one_resource_never_meets_two_needs() -> None:
    service = replace(HOURLY, needs=(Need((MIRA, ANA)), Need((ANA, MIRA))))
    rules = salon(service, resources=(SHORT_DAY, staff(ANA, "11:00-13:00")))

    assert clocks(ask(rules, TUESDAY), TUESDAY) == ["11:00"]


# --- clocks -----------------------------------------------------------------------------------


@pytest.mark.spec("BK-09")
def test_a_wall_time_that_is_left_out_in_spring_is_never_found() -> None:
    spring = date(2026, 3, 29)
    rules = salon(HOURLY, resources=(staff(MIRA, "00:30-05:30"),))

    assert clocks(ask(rules, spring), spring) == ["00:30", "01:30", "03:30", "04:30"]
    only_the_gap = salon(HOURLY, resources=(staff(MIRA, "02:00-03:00"),))
    assert clocks(ask(only_the_gap, spring), spring) == []
    ends_in_the_gap = salon(HOURLY, resources=(staff(MIRA, "00:30-02:30"),))
    assert clocks(ask(ends_in_the_gap, spring), spring) == ["00:30"]


@pytest.mark.spec("BK-09")
def test_an_hour_that_occurs_twice_in_autumn_can_be_booked_twice() -> None:
    autumn = date(2026, 10, 25)
    rules = salon(HOURLY, resources=(staff(MIRA, "01:00-04:00"),))

    found = ask(rules, autumn)

    assert isinstance(found, Times)
    assert [one.starts_at for one in found.on(autumn)] == [
        datetime(2026, 10, 24, 23, tzinfo=UTC) + n * HOUR for n in range(4)
    ]
    assert clocks(found, autumn) == ["01:00", "02:00", "02:00", "03:00"]


@pytest.mark.spec("BK-09")
def test_working_hours_keep_their_wall_time_after_the_clock_changes() -> None:
    saturday, monday = date(2026, 10, 24), date(2026, 10, 26)
    rules = salon(HOURLY, resources=(SHORT_DAY,))

    found = ask(rules, saturday, monday)

    assert isinstance(found, Times)
    assert clocks(found, saturday) == clocks(found, monday) == ["10:00", "11:00"]
    assert found.on(saturday)[0].starts_at.hour == 8
    assert found.on(monday)[0].starts_at.hour == 9


@pytest.mark.spec("BK-09")
def test_a_night_shift_belongs_to_the_days_of_its_starts() -> None:
    rules = salon(
        replace(HOURLY, duration=2 * HOUR),
        hours=((),) * 7,
        resources=(
            staff(MIRA, exceptions=(DatedHours(MONDAY, MONDAY, (period("21:00-27:00"),)),)),
        ),
    )

    found = ask(rules, MONDAY, TUESDAY)

    assert clocks(found, MONDAY) == ["21:00", "22:00", "23:00"]
    assert clocks(found, TUESDAY) == ["00:00", "01:00"]
    assert clocks(ask(rules, TUESDAY), TUESDAY) == ["00:00", "01:00"]


@pytest.mark.spec("BK-09")
def test_a_day_that_an_island_skipped_has_no_times() -> None:
    skipped = date(2011, 12, 30)
    rules = salon(HOURLY, zone="Pacific/Apia", resources=(staff(MIRA, "22:00-26:00"),))

    found = ask(rules, skipped - DAY, skipped + DAY)

    assert isinstance(found, Times)
    assert found.days() == (skipped - DAY, skipped + DAY)
    assert clocks(found, skipped - DAY)[-2:] == ["22:00", "23:00"]
    # The shift of the skipped day has an end on the next one.
    assert clocks(found, skipped + DAY) == ["00:00", "01:00", "22:00", "23:00"]


@pytest.mark.spec("BK-09")
@pytest.mark.parametrize("tz", ["Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe"])
def test_zones_with_odd_offsets_have_times_on_the_wall_clock(tz: str) -> None:
    rules = salon(HOURLY, zone=tz, resources=(staff(MIRA, "09:00-12:00"),))

    found = ask(rules, TUESDAY)

    assert clocks(found, TUESDAY) == ["09:00", "10:00", "11:00"]
