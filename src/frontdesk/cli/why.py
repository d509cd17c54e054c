"""The command `why`: explains a decision. The desk that it is about answers."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from frontdesk.cli.aws import opened, with_aws
from frontdesk.cli.command import OK, CannotRun, CliCommand, a_number, settings_for, with_json
from frontdesk.cli.days import LIKE
from frontdesk.cli.terminal import Terminal
from frontdesk.wiring.desks import desk_modules


def why(args: Namespace, on: Terminal) -> int:
    settings = settings_for(args)
    with opened(args) as view:
        answers = (desk.why(view.reads, args, settings) for desk in desk_modules("frontdesk.cli"))
        reasons: list[str] | None = next((each for each in answers if each is not None), None)
    if reasons is None:
        raise CannotRun(
            f"There is no slot {args.what}. `frontdesk slots` lists them;"
            f" for a service, give {LIKE}."
        )
    if args.json:
        on.data(reasons)
    else:
        on.say_all(reasons or ["Nothing waits: no free seat is kept from anybody in line."])
    return OK


def _why(parser: ArgumentParser) -> None:
    parser.add_argument("what", metavar="EVENT|SLOT|SERVICE")
    parser.add_argument(
        "entry",
        nargs="?",
        metavar="ENTRY|DAY",
        help="of a slot: who; an entry, an e-mail address or a mobile number."
        f" Of a service: {LIKE}",
    )
    parser.add_argument("--staff", default="", metavar="NAME", help="of a service: with whom")
    parser.add_argument(
        "--party",
        type=a_number(1, 1000),
        metavar="PEOPLE",
        default=1,
        help="of a service: for how many",
    )
    with_json(parser)
    with_aws(parser)


COMMANDS = (CliCommand("why", "Explain why a seat, a slot or a time is free or not.", why, _why),)
