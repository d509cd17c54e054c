"""A desk for each test, on a store of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.rsvp import RsvpDesk, rsvp_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[RsvpDesk]:
    """Nothing may be left broken or undelivered behind any test."""
    desk = rsvp_desk(tmp_path)
    yield desk
    assert desk.settle().problems() == []
    assert desk.dead_letters() == []
    desk.product.close()
