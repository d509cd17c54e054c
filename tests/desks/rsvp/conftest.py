"""A desk for each test, on its own store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.rsvp import RsvpDesk, rsvp_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[RsvpDesk]:
    """Checks after each test that nothing is broken or undelivered."""
    desk = rsvp_desk(tmp_path)
    yield desk
    assert desk.settle().problems() == []
    assert desk.dead_letters() == []
    desk.product.close()
