"""Brings a list along: what was understood first, then row by row, with a report that stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.connect.tables import BadTable, PeopleTable, read_people
from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.decision import Refused
from frontdesk.core.jobs import Job, JobId
from frontdesk.core.words import count
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport
from frontdesk.desks.rsvp.console.frame import (
    EVENTS,
    ev_of,
    event_of,
    event_page,
    event_url,
    page_number,
    run,
)
from frontdesk.desks.rsvp.console.live import headcount, job_counts, stamp
from frontdesk.desks.rsvp.console.looks import full_name
from frontdesk.desks.rsvp.console.refusals import refusal
from frontdesk.desks.rsvp.decide.seats import LARGEST_PARTY, closed
from frontdesk.desks.rsvp.model import Event, GuestId
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.ports import Committed
from frontdesk.web.console_shell import done, form_of, staff
from frontdesk.web.forms import MOST_PART_BYTES, BadForm, Form
from frontdesk.web.site import site_of

MOST_ROWS: Final = 50_000
#: Lines of a file, those without anybody included.
MOST_LINES: Final = 1_000_000_000
ON_A_PAGE: Final = 100
SHOWN_IN_PREVIEW: Final = 20
#: The rows travel in the form, in parts that its reader takes: a character has up to 4 bytes.
_PART_CHARACTERS: Final = MOST_PART_BYTES // 4

#: What became of a row: a word and a state for each.
OUTCOMES: Final = {
    "confirmed": ("Has a seat", "good"),
    "waitlisted": ("In line", "waiting"),
    "invited": ("Invited", "neutral"),
    "already_on_the_list": ("Was on the list already", "gone"),
    "": ("Not yet", "neutral"),
    "erased": ("Erased meanwhile", "gone"),
    "begun": ("The event had begun", "ending"),
    "called_off": ("The event was called off", "ending"),
    "party_too_large": ("The party is too large", "ending"),
}
NOT_UNDERSTOOD: Final = ("Left out", "ending")


class Row(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A row as it travels in the form; `problem` says why it is left out."""

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
    return _form(request, event_of(request), "", "")


def _form(
    request: Request, event: Event, pasted: str, error: str, *, status: int = 200
) -> Response:
    ev, url = ev_of(request), f"{event_url(event.id)}/import"
    return event_page(
        request,
        "import.html",
        event,
        tab="Import",
        status=status,
        pasted=pasted,
        error=error,
        closed=closed(event, site_of(request).clock.now()),
        jobs=[
            {"url": f"{url}/{job.id}", "says": f"{job.done:,} of {count(job.total, 'row')} done"}
            for job in reversed(ev.jobs(event.id))
            if job.kind == "import"
        ][:10],
    )


# --- what was understood --------------------------------------------------------------------


async def preview(request: Request) -> Response:
    """Nothing is changed: the rows go back to the browser, which sends them along."""
    event, form = event_of(request), form_of(request)
    name, body = form.files.get("file", ("", b""))
    source: bytes | str = body or form["pasted"]
    if not source:
        error = "Please paste a list or choose a file."
        return _form(request, event, "", error, status=422)
    try:
        table = await run_in_threadpool(read_people, source, filename=name or None)
    except BadTable as bad:
        return _form(request, event, form["pasted"], str(bad), status=422)
    if not table.rows:
        error = _nobody(table)
        return _form(request, event, form["pasted"], error, status=422)
    rows = rows_of(table)
    ev = ev_of(request)
    known = await run_in_threadpool(_already_here, ev, event, table)
    return event_page(
        request,
        "import_preview.html",
        event,
        tab="Import",
        page_title="What was understood",
        more_crumbs=(("Import", f"{event_url(event.id)}/import"), ("Preview", "")),
        table=table,
        people=sum(row.party for row in table.rows),
        known=known,
        columns=[column for column in table.columns if column.meaning is not None],
        unread=[column.heading for column in table.columns if column.meaning is None],
        shown=table.rows[:SHOWN_IN_PREVIEW],
        parts=_parts(rows),
        once=site_of(request).new_id(),
    )


def _nobody(table: PeopleTable) -> str:
    if not table.problems:
        return "There was nobody in this list."
    return f"Nobody in this list has an address that can be used. {table.problems[0].text}"


def _already_here(ev: RsvpReads, event: Event, table: PeopleTable) -> int:
    """How many are on the list already, for whom nothing changes."""
    found = 0
    for row in table.rows:
        person = ev.person_by_email(row.email)
        if person is not None and ev.guest_of(event.id, person.id) is not None:
            found += 1
    return found


def rows_of(table: PeopleTable) -> list[Row]:
    """All rows in order. Where one line has several people, they are numbered anew."""
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


# --- row by row -----------------------------------------------------------------------------


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
    """What the preview handed out. It has been in the browser, so it is checked like anything."""
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


# --- the report -----------------------------------------------------------------------------


async def report(request: Request) -> Response:
    event, ev = event_of(request), ev_of(request)
    job = ev.job(request.path_params["job"])
    if job is None or job.subject != event.id or job.kind != "import":
        raise HTTPException(404)
    wanted, page = request.query_params.get("outcome", "all"), page_number(request)
    rows = await run_in_threadpool(ev.import_rows, job.id)
    groups = Counter(_group(row.outcome) for row in rows)
    chosen = [row for row in rows if wanted in ("all", _group(row.outcome) or "open")]
    first = (page - 1) * ON_A_PAGE
    base = f"{event_url(event.id)}/import/{job.id}"
    return event_page(
        request,
        "import_report.html",
        event,
        tab="Import",
        page_title="Import",
        more_crumbs=(("Import", f"{event_url(event.id)}/import"), ("Report", "")),
        job=job,
        is_done=_is_done(job, groups),
        says=_progress(job, groups),
        stamp=stamp(ev, event, headcount(ev, event) | job_counts(job)),
        filters=_filters(base, wanted, groups),
        rows=[_line(ev, event, row) for row in chosen[first : first + ON_A_PAGE]],
        pages={
            "says": f"{first + 1:,} to {min(first + ON_A_PAGE, len(chosen)):,} of {len(chosen):,}",
            "previous": f"{base}?outcome={wanted}&page={page - 1}" if page > 1 else "",
            "next": f"{base}?outcome={wanted}&page={page + 1}"
            if first + ON_A_PAGE < len(chosen)
            else "",
        },
    )


def _group(outcome: str) -> str:
    """The outcome, or 'problem' for a row that was left out with a sentence."""
    return outcome if outcome in OUTCOMES else "problem"


def _is_done(job: Job, groups: Counter[str]) -> bool:
    """With its last row, whether or not the job has been closed yet."""
    return job.finished or not groups[""]


def _progress(job: Job, groups: Counter[str]) -> str:
    if not _is_done(job, groups):
        return f"{count(groups[''], 'row')} to go. You can leave this page; it goes on."
    parts = (
        ("confirmed", "got a seat", "got a seat"),
        ("waitlisted", "joined the line", "joined the line"),
        ("invited", "was invited", "were invited"),
        ("already_on_the_list", "was on the list already", "were on the list already"),
        ("problem", "was left out", "were left out"),
    )
    told = [
        f"{groups[key]:,} {one if groups[key] == 1 else more}"
        for key, one, more in parts
        if groups[key]
    ]
    return f"Done: {', '.join(told)}." if told else "Done."


def _filters(base: str, wanted: str, groups: Counter[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"label": "All", "url": base, "active": wanted == "all", "count": groups.total()}
    ]
    for key, number in groups.items():
        name = key or "open"
        found.append(
            {
                "label": OUTCOMES.get(key, NOT_UNDERSTOOD)[0],
                "url": f"{base}?outcome={name}",
                "active": wanted == name,
                "count": number,
            }
        )
    return found


def _line(ev: RsvpReads, event: Event, row: ImportRow) -> dict[str, Any]:
    word, state = OUTCOMES.get(row.outcome, NOT_UNDERSTOOD)
    name, url = row.name, ""
    guest = ev.guest(GuestId(row.guest_id)) if row.guest_id else None
    if guest is not None:
        person = ev.person(guest.person_id)
        name = full_name(person) if person else ""
        url = f"{event_url(event.id)}/guests/{guest.id}"
    return {
        "line": row.line,
        "name": name or row.email or "Nobody",
        "url": url,
        "word": word,
        "state": state,
        "why": row.outcome if row.outcome not in OUTCOMES else "",
        "party": row.party,
    }
