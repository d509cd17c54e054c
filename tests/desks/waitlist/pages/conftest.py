"""A salon for each test, on a store of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desks.waitlist.pages.salon import Salon, salon_at


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    """Nothing may be left broken or undelivered behind any test."""
    with salon_at(tmp_path) as salon:
        yield salon
        assert salon.settle().problems() == []
        assert salon.served.desk.dead_letters() == []
