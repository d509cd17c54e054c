"""Plays the steps of a scenario in virtual time, and prints the story."""

from __future__ import annotations

import random
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar
from zoneinfo import ZoneInfo

from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.localtime import to_wall
from frontdesk.engine.ports import Outcome
from frontdesk.simulate.names import address
from frontdesk.simulate.runtime import (
    MESSAGE,
    MessageLog,
    SimulatedMail,
    Simulation,
    refused,
    sent_by_kind,
)
from frontdesk.simulate.scenario import (
    Crashes,
    FactsRepeat,
    MailBounces,
    MailFails,
    Moment,
    Progress,
    ScenarioAction,
    StaysSilent,
    Step,
    TimelineScenario,
)

#: This many similar moments in a row share one line.
MANY: Final = 4
S = TypeVar("S", bound=TimelineScenario)
Stage = TypeVar("Stage", bound=Simulation)


def no_progress(_done: int, _total: int) -> None:
    pass


@dataclass(slots=True)
class PlayedTimeline(Generic[S]):
    scenario: S
    seed: int
    moments: list[Moment] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    messages: dict[str, int] = field(default_factory=dict)
    """Sent messages by kind."""
    not_sent: dict[str, int] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    """The state of each named person at the end."""
    problems: list[str] = field(default_factory=list)


class TimelinePlayer(ABC, Generic[S, Stage]):
    """Plays a scenario step by step. A desk's subclass plays the actions, reports the facts and
    checks the invariants."""

    stage: Stage
    tells_messages: ClassVar = True

    def __init__(self, scenario: S, seed: int, *faults: type[ScenarioAction]) -> None:
        self.played = PlayedTimeline(scenario, seed)
        self.chance = random.Random(seed)  # noqa: S311 - a simulation
        self.mail = SimulatedMail(local=not scenario.may_fail(*faults))
        self._log = MessageLog()
        self._step: Step | None = None

    def new_id(self) -> str:
        return new_id(self.chance.randbytes(ID_BYTES))

    def play_all(self, progress: Progress) -> PlayedTimeline[S]:
        steps = self.played.scenario.steps
        with self.stage:
            self.begin()
            for done, step in enumerate(steps):
                progress(done, len(steps))
                self._play(step)
            self._finish()
        return self.played

    def _play(self, step: Step) -> None:
        self._step = step
        self.stage.advance_until(step.at)
        self.listen()
        for who, outcome in self.act(step.action):
            self.answered(who, outcome)
        if step.then_crashes:
            self.crash()
        self.stage.settle()
        self.look()

    def _finish(self) -> None:
        self._step = None
        self.stage.advance_until(self.played.scenario.ends_at)
        self.look()
        played = self.played
        played.figures = self.figures()
        with self.stage.data() as db:
            played.messages = sent_by_kind(db, "state = 'sent'")
            played.not_sent = sent_by_kind(db, "state <> 'sent'")
        self.complain(self.problems_at_the_end())
        played.people = self.people()
        played.problems += _differences(played.scenario.expects, played.figures)
        played.problems += _differences(played.scenario.expects_of, played.people)

    # --- parts of a desk ----------------------------------------------------------------------

    @abstractmethod
    def begin(self) -> None:
        """Sets up the business and checks it."""

    @abstractmethod
    def act(self, action: ScenarioAction) -> Iterator[tuple[str, Outcome | None]]:
        """Plays an action; yields names and outcomes."""

    @abstractmethod
    def new_facts(self) -> Iterator[Moment]:
        """Yields the facts since the last call."""

    @abstractmethod
    def violations(self) -> Iterable[str]:
        """Yields violated invariants after a step."""

    def problems_at_the_end(self) -> Iterable[str]:
        return ()

    @abstractmethod
    def figures(self) -> dict[str, int]: ...

    @abstractmethod
    def people(self) -> dict[str, str]:
        """Returns the state of each named person."""

    # --- parts of all desks -------------------------------------------------------------------

    def fault(self, action: ScenarioAction) -> None:
        match action:
            case MailFails(down):
                self.mail.is_down = down
                self.say(f"The mail server {'goes down' if down else 'comes back'}.")
            case MailBounces(who):
                self.mail.refuses.add(address(who))
                self.say(f"From now on no mail is taken for {who}.")
            case StaysSilent(who):
                self.say(f"{who} stays silent.")
            case Crashes():
                self.crash()
            case FactsRepeat():
                self.say("Everything that happened is delivered again.")
                self.stage.forget_places()
            case _:
                raise AssertionError(f"nobody knows how to play {action}")

    def crash(self) -> None:
        self.say("The process crashes, and starts again.")
        self.stage.restart()

    def answered(self, who: str, outcome: Outcome | None) -> None:
        if why := refused(outcome):
            self.say_refused(who, why)

    def say_refused(self, who: str, why: str) -> None:
        self.say(f"{who} could not: {why}.")

    def say(self, text: str) -> None:
        self.listen()
        self.played.moments.append(Moment(self.stage.clock.now(), "", text))

    def listen(self) -> None:
        """Adds the new facts and messages to the story."""
        told = list(self.new_facts())
        if self.tells_messages:
            with self.stage.data() as db:
                told += self._log.new(db)
        self.played.moments += sorted(told, key=lambda one: (one.at, one.kind == MESSAGE))

    def look(self) -> None:
        """Checks all invariants after a step."""
        self.listen()
        self.complain(self.violations())

    def complain(self, problems: Iterable[str]) -> None:
        where = f"after line {self._step.line}" if self._step else "at the end"
        self.played.problems += [f"{where}: {problem}" for problem in problems]


def named(scenario: TimelineScenario) -> list[str]:
    """Returns the names of the people who act, in order."""
    found = (getattr(step.action, "who", None) for step in scenario.steps)
    return list(dict.fromkeys(who for who in found if who is not None))


def _differences(expected: Mapping[str, object], found: Mapping[str, object]) -> list[str]:
    return [
        f"at the end: {name} is {found.get(name)}, and should be {value}"
        for name, value in expected.items()
        if found.get(name) != value
    ]


@contextmanager
def data_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="frontdesk-") as folder:
        yield Path(folder)


# --- reports ----------------------------------------------------------------------------------


def as_data(
    played: PlayedTimeline[Any], people: str = "people", messages: str = "messages"
) -> dict[str, Any]:
    """`people` and `messages` are the names of these parts in the output."""
    return {
        "scenario": played.scenario.name,
        "about": played.scenario.about,
        "seed": played.seed,
        "timeline": [
            {"at": moment.at, "kind": moment.kind, "text": moment.text} for moment in played.moments
        ],
        "figures": played.figures,
        people: played.people,
        messages: played.messages,
        f"{messages}_not_sent": played.not_sent,
        "problems": played.problems,
    }


def messages_and_verdict(
    messages: Mapping[str, int],
    not_sent: Mapping[str, int],
    problems: Sequence[str],
    name: str = "Messages",
) -> Iterator[str]:
    yield f"{name}: {listed(messages)}."
    if not_sent:
        yield f"Not sent: {listed(not_sent)}."
    if not problems:
        yield "Everything held, after every step and at the end."
    for problem in problems:
        yield f"BROKEN {problem}"


def story(
    moments: Sequence[Moment], tz: ZoneInfo, together: Mapping[str, str], clock: str = "%H:%M"
) -> Iterator[str]:
    """Yields a line for each moment. `together` has a line by kind for many moments in a row."""
    for _, run in groupby(moments, key=lambda moment: moment.kind):
        yield from _run(list(run), lambda at: _at(to_wall(at, tz), clock), together)


def _run(
    run: list[Moment], clock: Callable[[datetime], str], together: Mapping[str, str]
) -> Iterator[str]:
    words = together.get(run[0].kind)
    if words is None or len(run) < MANY:
        for moment in run:
            yield f"{clock(moment.at)}  {moment.text}"
        return
    first, last = clock(run[0].at), clock(run[-1].at)
    until = "" if last == first else f" (until {last.strip()})"
    yield f"{first}  {words.format(n=len(run))}{until}"


def _at(wall: datetime, clock: str) -> str:
    return f"{wall:%a} {wall.day:2} {wall:%b} {wall:{clock}}"


def listed(figures: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in figures.items()) or "none"
