"""Simulates a year of a clinic with all desks in virtual time."""

from __future__ import annotations

from typing import Any

from frontdesk.simulate.scenario import Played, Progress, Scenario

#: The key in a scenario file that names this desk's subject.
DESCRIBES = "clinic"


def read(part: Any) -> Scenario:
    from frontdesk.simulate.reminders.scenario_file import clinic_scenario

    return clinic_scenario(part)


def play(scenario: Scenario, seed: int, progress: Progress) -> Played | None:
    """Returns None if the scenario is not about a clinic."""
    from frontdesk.simulate.reminders import report, year
    from frontdesk.simulate.reminders.scenario import ClinicYear

    if not isinstance(scenario, ClinicYear):
        return None
    played = year.play_year(scenario, seed=seed, progress=progress)
    return Played(report.as_data(played), report.as_words(played), played.problems)
