"""The list in a file as staff use it, from the first row to the restored version."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]
import pytest

from frontdesk.desks.waitlist.commands import ChangeWish
from frontdesk.desks.waitlist.model import Lane, Wish
from frontdesk.desks.waitlist.sheet import COLUMNS, list_table
from frontdesk.features.sheet_sync.file_source import FileSource
from frontdesk.features.sheet_sync.model import Counts, SyncReport
from frontdesk.features.sheet_sync.sync import SheetSync
from tests.support.waitlist import TODAY, WaitlistDesk, waitlist_desk_at

HEADINGS = ("Name", "Phone", "Email", "Service", "Pax", "Until", "Notes")
ANN = ("Ann Lee", "9123 4567", "", "cut", 2, date(2026, 11, 30), "tea; no milk")
BOB = ("Bob", "", "bob@example.org", "cut", 1, date(2026, 12, 24), "")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WaitlistDesk]:
    desk = waitlist_desk_at(tmp_path).given()
    yield desk
    desk.close()


def as_csv() -> bytes:
    lines = [";".join(map(str, _quoted(row))) for row in (HEADINGS, ANN, BOB)]
    return b"\xef\xbb\xbf" + "\r\n".join(lines).encode()


def _quoted(row: tuple[object, ...]) -> list[str]:
    return [f'"{cell}"' if ";" in str(cell) else str(cell) for cell in row]


def as_xlsx() -> bytes:
    book = openpyxl.Workbook()
    for row in (HEADINGS, ANN, BOB):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.spec("WL-01", "WL-02")
@pytest.mark.parametrize(("name", "data"), [("list.csv", as_csv()), ("list.xlsx", as_xlsx())])
def test_a_list_in_a_file_is_kept_in_step(
    desk: WaitlistDesk, tmp_path: Path, name: str, data: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    source = FileSource(path, COLUMNS, clock=lambda: 4_000_000_000.0)
    keep = SheetSync(desk.engine, desk.clock, list_table("SG"), source)

    assert keep.sync() == SyncReport(Counts(joined=2, written=6), version=1)
    kept = path.read_bytes()
    assert keep.sync() == SyncReport()
    assert path.read_bytes() == kept

    desk.join("cat", lane=Lane.FORM)
    bob = next(one.entry for one in desk.reads.list_rows() if one.name == "Bob")
    desk.run(ChangeWish(bob.id, Wish("cut", 4, bob.earliest_on, TODAY.replace(day=28))))
    assert keep.sync() == SyncReport(Counts(written=3), version=2)
    assert keep.sync() == SyncReport()
    rows = source.read().rows
    assert [row.cells[:7] for row in rows] == [
        HEADINGS,
        ("Ann Lee", "9123 4567", "", "cut", "2", "2026-11-30", "tea; no milk"),
        ("Bob", "", "bob@example.org", "cut", "4", "2026-11-28", ""),
        ("Cat", "", "cat@example.org", "cut", "1", "2026-12-16", ""),
    ]

    assert keep.go_back(1, by="member:1").counts == Counts(edited=1)
    assert desk.entry(bob.id).latest_on == date(2026, 12, 24)
    assert keep.sync() == SyncReport()


def test_trouble_with_the_file_is_logged_once_until_it_changes(
    desk: WaitlistDesk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.csv"
    source = FileSource(path, COLUMNS, clock=lambda: 4_000_000_000.0)
    keep = SheetSync(desk.engine, desk.clock, list_table("SG"), source)

    def logged() -> list[str]:
        lines = map(json.loads, capsys.readouterr().err.splitlines())
        return [line["why"] for line in lines if line["event"] == "sheet.trouble"]

    missing = SyncReport(trouble="There is no file list.csv.")
    assert [keep.sync(), keep.sync(), keep.sync()] == [missing] * 3
    assert logged() == ["There is no file list.csv."]

    path.write_bytes(as_csv())
    assert keep.sync().trouble == ""
    assert logged() == []

    path.unlink()
    assert [keep.sync(), keep.sync()] == [missing] * 2
    assert logged() == ["There is no file list.csv."]
