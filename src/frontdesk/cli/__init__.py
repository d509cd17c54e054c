"""The command line: `frontdesk serve`, `frontdesk import`, `frontdesk doctor` and the others."""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from collections.abc import Sequence
from typing import Final

from frontdesk.cli import cost, maintenance, people, serve, setup, simulate, why
from frontdesk.cli.command import WRONG, CliCommand, a_file
from frontdesk.cli.terminal import Terminal
from frontdesk.errors import Conflict, FrontdeskError, os_reason
from frontdesk.store.sqlite.files import sqlite_reason
from frontdesk.time_zones import use_newest_time_zones
from frontdesk.wiring.desks import desk_modules

COMMANDS: Final[tuple[CliCommand, ...]] = (
    *serve.COMMANDS,
    *(command for desk in desk_modules("frontdesk.cli") for command in desk.COMMANDS),
    *why.COMMANDS,
    *people.COMMANDS,
    *maintenance.COMMANDS,
    *simulate.COMMANDS,
    *cost.COMMANDS,
    *setup.COMMANDS,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; prints an expected error as one line on standard error."""
    use_newest_time_zones()
    args = parser().parse_args(arguments)
    on = Terminal()
    try:
        status: int = args.run(args, on)
    except Conflict:
        on.note("frontdesk: Something else changed the same data at this moment. Try again.")
        return WRONG
    except FrontdeskError as error:
        on.note(f"frontdesk: {' '.join(str(error).split())}")
        return WRONG
    except (OSError, sqlite3.Error) as error:
        return _outside(error, on)
    except KeyboardInterrupt:
        on.note("frontdesk: stopped")
        return 130
    return status


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="frontdesk",
        description="The front desk of a small business: appointments, events, lists and messages.",
        epilog="`frontdesk COMMAND --help` tells more about one of them.",
    )
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        sub = commands.add_parser(command.name, help=command.says, description=command.says)
        if command.on_data:
            sub.add_argument(
                "--data-dir", type=a_file, metavar="FOLDER", help="where the data is (default var)"
            )
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return top


def _outside(error: OSError | sqlite3.Error, on: Terminal) -> int:
    """Reports errors of the system: a full disk, no permission, a closed pipe."""
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG
    if isinstance(error, sqlite3.Error):
        on.note(f"frontdesk: The data cannot be used: {sqlite_reason(error)}.")
    else:
        file = f"{error.filename}: " if error.filename else ""
        on.note(f"frontdesk: {file}{os_reason(error)}.")
    return WRONG


__all__ = ["COMMANDS", "main", "parser"]
