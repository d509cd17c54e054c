"""Simulates reminders in a year of a clinic, in virtual time. The clinic has all desks."""

from __future__ import annotations

from typing import Any

from frontdesk.simulate.scenario import Progress, Scenario, SimulationResult

#: The key in a scenario file that names this desk's subject.
DESCRIBES = "clinic"


def read(part: Any) -> Scenario:
    from frontdesk.simulate.clinic.scenario_file import clinic_scenario

    return clinic_scenario(part)


def play(scenario: Scenario, seed: int, progress: Progress) -> SimulationResult | None:
    """Returns None if the scenario is not about a clinic."""
    from frontdesk.simulate.clinic import report, year
    from frontdesk.simulate.clinic.scenario import ClinicYear

    if not isinstance(scenario, ClinicYear):
        return None
    played = year.play_year(scenario, seed=seed, progress=progress)
    return SimulationResult(report.as_data(played), report.as_words(played), played.problems)
