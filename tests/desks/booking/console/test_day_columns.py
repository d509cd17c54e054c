"""The day board: everything that takes time, in the column of each person."""

from datetime import UTC, date, datetime, timedelta

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.console.day_columns import BlockKind, DayColumns, day_columns
from frontdesk.desks.booking.model import (
    Booking,
    BookingId,
    BookingStatus,
    Handover,
    Lane,
    handover_id,
)
from frontdesk.desks.booking.rules import BookingRules, Period, Resource, ResourceId
from frontdesk.desks.booking.ticks import Span, TakenTicks, tick_at

ON = date(2026, 11, 20)
NINE = datetime(2026, 11, 20, 9, tzinfo=UTC)
MIA = ResourceId("mia")
HOURS = ((Period(9 * 60, 12 * 60), Period(13 * 60, 17 * 60)),) * 7
HOUR = timedelta(hours=1)


def booking(starts_at: datetime, status: BookingStatus = BookingStatus.CONFIRMED) -> Booking:
    return Booking(
        id=BookingId(f"{tick_at(starts_at):032x}"),
        person_id=PersonId("ann"),
        service="Haircut",
        party=1,
        starts_at=starts_at,
        ends_at=starts_at + HOUR,
        resources=(MIA,),
        places=(1,),
        capacities=(1,),
        local_on=ON,
        lane=Lane.FORM,
        booked_at=NINE - timedelta(days=2),
        status=status,
        buffer_after=timedelta(minutes=10),
    )


def taken(one: Booking) -> TakenTicks:
    return TakenTicks(MIA, one.span.start, one.span.end, 1, one.holder)


def board(
    *bookings: Booking,
    more: tuple[TakenTicks, ...] = (),
    handovers: tuple[Handover, ...] = (),
    capacity: int = 1,
    now: datetime = NINE,
) -> DayColumns:
    return day_columns(
        BookingRules(hours=HOURS),
        ON,
        taken=[*map(taken, bookings), *more],
        bookings={one.id: one for one in bookings},
        handovers={one.id: one for one in handovers},
        busy={MIA: [(NINE + 7 * HOUR, NINE + 8 * HOUR)]},
        resources=[Resource(MIA, "Mia", capacity=capacity)],
        now=now,
    )


def spans(columns: DayColumns) -> list[tuple[BlockKind, int, int]]:
    """Returns the kind of each block, with its minutes after nine."""
    nine = tick_at(NINE)
    return [
        (block.kind, 5 * (block.span.start - nine), 5 * (block.span.end - nine))
        for block in columns.columns[0].blocks
    ]


@pytest.mark.spec("BK-38")
def test_a_column_shows_visits_buffers_gaps_and_calendar_events() -> None:
    columns = board(booking(NINE + HOUR))

    assert spans(columns) == [
        (BlockKind.GAP, 0, 60),
        (BlockKind.BOOKED, 60, 120),
        (BlockKind.BUFFER, 120, 130),
        (BlockKind.GAP, 130, 180),
        (BlockKind.GAP, 240, 420),
        (BlockKind.BUSY, 420, 480),
    ]
    assert columns.columns[0].booked_minutes == 60


def test_time_that_has_passed_is_no_gap() -> None:
    columns = board(booking(NINE + HOUR), now=NINE + 4 * HOUR + timedelta(minutes=31))

    assert spans(columns)[2:] == [(BlockKind.GAP, 275, 420), (BlockKind.BUSY, 420, 480)]


@pytest.mark.spec("BK-38")
def test_held_times_and_times_on_offer_are_shown_until_a_hold_ends() -> None:
    start = tick_at(NINE)
    until = int((NINE + HOUR).timestamp())
    held = TakenTicks(MIA, start, start + 6, 1, f"hold:a:{until}")
    ended = TakenTicks(MIA, start + 6, start + 12, 1, f"hold:b:{int(NINE.timestamp())}")
    offered = TakenTicks(MIA, start + 12, start + 18, 1, "handover:c")

    assert spans(board(more=(held, ended, offered)))[:4] == [
        (BlockKind.HELD, 0, 30),
        (BlockKind.GAP, 30, 60),
        (BlockKind.ON_OFFER, 60, 90),
        (BlockKind.GAP, 90, 180),
    ]


@pytest.mark.spec("BK-38")
def test_a_time_on_offer_is_shown_without_its_buffer() -> None:
    freed = booking(NINE)
    handover = Handover(
        handover_id(f"booking:{freed.id}"),
        f"booking:{freed.id}",
        freed.service,
        freed.starts_at,
        freed.ends_at,
        freed.resources,
        (1,),
        freed.span,
        handed_at=NINE,
    )
    offered = TakenTicks(MIA, freed.span.start, freed.span.end, 1, handover.holder)

    assert spans(board(more=(offered,), handovers=(handover,)))[:3] == [
        (BlockKind.ON_OFFER, 0, 60),
        (BlockKind.BUFFER, 60, 70),
        (BlockKind.GAP, 70, 180),
    ]


def test_bookings_that_share_a_resource_stand_side_by_side() -> None:
    first, second = booking(NINE), booking(NINE + HOUR / 2, BookingStatus.PENDING)
    column = board(first, second, capacity=2).columns[0]

    assert [(block.kind, block.lane) for block in column.blocks[:4]] == [
        (BlockKind.BOOKED, 0),
        (BlockKind.PENDING, 1),
        (BlockKind.BUFFER, 0),
        (BlockKind.BUFFER, 1),
    ]
    assert column.lanes == 2


def test_the_board_shows_whole_hours_also_in_a_zone_of_half_hours() -> None:
    columns = day_columns(
        BookingRules(zone="Asia/Kolkata", hours=((Period(9 * 60 + 30, 17 * 60 + 30),),) * 7),
        ON,
        taken=[],
        bookings={},
        handovers={},
        busy={},
        resources=[Resource(MIA, "Mia")],
        now=NINE,
    )
    labels = [label for _, label in columns.hours]

    assert (labels[0], labels[-1]) == ("09:00", "17:00")


def test_a_day_off_shows_the_usual_hours() -> None:
    columns = day_columns(
        BookingRules(),
        ON,
        taken=[],
        bookings={},
        handovers={},
        busy={},
        resources=[Resource(MIA, "Mia")],
        now=NINE,
    )

    assert columns.span == Span(tick_at(NINE), tick_at(NINE + 8 * HOUR))
    assert columns.columns[0].working == ()
