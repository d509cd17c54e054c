"""The command `why`: explains a decision. The desk that it is about answers."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from frontdesk.cli.aws_account import opened, with_aws
from frontdesk.cli.command import OK, Command, settings_for, with_json
from frontdesk.cli.terminal import Terminal
from frontdesk.wiring.desks import desk_modules


def why(args: Namespace, on: Terminal) -> int:
    settings = settings_for(args)
    with opened(args) as view:
        answers = (desk.why(view.reads, args, settings) for desk in desk_modules("frontdesk.cli"))
        reasons: list[str] = next(answer for answer in answers if answer is not None)
    if args.json:
        on.data(reasons)
    else:
        on.say_all(reasons or ["Nothing waits: no free seat is kept from anybody in line."])
    return OK


def _why(parser: ArgumentParser) -> None:
    parser.add_argument("what", metavar="EVENT|SLOT")
    parser.add_argument(
        "entry",
        nargs="?",
        metavar="ENTRY",
        help="of a slot: who; an entry, an e-mail address or a mobile number",
    )
    with_json(parser)
    with_aws(parser)


COMMANDS = (
    Command("why", "Say why a seat or a slot is or is not offered to somebody.", why, _why),
)
