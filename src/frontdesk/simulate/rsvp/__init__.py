"""Simulates events in virtual time."""

from __future__ import annotations

from typing import Any

from frontdesk.simulate.scenario import Progress, Scenario, SimulationResult

#: The key in a scenario file that names this desk's subject.
DESCRIBES = "event"


def read(part: Any) -> Scenario:
    from frontdesk.simulate.rsvp.scenario_file import event_scenario

    return event_scenario(part)


def play(scenario: Scenario, seed: int, progress: Progress) -> SimulationResult | None:
    """Returns None if the scenario is not about an event."""
    from frontdesk.simulate.rsvp import player
    from frontdesk.simulate.rsvp.scenario import EventScenario

    if not isinstance(scenario, EventScenario):
        return None
    played = player.play(scenario, seed=seed, progress=progress)
    return SimulationResult(player.as_data(played), player.as_words(played), played.problems)
