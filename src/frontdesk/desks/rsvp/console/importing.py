"""Imports a guest list: shows a preview, then starts the job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.connect.tables import BadTable, Meaning, PeopleTable, RowProblem, read_people
from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.decision import Refused
from frontdesk.core.jobs import JobId
from frontdesk.core.words import count
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport
from frontdesk.desks.rsvp.console.import_report import in_one_line, report
from frontdesk.desks.rsvp.console.page import EVENTS, ev_of, event_of, event_page, event_url
from frontdesk.desks.rsvp.console.refusals import refusal
from frontdesk.desks.rsvp.decide.seats import LARGEST_PARTY, closed, whole_event
from frontdesk.desks.rsvp.model import Event
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.ports import Committed
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.forms import MOST_PART_BYTES, BadForm, Form
from frontdesk.web.site import site_of

MOST_ROWS: Final = 50_000
#: The highest line number, counting lines without a guest.
MOST_LINES: Final = 1_000_000_000
MOST_JOBS: Final = 5
SHOWN_IN_PREVIEW: Final = 20
#: The browser sends the rows back in parts that fit the form reader; a character has up to 4 bytes.
_PART_CHARACTERS: Final = MOST_PART_BYTES // 4


class Row(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A row as the form carries it; `problem` says why it is left out."""

    line: Annotated[int, msgspec.Meta(ge=0, le=MOST_LINES)]
    name: str
    email: str
    party: int
    problem: str = ""


def routes() -> list[BaseRoute]:
    path = f"{EVENTS}/{{event}}/import"
    return [
        Route(path, staff(import_page, event_param="event"), methods=["GET"]),
        Route(path, staff(preview, event_param="event"), methods=["POST"]),
        Route(f"{path}/begin", staff(begin, event_param="event"), methods=["POST"]),
        Route(f"{path}/{{job}}", staff(report, event_param="event"), methods=["GET"]),
    ]


async def import_page(request: Request) -> Response:
    return await _form(request, event_of(request), "", "")


async def _form(
    request: Request, event: Event, pasted: str, error: str, *, status: int = 200
) -> Response:
    before = await run_in_threadpool(_so_far, ev_of(request), event)
    return event_page(
        request,
        "import.html",
        event,
        tab="Import",
        status=status,
        pasted=pasted,
        error=error,
        closed=closed(event, site_of(request).clock.now()),
        jobs=before,
    )


def _so_far(ev: RsvpReads, event: Event) -> list[dict[str, str]]:
    """Returns the newest imports with their summaries."""
    jobs = [job for job in reversed(ev.jobs(event.id)) if job.kind == "import"]
    return [
        {
            "url": f"{event_url(event.id)}/import/{job.id}",
            "says": in_one_line(job, ev.import_rows(job.id)),
        }
        for job in jobs[:MOST_JOBS]
    ]


# --- preview --------------------------------------------------------------------------------


async def preview(request: Request) -> Response:
    """Shows what was understood. Changes nothing; the form carries the rows to `begin`."""
    event, form = event_of(request), form_of(request)
    name, body = form.files.get("file", ("", b""))
    source: bytes | str = body or form["pasted"]
    if not source:
        error = "Please paste a list or choose a file."
        return await _form(request, event, "", error, status=422)
    try:
        table = await run_in_threadpool(read_people, source, filename=name or None)
    except BadTable as bad:
        return await _form(request, event, form["pasted"], str(bad), status=422)
    table = _parties_that_fit(event, table)
    if not table.rows:
        error = _nobody(table)
        return await _form(request, event, form["pasted"], error, status=422)
    rows = rows_of(table)
    ev = ev_of(request)
    known = await run_in_threadpool(_already_here, ev, event, table)
    return event_page(
        request,
        "import_preview.html",
        event,
        tab="Import",
        page_title="What was understood",
        table=table,
        people=sum(row.party for row in table.rows),
        known=known,
        new=len(table.rows) - known,
        answers=next((c.heading for c in table.columns if c.meaning is Meaning.ANSWER), ""),
        columns=[column for column in table.columns if column.meaning is not None],
        unread=[column.heading for column in table.columns if column.meaning is None],
        shown=table.rows[:SHOWN_IN_PREVIEW],
        parts=_parts(rows),
        once=site_of(request).new_id(),
    )


def _parties_that_fit(event: Event, table: PeopleTable) -> PeopleTable:
    """Leaves out parties larger than the whole event, which would wait for ever."""
    fits = tuple(row for row in table.rows if row.party <= whole_event(event))
    too_large = "The party is larger than the event, which has " + count(event.seats.cap, "seat")
    problems = [
        RowProblem(row.line, Meaning.PARTY, f"Row {row.line}: {too_large}.")
        for row in table.rows
        if row.party > whole_event(event)
    ]
    in_order = sorted((*table.problems, *problems), key=lambda each: each.line)
    return PeopleTable(fits, table.columns, tuple(in_order))


def _nobody(table: PeopleTable) -> str:
    if not table.problems:
        return "There was nobody in this list."
    return f"There is nobody in this list to bring in. {table.problems[0].text}"


def _already_here(ev: RsvpReads, event: Event, table: PeopleTable) -> int:
    """Counts those who have a row at this event already."""
    found = 0
    for row in table.rows:
        person = ev.person_by_email(row.email)
        if person is not None and ev.guest_of(event.id, person.id) is not None:
            found += 1
    return found


def rows_of(table: PeopleTable) -> list[Row]:
    """Returns all rows in order; renumbers them if one line has several people."""
    rows = [Row(row.line, row.name, row.email, row.party) for row in table.rows]
    rows += [Row(problem.line, "", "", 1, problem.text) for problem in table.problems]
    rows.sort(key=lambda row: row.line)
    if len({row.line for row in rows}) < len(rows):
        for number, row in enumerate(rows, start=1):
            row.line = number
    return rows


def _parts(rows: Sequence[Row]) -> list[str]:
    text = msgspec.json.encode(rows).decode()
    return [
        text[start : start + _PART_CHARACTERS] for start in range(0, len(text), _PART_CHARACTERS)
    ]


# --- starting the import --------------------------------------------------------------------


async def begin(request: Request) -> Response:
    event, form = event_of(request), form_of(request)
    rows = await run_in_threadpool(_read_rows, form)
    if form["how"] not in ("invite", "confirm"):
        raise BadForm("Please say whether to invite them or to confirm them.")
    site = site_of(request)
    command = BeginImport(event.id, JobId(site.new_id()), rows, invite=form["how"] == "invite")
    outcome = await run(request, command, once=form["once"])
    if isinstance(outcome, Refused):
        url = f"{event_url(event.id)}/import"
        return done(request, url, refusal(outcome.reason), kind="problem")
    return done(request, f"{event_url(event.id)}/import/{_job_id(outcome)}")


def _job_id(outcome: Committed) -> str:
    job_id: str = getattr(outcome.facts[-1].fact, "job_id")  # noqa: B009 - a JobBegun
    return job_id


def _read_rows(form: Form) -> tuple[ImportRow, ...]:
    """Reads the rows of the preview back from the browser, and checks them again."""
    text = "".join(form.fields.get(f"rows{n}", "") for n in range(100))
    try:
        rows = msgspec.json.decode(text.encode(), type=list[Row])
    except (msgspec.DecodeError, UnicodeEncodeError):
        raise BadForm("The list has been lost on its way. Please choose it again.") from None
    if not 0 < len(rows) <= MOST_ROWS or len({row.line for row in rows}) < len(rows):
        raise BadForm("The list has been lost on its way. Please choose it again.")
    return tuple(_checked(row) for row in rows)


def _checked(row: Row) -> ImportRow:
    if row.problem:
        return ImportRow(row.line, "", "", 1, outcome=row.problem[:300])
    try:
        name, email = clean_name(row.name), clean_email(row.email)
    except BadContact as bad:
        return ImportRow(row.line, "", "", 1, outcome=f"Row {row.line}: {bad}")
    if not 1 <= row.party <= LARGEST_PARTY:
        return ImportRow(row.line, "", "", 1, outcome=str(Reason.PARTY_TOO_LARGE))
    return ImportRow(row.line, name, email, row.party)
