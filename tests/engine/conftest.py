"""Opens houses, and closes them after the test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.house import House


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Each call is a new process on the same file."""
    houses: list[House] = []

    def open_(**named: Any) -> House:
        houses.append(House(tmp_path / "bell.db", **named))
        return houses[-1]

    yield open_
    for house in houses:
        house.close()
