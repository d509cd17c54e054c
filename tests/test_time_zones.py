"""The time zones of the machine are used unless the locked package has newer ones."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from pathlib import Path

import pytest
import tzdata  # type: ignore[import-untyped]

from frontdesk.time_zones import machine_version, use_newest_time_zones


@pytest.fixture(autouse=True)
def path_of_the_tests() -> Iterator[None]:
    before = zoneinfo.TZPATH
    yield
    zoneinfo.reset_tzpath(before)


@pytest.mark.parametrize(
    ("version", "uses_machine"), [("2025b", False), ("", False), ("2999a", True)]
)
@pytest.mark.spec("BK-09")
def test_the_newest_time_zones_are_used(
    version: str, uses_machine: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version:
        (tmp_path / "tzdata.zi").write_text(f"# version {version}\nR d 1916 o - Jun 14 23s 1 S\n")
    monkeypatch.delenv("PYTHONTZPATH")
    zoneinfo.reset_tzpath((str(tmp_path),))

    use_newest_time_zones()

    assert [*zoneinfo.TZPATH] == [str(tmp_path)] * uses_machine


def test_the_version_of_the_machine_is_as_its_file_says(tmp_path: Path) -> None:
    (tmp_path / "tzdata.zi").write_text("# version 2026c\n")

    assert machine_version([str(tmp_path / "missing"), str(tmp_path)]) == "2026c"
    assert machine_version([str(tmp_path / "missing")]) == ""
    assert tzdata.IANA_VERSION > "2026"


def test_a_path_that_somebody_chose_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONTZPATH", "/srv/zones")
    zoneinfo.reset_tzpath(("/srv/zones",))

    use_newest_time_zones()

    assert zoneinfo.TZPATH == ("/srv/zones",)
