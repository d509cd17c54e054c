"""A file that staff edit: read in the formats that they save, and changed with care."""

from __future__ import annotations

import csv
import io
import os
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.chart import BarChart, Reference  # type: ignore[import-untyped]
from openpyxl.styles import Font, PatternFill  # type: ignore[import-untyped]

from frontdesk.desks.waitlist.sheet import COLUMNS, ListColumn
from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync import file_source as files
from frontdesk.features.sheet_sync.cells import applied, trimmed_rows
from frontdesk.features.sheet_sync.file_source import LIMITS, FileSource, read_csv, swap
from frontdesk.features.sheet_sync.model import Row, RowWrite, SheetWrite
from frontdesk.features.sheet_sync.xlsx_book import XlsxBook

HEAD = "Name;Phone;Service;Notes"
LATER = 4_000_000_000.0


def source(path: Path, between: Callable[[], None] = lambda: None) -> FileSource:
    return FileSource(path, COLUMNS, clock=lambda: LATER, between=between)


def write(path: Path, *cells: SheetWrite, appends: tuple[RowWrite, ...] = ()) -> bool:
    at = source(path)
    return at.write(at.read().token, cells, appends)


# --- CSV --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "encoding"), [(b"", "utf-8"), (b"\xef\xbb\xbf", "utf-8"), (b"", "cp1252")]
)
@pytest.mark.parametrize("newline", ["\r\n", "\n"])
def test_only_the_touched_rows_of_a_csv_change_and_it_stays_as_it_was_saved(
    tmp_path: Path, start: bytes, encoding: str, newline: str
) -> None:
    path = tmp_path / "list.csv"
    lines = ["Salon Zoë", HEAD, '"Ann";"9123 4567";Cut;"tea; no milk"', "Bob;1;Cut;'sic'", ""]
    path.write_bytes(start + newline.join(lines).encode(encoding))
    path.chmod(0o640)

    added = RowWrite((SheetWrite(0, 0, "Zoë"), SheetWrite(0, 2, "Cut")))
    assert write(path, SheetWrite(4, 1, "+65 8123 4567", ListColumn.MOBILE), appends=(added,))
    lines[3] = "Bob;+65 8123 4567;Cut;'sic'"
    lines[4:] = ["Zoë;;Cut", ""]
    assert path.read_bytes() == start + newline.join(lines).encode(encoding)
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        ".list.csv.frontdesk-lock",
        "list.csv",
    ]


def test_a_name_that_the_encoding_does_not_have_makes_it_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes(f"{HEAD}\nZoë;1;Cut;".encode("cp1252"))
    assert write(path, SheetWrite(2, 0, "Łucja"))
    assert path.read_bytes() == b"\xef\xbb\xbf" + f"{HEAD}\nŁucja;1;Cut;\n".encode()


@pytest.mark.spec("FD-29")
def test_no_cell_that_we_write_is_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(f"{HEAD}\nAnn;1;Cut;=1+1\n")
    evil = "=HYPERLINK(1)"
    assert write(path, SheetWrite(2, 0, evil), SheetWrite(2, 1, "+1+cmd|' /C calc'!A0"))
    assert path.read_text() == f"{HEAD}\n'{evil};'+1+cmd|' /C calc'!A0;Cut;=1+1\n"
    assert source(path).read().rows[1].cells == (evil, "+1+cmd|' /C calc'!A0", "Cut", "=1+1")


def test_a_quotation_mark_that_nobody_closed_swallows_no_row(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(f'{HEAD}\nAnn "the;1;Cut;\n"Bob;2;Cut;\nCat;3;Cut;\n')
    assert [row.cells[1] for row in source(path).read().rows] == ["Phone", "1", "2", "3"]
    assert write(path, SheetWrite(4, 1, "4"))
    assert path.read_text() == f'{HEAD}\nAnn "the;1;Cut;\n"Bob;2;Cut;\nCat;4;Cut;\n'


PLAIN = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"])
TEXTS = st.text(st.one_of(PLAIN, st.sampled_from("\n\t,;\"'=+-@")), max_size=8)
LINES = st.lists(st.lists(TEXTS, min_size=4, max_size=5), max_size=5)


def _writes(lines: int) -> st.SearchStrategy[list[SheetWrite]]:
    cell = st.builds(SheetWrite, st.integers(1, lines), st.integers(0, 5), TEXTS)
    return st.lists(cell, max_size=4, unique_by=lambda each: (each.line, each.place))


@settings(max_examples=60, deadline=None)
@given(lines=LINES, chosen=st.data(), more=st.lists(st.lists(TEXTS, min_size=1), max_size=2))
def test_every_text_in_a_csv_is_read_back(
    lines: list[list[str]], chosen: st.DataObject, more: list[list[str]]
) -> None:
    before = read_csv(_csv(lines), LIMITS, COLUMNS)
    cells = [each for each in chosen.draw(_writes(len(lines) + 1)) if each.line > 1]
    appends = [_row(each) for each in more]
    after = read_csv(before.changed(cells, appends), LIMITS, COLUMNS)
    wanted = applied(before.rows(), cells, appends)
    assert trimmed_rows(after.rows()) == wanted


def _csv(lines: list[list[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([["Name", "Phone", "Service", "Notes"], *lines])
    return out.getvalue().encode()


def _row(texts: list[str]) -> RowWrite:
    return RowWrite(tuple(SheetWrite(0, at, text) for at, text in enumerate(texts)))


# --- Excel ------------------------------------------------------------------------------------


def book() -> bytes:
    """Builds a workbook with a title, colours, an extra column with a formula, and a chart."""
    made = openpyxl.Workbook()
    page = made.active
    page.title = "List"
    page.append(["Salon Zoë, waiting list"])
    page.append(["Name", "Phone", "Service", "Pax", "From", "Until", "Days", "Since"])
    page.append(["Ann", "91234567", "Cut", 2, date(2026, 11, 20), date(2026, 12, 1)])
    page.append(["Bob", 81234567, "Cut", None, None, None])
    for cell in ("E3", "F3", "E4", "F4"):
        page[cell].number_format = "dd/mm/yyyy"
    page["G3"] = "=F3-E3"
    page["H3"] = datetime.fromisoformat("2026-11-16 09:30")
    page["A3"].font = Font(bold=True, color="FF0000")
    page["A3"].fill = PatternFill("solid", fgColor="FFFF00")
    page.column_dimensions["A"].width = 42
    page.freeze_panes = "A3"
    chart = BarChart()
    chart.add_data(Reference(page, min_col=4, min_row=2, max_row=4))
    page.add_chart(chart, "K2")
    other = made.create_sheet("Prices")
    other["A1"] = "Cut"
    other["B1"] = "=40+5"
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_an_excel_file_is_read_with_its_days_as_days() -> None:
    assert XlsxBook(book(), LIMITS, COLUMNS).rows() == (
        Row(1, ("Salon Zoë, waiting list",)),
        Row(2, ("Name", "Phone", "Service", "Pax", "From", "Until", "Days", "Since")),
        Row(
            3,
            ("Ann", "91234567", "Cut", "2", "2026-11-20", "2026-12-01", "", "2026-11-16 09:30"),
        ),
        Row(4, ("Bob", "81234567", "Cut")),
    )


def test_cells_are_put_into_an_excel_file_and_nothing_else_changes(tmp_path: Path) -> None:
    path = tmp_path / "list.xlsx"
    path.write_bytes(book())
    before = parts(path.read_bytes())
    assert write(
        path,
        SheetWrite(2, 8, "id"),
        SheetWrite(3, 5, "2026-12-24", ListColumn.LATEST),
        SheetWrite(3, 8, "=1+1", ListColumn.ID),
        SheetWrite(4, 3, "3", ListColumn.PARTY),
        SheetWrite(4, 4, "2026-11-21", ListColumn.EARLIEST),
        appends=(
            RowWrite((SheetWrite(0, 0, "Cat & <co>"), SheetWrite(0, 3, "1", ListColumn.PARTY))),
        ),
    )

    after = parts(path.read_bytes())
    assert {name for name in before if before[name] != after[name]} == {"xl/worksheets/sheet1.xml"}
    assert list(before) == list(after)
    made = openpyxl.load_workbook(path)
    page = made["List"]
    assert [[cell.value for cell in row] for row in page.iter_rows(min_row=2)] == [
        ["Name", "Phone", "Service", "Pax", "From", "Until", "Days", "Since", "id"],
        _row_of("Ann", "91234567", 2, "2026-11-20", "2026-12-24", "=F3-E3", "=1+1"),
        ["Bob", 81234567, "Cut", 3, "2026-11-21", None, None, None, None],
        ["Cat & <co>", None, None, 1, None, None, None, None, None],
    ]
    assert (page["I3"].data_type, page["G3"].data_type) == ("s", "f")
    assert (page["F3"].number_format, page["A3"].font.bold) == ("dd/mm/yyyy", True)
    assert (page.column_dimensions["A"].width, page.freeze_panes) == (42, "A3")
    assert source(path).read().rows[3].cells[4] == "2026-11-21"


def _row_of(name: str, phone: str, pax: int, first: str, last: str, *more: str) -> list[Any]:
    days = [datetime.fromisoformat(each) for each in (first, last)]
    return [
        name,
        phone,
        "Cut",
        pax,
        *days,
        more[0],
        datetime.fromisoformat("2026-11-16 09:30"),
        more[1],
    ]


XML_TEXTS = st.text(PLAIN, max_size=8).map(str.strip)


@settings(max_examples=25, deadline=None)
@given(
    cells=st.lists(
        st.builds(SheetWrite, st.integers(3, 9), st.integers(0, 30), XML_TEXTS),
        max_size=5,
        unique_by=lambda each: (each.line, each.place),
    ),
    more=st.lists(st.lists(XML_TEXTS, min_size=1, max_size=4), max_size=2),
)
def test_every_text_in_an_excel_file_is_read_back(
    cells: list[SheetWrite], more: list[list[str]]
) -> None:
    before = XlsxBook(_BOOK, LIMITS, COLUMNS)
    appends = [_row(each) for each in more] if max((c.line for c in cells), default=0) <= 4 else []
    after = XlsxBook(before.changed(cells, appends), LIMITS, COLUMNS)
    wanted = trimmed_rows(applied(before.rows(), cells, appends))
    assert trimmed_rows(after.rows()) == wanted


_BOOK = book()


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04 no",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00",
        b"\x00\x01\x02\x81",
        b"\xff\xfea",
    ],
)
def test_a_file_that_is_no_list_is_refused_with_a_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "list.xlsx"
    path.write_bytes(data)
    with pytest.raises(SourceFailed):
        source(path).read()


# --- others write at the same time ------------------------------------------------------------


def _saved_anew(path: Path, text: str) -> None:
    """Saves like most programs: writes a new file and renames it."""
    beside = path.with_name("saving.tmp")
    beside.write_text(text)
    beside.replace(path)


def _saved_in_place(path: Path, text: str) -> None:
    path.write_text(text)


@pytest.mark.parametrize("save", [_saved_anew, _saved_in_place])
@pytest.mark.parametrize("exchanges", [True, False])
def test_a_save_by_staff_during_our_write_is_not_lost(
    tmp_path: Path,
    save: Callable[[Path, str], None],
    exchanges: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(f"{HEAD}\nAnn;1;Cut;\n")
    theirs = f"{HEAD}\nAnn;1;Cut;\nBob;2;Cut;\n"

    def save_then_swap(one: Path, other: Path) -> None:
        if path.read_text() != theirs and "Bob" not in one.read_text():
            save(path, theirs)
        swap(one, other)

    if exchanges:
        monkeypatch.setattr(files, "swap", save_then_swap)
        at = source(path)
    else:
        at = source(path, between=lambda: save(path, theirs))
    assert not at.write(at.read().token, [SheetWrite(2, 1, "9")], ())
    assert path.read_text() == theirs
    assert not (tmp_path / ".list.csv.frontdesk-new").exists()


def test_a_file_that_is_open_elsewhere_is_read_but_not_written(tmp_path: Path) -> None:
    for name in ("~$list.xlsx", ".~lock.list.xlsx#"):
        path = tmp_path / "list.xlsx"
        path.write_bytes(_BOOK)
        at = source(path)
        closed = at.glance()
        (tmp_path / name).write_text("Mia")
        assert at.glance() != closed
        with pytest.raises(SourceFailed, match="is open in a spreadsheet program"):
            write(path, SheetWrite(3, 0, "Anna"))
        assert path.read_bytes() == _BOOK
        (tmp_path / name).unlink()
        assert at.glance() == closed


def test_a_file_that_is_being_written_is_not_looked_at_yet(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(HEAD)
    os.utime(path, (1_000, 1_000))
    assert FileSource(path, COLUMNS, clock=lambda: 1_000.2).glance() == ""
    assert FileSource(path, COLUMNS, clock=lambda: 1_001.0).glance() != ""


def test_a_file_that_we_wrote_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(f"{HEAD}\nAnn;1;Cut;")
    at = FileSource(path, COLUMNS, clock=lambda: path.stat().st_mtime)
    assert at.glance() == ""
    assert at.write(at.read().token, [SheetWrite(2, 1, "2")], ())
    assert at.glance() != ""
    path.write_text(HEAD)
    assert at.glance() == ""


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SourceFailed, match=r"There is no file list\.csv\."):
        source(tmp_path / "list.csv").read()
