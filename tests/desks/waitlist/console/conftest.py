"""Provides a salon for each test, on its own store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.salon import Salon
from tests.support.salon import salon as open_salon


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    with open_salon(tmp_path) as opened:
        yield opened
