"""Commands about events and their guests: events, import, export."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec.structs import asdict

from frontdesk.cli.aws import opened, with_aws
from frontdesk.cli.command import (
    OK,
    WRONG,
    CannotRun,
    CliCommand,
    a_file,
    settings_for,
    with_json,
)
from frontdesk.cli.data_access import WriteAccess, reading_data, writing_data
from frontdesk.cli.terminal import Terminal
from frontdesk.connect.tables import (
    BadTable,
    Cell,
    PeopleTable,
    read_people,
    write_csv,
    write_xlsx,
)
from frontdesk.core.jobs import Job
from frontdesk.core.localtime import spoken, to_wall, zone
from frontdesk.core.words import count
from frontdesk.desks.rsvp.console.guest_import import OUTCOMES, group_of, outcome_counts
from frontdesk.desks.rsvp.model import Event, State, phase
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.ports import Reads
from frontdesk.errors import os_reason
from frontdesk.values import Frozen, replace

_MANY: Final = 1_000_000
_LOOK_SECONDS: Final = 0.1
_PATIENCE_SECONDS: Final = 30.0


def events(args: Namespace, on: Terminal) -> int:
    with opened(args) as view:
        now = SystemClock().now()
        found = [_figures(each, now) for each in view.reads.desk("ev").events()]
    if args.json:
        on.data(found)
    elif not found:
        on.say("There are no events yet.")
    else:
        shown = ("event", "name", "starts", "seats", "taken", "held", "free", "waiting", "state")
        on.table(shown, [[each[heading] for heading in shown] for each in found])
    return OK


def _figures(event: Event, now: datetime) -> dict[str, Any]:
    seats = event.seats
    return {
        "event": event.slug,
        "name": event.details.name,
        "starts": spoken(event.details.starts_at, zone(event.details.zone)),
        "starts_at": event.details.starts_at,
        "seats": seats.cap,
        "taken": seats.taken,
        "held": seats.offered,
        "free": seats.free,
        "waiting": seats.waiting,
        "state": phase(event, now).replace("_", " "),
    }


def find_event(reads: Reads, slug: str) -> Event:
    event: Event | None = reads.desk("ev").event_by_slug(slug)
    if event is None:
        known = ", ".join(each.slug for each in reads.desk("ev").events()) or "none yet"
        raise CannotRun(f"There is no event {slug}. There are: {known}.")
    return event


# --- import ---------------------------------------------------------------------------------


def import_list(args: Namespace, on: Terminal) -> int:
    people = _read(args.file)
    numbered = dict(enumerate(people.rows, start=1))
    with writing_data(settings_for(args)) as access:
        rows = [(number, row.name, row.email, row.party) for number, row in numbered.items()]
        begun = access.order("import", event=args.event, rows=rows, invite=args.invite)
        outcomes = _wait_for(access, begun["job"], on)
    report = [
        ReportedRow(row.line, row.email, outcomes[number]) for number, row in numbered.items()
    ]
    report += [ReportedRow(problem.line, "", problem.text) for problem in people.problems]
    report.sort(key=lambda row: row.line)
    if args.json:
        told_rows = [replace(row, outcome=row.outcome.replace("_", " ")) for row in report]
        on.data({"event": args.event, "rows": [asdict(row) for row in told_rows]})
    else:
        _tell_rows(report, on)
    return OK if all(row.outcome in GOOD for row in report) else WRONG


class ReportedRow(Frozen):
    line: int
    email: str
    """Empty for a row that could not be read."""
    outcome: str


GOOD: Final = frozenset({"confirmed", "waitlisted", "invited", "already_on_the_list"})


def _read(file: Path) -> PeopleTable:
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        people = read_people(content, filename=file.name)
    except OSError as error:
        raise CannotRun(f"{file} cannot be read: {os_reason(error)}.") from error
    except BadTable as error:
        raise CannotRun(str(error)) from error
    if not people.rows:
        why = f" {people.problems[0].text}" if people.problems else ""
        name = "The input" if str(file) == "-" else file
        raise CannotRun(f"{name} contains no people.{why}")
    return people


def _wait_for(access: WriteAccess, job_id: str, on: Terminal) -> dict[int, str]:
    """Runs the job if no server is running; waits until every row is done, and returns outcomes."""
    if access.product is None:
        return _wait_for_server(access, job_id, on)
    product = access.product
    while not _job(product.engine.reads(), job_id, on).finished:
        if not product.runtime.jobs.step(product.clock.now()):
            raise CannotRun("The import stopped half-way; `frontdesk doctor` says more.")
    access.settle()
    return _outcomes(product.engine.reads().desk("ev"), job_id)


def _wait_for_server(access: WriteAccess, job_id: str, on: Terminal) -> dict[int, str]:
    done, give_up_at = -1, 0.0
    while True:
        with reading_data(access.settings) as view:
            job = _job(view.reads, job_id, on)
            if job.finished:
                return _outcomes(view.reads.desk("ev"), job_id)
        if job.done > done:
            done, give_up_at = job.done, time.monotonic() + _PATIENCE_SECONDS
        elif time.monotonic() > give_up_at:
            raise CannotRun("The server has stopped the import; it continues when it restarts.")
        time.sleep(_LOOK_SECONDS)


def _job(reads: Any, job_id: str, on: Terminal) -> Job:
    job: Job | None = reads.engine.job(job_id)
    assert job is not None
    on.progress("Importing", job.done, job.total)
    return job


def _outcomes(ev: RsvpReads, job_id: str) -> dict[int, str]:
    return {row.line: row.outcome for row in ev.import_rows(job_id)}


def _tell_rows(report: Sequence[ReportedRow], on: Terminal) -> None:
    for row in report:
        chip = OUTCOMES.get(row.outcome)
        became = f"{chip.word}." if chip else row.outcome
        on.say(f"Row {row.line}: {row.email}: {became}" if row.email else became)
    groups = Counter(group_of(row.outcome) for row in report)
    on.say(f"{count(len(report), 'row')}: {outcome_counts(groups)}.")


def _import(parser: ArgumentParser) -> None:
    parser.add_argument("event", metavar="EVENT", help="as in its address: /e/EVENT")
    parser.add_argument("file", type=a_file, metavar="FILE", help="CSV, XLSX or text; - for input")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--invite", action="store_true", help="send invitations; a seat is asked for on a yes"
    )
    how.add_argument(
        "--confirm", dest="invite", action="store_false", help="ask for seats at once (default)"
    )
    with_json(parser)


# --- export ---------------------------------------------------------------------------------

HEADINGS: Final = (
    "name",
    "email",
    "state",
    "party",
    "place in line",
    "arrived",
    "way in",
    "signed up",
)


def export(args: Namespace, on: Terminal) -> int:
    with opened(args) as view:
        event = find_event(view.reads, args.event)
        rows = list(_guests(view.reads, event))
    match args.format:
        case "json":
            named = [dict(zip(HEADINGS, row, strict=True)) for row in rows]
            if args.output is None:
                on.data(named)
                return OK
            with args.output.open("w", encoding="utf-8") as file:
                Terminal(out=file).data(named)
            return _written(args.output, len(rows), on)
        case "xlsx":
            content = write_xlsx(HEADINGS, rows, sheet=event.details.name)
        case _:
            content = b"".join(write_csv(HEADINGS, rows))
    if args.output is None:
        on.bytes(content)
        return OK
    args.output.write_bytes(content)
    return _written(args.output, len(rows), on)


def _written(file: Path, rows: int, on: Terminal) -> int:
    on.note(f"{count(rows, 'guest')} written to {file}.")
    return OK


def _guests(reads: Reads, event: Event) -> Iterator[tuple[Cell, ...]]:
    ev: RsvpReads = reads.desk("ev")
    tz = zone(event.details.zone)
    for row in ev.guest_rows(event.id, limit=_MANY):
        guest = row.guest
        joined = guest.joined_at
        yield (
            row.person.name,
            row.person.email,
            guest.state.value,
            guest.party,
            ev.position(guest) if guest.state is State.WAITING else None,
            guest.arrived,
            guest.lane.value,
            to_wall(joined, tz).replace(tzinfo=None) if joined else None,
        )


def _export(parser: ArgumentParser) -> None:
    parser.add_argument("event", metavar="EVENT")
    parser.add_argument("--format", choices=("csv", "xlsx", "json"), default="csv")
    parser.add_argument("--output", type=a_file, metavar="FILE", help="instead of printing it")
    with_aws(parser)


def _events(parser: ArgumentParser) -> None:
    with_json(parser)
    with_aws(parser)


COMMANDS = (
    CliCommand("events", "List the events and how full they are.", events, _events),
    CliCommand("import", "Bring a list of people to an event.", import_list, _import),
    CliCommand("export", "Write an event's guest list as CSV, XLSX or JSON.", export, _export),
)
