"""Commands that look after the data: doctor, rebuild, replay, backup, restore."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from frontdesk.cli.aws import account_of, aws_errors, opened, restore_on_aws, with_aws
from frontdesk.cli.command import (
    OK,
    WRONG,
    CannotRun,
    CliCommand,
    a_file,
    a_number,
    settings_for,
    with_json,
)
from frontdesk.cli.data_access import reading_data, writing_data
from frontdesk.cli.terminal import Terminal
from frontdesk.core.words import count
from frontdesk.doctor import Checkup, check_up, lasting
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.keys import FILE_NAME as LINK_KEYS
from frontdesk.engine.keys import NUMBER_FILE, link_key_problem
from frontdesk.store.sqlite.backup import back_up, restore
from frontdesk.store.sqlite.lock import running
from frontdesk.values import replace
from frontdesk.wiring.channels import sms_trouble
from frontdesk.wiring.desks import DESKS
from frontdesk.wiring.one_machine import data_file

#: On AWS, work in flight arrives within this time.
_SECOND_LOOK_SECONDS: Final = 10


def doctor(args: Namespace, on: Terminal) -> int:
    found = _checked_on_aws(args, on) if args.aws else _checked_here(args)
    if args.json:
        on.data({"well": found.is_well, **found.data})
        return OK if found.is_well else WRONG
    on.say_all(f"Problem: {each}" for each in found.problems)
    on.say_all(f"Note: {each}" for each in found.notes)
    *others, facts = map(str, found.counts)
    looked_at = f"{', '.join(others)} and {facts}"
    if found.is_well:
        on.say(f"All is well: {looked_at} were looked at, and everything holds.")
        return OK
    on.say(f"{count(len(found.problems), 'problem')} in {looked_at}.")
    return WRONG


def _checked_here(args: Namespace) -> Checkup:
    settings = settings_for(args)
    with opened(args) as view:
        served = running(settings.data_dir)
        found = check_up(view, SystemClock().now(), served=bool(served and served.url))
    more = filter(None, (link_key_problem(settings.data_dir), sms_trouble(settings)))
    return replace(found, problems=(*found.problems, *more))


def _checked_on_aws(args: Namespace, on: Terminal) -> Checkup:
    """Checks the tables twice, since functions write meanwhile. Only lasting problems count."""

    def wait() -> None:
        on.note(f"Some checks failed; checking again in {_SECOND_LOOK_SECONDS} seconds.")
        time.sleep(_SECOND_LOOK_SECONDS)

    with opened(args) as view:
        return lasting(lambda: check_up(view, SystemClock().now(), served=True), wait)


def rebuild(args: Namespace, on: Terminal) -> int:
    now = SystemClock().now()
    with opened(args) as view:
        report = [
            checks.rebuild(view, now, partial(on.progress, "Rebuilding"))
            for desk in DESKS
            if (checks := desk.checks()).rebuild is not None
        ]
    different = sum(len(each.differences) for each in report)
    if args.json:
        on.data({"same": different == 0, **{each.name: each.data for each in report}})
        return WRONG if different else OK
    for each in report:
        on.say_all(each.differences)
    rebuilt = ", ".join(each.summary for each in report if each.summary)
    if different:
        on.say(f"{rebuilt} rebuilt from the audit: {count(different, 'difference')}.")
        return WRONG
    on.say(f"{rebuilt} rebuilt from the audit: the same as the lists, to the last row.")
    return OK


def replay(args: Namespace, on: Terminal) -> int:
    outcomes = _replayed_on_aws(args, on) if args.aws else _replayed_here(args)
    if args.json:
        on.data(outcomes)
    elif not outcomes:
        on.say("There are no dead letters.")
    else:
        on.say_all(f"{letter}: {outcome}" for letter, outcome in outcomes.items())
    return WRONG if any("failed again" in each for each in outcomes.values()) else OK


def _replayed_here(args: Namespace) -> Mapping[str, str]:
    with writing_data(settings_for(args)) as access:
        outcomes = access.order("replay", letters=args.letters)
        access.settle()
    return outcomes


def _replayed_on_aws(args: Namespace, on: Terminal) -> Mapping[str, str]:
    """Calls a function of the deployment, which also replays the calls in its queue."""
    with aws_errors():
        answer = account_of(args).ask({"ask": "replay", "letters": args.letters or "all"})
    if answer["replayed"]:
        on.note(f"{count(answer['replayed'], 'failed call')} repeated.")
    outcomes: Mapping[str, str] = answer["letters"]
    return outcomes


def _letters(parser: ArgumentParser) -> None:
    parser.add_argument(
        "letters",
        nargs="*",
        type=a_number(1, 2**63 - 1),
        metavar="NUMBER",
        help="the numbers of dead letters; without any, all of them",
    )
    with_json(parser)
    with_aws(parser)


def _looks(parser: ArgumentParser) -> None:
    with_json(parser)
    with_aws(parser)


def backup(args: Namespace, on: Terminal) -> int:
    settings = settings_for(args)
    data = data_file(settings.data_dir)
    if args.file.is_dir():
        raise CannotRun(f"{args.file} is a folder. Name a file in it.")
    if args.file.exists() and not args.file.is_file():
        raise CannotRun(f"{args.file} is a device, not a file. Choose a file for the backup.")
    if args.file.resolve() == data.resolve():
        raise CannotRun(f"{args.file} is the data itself. Choose another file for the backup.")
    with reading_data(settings):
        back_up(
            data,
            args.file,
            lambda done, total: on.progress("Backing up", done, total),
        )
    on.say(f"Everything is backed up in {args.file}.")
    return OK


def restore_data(args: Namespace, on: Terminal) -> int:
    if args.aws:
        if args.file is not None:
            raise CannotRun("On AWS the tables are restored to an instant: give --at, and no file.")
        return restore_on_aws(args, on)
    if args.at or args.replace:
        raise CannotRun("--at and --replace need --aws.")
    if args.file is None:
        raise CannotRun("Name the file of the backup.")
    if not args.file.is_file():
        raise CannotRun(f"There is no file {args.file}.")
    folder = settings_for(args).data_dir
    kept = restore(args.file, data_file(folder))
    on.say(f"{args.file} is restored.")
    if kept is not None:
        on.say(f"What was there before is kept in {kept}.")
    on.say_all(_missing_keys(folder))
    return OK


def _missing_keys(folder: Path) -> Iterator[str]:
    """Names the keys that are missing: a backup has only the data; keys are copied separately."""
    for name, without in _WITHOUT_KEY.items():
        if not (folder / name).exists():
            yield f"There is no {name} in {folder}. {without} Copy it there before you serve."


_WITHOUT_KEY: Final = {
    LINK_KEYS: "Links that were sent before do not work without it.",
    NUMBER_FILE: "Numbers that wrote STOP are not recognised without it.",
}


def _file(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=a_file, metavar="FILE")


def _restore(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=a_file, nargs="?", metavar="FILE", help="a backup")
    with_aws(parser)
    parser.add_argument(
        "--at", metavar="INSTANT", help="on AWS: the instant to restore, like 2026-11-16T08:00Z"
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="on AWS: replace the current tables with the restored ones",
    )
    parser.add_argument(
        "--stack",
        default="frontdesk",
        metavar="NAME",
        help="on AWS: the stack whose functions stop while tables are replaced",
    )


COMMANDS = (
    CliCommand(
        "doctor", "Check everything that must always hold; changes nothing.", doctor, _looks
    ),
    CliCommand("rebuild", "Rebuild every list from the audit and compare.", rebuild, _looks),
    CliCommand("replay", "Try dead letters once more.", replay, _letters),
    CliCommand("backup", "Copy all data into a file, also while serving.", backup, _file),
    CliCommand("restore", "Replace the data with a backup.", restore_data, _restore),
)
