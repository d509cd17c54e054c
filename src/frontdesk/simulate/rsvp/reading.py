"""Reads a scenario from YAML; errors name the line and the reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from ruamel.yaml.comments import CommentedMap

from frontdesk.core.localtime import to_instant, zone
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.reminder_times import parse_rule
from frontdesk.desks.rsvp.model import Details, Settings, State
from frontdesk.simulate.rsvp import scenario as s
from frontdesk.simulate.rsvp.scenario import Scenario, Step
from frontdesk.simulate.rsvp.sentences import read_deed
from frontdesk.simulate.sentences import BadSentence, read_moment, read_span, read_when
from frontdesk.simulate.yaml_file import BadScenario, Reader, load
from frontdesk.values import replace

FIGURES: Final = frozenset({"taken", "held", "free", "waiting", "cancelled", "pending"})
_CRASH: Final = " and the process crashes"


PARTS: Final = "about, event and timeline"


def read_scenario(text: str, name: str) -> Scenario:
    return event_scenario(load(text, name, PARTS), name)


def event_scenario(tree: CommentedMap, name: str) -> Scenario:
    return _Reader(name).scenario(tree)


class _Reader(Reader):
    def scenario(self, tree: CommentedMap) -> Scenario:
        self._known(tree, ("about", "event", "begins", "ends", "people", "timeline", "expect"))
        event = self._map(tree, "event")
        self._known(event, ("name", "seats", "starts", "length", "zone", "venue", "settings"))
        tz = self._value(event, "zone", zone, ZoneInfo("UTC"))
        details = self._details(event, tz)
        steps = tuple(self._steps(tree, details, tz))
        first_at = steps[0].at - timedelta(hours=1)
        last_at = max(steps[-1].at, details.ends_at) + timedelta(days=1)

        def moment(text: str) -> datetime:
            return read_moment(text, details.starts_at, tz)

        figures, people = self._expects(tree)
        scenario = Scenario(
            self._name,
            self._value(tree, "about", str, ""),
            details,
            self._value(event, "seats", _seats),
            self._settings(event),
            self._value(tree, "begins", moment, first_at),
            self._value(tree, "ends", moment, last_at),
            steps,
            figures,
            people,
        )
        self._check_order(tree, scenario)
        self._check_people(tree, scenario)
        return scenario

    def _details(self, event: CommentedMap, tz: ZoneInfo) -> Details:
        starts_at = self._value(event, "starts", lambda text: to_instant(_wall(text), tz))
        length = self._value(event, "length", read_span, timedelta(hours=2))
        return Details(
            self._value(event, "name", str, "An event"),
            starts_at,
            starts_at + length,
            tz.key,
            self._value(event, "venue", str, ""),
        )

    def _settings(self, event: CommentedMap) -> Settings:
        if "settings" not in event:
            return Settings()
        said = self._map(event, "settings")
        self._known(said, tuple(_SETTINGS))
        values = {key: self._value(said, key, _SETTINGS[key]) for key in said}
        if "quiet_hours" in values:
            values["quiet"] = values.pop("quiet_hours")
        return replace(Settings(), **values)

    def _steps(self, tree: CommentedMap, details: Details, tz: ZoneInfo) -> Iterator[Step]:
        at = details.starts_at - timedelta(days=1000)
        for line, text in self._sentences(tree, "timeline"):
            try:
                step = _step(line, text, at, details, tz)
            except BadSentence as error:
                raise BadScenario(self._name, line, str(error)) from None
            if step.at < at:
                raise BadScenario(self._name, line, "this is earlier than the step before it ends")
            yield step
            at = step.at + _length(step)

    def _expects(self, tree: CommentedMap) -> tuple[dict[str, int], dict[str, str]]:
        if "expect" not in tree:
            return {}, {}
        expect = self._map(tree, "expect")
        self._known(expect, (*sorted(FIGURES), "guests"))
        figures = {key: self._value(expect, key, _number) for key in expect if key in FIGURES}
        guests = self._map(expect, "guests") if "guests" in expect else CommentedMap()
        return figures, {str(who): self._value(guests, who, _state) for who in guests}

    def _check_order(self, tree: CommentedMap, scenario: Scenario) -> None:
        if scenario.steps[0].at < scenario.begins_at:
            raise self._bad(tree, "begins", "the first step is before that")
        if scenario.ends_at < scenario.steps[-1].at:
            raise self._bad(tree, "ends", "the last step is after that")

    def _check_people(self, tree: CommentedMap, scenario: Scenario) -> None:
        """Rejects people who act before they are on the list: that is a typing error."""
        listed = set(self._names(tree, "people")) if "people" in tree else None
        here: set[str] = set()
        for step in scenario.steps:
            who = getattr(step.deed, "who", None)
            if who is None:
                continue
            if listed is not None and who not in listed:
                raise BadScenario(self._name, step.line, f"{who} is not among the people")
            if isinstance(step.deed, s.SignsUp | s.HostInvites):
                here.add(who)
            elif who not in here:
                why = f"{who} has neither signed up nor been invited by then"
                raise BadScenario(self._name, step.line, why)
        for who in scenario.expects_of:
            if who not in here:
                raise self._bad(tree, "expect", f"{who} does not appear in the timeline")


def _step(line: int, text: str, before: datetime, details: Details, tz: ZoneInfo) -> Step:
    at, rest = read_when(text, before, details.starts_at, tz)
    crashes = rest.endswith(_CRASH)
    deed = read_deed(rest.removesuffix(_CRASH).strip(), tz)
    return Step(line, at, deed, rest, crashes)


def _length(step: Step) -> timedelta:
    return step.deed.over if isinstance(step.deed, s.CrowdSignsUp) else timedelta()


def _wall(text: str) -> datetime:
    try:
        wall = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no date and time; write 2026-11-28 15:00") from None
    if wall.tzinfo is not None:
        raise ValueError("it is local to the event and has no zone")
    return wall


def _number(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,6}", text):
        raise ValueError(f"{text!r} is no number")
    return int(text)


def _seats(text: str) -> int:
    number = _number(text)
    if not 0 <= number <= 100_000:
        raise ValueError("an event has 0 to 100,000 seats")
    return number


def _yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f"write yes or no, not {text!r}")
    return text == "yes"


def _state(text: str) -> str:
    if text not in frozenset(State):
        raise ValueError(f"a guest is {', '.join(State)}, not {text}")
    return text


def _quiet_hours(text: str) -> QuietHours:
    found = re.fullmatch(r"(\d{2}:\d{2})\s*-\s*(\d{2}:\d{2})", text)
    if found is None:
        raise ValueError("write 21:00-08:00")
    start, end = (datetime.strptime(part, "%H:%M").time() for part in found.groups())  # noqa: DTZ007
    return QuietHours(start, end)


def _rules(text: str) -> tuple[str, ...]:
    return tuple(str(parse_rule(rule)) for rule in text.splitlines())


def _claim_window(text: str) -> timedelta:
    if (span := read_span(text)) <= timedelta():
        raise ValueError("a claim window is longer than nothing")
    return span


_SETTINGS: Final[Mapping[str, Callable[[str], Any]]] = {
    "quiet_hours": _quiet_hours,
    "claim_window": _claim_window,
    "time_critical": _yes,
    "party_limit": _number,
    "strict_order": _yes,
    "double_opt_in": _yes,
    "private_answers": _yes,
    "daily_mail": _yes,
    "reminders": _rules,
}
