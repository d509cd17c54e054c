"""The application, deployed once for all tests that drive it end to end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.aws.stack import AwsDesk, Stack, deployed, desk_on


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Tests that ask for it are of the group "aws": one process owns it."""
    with deployed(tmp_path_factory.mktemp("aws")) as stack:
        yield stack


@pytest.fixture
def desk(stack: Stack, tmp_path: Path) -> Iterator[AwsDesk]:
    """An event of its own. Afterwards all that must hold holds, and nobody was denied anything."""
    desk = desk_on(stack, tmp_path)
    yield desk
    desk.settle()
    assert (stack.denied(), desk.problems()) == ([], [])
