"""Places are chosen tick by tick, and each write compares the cells on which the choice relied."""

from __future__ import annotations

import pytest

from frontdesk.desks.booking.changes import CellWrite
from frontdesk.desks.booking.decide.cells import Grid, WantedPlaces
from frontdesk.desks.booking.ticks import Cell, Span
from tests.support.booking import MIRA, SEVEN, resource

ONE, TWO = resource(MIRA), resource(MIRA, capacity=2)
EXPIRED = f"hold:v:{int(SEVEN.timestamp())}"


def grid(*cells: tuple[int, int, str]) -> Grid:
    return Grid([Cell(MIRA, *each) for each in cells], SEVEN)


def written(of: Grid) -> list[CellWrite]:
    return [cell for change in of.changes() for cell in change.cells]


@pytest.mark.spec("BK-22")
def test_a_holder_beyond_the_capacity_counts() -> None:
    overbooked = grid((7, 1, "booking:over"))

    assert not overbooked.fits([WantedPlaces(ONE, Span(7, 8), 1)])
    assert not overbooked.take([WantedPlaces(ONE, Span(7, 8), 1)], "booking:new")
    assert overbooked.changes() == ()


@pytest.mark.spec("BK-22")
def test_all_places_of_an_overbooked_tick_are_compared() -> None:
    of = grid((7, 2, "booking:over"))

    assert of.take([WantedPlaces(TWO, Span(7, 9), 1)], "booking:new")
    assert written(of) == [
        CellWrite(7, 0, "", "booking:new"),
        CellWrite(7, 1, "", ""),
        CellWrite(7, 2, "booking:over", "booking:over"),
        CellWrite(8, 0, "", "booking:new"),
    ]


def test_an_expired_hold_is_free_and_is_compared_as_it_is_stored() -> None:
    of = grid((7, 0, EXPIRED))

    assert of.take([WantedPlaces(ONE, Span(7, 8), 1)], "booking:new")
    assert written(of) == [CellWrite(7, 0, EXPIRED, "booking:new")]


def test_cells_that_are_given_up_can_be_taken_again_or_handed_over() -> None:
    of = grid((7, 0, "booking:a"), (8, 0, "booking:a"))
    of.give_up("booking:a")
    of.take([WantedPlaces(ONE, Span(8, 10), 1)], "booking:a")

    assert of.reuses("booking:a", "booking:a")
    of.hand_over("booking:a", "handover:a")
    assert written(of) == [
        CellWrite(7, 0, "booking:a", "handover:a"),
        CellWrite(8, 0, "booking:a", "booking:a"),
        CellWrite(9, 0, "", "booking:a"),
    ]


def test_one_change_has_the_cells_of_one_hour() -> None:
    of = grid()
    of.take([WantedPlaces(ONE, Span(10, 14), 1)], "booking:a")

    assert [(change.hour, len(change.cells)) for change in of.changes()] == [(0, 2), (1, 2)]


def test_nothing_is_taken_if_one_tick_is_not_free() -> None:
    of = grid((9, 0, "booking:b"))

    assert not of.take([WantedPlaces(ONE, Span(7, 10), 1)], "booking:a")
    assert of.changes() == ()
