"""Provides a salon for each test, on its own store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desks.waitlist.pages.salon import Salon, salon_at


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    """Checks after each test that nothing is broken or undelivered."""
    with salon_at(tmp_path) as salon:
        yield salon
        assert salon.settle().problems() == []
        assert salon.served.desk.dead_letters() == []
