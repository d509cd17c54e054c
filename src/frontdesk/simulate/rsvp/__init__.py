"""Simulates events in virtual time."""

from __future__ import annotations

from typing import Any

from frontdesk.simulate.played import Played, Progress, Scenario

#: The key in a scenario file that names this desk's subject.
DESCRIBES = "event"


def read(tree: Any, name: str) -> Scenario:
    from frontdesk.simulate.rsvp.reading import event_scenario

    return event_scenario(tree, name)


def play(scenario: Scenario, seed: int, progress: Progress) -> Played | None:
    """Returns None if the scenario is not about an event."""
    from frontdesk.simulate.rsvp import player, report
    from frontdesk.simulate.rsvp import scenario as described

    if not isinstance(scenario, described.Scenario):
        return None
    played = player.play(scenario, seed=seed, progress=progress)
    return Played(report.as_data(played), report.as_words(played), played.problems)
