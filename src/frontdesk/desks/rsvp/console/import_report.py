"""Reports an import: the outcome of each row and a summary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.jobs import Job
from frontdesk.core.words import count
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.console.live import headcount, job_counts, stamp
from frontdesk.desks.rsvp.console.page import ev_of, event_of, event_page, event_url
from frontdesk.desks.rsvp.model import Event, Guest, GuestId, as_signed_up
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.stories import ERASED, full_name
from frontdesk.web.console.formatting import Chip
from frontdesk.web.console.lists import Column, ListSpec

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
#: Verbs for the summary, singular and plural; any other outcome counts as left out.
_TOLD: Final = {
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
    groups = Counter(_group(row.outcome) for row in rows)
    spec = _report(ev, event, job, groups)
    query = spec.query(request)
    chosen = [row for row in rows if query.filter in ("", _group(row.outcome) or "open")]
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
            Column("name", "Guest", lambda row: _called(ev, row)),
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


def _called(ev: RsvpReads, row: ImportRow) -> str:
    """Returns the guest's name. For a settled row without a guest: the address in its reason, or
    its number."""
    guest = _guest_of(ev, row)
    person = ev.person(guest.person_id) if guest else None
    name = full_name(as_signed_up(guest, person)) if guest and person else ""
    if known := name or row.name or row.email:
        return known
    if row.outcome == "erased":
        return ERASED
    address = _ADDRESS.search(_why(row))
    return address[0] if address else f"Row {row.line:,}"


def _group(outcome: str) -> str:
    """Returns the outcome, or 'problem' for a row that was left out with a sentence."""
    return outcome if outcome in OUTCOMES else "problem"


def _is_done(job: Job, groups: Counter[str]) -> bool:
    """Whether every row is settled, even if the job is not closed yet."""
    return job.finished or not groups[""]


def _progress(job: Job, groups: Counter[str]) -> str:
    if not _is_done(job, groups):
        return f"{count(groups[''], 'row')} to go. You can leave this page; it goes on."
    told = _told(groups)
    return f"Done: {told}." if told else "Done."


def in_one_line(job: Job, rows: Sequence[ImportRow]) -> str:
    """Summarises: '2 rows: 1 got a seat, 1 was left out'; adds how many are to go."""
    groups = Counter(_group(row.outcome) for row in rows)
    to_go = () if _is_done(job, groups) else (f"{groups['']:,} to go",)
    return f"{count(len(rows), 'row')}: {', '.join(filter(None, (_told(groups), *to_go)))}"


def _told(groups: Counter[str]) -> str:
    """Counts each settled row once."""
    numbers: Counter[str] = Counter()
    for key, number in groups.items():
        if key:
            numbers[key if key in _TOLD else "problem"] += number
    return ", ".join(
        f"{numbers[key]:,} {one if numbers[key] == 1 else more}"
        for key, (one, more) in _TOLD.items()
        if numbers[key]
    )
