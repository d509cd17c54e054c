"""Provides a desk for each test, on its own store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.web.limits import Limits
from tests.desks.rsvp.console_desk import ConsoleDesk, console_desk
from tests.support.rsvp import RsvpDesk, rsvp_desk
from tests.support.server import Served, serve


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[RsvpDesk]:
    """Checks after each test that nothing is broken or undelivered."""
    desk = rsvp_desk(tmp_path)
    yield desk
    assert desk.settle().problems() == []
    assert desk.dead_letters() == []
    desk.product.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serve(tmp_path) as served:
        yield served
        assert served.desk.settle().problems() == []
        assert served.desk.dead_letters() == []


@pytest.fixture
def con(tmp_path: Path) -> Iterator[ConsoleDesk]:
    with console_desk(tmp_path) as opened:
        yield opened
        assert opened.desk.settle().problems() == []
        assert opened.desk.dead_letters() == []


@pytest.fixture(scope="module")
def unchanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Provides a server for all tests that change nothing."""
    with serve(tmp_path_factory.mktemp("data")) as served:
        served.desk.given(cap=3, party_limit=3)
        served.desk.product.site.limits = Limits(enabled=False)
        yield served
