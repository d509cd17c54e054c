"""Opens drivers, and closes them after the test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.driver import EngineDriver


@pytest.fixture
def open_driver(tmp_path: Path) -> Iterator[Callable[..., EngineDriver]]:
    """Each call is a new process on the same file."""
    drivers: list[EngineDriver] = []

    def open_(**named: Any) -> EngineDriver:
        drivers.append(EngineDriver(tmp_path / "bell.db", **named))
        return drivers[-1]

    yield open_
    for driver in drivers:
        driver.close()
