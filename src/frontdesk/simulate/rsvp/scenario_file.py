"""Reads a scenario of an event and the sentences of its timeline; errors name the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from re import Match
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import to_instant, zone
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.reminder_times import parse_rule
from frontdesk.desks.rsvp.model import Details, EventSettings, State
from frontdesk.simulate.rsvp import scenario as s
from frontdesk.simulate.rsvp.scenario import EventScenario
from frontdesk.simulate.scenario import ScenarioAction
from frontdesk.simulate.scenario_file import BadScenario, ScenarioPart
from frontdesk.simulate.sentences import (
    BadSentence,
    Sentences,
    read_moment,
    read_number,
    read_span,
    read_wall,
    read_yes,
)
from frontdesk.values import replace

FIGURES: Final = ("cancelled", "free", "held", "pending", "taken", "waiting")
MOST_PEOPLE: Final = 5_000


def event_scenario(part: ScenarioPart) -> EventScenario:
    part.allow_keys("about", "event", "begins", "ends", "people", "timeline", "expect")
    event = part.part("event")
    event.allow_keys("name", "seats", "starts", "length", "zone", "venue", "settings")
    tz = event.value("zone", zone, ZoneInfo("UTC"))
    details = _details(event, tz)
    steps = tuple(
        part.steps(details.starts_at, tz, lambda text, _at: read_action(text, tz), _length)
    )
    moment = partial(read_moment, near=details.starts_at, tz=tz)
    last_at = max(steps[-1].at, details.ends_at) + timedelta(days=1)
    expected = part.expected(FIGURES, "guests", tuple(State))
    scenario = EventScenario(
        details=details,
        seats=event.value("seats", _seats),
        settings=_settings(event),
        **part.timeline(steps, moment, last_at, expected),
    )
    part.check_order(scenario)
    _check_names(part, scenario)
    part.check_people(
        scenario,
        (),
        s.SignsUp | s.HostInvites,
        too_early="has neither signed up nor been invited by then",
        never="does not appear in the timeline",
    )
    return scenario


def _details(event: ScenarioPart, tz: ZoneInfo) -> Details:
    starts_at = event.value("starts", lambda text: to_instant(read_wall(text), tz))
    length = event.value("length", read_span, timedelta(hours=2))
    return Details(
        event.value("name", str, "An event"),
        starts_at,
        starts_at + length,
        tz.key,
        event.value("venue", str, ""),
    )


def _settings(event: ScenarioPart) -> EventSettings:
    if "settings" not in event:
        return EventSettings()
    part = event.part("settings")
    part.allow_keys(*_SETTINGS)
    values = {key: part.value(key, _SETTINGS[key]) for key in part}
    if "quiet_hours" in values:
        values["quiet"] = values.pop("quiet_hours")
    return replace(EventSettings(), **values)


def _length(action: ScenarioAction) -> timedelta:
    return action.over if isinstance(action, s.CrowdSignsUp) else timedelta()


def _check_names(part: ScenarioPart, scenario: EventScenario) -> None:
    """Rejects names that the list of people does not have, if there is one."""
    if "people" not in part:
        return
    listed = set(part.names("people"))
    for step in scenario.steps:
        who = getattr(step.action, "who", None)
        if who is not None and who not in listed:
            raise BadScenario(part.file, step.line, f"{who} is not among the people")


def _seats(text: str) -> int:
    if text.startswith("-"):
        raise ValueError("an event has 0 to 100,000 seats")
    return read_number(text, 0, 100_000)


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
        raise ValueError("a claim window is longer than zero")
    return span


_SETTINGS: Final[Mapping[str, Callable[[str], Any]]] = {
    "quiet_hours": _quiet_hours,
    "claim_window": _claim_window,
    "time_critical": read_yes,
    "party_limit": partial(read_number, least=1, most=100_000),
    "strict_order": read_yes,
    "double_opt_in": read_yes,
    "private_answers": read_yes,
    "daily_mail": read_yes,
    "reminders": _rules,
}


def read_action(text: str, tz: ZoneInfo) -> ScenarioAction:
    return _SENTENCES.read(text, tz)


def _people(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_PEOPLE:
        raise BadSentence(f"1 to {MOST_PEOPLE:,} people can do that, not {number:,}")
    return number


def _party(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 100:
        raise BadSentence(f"a party has 1 to 100 people, not {number}")
    return number


def _start(found: Match[str], tz: ZoneInfo) -> ScenarioAction:
    return s.HostMoves(to_instant(read_wall(found[1].strip()), tz))


def _over(found: Match[str], _tz: ZoneInfo) -> ScenarioAction:
    return s.CrowdSignsUp(_people(found[1]), read_span(found[2]) if found[2] else timedelta())


_SENTENCES: Final = Sentences[ZoneInfo](
    (r"(\d+) people sign up(?: over (\S+))?", _over),
    (r"(\d+) (?:guests?|people) cancel", lambda m, _: s.SomeCancel(_people(m[1]))),
    (r"the host sets (\d+) seats?", lambda m, _: s.HostSetsSeats(int(m[1]))),
    (r"the host calls it off(?:: (.+))?", lambda m, _: s.HostCallsOff(m[1] or "")),
    (r"the host moves it to (.+)", _start),
    (r"the host invites WHO", lambda m, _: s.HostInvites(m[1])),
    (r"everybody with an offer claims", lambda _m, _: s.EverybodyClaims()),
    (r"WHO signs up with (\d+) others?", lambda m, _: s.SignsUp(m[1], 1 + _party(m[2]))),
    (r"WHO signs up", lambda m, _: s.SignsUp(m[1])),
    (r"WHO comes as a party of (\d+)", lambda m, _: s.ComesWithFewer(m[1], _party(m[2]))),
    (r"WHO says yes", lambda m, _: s.SaysYes(m[1])),
    (r"WHO cancels", lambda m, _: s.Cancels(m[1])),
    (r"WHO claims", lambda m, _: s.Claims(m[1])),
    (r"WHO declines", lambda m, _: s.Declines(m[1])),
)
