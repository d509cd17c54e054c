"""Commands about bookings: bookings, book, rules; and why a day has no times."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from datetime import time, timedelta
from pathlib import Path
from typing import Final

from frontdesk.cli.aws import opened, with_aws
from frontdesk.cli.command import (
    OK,
    WRONG,
    CannotRun,
    CliCommand,
    settings_for,
    tell_story,
    with_json,
)
from frontdesk.cli.data_access import writing_data
from frontdesk.cli.days import chosen_day, read_day, with_day
from frontdesk.cli.terminal import Terminal
from frontdesk.core.localtime import (
    same_wall_time,
    spoken_day,
    spoken_start,
    zone,
)
from frontdesk.core.words import count
from frontdesk.core.yaml_tree import MOST_BYTES
from frontdesk.desks.booking.availability import Availability
from frontdesk.desks.booking.console.formatting import customer, served_by
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingId
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.desks.booking.rules_file.reference import json_schema, reference_page
from frontdesk.desks.booking.rules_file.warnings import warnings_of
from frontdesk.desks.booking.search.explain import DayExplanation
from frontdesk.desks.booking.search.explanation_words import explain_in_words
from frontdesk.desks.booking.search.query import Query
from frontdesk.desks.booking.story import booking_story
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.ports import Reads
from frontdesk.errors import os_reason
from frontdesk.settings import Settings
from frontdesk.wiring.booking.desk import loader

_DAY: Final = timedelta(days=1)


def rules(args: Namespace, on: Terminal) -> int:
    match args.action:
        case "reference":
            on.say(reference_page().rstrip("\n"))
        case "schema":
            on.say(json.dumps(json_schema(), indent=2, ensure_ascii=False))
        case _:
            return _check(args, on)
    return OK


def _check(args: Namespace, on: Terminal) -> int:
    """Prints each error like a compiler, FILE:LINE:COLUMN: what is wrong; warnings change nothing
    in the exit status."""
    if not args.file:
        raise CannotRun("Name the file: `frontdesk rules check FILE`.")
    parsed = parse_rules(_read(args.file))
    warned = warnings_of(parsed.rules) if parsed.rules is not None else ()
    if args.json:
        on.data(
            [{"line": one.line, "column": one.column, "why": one.why} for one in parsed.problems]
            + [{"line": one.line, "why": one.why, "warning": True} for one in warned]
        )
    elif parsed.rules is None:
        on.say_all(f"{args.file}:{one.line}:{one.column}: {one.why}" for one in parsed.problems)
    else:
        on.say_all(f"{args.file}:{one.line}: warning: {one.why}" for one in warned)
        services, team = len(parsed.rules.services), len(parsed.rules.resources)
        size = f"{count(services, 'service')}, {count(team, 'member or room', 'members and rooms')}"
        on.say(f"{args.file} is good: {size}.")
    return OK if parsed.rules is not None else WRONG


def _read(file: str) -> str:
    """Reads one byte more than a file may have, so that a longer one is still refused."""
    try:
        if file == "-":
            body = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                body = opened.read(MOST_BYTES + 1)
        return body.decode("utf-8")
    except OSError as error:
        raise CannotRun(f"{file} cannot be read: {os_reason(error)}.") from error
    except UnicodeDecodeError as error:
        raise CannotRun(f"{file} is not UTF-8 text: save it as UTF-8.") from error


def _rules(parser: ArgumentParser) -> None:
    parser.add_argument(
        "action",
        choices=("check", "reference", "schema"),
        metavar="ACTION",
        help="check a file; print the reference page; print a JSON Schema for editors",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="a file to check; - reads stdin")
    with_json(parser)


# --- bookings ---------------------------------------------------------------------------------


def bookings(args: Namespace, on: Terminal) -> int:
    with opened(args) as view:
        bk = booking_reads(view.reads)
        tz = zone(bk.rules().zone)
        if args.booking is not None:
            return _story(view.reads, args, on)
        day = chosen_day(args, tz)
        since, until = (same_wall_time(each, time(), tz) for each in (day, day + _DAY))
        found = [_row(bk.rules(), one) for one in bk.bookings_between(since, until)]
    if args.json:
        on.data(found)
    elif found:
        on.table(tuple(found[0]), [tuple(one.values()) for one in found])
    else:
        on.say(f"Nothing is booked for {spoken_day(day)}.")
    return OK


def _row(rules: BookingRules, booking: Booking) -> dict[str, str]:
    return {
        "booking": booking.id,
        "when": spoken_start(booking.starts_at, zone(rules.zone)),
        "service": booking.service,
        "with": served_by(rules, booking),
        "customer": customer(booking),
        "state": booking.status.value,
    }


def _story(reads: Reads, args: Namespace, on: Terminal) -> int:
    bk = booking_reads(reads)
    booking = bk.booking(BookingId(args.booking))
    if booking is None:
        raise CannotRun(f"There is no booking {args.booking}. `--on DAY` lists those of a day.")
    tz = zone(bk.rules().zone)
    return tell_story(args, on, booking_story(reads, booking, tz), tz)


def _bookings(parser: ArgumentParser) -> None:
    parser.add_argument("booking", nargs="?", metavar="BOOKING", help="tell the story of this one")
    with_day(parser)
    with_json(parser)
    with_aws(parser)


def book(args: Namespace, on: Terminal) -> int:
    with writing_data(settings_for(args)) as access:
        done = access.order("book", line=" ".join(args.line), anyway=args.anyway)
        access.settle()
    if args.json:
        on.data(done)
    else:
        on.say(
            f"Booked: {done['customer']}, {done['service']} with {done['with']}, {done['when']}"
            f" (booking {done['booking']})."
        )
    return OK


def _book(parser: ArgumentParser) -> None:
    parser.add_argument(
        "line",
        nargs="+",
        metavar="LINE",
        help="staff, day, time, service, name and number: Mia Tue 15:00 cut Anna 0171…",
    )
    parser.add_argument("--anyway", action="store_true", help="book although a rule is in the way")
    with_json(parser)


# --- why --------------------------------------------------------------------------------------


def why(reads: Reads, args: Namespace, settings: Settings) -> list[str] | None:
    """Explains the times of a service on a day; None if the question is about no day."""
    rules = booking_reads(reads).rules()
    day = read_day(args.entry or "", zone(rules.zone), settings.country)
    if day is None:
        return None
    service = rules.service(args.what)
    if service is None:
        known = ", ".join(one.name for one in rules.services) or "none"
        raise CannotRun(f"There is no service {args.what}. Services that can be booked: {known}.")
    query = Query(service.name, day, day, args.party, _staff(rules, args.staff))
    found = Availability(loader(settings, SystemClock()).busy).explain(
        reads, rules, query, SystemClock().now()
    )
    assert isinstance(found, DayExplanation), "the service is known"
    return explain_in_words(rules, found)


def _staff(rules: BookingRules, name: str) -> ResourceId:
    wanted = name.casefold()
    for one in rules.resources:
        if wanted and wanted in (one.id.casefold(), one.name.casefold()):
            return one.id
    if name:
        known = ", ".join(one.name for one in rules.resources)
        raise CannotRun(f"There is no {name}. Staff, rooms and devices: {known}.")
    return ResourceId("")


COMMANDS = (
    CliCommand("bookings", "List the bookings of a day, or tell a story.", bookings, _bookings),
    CliCommand("book", "Book a time for a customer, in one line.", book, _book),
    CliCommand(
        "rules",
        "Check a file of booking rules, or describe its keys.",
        rules,
        _rules,
        on_data=False,
    ),
)
