from collections.abc import Callable

import pytest

from frontdesk.simulate.player import Played, play
from frontdesk.simulate.reading import find_scenario

_played: dict[str, Played] = {}


@pytest.fixture
def played() -> Callable[[str], Played]:
    """A shipped scenario, played once for all tests that look at it."""

    def get(name: str) -> Played:
        if name not in _played:
            _played[name] = play(find_scenario(name))
        return _played[name]

    return get
