"""Provides a world for tests that change nothing, shared by the tests of a file."""

from collections.abc import Iterator

import pytest

from tests.security.world import World, open_world


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("world")) as world:
        yield world
