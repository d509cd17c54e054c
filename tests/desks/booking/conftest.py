"""Provides a booking desk for each test, on an empty store of each kind."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.booking import BookingDesk
from tests.support.dynamodb import needs_dynamodb

Opened = Callable[..., BookingDesk]


@pytest.fixture(params=["sqlite", pytest.param("dynamodb", marks=needs_dynamodb)])
def open_desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """Opens desks with options. Checks at the end that nothing is broken or undelivered."""
    opened: list[BookingDesk] = []

    def open_(**options: object) -> BookingDesk:
        tables = request.getfixturevalue("dynamodb") if request.param == "dynamodb" else None
        opened.append(BookingDesk(tmp_path, tables, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield open_
    for desk in opened:
        assert desk.settle().problems() == []
        assert desk.dead_letters() == []
        desk.close()


@pytest.fixture
def desk(open_desk: Opened) -> BookingDesk:
    return open_desk()
