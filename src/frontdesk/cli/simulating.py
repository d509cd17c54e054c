"""The command that plays a described day in virtual time: simulate."""

from __future__ import annotations

import contextlib
import io
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from frontdesk.cli.command import OK, WRONG, CannotRun, Command, a_number, with_json
from frontdesk.cli.terminal import Terminal
from frontdesk.values import Frozen

if TYPE_CHECKING:
    from frontdesk.simulate.library import AnyScenario
    from frontdesk.simulate.player import Progress


def simulate(args: Namespace, on: Terminal) -> int:
    # Only here is YAML read: the other commands start faster without it.
    from frontdesk.simulate.library import find_scenario, shipped
    from frontdesk.simulate.yaml_file import BadScenario

    if args.name is None:
        on.say_all(f"{scenario.name}: {scenario.about}" for scenario in shipped())
        return OK
    try:
        scenario = find_scenario(args.name)
    except BadScenario as error:
        raise CannotRun(f"{str(error).rstrip('.')}.") from error
    with contextlib.redirect_stderr(io.StringIO()):
        outcome = _play(
            scenario, args.seed, lambda done, total: on.progress("Playing", done, total)
        )
    if args.json:
        on.data(outcome.data)
    else:
        on.say_all(outcome.words)
    return WRONG if outcome.problems else OK


class _Outcome(Frozen):
    data: dict[str, Any]
    words: Iterator[str]
    problems: list[str]


def _play(scenario: AnyScenario, seed: int, progress: Progress) -> _Outcome:
    from frontdesk.simulate import player, report
    from frontdesk.simulate.scenario import Scenario
    from frontdesk.simulate.waitlist import month, month_report
    from frontdesk.simulate.waitlist import player as days
    from frontdesk.simulate.waitlist import report as day_report
    from frontdesk.simulate.waitlist.scenario import Day, Month

    match scenario:
        case Scenario():
            event = player.play(scenario, seed=seed, progress=progress)
            return _Outcome(report.as_data(event), report.as_words(event), event.problems)
        case Day():
            day = days.play_day(scenario, seed=seed, progress=progress)
            return _Outcome(day_report.as_data(day), day_report.as_words(day), day.problems)
        case Month():
            played = month.play_month(scenario, seed=seed, progress=progress)
            data, words = month_report.as_data(played), month_report.as_words(played)
            return _Outcome(data, words, played.problems)


def _simulate(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME|FILE", help="a shipped one or a file; without it, a list"
    )
    parser.add_argument(
        "--seed", type=a_number(0, 10**12), default=1, help="who arrives when, where it is chance"
    )
    with_json(parser)


COMMANDS = (
    Command(
        "simulate",
        "Play a described day in virtual time on the real engine.",
        simulate,
        _simulate,
        on_data=False,
    ),
)
