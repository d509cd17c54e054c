"""The command `why`: explains a decision. The desk that it is about answers."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from datetime import date
from typing import Final

from frontdesk.cli.aws import opened, with_aws
from frontdesk.cli.command import OK, CannotRun, CliCommand, a_number, settings_for, with_json
from frontdesk.cli.terminal import Terminal
from frontdesk.core.localtime import parse_day
from frontdesk.wiring.desks import desk_modules


def why(args: Namespace, on: Terminal) -> int:
    settings = settings_for(args)
    args.day = _day(args.entry)
    with opened(args) as view:
        answers = (desk.why(view.reads, args, settings) for desk in desk_modules("frontdesk.cli"))
        reasons: list[str] = next(answer for answer in answers if answer is not None)
    if args.json:
        on.data(reasons)
    else:
        on.say_all(reasons or ["Nothing waits: no free seat is kept from anybody in line."])
    return OK


#: No entry of a list looks like a day.
_DAY: Final = re.compile(r"\d{4}-\d{1,2}-\d{1,2}", re.ASCII)


def _day(text: str | None) -> date | None:
    """The day that the question is about, if it is about one."""
    if not text or not _DAY.fullmatch(text):
        return None
    try:
        return parse_day(text)
    except ValueError:
        raise CannotRun(f"{text!r} is not a day like 2026-11-20.") from None


def _why(parser: ArgumentParser) -> None:
    parser.add_argument("what", metavar="EVENT|SLOT|SERVICE")
    parser.add_argument(
        "entry",
        nargs="?",
        metavar="ENTRY|DAY",
        help="of a slot: who; an entry, an e-mail address or a mobile number."
        " Of a service: the day, like 2026-11-20",
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
