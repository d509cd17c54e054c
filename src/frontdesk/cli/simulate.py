"""The command `simulate`: plays a described day or month in virtual time."""

from __future__ import annotations

import contextlib
import io
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from frontdesk.cli.command import OK, WRONG, CannotRun, CliCommand, a_number, with_json
from frontdesk.cli.terminal import Terminal
from frontdesk.wiring.desks import desk_modules

if TYPE_CHECKING:
    from frontdesk.simulate.scenario import Progress, Scenario, SimulationResult


def simulate(args: Namespace, on: Terminal) -> int:
    # Import YAML only here: the other commands start faster without it.
    from frontdesk.simulate.scenario_file import BadScenario, find_scenario, shipped

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


def _play(scenario: Scenario, seed: int, progress: Progress) -> SimulationResult:
    desks = desk_modules("frontdesk.simulate")
    played = (desk.play(scenario, seed, progress) for desk in desks)
    found: SimulationResult = next(each for each in played if each is not None)
    return found


def _simulate(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME|FILE", help="a shipped one or a file; without it, a list"
    )
    parser.add_argument(
        "--seed", type=a_number(0, 10**12), default=1, help="who arrives when, where it is chance"
    )
    with_json(parser)


COMMANDS = (
    CliCommand(
        "simulate",
        "Play a described day in virtual time on the real engine.",
        simulate,
        _simulate,
        on_data=False,
    ),
)
