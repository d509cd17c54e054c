"""Simulates booked weeks in virtual time."""

from __future__ import annotations

from typing import Any

from frontdesk.simulate.scenario import Progress, Scenario, SimulationResult

#: The key in a scenario file that names this desk's subject.
DESCRIBES = "business"


def read(part: Any) -> Scenario:
    from frontdesk.simulate.booking.scenario_file import booking_scenario

    return booking_scenario(part)


def play(scenario: Scenario, seed: int, progress: Progress) -> SimulationResult | None:
    """Returns None if the scenario is not about bookings."""
    from frontdesk.simulate.booking import player
    from frontdesk.simulate.booking.scenario import Week
    from frontdesk.simulate.player import as_data

    if not isinstance(scenario, Week):
        return None
    played = player.play_week(scenario, seed=seed, progress=progress)
    return SimulationResult(as_data(played), player.as_words(played), played.problems)
