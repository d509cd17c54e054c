"""Sheets in many spellings are understood."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.desks.waitlist.sheet import COLUMNS, ListColumn, ListSchema
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.features.sheet_sync.cells import ReadRow, read_row
from frontdesk.features.sheet_sync.dates import BadDay, from_serial, read_day, read_wall, serial_of
from frontdesk.features.sheet_sync.layout import layout_of
from frontdesk.features.sheet_sync.model import Row, SheetProblem
from tests.support.waitlist import TODAY

SHOP = Catalogue((Service("Haircut", aliases=("cut", "trim")), Service("Colour")), ("Mia", "Zoë"))
SG = ListSchema("SG", ZoneInfo("Asia/Singapore"), TODAY, SHOP)


# --- days -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-20",
        "2026/11/20",
        "20/11/2026",
        "20.11.2026",
        "20-11-26",
        "20 Nov 2026",
        "Nov 20, 2026",
        "20th November 2026",
        "Fri, 20 Nov 2026",
        "20-Nov-26",
        "46346",
        " 46346.0 ",
    ],
)
def test_a_day_is_read_as_it_is_written(text: str) -> None:
    assert read_day(text, "SG").isoformat() == "2026-11-20"


@pytest.mark.spec("WL-02")
def test_a_day_is_read_as_the_country_writes_it_and_never_guessed() -> None:
    assert read_day("4/5/2026", "SG").isoformat() == "2026-05-04"
    assert read_day("4/5/2026", "US").isoformat() == "2026-04-05"
    for text, country in [("11/20/2026", "SG"), ("20/11/2026", "US")]:
        with pytest.raises(BadDay):
            read_day(text, country)


@pytest.mark.parametrize(
    "text",
    ["", "soon", "20/11", "13/14/2026", "31/2/2026", "2026-13-01", "7", "99999", "20/11-2026"],
)
def test_text_that_is_no_day_is_not_read_as_one(text: str) -> None:
    with pytest.raises(BadDay):
        read_day(text, "SG")


@pytest.mark.spec("WL-02")
@pytest.mark.parametrize(
    ("text", "country", "day"),
    [
        ("21 Nov", "SG", "2026-11-21"),
        ("21. November", "DE", "2026-11-21"),
        ("Nov 21st", "US", "2026-11-21"),
        ("Sat 21 Nov", "SG", "2026-11-21"),
        ("21.11.", "DE", "2026-11-21"),
        ("21/11", "SG", "2026-11-21"),
        ("11/21", "US", "2026-11-21"),
        ("21.11.", "US", "2026-11-21"),
        ("16 Nov", "SG", "2026-11-16"),
        ("15 Nov", "SG", "2027-11-15"),
        ("29 Feb", "SG", "2028-02-29"),
        ("fri", "SG", "2026-11-20"),
        ("next Fri", "SG", "2026-11-20"),
        ("this Friday", "SG", "2026-11-20"),
        ("Monday", "SG", "2026-11-16"),
        ("next monday", "SG", "2026-11-23"),
        ("today", "SG", "2026-11-16"),
        ("Tomorrow", "SG", "2026-11-17"),
        ("2026-11-21", "SG", "2026-11-21"),
    ],
)
def test_a_day_as_people_say_it_is_the_next_such_day(text: str, country: str, day: str) -> None:
    assert read_day(text, country, TODAY).isoformat() == day


@pytest.mark.spec("WL-02")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Fri 21 Nov", "21 November 2026 is a Saturday."),
        ("31 Feb", "This is not a date we can read."),
        ("21 No", "This is not a date we can read."),
        ("someday", "This is not a date we can read."),
        ("Mo", "This is not a date we can read."),
        ("13/13", "This is not a date we can read."),
    ],
)
def test_an_impossible_day_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadDay, match=why):
        read_day(text, "SG", TODAY)


@pytest.mark.parametrize(
    ("text", "wall"),
    [
        ("2026-11-16 09:30", "2026-11-16 09:30"),
        ("2026-11-16T09:30:15", "2026-11-16 09:30:15"),
        ("16/11/2026, 9:30 pm", "2026-11-16 21:30"),
        ("Nov 16, 2026 12:05 AM", "2026-11-16 00:05"),
        ("46342.5", "2026-11-16 12:00"),
        ("16/11/2026", "2026-11-16 00:00"),
    ],
)
def test_a_time_is_read_with_its_day(text: str, wall: str) -> None:
    assert read_wall(text, "SG") == datetime.fromisoformat(wall)


@given(
    st.datetimes(datetime.fromisoformat("2000-01-02"), datetime.fromisoformat("2099-12-30")).map(
        lambda wall: wall.replace(microsecond=0)
    )
)
def test_excels_number_for_an_instant_leads_back_to_it(wall: datetime) -> None:
    assert from_serial(serial_of(wall)) == wall


@given(st.text(max_size=70))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadDay):
        assert isinstance(read_wall(text, "SG"), datetime)


# --- headings ---------------------------------------------------------------------------------


def places(*headings: str) -> dict[str, int] | None:
    found = layout_of([Row(1, headings)], COLUMNS)
    return None if found is None else dict(found.places)


@pytest.mark.spec("WL-01")
def test_columns_are_known_by_many_names_in_any_order() -> None:
    assert places("Since", "Notes", "SERVICE ", "Customer name", "Hp", "e-mail", "Pax (max 4)") == {
        ListColumn.JOINED: 0,
        ListColumn.SERVICE: 2,
        ListColumn.NAME: 3,
        ListColumn.MOBILE: 4,
        ListColumn.EMAIL: 5,
        ListColumn.PARTY: 6,
    }
    assert places("Kunde", "Handynummer", "Behandlung", "frühestens", "spätestens") == {
        ListColumn.NAME: 0,
        ListColumn.MOBILE: 1,
        ListColumn.SERVICE: 2,
        ListColumn.EARLIEST: 3,
        ListColumn.LATEST: 4,
    }


def test_beside_a_column_for_one_contact_the_column_contact_is_the_other() -> None:
    assert places("name", "contact", "service") == {
        ListColumn.NAME: 0,
        ListColumn.CONTACT: 1,
        ListColumn.SERVICE: 2,
    }
    assert places("name", "contact", "email", "service") == {
        ListColumn.NAME: 0,
        ListColumn.MOBILE: 1,
        ListColumn.EMAIL: 2,
        ListColumn.SERVICE: 3,
    }


def test_headings_may_stand_below_a_title_and_must_say_enough() -> None:
    rows = [Row(1, ("Salon Zoë",)), Row(3, ("Name", "Phone", "Service")), Row(4, ("Ann", "1", "x"))]
    found = layout_of(rows, COLUMNS)
    assert found is not None
    assert (found.line, found.lacks) == (3, (ListColumn.ID, ListColumn.STATUS))
    assert places("Name", "Service") is None
    assert places("Name", "Phone") is None
    assert places() is None


# --- rows -------------------------------------------------------------------------------------

HEADINGS = ("Name", "Contact", "Service", "Pax", "From", "Until", "With", "VIP", "Joined")


def read(*cells: str) -> ReadRow:
    layout = layout_of([Row(1, HEADINGS)], COLUMNS)
    assert layout is not None
    return read_row(Row(2, cells), layout, SG)


def test_a_row_is_read_into_the_words_of_the_business() -> None:
    row = read(
        *(" Ann  Lee", "ANN@example.org, 9123 4567", "TRIM", "2 pax", "16/11/2026", "46346"),
        *("zoë", "x", "16/11/2026 9:30"),
    )
    assert (row.fields, row.problems) == (
        {
            ListColumn.NAME: "Ann Lee",
            ListColumn.EMAIL: "ann@example.org",
            ListColumn.MOBILE: "+6591234567",
            ListColumn.SERVICE: "Haircut",
            ListColumn.PARTY: "2",
            ListColumn.EARLIEST: "2026-11-16",
            ListColumn.LATEST: "2026-11-20",
            ListColumn.STAFF: "Zoë",
            ListColumn.PRIORITY: "yes",
            ListColumn.JOINED: "2026-11-16 09:30",
        },
        (),
    )


def test_empty_cells_change_nothing() -> None:
    row = read("Ann", "+65 9123 4567", "cut", "", "-", "any", "anyone", "no", "")
    assert row.fields == {
        ListColumn.NAME: "Ann",
        ListColumn.MOBILE: "+6591234567",
        ListColumn.SERVICE: "Haircut",
    }
    assert row.problems == ()


@pytest.mark.spec("WL-02")
def test_every_cell_that_cannot_be_read_is_named_and_none_is_quoted() -> None:
    row = read("Ann", "12", "Massage", "0", "soon", "1/2/3", "Bob", "perhaps", "1/1/2027")
    assert [(problem.line, problem.column) for problem in row.problems] == [
        (2, heading) for heading in HEADINGS[1:]
    ]
    assert row.fields == {ListColumn.NAME: "Ann"}
    assert not any("Massage" in problem.text for problem in row.problems)


def test_contradicting_values_are_a_problem() -> None:
    assert read("", "", "cut", "", "20/11/2026", "19/11/2026").problems == (
        SheetProblem(2, "Name", "There is no name."),
        SheetProblem(2, "Contact", "There is neither a mobile nor an e-mail address."),
        SheetProblem(2, "Until", "The latest day is before the earliest."),
    )


CELLS = st.lists(st.text(max_size=12), max_size=len(HEADINGS) + 2)


@given(CELLS)
def test_any_row_is_read_or_has_a_problem(cells: list[str]) -> None:
    row = read(*cells)
    whole = {ListColumn.NAME, ListColumn.SERVICE} <= set(row.fields)
    assert row.problems or whole
