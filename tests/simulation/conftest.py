from collections.abc import Callable

import pytest

from frontdesk.simulate.rsvp.player import PlayedEvent, play
from frontdesk.simulate.rsvp.scenario import EventScenario
from frontdesk.simulate.scenario_file import find_scenario
from frontdesk.simulate.waitlist.player import PlayedDay, play_day
from frontdesk.simulate.waitlist.scenario import Day
from frontdesk.store.sqlite.waitlist import entries


def skip_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Breaks the order of the waitlist: the last person who joined is first."""
    monkeypatch.setattr(
        entries, "_ORDERS", {"priority": "e.priority", "joined": "e.joined_at DESC"}
    )
    monkeypatch.setattr(entries, "_candidates_sql", entries._candidates_sql.__wrapped__)


_played: dict[str, PlayedEvent] = {}
_days: dict[str, PlayedDay] = {}


@pytest.fixture
def played() -> Callable[[str], PlayedEvent]:
    """Returns a function that plays a shipped scenario of an event once for all tests."""

    def get(name: str) -> PlayedEvent:
        if name not in _played:
            scenario = find_scenario(name)
            assert isinstance(scenario, EventScenario)
            _played[name] = play(scenario)
        return _played[name]

    return get


@pytest.fixture
def played_day() -> Callable[[str], PlayedDay]:
    """Returns a function that plays a shipped day of a waitlist once for all tests."""

    def get(name: str) -> PlayedDay:
        if name not in _days:
            day = find_scenario(name)
            assert isinstance(day, Day)
            _days[name] = play_day(day)
        return _days[name]

    return get
