"""Simulates days and months of a waitlist in virtual time."""

from __future__ import annotations

from typing import Any

from frontdesk.simulate.scenario import Progress, Scenario, SimulationResult

#: The key in a scenario file that names this desk's subject.
DESCRIBES = "shop"


def read(part: Any) -> Scenario:
    from frontdesk.simulate.waitlist.scenario_file import waitlist_scenario

    return waitlist_scenario(part)


def play(scenario: Scenario, seed: int, progress: Progress) -> SimulationResult | None:
    """Returns None if the scenario is not about a waitlist."""
    from frontdesk.simulate.player import as_data
    from frontdesk.simulate.waitlist import month, player, report
    from frontdesk.simulate.waitlist.scenario import Day, Month

    match scenario:
        case Day():
            day = player.play_day(scenario, seed=seed, progress=progress)
            return SimulationResult(as_data(day), report.as_words(day), day.problems)
        case Month():
            played = month.play_month(scenario, seed=seed, progress=progress)
            data, words = report.month_as_data(played), report.month_as_words(played)
            return SimulationResult(data, words, played.problems)
        case _:
            return None
