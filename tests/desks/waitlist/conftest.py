"""A desk for each test, on a store of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.waitlist import WaitlistDesk, waitlist_desk_at


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WaitlistDesk]:
    """Nothing may be left broken or undelivered behind any test."""
    desk = waitlist_desk_at(tmp_path)
    yield desk
    assert desk.settle().problems() == []
    assert desk.dead_letters() == []
    desk.close()
