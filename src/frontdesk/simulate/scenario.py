"""Values of a scenario: actions, steps, and what a player reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from frontdesk.values import Frozen

Progress = Callable[[int, int], None]
"""Gets the number of steps played, and of all steps."""


class Scenario(Frozen, kw_only=True):
    name: str
    about: str


class ScenarioAction(Frozen):
    """An action or fault at an instant."""


class PersonAction(ScenarioAction):
    who: str


class StaysSilent(PersonAction):
    """Does nothing; for the reader of the scenario."""


class MailFails(ScenarioAction):
    """The mail server fails or recovers."""

    down: bool


class MailBounces(PersonAction):
    """From now on the mail server rejects mail to this person."""


class Crashes(ScenarioAction):
    """The process ends and restarts."""


class FactsRepeat(ScenarioAction):
    """All facts are delivered to all followers again."""


class Step(Frozen):
    line: int
    at: datetime
    action: ScenarioAction
    then_crashes: bool = False
    """The process crashes right after the commit, before its followers run."""


class TimelineScenario(Scenario, kw_only=True):
    """A scenario with a list of timed steps."""

    begins_at: datetime
    ends_at: datetime
    steps: tuple[Step, ...]
    expects: Mapping[str, int]
    """Expected totals at the end, by name."""
    expects_of: Mapping[str, str]
    """Expected states of people at the end, by name."""

    def may_fail(self, *faults: type[ScenarioAction]) -> bool:
        """Whether a message may fail; `faults` are a desk's own."""
        return any(isinstance(one.action, (MailFails, MailBounces, *faults)) for one in self.steps)


class Moment(Frozen):
    """One line of the story. `kind` is that of the fact; empty for an action or a fault."""

    at: datetime
    kind: str
    text: str


class SimulationResult(Frozen):
    """The result of a simulation, as data and in words."""

    data: dict[str, Any]
    words: Iterable[str]
    problems: list[str]
