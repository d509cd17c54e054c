"""Commands that look after the data: doctor, rebuild, replay, backup, restore."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict, replace
from typing import Any

from frontdesk.checkup import audit_problems, check_up, timers
from frontdesk.checkup_waitlist import list_problems
from frontdesk.cli.command import OK, WRONG, CannotRun, Command, a_file, settings_for, with_json
from frontdesk.cli.reach import looking, writing
from frontdesk.cli.terminal import Terminal
from frontdesk.core.words import count
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.clock import SystemClock
from frontdesk.store.sqlite.backup import back_up, restore
from frontdesk.store.sqlite.lock import running
from frontdesk.wiring.one_machine import data_file
from frontdesk.wiring.texts import trouble

_MANY = 1_000_000


def doctor(args: Namespace, on: Terminal) -> int:
    settings = settings_for(args)
    with looking(settings) as view:
        served = running(settings.data_dir)
        found = check_up(view, SystemClock().now(), served=bool(served and served.url))
    if texts := trouble(settings):
        found = replace(found, problems=(*found.problems, texts))
    if args.json:
        on.data({"well": found.is_well, **asdict(found)})
        return OK if found.is_well else WRONG
    on.say_all(f"Problem: {each}" for each in found.problems)
    on.say_all(f"Note: {each}" for each in found.notes)
    looked_at = (
        f"{count(found.events, 'event')}, {count(found.guests, 'guest')}"
        f", {count(found.entries, 'entry', 'entries')}, {count(found.slots, 'slot')}"
        f" and {count(found.facts, 'fact')}"
    )
    if found.is_well:
        on.say(f"All is well: {looked_at} were looked at, and everything holds.")
        return OK
    on.say(f"{count(len(found.problems), 'problem')} in {looked_at}.")
    return WRONG


def rebuild(args: Namespace, on: Terminal) -> int:
    with looking(settings_for(args)) as view:
        ev: RsvpReads = view.reads.desk("ev")
        events = list(ev.events())
        report: list[dict[str, Any]] = []
        for done, event in enumerate(events):
            on.progress("Rebuilding", done, len(events))
            guests = ev.guests_after(event.id, "", _MANY)
            report.append(
                {
                    "event": event.slug,
                    "guests": len(guests),
                    "differences": audit_problems(ev, event, guests),
                }
            )
        listed = list_problems(view.reads.desk("wl"), timers(view.db))
    different = sum(len(each["differences"]) for each in report) + len(listed)
    if args.json:
        on.data({"same": different == 0, "events": report, "waitlist": listed})
        return WRONG if different else OK
    for each in report:
        for difference in each["differences"]:
            on.say(f"{each['event']}: {difference}")
    on.say_all(listed)
    guests_rebuilt = sum(each["guests"] for each in report)
    rebuilt = f"{count(len(report), 'event')} with {count(guests_rebuilt, 'guest')}"
    if different:
        on.say(f"{rebuilt} rebuilt from the audit: {count(different, 'difference')}.")
        return WRONG
    on.say(f"{rebuilt} rebuilt from the audit: the same as the lists, to the last row.")
    return OK


def replay(args: Namespace, on: Terminal) -> int:
    with writing(settings_for(args)) as hand:
        outcomes = hand.order("replay", letters=args.letters)
        hand.settle()
    if args.json:
        on.data(outcomes)
    elif not outcomes:
        on.say("There are no dead letters.")
    else:
        on.say_all(f"{letter}: {outcome}" for letter, outcome in outcomes.items())
    return WRONG if any("failed again" in each for each in outcomes.values()) else OK


def _letters(parser: ArgumentParser) -> None:
    parser.add_argument(
        "letters", nargs="*", type=int, metavar="NUMBER", help="which ones; without any, all"
    )
    with_json(parser)


def backup(args: Namespace, on: Terminal) -> int:
    settings = settings_for(args)
    with looking(settings):
        back_up(
            data_file(settings.data_dir),
            args.file,
            lambda done, total: on.progress("Backing up", done, total),
        )
    on.say(f"Everything is backed up in {args.file}.")
    return OK


def put_back(args: Namespace, on: Terminal) -> int:
    if not args.file.exists():
        raise CannotRun(f"There is no file {args.file}.")
    kept = restore(args.file, data_file(settings_for(args).data_dir))
    on.say(f"{args.file} is restored.")
    if kept is not None:
        on.say(f"What was there before is kept in {kept}.")
    return OK


def _file(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=a_file, metavar="FILE")


COMMANDS = (
    Command(
        "doctor", "Check everything that must always hold; changes nothing.", doctor, with_json
    ),
    Command("rebuild", "Rebuild every list from the audit and compare.", rebuild, with_json),
    Command("replay", "Try dead letters once more.", replay, _letters),
    Command("backup", "Copy all data into a file, also while serving.", backup, _file),
    Command("restore", "Put a backup in the place of the data.", put_back, _file),
)
