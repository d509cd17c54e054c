"""Tables become files for a spreadsheet, and are read back."""

import csv
import io
import re
import zipfile
from datetime import UTC, date, datetime

import openpyxl  # type: ignore[import-untyped]
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frontdesk.connect.tables import Cell, PersonRow, read_people, write_csv, write_xlsx
from frontdesk.connect.tables.csv_text import escape_formulas, unescape_formulas
from frontdesk.core.contacts import clean_name

HEADER = ["Name", "E-mail", "Party", "Note"]
DANGEROUS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "  =1",
    "＝1",
    "＋1",
    "－1",
    "＠A1",
    "\u00a0=1",
    "\u200b=1",
]

names = st.text(st.characters(categories=["Lu", "Ll", "Nd"]), min_size=1, max_size=8).map(
    clean_name
)
notes = st.lists(
    st.sampled_from(
        ["=", "+", "-", "@", "'", ";", ",", '"', " ", "\n", "a", "é", "＝", "_x0041_", "😀"]
    ),
    max_size=8,
).map(lambda pieces: "".join(pieces).strip())
people = st.lists(st.tuples(names, st.integers(1, 1_000), notes), max_size=6).map(
    lambda found: tuple(
        PersonRow(line, name, f"guest{line}@example.org", party, note)
        for line, (name, party, note) in enumerate(found, start=2)
    )
)


def guest(n: int) -> PersonRow:
    return PersonRow(n + 2, f"Guest {n}", f"guest{n}@example.org", 1, "-")


def cells_of(person: PersonRow) -> list[Cell]:
    return [person.name, person.email, person.party, person.note]


def parsed(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.mark.spec("EV-31")
@settings(max_examples=150, deadline=None)
@given(people)
def test_values_exported_as_csv_are_imported_unchanged(
    found: tuple[PersonRow, ...],
) -> None:
    data = b"".join(write_csv(HEADER, map(cells_of, found)))

    assert read_people(data, filename=None).rows == found


@pytest.mark.spec("EV-31")
@settings(max_examples=50, deadline=None)
@given(people)
def test_values_exported_as_excel_are_imported_unchanged(
    found: tuple[PersonRow, ...],
) -> None:
    data = write_xlsx(HEADER, map(cells_of, found), sheet="Guests")

    assert read_people(data, filename=None).rows == found


@pytest.mark.spec("EV-31")
def test_a_csv_is_as_excel_wants_it() -> None:
    rows: list[list[Cell]] = [
        ["Zoë", 'a "b", c', -5, 1.5, None],
        [date(2026, 5, 1), datetime(2026, 5, 1, 18, 30, tzinfo=UTC), "", "x\ny", 0],
    ]

    assert b"".join(write_csv(["A", "B"], rows)) == (
        b"\xef\xbb\xbfA,B\r\n"
        b'Zo\xc3\xab,"a ""b"", c",-5,1.5,\r\n'
        b'2026-05-01,2026-05-01 18:30:00,,"x\ny",0\r\n'
    )


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("text", DANGEROUS)
def test_no_text_in_a_csv_can_act_as_a_formula(text: str) -> None:
    (row,) = parsed(b"".join(write_csv([text], [])))

    assert row[0].startswith("'")
    assert unescape_formulas(row[0]) == text


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("sign", [";", "\t", "\n"])
def test_no_text_can_act_as_a_formula_after_a_semicolon_either(sign: str) -> None:
    data = b"".join(write_csv(["Name", "Note"], [["Ann", f"x{sign}=1+1{sign} @A1"]]))

    assert not re.search(rb"[;\t\n]\s*[=@]", data)


@pytest.mark.spec("FD-29")
@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("=+-@＝'; \t\r\n\u200bab")))
@example("'=")
@example("''=1;'\t'-")
def test_the_apostrophes_are_taken_away_again_exactly(text: str) -> None:
    closed = escape_formulas(text)

    assert unescape_formulas(closed) == text
    assert not re.match(r"[\t\r]|[^\S\n]*[=+\-@＝]", closed)


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("text", [*DANGEROUS, "#N/A", "#REF!"])
def test_no_text_in_an_excel_file_is_a_formula_or_an_error(text: str) -> None:
    data = write_xlsx([text], [[text]], sheet="=1")
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active

    assert [cell.data_type for cell in (sheet["A1"], sheet["A2"])] == ["s", "s"]
    assert sheet["A2"].value == text.replace("\r", "\n")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert b"<f" not in archive.read("xl/worksheets/sheet1.xml")


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("text", ["\x01=1+1", "\x00@SUM(A1)", "\ufffe=1", "\ud800+1", "\x0b#REF!"])
def test_no_text_behind_an_invalid_character_is_a_formula(text: str) -> None:
    data = write_xlsx([text], [[text]], sheet="x")
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active

    cells = [(cell.data_type, cell.value) for cell in (sheet["A1"], sheet["A2"])]
    assert cells == [("s", text[1:])] * 2


@pytest.mark.spec("EV-31")
def test_an_excel_file_has_a_bold_frozen_header_wide_columns_and_real_dates() -> None:
    at = datetime(2026, 5, 1, 18, 30, tzinfo=UTC)
    rows: list[list[Cell]] = [["Ann with a long name", at, date(2026, 5, 1), 7, None]]
    data = write_xlsx(
        ["Name", "At", "On", "N", "?"], rows, sheet="Guests: May/June [all of them] 2026"
    )
    book = openpyxl.load_workbook(io.BytesIO(data))
    sheet = book.active

    assert [cell.value for cell in sheet[2]][:4] == [
        "Ann with a long name",
        datetime(2026, 5, 1, 18, 30),  # noqa: DTZ001 - Excel knows no zones
        datetime(2026, 5, 1),  # noqa: DTZ001
        7,
    ]
    assert (sheet["B2"].is_date, sheet["C2"].is_date) == (True, True)
    assert [cell.font.bold for cell in sheet[1]] == [True] * 5
    assert sheet.freeze_panes == "A2"
    assert sheet.column_dimensions["A"].width == 22
    assert book.sheetnames == ["Guests  May June  all of them  "]


@pytest.mark.spec("EV-31")
def test_characters_that_xml_cannot_hold_are_left_out() -> None:
    data = write_xlsx(
        ["Email", "Note"], [["a@example.org", "x\x00\x0b\ufffe\ud800y"]], sheet="\x00"
    )

    assert read_people(data, filename=None).rows == (PersonRow(2, "A", "a@example.org", 1, "xy"),)


@pytest.mark.spec("EV-31")
def test_twenty_thousand_rows_leave_in_small_pieces_and_come_back_in_full() -> None:
    rows = (cells_of(guest(n)) for n in range(20_000))
    pieces = list(write_csv(HEADER, rows))

    assert len(pieces) == 42
    assert max(map(len, pieces)) < 50_000
    assert len(read_people(b"".join(pieces), filename=None).rows) == 20_000


@pytest.mark.spec("EV-31")
def test_twenty_thousand_rows_fit_in_an_excel_file_below_the_bounds() -> None:
    rows = (cells_of(guest(n)) for n in range(20_000))
    data = write_xlsx(HEADER, rows, sheet="Guests")

    assert len(data) < 2_000_000
    assert read_people(data, filename=None).rows[-1] == guest(19_999)
