"""Imports a guest list: shows a preview, starts the job, and reports the outcome of each row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.connect.tables import BadTable, Meaning, PeopleTable, RowProblem, read_people
from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.decision import Refused
from frontdesk.core.jobs import Job, JobId
from frontdesk.core.words import count
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport
from frontdesk.desks.rsvp.console.formatting import refusal
from frontdesk.desks.rsvp.console.overview import headcount, job_counts, stamp
from frontdesk.desks.rsvp.console.page import EVENTS, ev_of, event_of, event_page, event_url
from frontdesk.desks.rsvp.decide.seats import LARGEST_PARTY, refuse_if_closed, whole_event
from frontdesk.desks.rsvp.model import Event, Guest, GuestId, as_signed_up
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.ports import Committed
from frontdesk.engine.stories import ERASED, full_name
from frontdesk.web.console.formatting import Chip
from frontdesk.web.console.lists import Column, ListSpec
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.forms import MOST_PART_BYTES, BadForm, Form
from frontdesk.web.site import site_of

MOST_ROWS: Final = 50_000
#: The highest line number. Lines without a guest count too.
MOST_LINES: Final = 1_000_000_000
MOST_JOBS: Final = 5
SHOWN_IN_PREVIEW: Final = 20
#: The browser sends the rows back in parts that the form reader accepts. A character has up to 4
#: bytes.
_PART_CHARACTERS: Final = MOST_PART_BYTES // 4


class ImportedRow(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A row as the form carries it. `problem` says why it is left out."""

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
    before = await run_in_threadpool(_recent_imports, ev_of(request), event)
    return event_page(
        request,
        "import.html",
        event,
        tab="Import",
        status=status,
        pasted=pasted,
        error=error,
        closed=refuse_if_closed(event, site_of(request).clock.now()),
        jobs=before,
    )


def _recent_imports(ev: RsvpReads, event: Event) -> list[dict[str, str]]:
    """Returns the newest imports with their summaries."""
    jobs = [job for job in reversed(ev.jobs(event.id)) if job.kind == "import"]
    return [
        {
            "url": f"{event_url(event.id)}/import/{job.id}",
            "says": summary_line(job, ev.import_rows(job.id)),
        }
        for job in jobs[:MOST_JOBS]
    ]


# --- preview --------------------------------------------------------------------------------


async def preview(request: Request) -> Response:
    """Shows what was understood. Changes nothing. The form carries the rows to `begin`."""
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
        error = _why_nobody(table)
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
    """Leaves out parties larger than the whole event, because they would wait for ever."""
    fits = tuple(row for row in table.rows if row.party <= whole_event(event))
    too_large = "The party is larger than the event, which has " + count(event.seats.cap, "seat")
    problems = [
        RowProblem(row.line, Meaning.PARTY, f"Row {row.line}: {too_large}.")
        for row in table.rows
        if row.party > whole_event(event)
    ]
    in_order = sorted((*table.problems, *problems), key=lambda each: each.line)
    return PeopleTable(fits, table.columns, tuple(in_order))


def _why_nobody(table: PeopleTable) -> str:
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


def rows_of(table: PeopleTable) -> list[ImportedRow]:
    """Returns all rows in order; renumbers them if one line has several people."""
    rows = [ImportedRow(row.line, row.name, row.email, row.party) for row in table.rows]
    rows += [ImportedRow(problem.line, "", "", 1, problem.text) for problem in table.problems]
    rows.sort(key=lambda row: row.line)
    if len({row.line for row in rows}) < len(rows):
        for number, row in enumerate(rows, start=1):
            row.line = number
    return rows


def _parts(rows: Sequence[ImportedRow]) -> list[str]:
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
        rows = msgspec.json.decode(text.encode(), type=list[ImportedRow])
    except (msgspec.DecodeError, UnicodeEncodeError):
        raise BadForm("The list has been lost on its way. Please choose it again.") from None
    if not 0 < len(rows) <= MOST_ROWS or len({row.line for row in rows}) < len(rows):
        raise BadForm("The list has been lost on its way. Please choose it again.")
    return tuple(_checked(row) for row in rows)


def _checked(row: ImportedRow) -> ImportRow:
    if row.problem:
        return ImportRow(row.line, "", "", 1, outcome=row.problem[:300])
    try:
        name, email = clean_name(row.name), clean_email(row.email)
    except BadContact as bad:
        return ImportRow(row.line, "", "", 1, outcome=f"Row {row.line}: {bad}")
    if not 1 <= row.party <= LARGEST_PARTY:
        return ImportRow(row.line, "", "", 1, outcome=str(Reason.PARTY_TOO_LARGE))
    return ImportRow(row.line, name, email, row.party)


ON_A_PAGE: Final = 100

OUTCOMES: Final = {
    "confirmed": Chip("Has a seat", "good"),
    "waitlisted": Chip("In line", "waiting"),
    "invited": Chip("Invited", "neutral"),
    "already_on_the_list": Chip("Was on the list already", "gone"),
    "": Chip("Not yet", "neutral"),
    "erased": Chip("Erased meanwhile", "gone"),
    "begun": Chip("The event had begun", "ending"),
    "called_off": Chip("The event was called off", "ending"),
    "party_too_large": Chip("The party is larger than the event", "ending"),
}
NOT_UNDERSTOOD: Final = Chip("Left out", "ending")
#: Verbs for the summary, singular and plural. Any other outcome counts as left out.
_VERBS: Final = {
    "confirmed": ("got a seat", "got a seat"),
    "waitlisted": ("joined the line", "joined the line"),
    "invited": ("was invited", "were invited"),
    "already_on_the_list": ("was on the list already", "were on the list already"),
    "problem": ("was left out", "were left out"),
}
_ADDRESS: Final = re.compile(r"[^\s“”:]+@[^\s“”:]+")


async def report(request: Request) -> Response:
    event, ev = event_of(request), ev_of(request)
    job = ev.job(request.path_params["job"])
    if job is None or job.subject != event.id or job.kind != "import":
        raise HTTPException(404)
    rows = await run_in_threadpool(ev.import_rows, job.id)
    groups = Counter(group_of(row.outcome) for row in rows)
    spec = _report(ev, event, job, groups)
    query = spec.query(request)
    chosen = [row for row in rows if query.filter in ("", group_of(row.outcome) or "open")]
    counts = {"": len(rows), **{group or "open": number for group, number in groups.items()}}
    view = spec.view(query, query.slice(chosen), total=len(chosen), counts=counts)
    return event_page(
        request,
        "import_report.html",
        event,
        tab="Import",
        page_title="Import report",
        job=job,
        is_done=_is_done(job, groups),
        says=_progress(job, groups),
        stamp=stamp(ev, event, headcount(ev, event) | job_counts(job)),
        list=view,
    )


def _report(ev: RsvpReads, event: Event, job: Job, groups: Counter[str]) -> ListSpec[ImportRow]:
    return ListSpec(
        id="rows",
        path=f"{event_url(event.id)}/import/{job.id}",
        caption="What became of each row",
        columns=(
            Column("name", "Guest", lambda row: _guest_label(ev, row)),
            Column("what", "Outcome", lambda row: _outcome(row.outcome)),
            Column("party", "Party", lambda row: row.party, number=True),
            Column("line", "Row", lambda row: row.line, number=True),
            Column("why", "Why", _why, long=True),
        ),
        row_url=lambda row: _guest_url(ev, event, row),
        filters=(("", "All"), *((group or "open", _outcome(group).word) for group in groups)),
        filter_by="outcome",
        per_page=ON_A_PAGE,
        nothing_found="No row of this kind.",
    )


def _outcome(outcome: str) -> Chip:
    return OUTCOMES.get(outcome, NOT_UNDERSTOOD)


def _why(row: ImportRow) -> str:
    return row.outcome if row.outcome not in OUTCOMES else ""


def _guest_of(ev: RsvpReads, row: ImportRow) -> Guest | None:
    return ev.guest(GuestId(row.guest_id)) if row.guest_id else None


def _guest_url(ev: RsvpReads, event: Event, row: ImportRow) -> str:
    guest = _guest_of(ev, row)
    return f"{event_url(event.id)}/guests/{guest.id}" if guest else ""


def _guest_label(ev: RsvpReads, row: ImportRow) -> str:
    """Returns the guest's name. For a settled row without a guest: the address in its reason, or
    else its number."""
    guest = _guest_of(ev, row)
    person = ev.person(guest.person_id) if guest else None
    name = full_name(as_signed_up(guest, person)) if guest and person else ""
    if known := name or row.name or row.email:
        return known
    if row.outcome == "erased":
        return ERASED
    address = _ADDRESS.search(_why(row))
    return address[0] if address else f"Row {row.line:,}"


def group_of(outcome: str) -> str:
    """Returns the outcome, or 'problem' for a row that was left out with a sentence."""
    return outcome if outcome in OUTCOMES else "problem"


def _is_done(job: Job, groups: Counter[str]) -> bool:
    """Whether every row is settled, even if the job is not closed yet."""
    return job.finished or not groups[""]


def _progress(job: Job, groups: Counter[str]) -> str:
    if not _is_done(job, groups):
        return f"{count(groups[''], 'row')} to go. You can leave this page; it goes on."
    became = outcome_counts(groups)
    return f"Done: {became}." if became else "Done."


def summary_line(job: Job, rows: Sequence[ImportRow]) -> str:
    """Summarises: '2 rows: 1 got a seat, 1 was left out'. Adds how many are to go."""
    groups = Counter(group_of(row.outcome) for row in rows)
    to_go = () if _is_done(job, groups) else (f"{groups['']:,} to go",)
    return f"{count(len(rows), 'row')}: {', '.join(filter(None, (outcome_counts(groups), *to_go)))}"


def outcome_counts(groups: Counter[str]) -> str:
    """Sums up the settled rows in words, each row once."""
    numbers: Counter[str] = Counter()
    for key, number in groups.items():
        if key:
            numbers[key if key in _VERBS else "problem"] += number
    return ", ".join(
        f"{numbers[key]:,} {one if numbers[key] == 1 else more}"
        for key, (one, more) in _VERBS.items()
        if numbers[key]
    )
