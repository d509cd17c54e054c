"""Provides a shop for each test, on its own store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desks.booking.pages.shop import Shop, shop_at


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """Checks after each test that nothing is undelivered."""
    with shop_at(tmp_path) as shop:
        yield shop
        assert shop.settle().served.desk.dead_letters() == []
