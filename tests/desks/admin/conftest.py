"""An installation for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.house import House, open_house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as opened:
        yield opened
