from collections.abc import Callable

import pytest

from frontdesk.simulate.library import find_scenario
from frontdesk.simulate.rsvp.player import Played, play
from frontdesk.simulate.rsvp.scenario import Scenario
from frontdesk.simulate.waitlist.player import PlayedDay, play_day
from frontdesk.simulate.waitlist.scenario import Day

_played: dict[str, Played] = {}
_days: dict[str, PlayedDay] = {}


@pytest.fixture
def played() -> Callable[[str], Played]:
    """A shipped scenario of an event, played once for all tests that look at it."""

    def get(name: str) -> Played:
        if name not in _played:
            scenario = find_scenario(name)
            assert isinstance(scenario, Scenario)
            _played[name] = play(scenario)
        return _played[name]

    return get


@pytest.fixture
def played_day() -> Callable[[str], PlayedDay]:
    """The same for a day at a waitlist."""

    def get(name: str) -> PlayedDay:
        if name not in _days:
            day = find_scenario(name)
            assert isinstance(day, Day)
            _days[name] = play_day(day)
        return _days[name]

    return get
