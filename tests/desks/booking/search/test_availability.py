"""Times as pages ask for them, on the rows of both stores: every time that is shown can be
booked."""

import random
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from frontdesk.core.decision import Refused
from frontdesk.desks.booking.availability import NOTHING, Availability, OwnTime, wish_of
from frontdesk.desks.booking.commands import CancelBooking, HoldTime
from frontdesk.desks.booking.load import BusyResources
from frontdesk.desks.booking.model import Booking, HoldId
from frontdesk.desks.booking.rules import (
    BookingRules,
    Cap,
    CapOf,
    PartOfDay,
    Period,
    ResourceId,
)
from frontdesk.desks.booking.search.explain import DayExplanation
from frontdesk.desks.booking.search.query import Cause, Query, Removed, TimeWish, WishedTime
from frontdesk.desks.booking.search.times import Times
from frontdesk.desks.booking.wish_wording import parts_of_day
from frontdesk.engine.ports import Committed
from frontdesk.reading.model import Confidence
from frontdesk.reading.when import read_when
from frontdesk.reading.when_model import ClockRange, When, WhenOption
from tests.support.booking import (
    ANA,
    BEA,
    DAY,
    HOUR,
    MINUTE,
    MIRA,
    SEVEN,
    TEN,
    BookingDesk,
    resource,
    rules,
    service,
)
from tests.support.dynamodb import needs_dynamodb

TUESDAY = TEN.date()
ROOM = ResourceId("room")


@pytest.fixture(params=["sqlite", pytest.param("dynamodb", marks=needs_dynamodb)])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BookingDesk]:
    tables = request.getfixturevalue("dynamodb") if request.param == "dynamodb" else None
    desk = BookingDesk(tmp_path, tables)
    yield desk
    assert desk.settle().problems() == []
    desk.close()


OFFICE = ((Period(9 * 60, 12 * 60), Period(13 * 60, 17 * 60)),) * 7
HOURLY = service(step=HOUR)
WITHOUT_CALENDARS = Availability()


def find(
    desk: BookingDesk,
    query: Query,
    mine: OwnTime = NOTHING,
    finder: Availability = WITHOUT_CALENDARS,
) -> Times | Removed:
    return finder.find(desk.engine.reads(), desk.reads.rules(), query, desk.clock.now(), mine=mine)


def shown(found: Times | Removed, on: date = TUESDAY) -> list[int]:
    """Returns the hours that are shown."""
    return [one.starts_at.hour for one in found.on(on)] if isinstance(found, Times) else []


@pytest.mark.spec("BK-07")
def test_booked_time_is_not_shown_until_it_is_cancelled(desk: BookingDesk) -> None:
    desk.given(rules([HOURLY], hours=OFFICE))
    booking = desk.book("ann", TEN)
    query = Query("cut", TUESDAY, TUESDAY)

    assert shown(find(desk, query)) == [9, 11, 13, 14, 15, 16]
    desk.do(CancelBooking(booking.id))
    assert shown(find(desk, query)) == [9, 10, 11, 13, 14, 15, 16]


@pytest.mark.spec("BK-25")
def test_a_booking_can_move_into_its_own_time_and_its_cap(desk: BookingDesk) -> None:
    cut = service(step=timedelta(minutes=30))
    desk.given(rules([cut], hours=OFFICE, caps=(Cap(CapOf.DAY, bookings=1),)))
    booking = desk.book("ann", TEN)
    query = Query("cut", TUESDAY, TUESDAY)

    assert shown(find(desk, query)) == []
    free = find(desk, query, mine=OwnTime(moving=booking))
    assert shown(free) == [9, 9, 10, 10, 11, 13, 13, 14, 14, 15, 15, 16]
    half_past = TEN + 30 * MINUTE
    reads, now, in_force = desk.engine.reads(), desk.clock.now(), desk.reads.rules()
    mine = OwnTime(moving=booking)
    assert Availability().check(reads, in_force, query, half_past, now, mine=mine) is None
    removed = Availability().check(reads, in_force, query, half_past, now)
    assert removed is not None
    assert removed.cause is Cause.TAKEN


@pytest.mark.spec("BK-17")
def test_a_hold_hides_a_time_from_others_until_it_ends(desk: BookingDesk) -> None:
    desk.given(rules([HOURLY], hours=OFFICE))
    desk.do(HoldTime(HoldId("visitor"), "cut", TEN))
    query = Query("cut", TUESDAY, TUESDAY)
    hold = desk.reads.hold(HoldId("visitor"))
    assert hold is not None

    assert 10 not in shown(find(desk, query))
    assert 10 in shown(find(desk, query, mine=OwnTime(frozenset({hold.holder}))))
    desk.wait(hours=1)
    assert 10 in shown(find(desk, query))


@pytest.mark.spec("BK-30")
def test_busy_and_unreadable_calendars_reach_the_search(desk: BookingDesk) -> None:
    desk.given(
        rules(
            [service("cut", [MIRA, ANA], step=HOUR)], [resource(MIRA), resource(ANA)], hours=OFFICE
        )
    )
    asked: list[tuple[datetime, datetime]] = []

    def busy(_reads: Any, _resources: Any, since: datetime, until: datetime) -> BusyResources:
        asked.append((since, until))
        return BusyResources({MIRA: [(TEN, TEN + 3 * HOUR)]}, {ANA: "no answer"})

    finder = Availability(busy)

    assert shown(find(desk, Query("cut", TUESDAY, TUESDAY), finder=finder)) == [9, 13, 14, 15, 16]
    ((since, until),) = asked
    assert since <= TEN - 10 * HOUR
    assert until >= TEN + 14 * HOUR
    explained = finder.explain(
        desk.engine.reads(),
        desk.reads.rules(),
        Query("cut", TUESDAY, TUESDAY),
        desk.clock.now(),
    )
    assert isinstance(explained, DayExplanation)
    assert [[one.cause for one in each.removed] for each in explained.resources] == [
        [Cause.BUSY],
        [Cause.UNREADABLE],
    ]


@pytest.mark.spec("BK-29")
def test_anyone_goes_to_the_one_whose_last_booking_is_longest_ago(desk: BookingDesk) -> None:
    pool = [BEA, MIRA, ANA]
    desk.given(rules([service("cut", pool, step=HOUR)], [resource(each) for each in pool]))
    desk.book("ann", TEN, resource=ANA)
    desk.wait(minutes=1)
    desk.book("bob", TEN, resource=BEA)

    wednesday = Query("cut", TUESDAY + DAY, TUESDAY + DAY)

    def best() -> list[ResourceId]:
        found = find(desk, wednesday)
        assert isinstance(found, Times)
        return [one.resource for one in found.best]

    assert best()[0] == MIRA
    desk.wait(minutes=1)
    desk.book("cat", TEN, resource=MIRA)
    assert best()[0] == ANA
    booked = desk.book("dan", TEN + DAY)
    assert booked.resources == (ANA,)


@pytest.mark.spec("BK-07", "BK-09")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_time_that_is_shown_can_be_booked_and_no_other(desk: BookingDesk, seed: int) -> None:
    chance = random.Random(seed)
    services = [
        service("cut", [MIRA, ANA], buffer_after=10 * MINUTE, step=15 * MINUTE),
        service("dye", [ANA], [ROOM], duration=90 * MINUTE, buffer_before=5 * MINUTE),
        service("sauna", [ROOM], duration=30 * MINUTE, step=10 * MINUTE),
    ]
    desk.given(
        rules(
            services,
            [
                resource(MIRA, caps=(Cap(CapOf.DAY, bookings=5),)),
                resource(ANA, capacity=1, caps=(Cap(CapOf.WEEK, minutes=500),)),
                resource(ROOM, capacity=3),
            ],
            hours=OFFICE,
            zone="Europe/Berlin",
        )
    )
    booked: list[Booking] = []
    refused = 0
    for number in range(24):
        name = chance.choice(["cut", "cut", "dye", "sauna"])
        party = chance.choice([1, 1, 2]) if name == "sauna" else 1
        query = Query(name, TUESDAY, TUESDAY, party)
        found = find(desk, query)
        free = {one.starts_at for one in found.all()} if isinstance(found, Times) else set()
        if free and number % 3:
            starts_at = chance.choice(sorted(free))
        else:
            starts_at = SEVEN + DAY + chance.randrange(120) * 5 * MINUTE
        command = desk.command(f"g{number}", starts_at, service=name, party=party)

        outcome = desk.run(command)

        assert isinstance(outcome, Committed) == (starts_at in free), (outcome, starts_at, free)
        refused += isinstance(outcome, Refused)
        if isinstance(outcome, Committed):
            booked.append(desk.booking(command.booking_id))
        if booked and number % 7 == 6:
            desk.do(CancelBooking(booked.pop(chance.randrange(len(booked))).id))
    assert len(booked) > 8
    assert refused > 2


def test_a_wish_of_a_text_becomes_a_wish_of_the_search() -> None:
    when = When(
        options=(
            WhenOption(TUESDAY, TUESDAY, (ClockRange(600, 720),)),
            WhenOption(weekdays=frozenset({3})),
        ),
        not_weekdays=frozenset({0}),
        not_on=((TUESDAY, TUESDAY),),
        confidence=Confidence.CONFIDENT,
        words=(),
    )

    anytime = BookingRules()
    assert wish_of(when, anytime) == TimeWish(
        (WishedTime(TUESDAY, TUESDAY, ((600, 720),)), WishedTime(weekdays=frozenset({3}))),
        frozenset({0}),
        ((TUESDAY, TUESDAY),),
    )
    assert wish_of(None, anytime) == TimeWish()


@pytest.mark.spec("BK-23")
def test_a_visit_that_starts_at_the_end_of_a_part_of_the_day_is_not_in_it() -> None:
    def starts(words: str, rules: BookingRules) -> tuple[tuple[int, int], ...]:
        now = SEVEN.replace(tzinfo=None)
        when = read_when(words, now, parts_of_day(rules), month_first=False)
        return wish_of(when, rules).options[0].clocks

    assert starts("Thursday morning", BookingRules()) == ((420, 715),)
    assert starts("Thursday from 10 to 12", BookingRules()) == ((600, 720),)
    early = BookingRules(parts_of_day=(PartOfDay("morning", Period(480, 660)),))
    assert starts("Thursday morning", early) == ((480, 655),)
