"""Simulates days and months of a waitlist in virtual time."""

from __future__ import annotations

from typing import Any

from frontdesk.simulate.played import Played, Progress, Scenario

#: The key in a scenario file that names this desk's subject.
DESCRIBES = "shop"


def read(tree: Any, name: str) -> Scenario:
    from frontdesk.simulate.waitlist.reading import waitlist_scenario

    return waitlist_scenario(tree, name)


def play(scenario: Scenario, seed: int, progress: Progress) -> Played | None:
    """Returns None if the scenario is not about a waitlist."""
    from frontdesk.simulate.waitlist import month, month_report, player, report
    from frontdesk.simulate.waitlist.scenario import Day, Month

    match scenario:
        case Day():
            day = player.play_day(scenario, seed=seed, progress=progress)
            return Played(report.as_data(day), report.as_words(day), day.problems)
        case Month():
            played = month.play_month(scenario, seed=seed, progress=progress)
            data, words = month_report.as_data(played), month_report.as_words(played)
            return Played(data, words, played.problems)
        case _:
            return None
