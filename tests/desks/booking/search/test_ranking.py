"""Proposed times: preferences in the order of the rules, and the choice of 'anyone'."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.core.localtime import zone
from frontdesk.desks.booking.model import Tally
from frontdesk.desks.booking.rules import BookingRules, Need, Preference, ResourceId
from frontdesk.desks.booking.search.anyone import (
    Choice,
    Load,
    WhyChosen,
    choose_resource,
    choose_resources,
)
from frontdesk.desks.booking.search.explanation_words import why_proposed
from frontdesk.desks.booking.search.one_time import choose_one
from frontdesk.desks.booking.search.query import Occupancy, TimeWish, WishedTime
from frontdesk.desks.booking.search.ranking import RankedTime, day_distance
from frontdesk.desks.booking.search.times import Times
from frontdesk.values import replace
from tests.desks.booking.search.salon import (
    ANA,
    BEA,
    CUT,
    MIRA,
    MONDAY,
    ROOM,
    TUESDAY,
    ask,
    at,
    booked,
    find_times,
    salon,
    staff,
)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
HOURLY = replace(CUT, duration=HOUR, buffer_after=timedelta(), step=timedelta(minutes=15))
WEDNESDAY = TUESDAY + DAY


def proposed(rules: BookingRules, **question: object) -> list[str]:
    found = ask(rules, MONDAY, MONDAY + 4 * DAY, **question)  # type: ignore[arg-type]
    assert isinstance(found, Times)
    return [
        f"{one.starts_at.astimezone(zone(rules.zone)):%a %H:%M} {one.resource}"
        for one in found.best
    ]


@pytest.mark.spec("BK-07")
def test_three_times_are_proposed_on_different_days() -> None:
    assert proposed(salon(HOURLY)) == ["Mon 10:00 mira", "Tue 10:00 mira", "Wed 10:00 mira"]


def test_proposals_of_one_day_are_in_different_parts_of_the_day() -> None:
    rules = salon(HOURLY, resources=(staff(MIRA, "10:00-20:00"),))

    found = ask(rules, TUESDAY)

    assert isinstance(found, Times)
    assert [one.starts_at for one in found.best] == [
        at(TUESDAY, clock) for clock in ("10:00", "12:00", "17:00")
    ]


@pytest.mark.spec("BK-27")
def test_a_start_that_touches_a_booking_is_proposed_first() -> None:
    rules = salon(HOURLY)
    taken = {MIRA: booked((at(WEDNESDAY, "12:00"), at(WEDNESDAY, "13:00")))}

    assert proposed(rules, occupancy=Occupancy(taken=taken))[0] == "Wed 11:00 mira"
    earliest = replace(rules, ranking=(Preference.EARLIEST,))
    assert proposed(earliest, occupancy=Occupancy(taken=taken))[0] == "Mon 10:00 mira"


@pytest.mark.spec("BK-27")
def test_buffers_count_where_a_start_touches_a_booking() -> None:
    service = replace(HOURLY, buffer_before=timedelta(minutes=15))
    rules = salon(service, ranking=(Preference.TOUCHING, Preference.EARLIEST))
    taken = {MIRA: booked((at(WEDNESDAY, "12:00"), at(WEDNESDAY, "13:00")))}

    best = proposed(rules, occupancy=Occupancy(taken=taken))[:2]

    assert best == ["Wed 11:00 mira", "Wed 13:15 mira"]


@pytest.mark.spec("BK-27")
@given(
    st.lists(st.integers(0, 31), max_size=4, unique=True),
    st.sampled_from([15, 30, 45]),
    st.sampled_from([15, 60]),
)
def test_no_proposal_leaves_a_gap_shorter_than_the_shortest_service(
    quarters: list[int], step: int, length: int
) -> None:
    service = replace(HOURLY, step=timedelta(minutes=step))
    shortest = replace(HOURLY, name="Fringe", duration=timedelta(minutes=45))
    rules = salon(service, shortest, proposals=1)
    opens = at(TUESDAY, "10:00")
    starts = [opens + n * timedelta(minutes=15) for n in quarters]
    visits = [(each, each + timedelta(minutes=length)) for each in starts]
    taken = booked(*visits)
    ticks = {tick for start, end, _ in taken for tick in range(start, end)}

    found = ask(rules, TUESDAY, occupancy=Occupancy(taken={MIRA: taken}))

    assert isinstance(found, Times)
    free = [n for n in range(96) if int(opens.timestamp()) // 300 + n not in ticks]
    possible = [(one.starts_at - opens) // timedelta(minutes=5) for one in found.on(TUESDAY)]
    good = [start for start in possible if not leaves_gap(free, start)]
    for one in found.best:
        start = (one.starts_at - opens) // timedelta(minutes=5)
        assert not leaves_gap(free, start) or not good


def leaves_gap(free: list[int], start: int) -> bool:
    """Returns whether an hour leaves a short gap: fewer than nine free ticks on one side."""
    before = after = 0
    while start - before - 1 in free:
        before += 1
    while start + 12 + after in free:
        after += 1
    return 0 < before < 9 or 0 < after < 9


def test_the_wish_comes_first_and_its_exclusions_are_never_proposed() -> None:
    rules = salon(HOURLY)
    afternoon = TimeWish((WishedTime(TUESDAY, TUESDAY, ((14 * 60, 15 * 60),)),))

    assert proposed(rules, wish=afternoon)[:2] == ["Tue 14:00 mira", "Tue 14:15 mira"]
    no_mondays = TimeWish(not_weekdays=frozenset({0}), not_on=((TUESDAY, TUESDAY),))
    assert proposed(rules, wish=no_mondays)[0] == "Wed 10:00 mira"


def test_if_the_wished_time_is_taken_the_nearest_ones_are_proposed() -> None:
    rules = salon(HOURLY, ranking=(Preference.WISHED, Preference.EARLIEST))
    taken = {MIRA: booked((at(TUESDAY, "14:00"), at(TUESDAY, "16:00")))}
    three = TimeWish((WishedTime(TUESDAY, TUESDAY, ((15 * 60, 15 * 60),)),))
    late = TimeWish((WishedTime(TUESDAY, TUESDAY, ((20 * 60, 21 * 60),)),))

    assert proposed(rules, wish=three, occupancy=Occupancy(taken=taken)) == [
        *("Tue 16:00 mira", "Tue 16:15 mira", "Tue 16:30 mira")
    ]
    assert proposed(rules, wish=late)[:2] == ["Tue 17:00 mira", "Tue 16:30 mira"]


def test_if_the_wished_day_is_full_the_nearest_days_are_proposed() -> None:
    rules = salon(HOURLY)
    busy = {MIRA: [(at(TUESDAY, "00:00"), at(TUESDAY, "24:00"))]}
    tuesday = TimeWish((WishedTime(TUESDAY, TUESDAY),))

    assert proposed(rules, wish=tuesday, occupancy=Occupancy(busy)) == [
        *("Mon 10:00 mira", "Wed 10:00 mira", "Mon 12:00 mira")
    ]


def test_a_wish_for_weekdays_is_near_to_the_days_beside_them() -> None:
    thursdays = WishedTime(weekdays=frozenset({3}))

    assert [day_distance(thursdays, MONDAY + n * DAY) for n in range(7)] == [3, 2, 1, 0, 1, 2, 3]


def test_a_proposal_says_which_preferences_it_meets() -> None:
    rules = salon(HOURLY)
    taken = {MIRA: booked((at(WEDNESDAY, "12:00"), at(WEDNESDAY, "13:00")))}

    found = ask(rules, MONDAY, MONDAY + 4 * DAY, Occupancy(taken=taken))

    assert isinstance(found, Times)
    first = found.best[0]
    assert first == RankedTime(
        at(WEDNESDAY, "11:00"),
        MIRA,
        (Preference.NO_SMALL_GAPS, Preference.TOUCHING, Preference.EARLIEST),
    )
    assert why_proposed(first) == "leaves no small gap, next to another booking, the earliest"


# --- anyone -----------------------------------------------------------------------------------

EARLY, LATE = at(MONDAY, "08:00"), at(MONDAY, "09:00")


@pytest.mark.spec("BK-29")
@pytest.mark.parametrize(
    ("loads", "chosen"),
    [
        ([], None),
        ([Load(MIRA, 400)], (MIRA, WhyChosen.ONLY_ONE)),
        (
            [Load(MIRA, 60, EARLY), Load(ANA, 45, LATE), Load(BEA, 90)],
            (ANA, WhyChosen.FEWEST_MINUTES),
        ),
        ([Load(ANA, 60, LATE), Load(MIRA, 60, EARLY)], (MIRA, WhyChosen.LONGEST_SINCE)),
        ([Load(ANA, 60, LATE), Load(MIRA, 60)], (MIRA, WhyChosen.LONGEST_SINCE)),
        ([Load(MIRA, 60, LATE), Load(ANA, 60, LATE)], (ANA, WhyChosen.BY_KEY)),
    ],
)
def test_anyone_is_the_one_with_the_fewest_minutes_then_the_longest_since_then_by_key(
    loads: list[Load], chosen: tuple[ResourceId, WhyChosen] | None
) -> None:
    assert choose_resource(loads) == chosen
    assert choose_resource(loads[::-1]) == chosen


@pytest.mark.spec("BK-29")
def test_anyone_leaves_the_only_room_keeper_to_the_need_that_has_nobody_else() -> None:
    service = replace(HOURLY, needs=(Need((ANA, MIRA)), Need((ANA,))))
    loads = {ANA: Load(ANA, 0), MIRA: Load(MIRA, 300)}

    assert choose_resources(service, {ANA, MIRA}, {ANA, MIRA}, loads) == Choice(
        (MIRA, ANA), WhyChosen.ONLY_ONE
    )
    assert choose_resources(service, {ANA}, {ANA, MIRA}, loads, wished=True) is None


@pytest.mark.spec("BK-29")
def test_the_claim_chooses_the_resource_that_was_proposed() -> None:
    service = replace(HOURLY, needs=(Need((MIRA, ANA)), Need((ROOM,))))
    rules = salon(
        service, resources=(staff(MIRA, "10:00-12:00"), staff(ANA, "10:00-12:00"), staff(ROOM))
    )
    key = ("resource:ana", str(TUESDAY))
    occupancy = Occupancy(tallies={key: Tally(*key, bookings=1, minutes=30)})

    found = ask(rules, TUESDAY, occupancy=occupancy)

    assert isinstance(found, Times)
    assert found.best[0].resource == MIRA
    query, now = found.space.query, found.space.now
    chosen = choose_one(rules, query, found.best[0].starts_at, occupancy, now)
    assert chosen == Choice((MIRA, ROOM), WhyChosen.FEWEST_MINUTES)
    assert choose_one(rules, query, at(TUESDAY, "12:00"), occupancy, now) is None


def test_ranking_is_the_same_each_time() -> None:
    rules = salon(
        replace(HOURLY, needs=(Need((MIRA, ANA, BEA)),)),
        resources=tuple(staff(each, "10:00-12:00") for each in (BEA, MIRA, ANA)),
    )
    query = ask(rules, TUESDAY)
    assert isinstance(query, Times)

    again = find_times(rules, query.space.query, Occupancy(), query.space.now)

    assert isinstance(again, Times)
    assert again.best == query.best
    assert query.best[0].resource == ANA


def test_without_tallies_the_taken_time_decides_who_has_less_work() -> None:
    rules = salon(
        replace(HOURLY, needs=(Need((ANA, MIRA)),)),
        resources=(staff(ANA, "10:00-18:00"), staff(MIRA, "10:00-18:00")),
        ranking=(Preference.EARLIEST,),
    )
    taken = {ANA: booked((at(TUESDAY, "15:00"), at(TUESDAY, "16:00")))}

    assert proposed(rules, occupancy=Occupancy(taken=taken)) == [
        *("Mon 10:00 ana", "Mon 10:15 ana", "Mon 10:30 ana")
    ]
    found = ask(rules, TUESDAY, occupancy=Occupancy(taken=taken))
    assert isinstance(found, Times)
    assert found.best[0].resource == MIRA
