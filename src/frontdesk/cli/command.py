"""The parts of a command: its name, help text, arguments and function."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from zoneinfo import ZoneInfo

from frontdesk.cli.data_access import settings_of
from frontdesk.cli.terminal import Terminal
from frontdesk.core.localtime import to_wall
from frontdesk.engine.stories import StoryLine
from frontdesk.errors import FrontdeskError
from frontdesk.settings import Settings
from frontdesk.values import Frozen

#: Exit statuses; argparse itself uses 2 for wrong arguments.
OK, WRONG = 0, 1


def _no_arguments(_parser: ArgumentParser) -> None:
    return


class CliCommand(Frozen):
    name: str
    says: str
    """One sentence; `--help` and the documentation show it."""
    run: Callable[[Namespace, Terminal], int]
    """Returns the exit status."""
    arguments: Callable[[ArgumentParser], None] = _no_arguments
    on_data: bool = True
    """Says whether the command works on a data directory."""


class CannotRun(FrontdeskError):
    """The command cannot run as given; the text says why."""


def settings_for(args: Namespace) -> Settings:
    return settings_of({"data_dir": args.data_dir})


def a_file(text: str) -> Path:
    return Path(text)


def a_number(least: int, most: int) -> Callable[[str], int]:
    """Reads an argument that is a whole number within these bounds."""

    def read(text: str) -> int:
        digits = text.removeprefix("-")
        number = int(text) if digits.isascii() and digits.isdecimal() and len(text) < 20 else None
        if number is None or not least <= number <= most:
            raise ArgumentTypeError(f"a whole number from {least:,} to {most:,}, not {text!r}")
        return number

    return read


def tell_story(args: Namespace, on: Terminal, lines: Iterable[StoryLine], tz: ZoneInfo) -> int:
    if args.json:
        on.data([{"at": each.at, "by": each.by, "text": each.text} for each in lines])
    else:
        on.say_all(f"{to_wall(each.at, tz):%a %d %b %H:%M:%S}  {each.text}" for each in lines)
    return OK


def with_json(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
