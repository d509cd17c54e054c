"""Provides a desk for each test, on its own store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.waitlist import WaitlistDesk, waitlist_desk_at


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WaitlistDesk]:
    """Checks after each test that nothing is broken or undelivered."""
    desk = waitlist_desk_at(tmp_path)
    yield desk
    assert desk.settle().problems() == []
    assert desk.dead_letters() == []
    desk.close()
