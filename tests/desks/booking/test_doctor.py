"""The doctor names each fault that a test puts into the bookings of the demo."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from frontdesk.desks.booking.doctor import rebuild
from frontdesk.doctor import check_up
from frontdesk.embedded.demo import fill
from frontdesk.settings import Settings
from frontdesk.store.sqlite.view import open_view
from frontdesk.wiring.one_machine import TABLES, data_file
from tests.support.data_file import run_sql

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
#: The first tick of the last booking with Mira.
LAST = (
    "SELECT min(tick) FROM bk_claim WHERE resource = 'mira' AND holder ="
    " (SELECT holder FROM bk_claim WHERE resource = 'mira' AND holder LIKE 'booking:%'"
    " ORDER BY tick DESC LIMIT 1)"
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    fill(Settings(data_dir=folder), NOW)
    return folder


@pytest.fixture
def data(demo: Path, tmp_path: Path) -> Path:
    """Copies the demo."""
    shutil.copytree(demo, tmp_path / "data")
    return tmp_path / "data"


def problems(data: Path) -> Sequence[str]:
    with open_view(data_file(data), TABLES) as view:
        return check_up(view, NOW, served=False).problems


def is_like_the_audit(data: Path) -> bool:
    with open_view(data_file(data), TABLES) as view:
        return rebuild(view, NOW, lambda _done, _total: None).differences == ()


@pytest.mark.spec("FD-06", "FD-17")
def test_the_bookings_of_the_demo_are_sound_and_match_their_audit(data: Path) -> None:
    assert problems(data) == ()
    assert is_like_the_audit(data)


@pytest.mark.spec("BK-11")
def test_a_cell_of_nobody_is_named(data: Path) -> None:
    nobody = f"booking:{'0' * 32}"
    run_sql(data, "INSERT INTO bk_claim VALUES ('mira', 99999999, 0, ?)", nobody)

    assert problems(data) == (f"{nobody} has 1 cells, and there is no such booking or handover",)


@pytest.mark.spec("BK-11")
def test_two_bookings_in_one_chair_are_named(data: Path) -> None:
    [[tick]] = run_sql(data, LAST)
    [[holder]] = run_sql(
        data, "SELECT holder FROM bk_claim WHERE resource = 'mira' AND tick = ?", tick
    )
    [[other]] = run_sql(
        data,
        "SELECT holder FROM bk_claim WHERE holder LIKE 'booking:%' AND holder <> ? LIMIT 1",
        holder,
    )
    run_sql(data, "INSERT INTO bk_claim VALUES ('mira', ?, 1, ?)", tick, other)

    at = datetime.fromtimestamp(tick * 300, UTC)
    found = problems(data)
    assert f"mira has 2 holders of 1 places at {at}" in found
    assert any(each.startswith(f"{other} has ") for each in found)


@pytest.mark.spec("BK-11")
def test_a_wrong_tally_is_named(data: Path) -> None:
    [[scope, period, bookings]] = run_sql(
        data, "SELECT scope, period, bookings FROM bk_tally WHERE scope = 'resource:mira' LIMIT 1"
    )
    run_sql(data, "UPDATE bk_tally SET bookings = 99 WHERE scope = ? AND period = ?", scope, period)

    [problem] = problems(data)
    assert problem.startswith(f"tally {scope} {period} says [99, ")
    assert f"the bookings say [{bookings}, " in problem


@pytest.mark.spec("FD-06")
def test_a_booking_that_was_changed_behind_the_audit_is_named(data: Path) -> None:
    run_sql(data, "UPDATE bk_booking SET price_cents = price_cents + 1 WHERE status = 'confirmed'")

    assert not is_like_the_audit(data)
    assert problems(data) != ()
