"""The command that plays a described day in virtual time: simulate."""

from __future__ import annotations

import contextlib
import io
from argparse import ArgumentParser, Namespace

from frontdesk.cli.command import OK, WRONG, CannotRun, Command, with_json
from frontdesk.cli.terminal import Terminal


def simulate(args: Namespace, on: Terminal) -> int:
    # Only here is YAML read: the other commands start faster without it.
    from frontdesk.simulate.player import play
    from frontdesk.simulate.reading import BadScenario, find_scenario, shipped
    from frontdesk.simulate.report import as_data, as_words

    if args.name is None:
        on.say_all(f"{scenario.name}: {scenario.about}" for scenario in shipped())
        return OK
    try:
        scenario = find_scenario(args.name)
    except BadScenario as error:
        raise CannotRun(str(error)) from error
    with contextlib.redirect_stderr(io.StringIO()):
        played = play(
            scenario,
            seed=args.seed,
            progress=lambda done, total: on.progress("Playing", done, total),
        )
    if args.json:
        on.data(as_data(played))
    else:
        on.say_all(as_words(played))
    return WRONG if played.problems else OK


def _simulate(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME|FILE", help="a shipped one or a file; without it, a list"
    )
    parser.add_argument("--seed", type=int, default=1, help="who arrives when, where it is chance")
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
