"""The rows of the booking desk: each change is written only if its condition holds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.people import AddPerson, PersonId
from frontdesk.desks.booking import changes as c
from frontdesk.desks.booking.model import (
    Booking,
    BookingId,
    BookingRequest,
    BookingStatus,
    CalendarLink,
    Handover,
    HandoverId,
    HandoverStatus,
    Hold,
    HoldId,
    Lane,
    ProposedTime,
    RequestField,
    RequestId,
    RequestStatus,
    Tally,
)
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.ticks import Cell, Span, TakenTicks
from frontdesk.engine.ports import Store
from frontdesk.errors import Conflict
from frontdesk.values import replace
from tests.desks.booking.conftest import Opened
from tests.desks.booking.conftest import open_desk as open_desk
from tests.store.samples import commit, refused
from tests.support.booking import ANA, DAY, HOUR, MIRA, SEVEN, TEN

ANN = PersonId("ann")
BOOKING = Booking(
    BookingId("b" * 32),
    ANN,
    "cut",
    2,
    TEN,
    TEN + HOUR,
    (MIRA, ANA),
    (2, 1),
    (4, 1),
    Lane.STAFF,
    SEVEN,
    TEN.date(),
    buffer_after=timedelta(minutes=10),
    name="Ann Öz",
    answers={"length": "short"},
    overrides=("overbooked",),
    reminders=(86400, 3600),
    calendars=(CalendarLink("mira@salon", "event-1", 1, 2),),
)
HOLD = Hold(HoldId("visitor"), "cut", TEN, (MIRA,), Span(100, 112), SEVEN)
HANDOVER = Handover(
    HandoverId("h1"), "booking:h1", "cut", TEN, TEN + HOUR, (MIRA,), (1,), Span(100, 112), SEVEN
)
REQUEST = BookingRequest(
    RequestId("r1"),
    Lane.READING,
    SEVEN,
    sender="ann@example.org",
    fields=(RequestField("service", "cut", "certain", "Haarschnitt"),),
    proposed=(ProposedTime("cut", TEN, MIRA),),
)


@pytest.fixture
def store(open_desk: Opened) -> Store:
    desk = open_desk()
    desk.problems = list  # type: ignore[method-assign]
    person = AddPerson(ANN, "Ann", "ann@example.org", "ann@example.org")
    desk.store.commit(Accepted((person,)), by="test", at=SEVEN)
    store: Store = desk.store
    return store


def bk(store: Store) -> BookingReads:
    reads: BookingReads = store.reads().desk("bk")
    return reads


def cells(*written: tuple[int, int, str, str], hour: int = 10) -> c.WriteCells:
    return c.WriteCells(MIRA, hour, tuple(c.CellWrite(*each) for each in written))


def test_a_cell_is_written_only_if_it_has_the_holder_that_was_read(store: Store) -> None:
    commit(store, cells((120, 0, "", "booking:a"), (121, 3, "", "booking:a")))

    assert refused(store, cells((120, 0, "", "booking:b")))
    assert refused(store, cells((120, 0, "booking:b", "booking:c")))
    assert refused(store, cells((122, 0, "booking:b", "")))
    assert refused(store, cells((120, 0, "booking:b", "")))
    assert refused(store, cells((122, 0, "", "booking:b"), (120, 0, "", "")))
    assert refused(store, cells((122, 0, "", "booking:b"), (121, 3, "booking:b", "booking:b")))
    commit(store, cells((120, 0, "booking:a", "handover:a"), (122, 0, "", "")))
    commit(store, cells((121, 3, "booking:a", "")))
    assert bk(store).every_cell() == [Cell(MIRA, 120, 0, "handover:a")]


def test_many_cells_of_one_hour_are_compared_as_well(store: Store) -> None:
    places = range(60)
    commit(store, cells(*((120, place, "", "booking:a") for place in places)))

    assert refused(store, cells(*((120, place, "", "booking:b") for place in places)))
    mixed = [(120, place, "booking:a", "booking:b") for place in places]
    assert refused(store, cells(*mixed, (121, 0, "booking:a", "booking:b")))
    commit(store, cells(*mixed))
    assert {cell.holder for cell in bk(store).every_cell()} == {"booking:b"}


def test_cells_of_several_hours_are_written_together_or_not_at_all(store: Store) -> None:
    commit(store, cells((130, 0, "", "booking:a")), cells((132, 0, "", "booking:a"), hour=11))
    first, second = cells((131, 0, "", "booking:b")), cells((132, 0, "", "booking:b"), hour=11)

    with pytest.raises(Conflict) as conflict:
        commit(store, first, second)
    assert conflict.value.change == second
    moved = cells((132, 0, "booking:a", "booking:b"), hour=11)
    commit(store, first, moved)
    assert refused(store, cells((144, 0, "", "booking:c"), hour=12), moved)
    assert [(cell.tick, cell.holder) for cell in bk(store).every_cell()] == [
        (130, "booking:a"),
        (131, "booking:b"),
        (132, "booking:b"),
    ]


def test_a_large_party_takes_all_of_its_places_together_or_none(store: Store) -> None:
    hours = [
        cells(
            *((12 * hour + n, place, "", "booking:a") for n in range(12) for place in range(190)),
            hour=hour,
        )
        for hour in range(10, 14)
    ]
    commit(store, cells((12 * 13 + 11, 189, "", "booking:b"), hour=13))

    assert refused(store, *hours)
    assert len(bk(store).every_cell()) == 1
    commit(store, *hours[:3])
    assert len(bk(store).every_cell()) == 1 + 3 * 12 * 190


def test_taken_times_are_told_by_holder(store: Store) -> None:
    two_places = [(tick, place, "", "booking:a") for tick in range(120, 126) for place in (0, 1)]
    commit(store, cells(*two_places, (126, 0, "", "hold:v:99")))

    assert sorted(bk(store).taken([MIRA, ANA], Span(122, 127)), key=lambda each: each.start) == [
        TakenTicks(MIRA, 122, 126, 2, "booking:a"),
        TakenTicks(MIRA, 126, 127, 1, "hold:v:99"),
    ]
    assert bk(store).cells([ANA], Span(0, 1_000)) == []


def test_a_booking_is_read_as_it_was_written(store: Store) -> None:
    commit(store, c.AddBooking(BOOKING))
    after = replace(
        BOOKING, status=BookingStatus.CANCELLED, closed_at=SEVEN, calendars=(), version=2
    )

    assert bk(store).booking(BOOKING.id) == BOOKING
    assert refused(store, c.AddBooking(BOOKING))
    assert refused(store, c.WriteBooking(BOOKING))
    assert refused(store, c.BookingAsRead(BOOKING.id, 2))
    commit(store, c.WriteBooking(after))
    commit(store, c.BookingAsRead(BOOKING.id, 2))
    assert refused(store, c.WriteBooking(after))
    assert list(bk(store).bookings_of(ANN)) == [after]
    assert list(bk(store).bookings_in(BookingStatus.CANCELLED, 5)) == [after]
    assert list(bk(store).bookings_in(BookingStatus.CONFIRMED, 5)) == []
    assert list(bk(store).bookings_between(TEN, TEN + DAY)) == [after]
    assert list(bk(store).bookings_between(TEN - DAY, TEN)) == []
    assert list(bk(store).bookings(after=BOOKING.id)) == []


def test_tallies_count_and_leave_room_for_caps(store: Store) -> None:
    key = ("business", "2026-11-17")
    one = c.AddToTally(*key, bookings=1, minutes=60, at=SEVEN, bookings_room=1, minutes_room=90)
    commit(store, one)
    commit(store, one)

    assert refused(store, one)
    assert refused(store, replace(one, minutes_room=None))
    assert refused(store, replace(one, bookings_room=None))
    assert refused(store, c.AddToTally(*key, bookings=1, minutes=0, seen=1))
    assert refused(store, c.AddToTally("person:ann", "all", bookings=1, minutes=0, seen=1))
    assert refused(
        store, c.AddToTally("person:ann", "all", bookings=1, minutes=0, bookings_room=-1)
    )
    commit(store, c.AddToTally(*key, bookings=-1, minutes=-60, seen=2))
    assert bk(store).tallies([key, ("business", "2026-11-18")]) == [Tally(*key, 1, 60, SEVEN)]


def test_holds_handovers_and_requests_have_versions(store: Store) -> None:
    commit(store, c.WriteHold(HOLD), c.AddHandover(HANDOVER), c.AddRequest(REQUEST))
    later = replace(HOLD, until=SEVEN + HOUR, version=2)
    closed = replace(HANDOVER, status=HandoverStatus.RELEASED, closed_at=SEVEN, version=2)
    draft = replace(REQUEST, status=RequestStatus.DRAFT, version=2)

    assert refused(store, c.WriteHold(HOLD))
    assert refused(store, c.AddHandover(HANDOVER))
    assert refused(store, c.AddRequest(REQUEST))
    assert bk(store).handover(HANDOVER.id) == HANDOVER
    commit(store, c.WriteHold(later), c.WriteHandover(closed), c.WriteRequest(draft))
    assert refused(store, c.WriteHandover(closed))
    assert refused(store, c.WriteRequest(draft))
    assert refused(store, c.DeleteHold(HOLD.id, 1))
    assert (bk(store).hold(HOLD.id), bk(store).handover(HANDOVER.id)) == (later, closed)
    assert list(bk(store).requests(RequestStatus.DRAFT, 5)) == [draft]
    assert list(bk(store).requests(RequestStatus.OPEN, 5)) == []
    commit(store, c.DeleteHold(HOLD.id, 2))
    assert bk(store).hold(HOLD.id) is None
