"""Finds and reads scenarios in YAML; errors name the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from importlib.resources import files
from pathlib import Path
from types import UnionType
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import BadZone
from frontdesk.core.reminder_times import BadReminderTimes
from frontdesk.core.yaml_tree import MOST_BYTES, YamlList, YamlMap, YamlText, parse_yaml
from frontdesk.errors import os_reason
from frontdesk.simulate.scenario import Scenario, ScenarioAction, Step, TimelineScenario
from frontdesk.simulate.sentences import BadSentence, read_number, read_when
from frontdesk.wiring.desks import desk_modules

MOST_STEPS: Final = 2_000
_CRASH: Final = " and the process crashes"
_LONG_AGO: Final = timedelta(days=1000)


class BadScenario(ValueError):
    """The scenario is invalid; the text names the line and the reason, and can be shown."""

    def __init__(self, where: str, line: int | None, why: str) -> None:
        super().__init__(f"{where}{f', line {line}' if line else ''}: {why}")


# --- files ------------------------------------------------------------------------------------


def shipped() -> Iterator[Scenario]:
    for file in sorted(_folder().iterdir(), key=lambda file: file.name):
        if file.name.endswith(".yaml"):
            yield read(file.read_text(encoding="utf-8"), file.name.removesuffix(".yaml"))


def find_scenario(name: str) -> Scenario:
    """Finds a shipped scenario by its name, or reads a file."""
    if re.fullmatch(r"[a-z0-9-]+", name) and (_folder() / f"{name}.yaml").is_file():
        return read((_folder() / f"{name}.yaml").read_text(encoding="utf-8"), name)
    path = Path(name)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadScenario(name, None, "this file is too large for a scenario")
        return read(path.read_text(encoding="utf-8"), path.stem)
    except FileNotFoundError:
        known = ", ".join(each.name for each in shipped())
        raise BadScenario(name, None, f"there is no such scenario; there are {known}") from None
    except OSError as error:
        raise BadScenario(name, None, f"it cannot be read: {os_reason(error)}") from error
    except UnicodeDecodeError as error:
        raise BadScenario(name, None, "it cannot be read: it is not text") from error


def _folder() -> Any:
    return files("frontdesk.simulate") / "scenarios"


def read(text: str, name: str) -> Scenario:
    """Reads the scenario with the desk whose subject it names, or with the first desk."""
    first, *others = desk_modules("frontdesk.simulate")
    part = _parse(text, name)
    if part is None:
        subjects = f"{first.DESCRIBES} (or {', '.join(each.DESCRIBES for each in others)})"
        raise BadScenario(name, 1, f"a scenario has the parts about, {subjects} and timeline")
    desk = next((each for each in others if each.DESCRIBES in part), first)
    found: Scenario = desk.read(part)
    return found


def _parse(text: str, name: str) -> ScenarioPart | None:
    tree = parse_yaml(text)
    if tree.problems:
        raise BadScenario(name, tree.problems[0].line, tree.problems[0].why)
    return ScenarioPart(tree.root, name, text) if isinstance(tree.root, YamlMap) else None


class ScenarioPart:
    """A part of a scenario: named values. Its errors name the line of the value."""

    def __init__(self, node: YamlMap, file: str, text: str) -> None:
        self.node = node
        self.file = file
        self._text = text

    def __contains__(self, key: str) -> bool:
        return self.node.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        return (pair.key.text for pair in self.node.pairs)

    def allow_keys(self, *keys: str) -> None:
        """Rejects other keys than these."""
        for key in self:
            if key not in keys:
                raise self.bad(key, f"{key} is not known here; there are {', '.join(keys)}")

    def part(self, key: str) -> ScenarioPart:
        node = self.node.get(key)
        if not isinstance(node, YamlMap):
            raise self.bad(key, f"{key} needs parts of its own")
        return ScenarioPart(node, self.file, self._text)

    def names(self, key: str) -> list[str]:
        """Returns a list of names; empty if it is missing."""
        node = self.node.get(key)
        if node is None:
            return []
        if not isinstance(node, YamlList):
            raise self.bad(key, f"{key} is a list of names")
        names = [item.text for item in node.items if isinstance(item, YamlText)]
        if len(names) < len(node.items):
            raise self.bad(key, f"{key} is a list of names")
        return names

    def value(self, key: str, read: Callable[[str], Any], default: Any = None) -> Any:
        match self.node.get(key):
            case None if default is None:
                raise BadScenario(self.file, self.node.line, f"{key} is missing")
            case None:
                return default
            case YamlText() as node if node.is_empty:
                raise self.bad(key, f"{key} is empty")
            case YamlText(scalar):
                text = scalar
            case YamlList():
                text = "\n".join(self.names(key))
            case _:
                raise self.bad(key, f"{key} needs a value, not parts of its own")
        try:
            return read(text)
        except (ValueError, BadReminderTimes, BadZone) as error:
            raise self.bad(key, f"{key}: {error}") from None

    def sentences(self, key: str) -> Iterator[tuple[int, str]]:
        """Yields the steps of a timeline, each with its line."""
        timeline = self.node.get(key)
        if not isinstance(timeline, YamlList) or not timeline.items:
            raise self.bad(key, f"{key} is a list with at least one step")
        if len(timeline.items) > MOST_STEPS:
            raise self.bad(key, f"a {key} has at most {MOST_STEPS} steps")
        for item in timeline.items:
            if not isinstance(item, YamlText):
                why = "this is no sentence; if it has a colon, quote it"
                raise BadScenario(self.file, item.line, why)
            yield item.line, item.text.strip()

    def line(self, key: str) -> int:
        found = (pair.key.line for pair in self.node.pairs if pair.key.text == key)
        return next(found, self.node.line)

    def rules(self, key: str, parse: Callable[[str, str], Any], zone: str) -> tuple[str, Any]:
        """Reads a document with rules: its text, and the parsed rules."""
        text: str = self.value(key, str)
        parsed = parse(text, zone)
        if parsed.rules is None:
            problem = parsed.problems[0]
            raise BadScenario(self.file, self.line_in(key, problem.line), f"{key}: {problem.why}")
        return text, parsed.rules

    def line_in(self, key: str, line: int) -> int:
        """Returns the line in the file of a line of this text, as far as it is known."""
        node = self.node.get(key)
        is_literal = isinstance(node, YamlText) and self._text[node.start] == "|"
        return self.line(key) + (line if is_literal else 0)

    def bad(self, key: str, why: str) -> BadScenario:
        return BadScenario(self.file, self.line(key), why)

    # --- parts that all scenarios have --------------------------------------------------------

    def steps(
        self,
        near: datetime,
        tz: ZoneInfo,
        read_action: Callable[[str, datetime], ScenarioAction],
        length: Callable[[ScenarioAction], timedelta] = lambda action: timedelta(),
    ) -> Iterator[Step]:
        """Yields the steps of the timeline. `near` is in the day from which `1d` counts."""
        ended_at = near - _LONG_AGO
        for line, text in self.sentences("timeline"):
            try:
                at, rest = read_when(text, ended_at, near, tz)
                action = read_action(rest.removesuffix(_CRASH).strip(), at)
            except BadSentence as error:
                raise BadScenario(self.file, line, str(error)) from None
            if at < ended_at:
                raise BadScenario(self.file, line, "this begins before the previous step ends")
            yield Step(line, at, action, rest.endswith(_CRASH))
            ended_at = at + length(action)

    def timeline(
        self,
        steps: tuple[Step, ...],
        moment: Callable[[str], datetime],
        ends_at: datetime,
        expected: tuple[dict[str, int], dict[str, str]],
    ) -> dict[str, Any]:
        """The fields of a `TimelineScenario`; `ends_at` is used if the file has no end."""
        return {
            "name": self.file,
            "about": self.value("about", str, ""),
            "begins_at": self.value("begins", moment, steps[0].at - timedelta(hours=1)),
            "ends_at": self.value("ends", moment, ends_at),
            "steps": steps,
            "expects": expected[0],
            "expects_of": expected[1],
        }

    def expected(
        self, figures: Sequence[str], people: str, states: Sequence[str]
    ) -> tuple[dict[str, int], dict[str, str]]:
        """Reads the expected totals, and the expected states of people under the key `people`."""
        if "expect" not in self:
            return {}, {}
        expect = self.part("expect")
        expect.allow_keys(*figures, people)
        read = partial(read_number, least=0, most=100_000)
        totals = {key: expect.value(key, read) for key in expect if key in figures}
        if people not in expect:
            return totals, {}
        persons = expect.part(people)
        return totals, {who: persons.value(who, partial(_state, states=states)) for who in persons}

    def check_people(
        self,
        scenario: TimelineScenario,
        known: Iterable[str],
        joining: type[ScenarioAction] | UnionType,
        *,
        too_early: str,
        never: str,
    ) -> None:
        """Rejects people who act before they have joined: that is a typing error. `known` have
        joined before the first step.
        """
        here = set(known)
        for step in scenario.steps:
            who = getattr(step.action, "who", None)
            if isinstance(step.action, joining) and who is not None:
                here.add(who)
            elif who is not None and who not in here:
                raise BadScenario(self.file, step.line, f"{who} {too_early}")
        for who in scenario.expects_of:
            if who not in here:
                raise self.bad("expect", f"{who} {never}")

    def check_order(self, scenario: TimelineScenario) -> None:
        if scenario.steps[0].at < scenario.begins_at:
            raise self.bad("begins", "the first step is before that")
        if scenario.ends_at < scenario.steps[-1].at:
            raise self.bad("ends", "the last step is after that")


def _state(text: str, states: Sequence[str]) -> str:
    if text not in states:
        raise ValueError(f"somebody is {', '.join(states)}, not {text}")
    return text
