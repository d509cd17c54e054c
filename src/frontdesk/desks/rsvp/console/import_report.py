"""What became of a list that was brought along, row by row and in one sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.jobs import Job
from frontdesk.core.words import count
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.console.formatting import ERASED, full_name
from frontdesk.desks.rsvp.console.live import headcount, job_counts, stamp
from frontdesk.desks.rsvp.console.page import ev_of, event_of, event_page, event_url, page_number
from frontdesk.desks.rsvp.model import Event, GuestId, as_signed_up
from frontdesk.desks.rsvp.reads import RsvpReads

ON_A_PAGE: Final = 100

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
    "party_too_large": ("The party is larger than the event", "ending"),
}
NOT_UNDERSTOOD: Final = ("Left out", "ending")
#: The same in a sentence, for one and for more; whatever is not here was left out.
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
    told = _told(groups)
    return f"Done: {told}." if told else "Done."


def in_one_line(job: Job, rows: Sequence[ImportRow]) -> str:
    """'2 rows: 1 got a seat, 1 was left out'; while it goes on, how many are to go."""
    groups = Counter(_group(row.outcome) for row in rows)
    to_go = () if _is_done(job, groups) else (f"{groups['']:,} to go",)
    return f"{count(len(rows), 'row')}: {', '.join(filter(None, (_told(groups), *to_go)))}"


def _told(groups: Counter[str]) -> str:
    """Every row that is settled is in it once."""
    numbers: Counter[str] = Counter()
    for key, number in groups.items():
        if key:
            numbers[key if key in _TOLD else "problem"] += number
    return ", ".join(
        f"{numbers[key]:,} {one if numbers[key] == 1 else more}"
        for key, (one, more) in _TOLD.items()
        if numbers[key]
    )


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
    why = row.outcome if row.outcome not in OUTCOMES else ""
    name, url = row.name, ""
    guest = ev.guest(GuestId(row.guest_id)) if row.guest_id else None
    if guest is not None:
        person = ev.person(guest.person_id)
        name = full_name(as_signed_up(guest, person)) if person else ""
        url = f"{event_url(event.id)}/guests/{guest.id}"
    return {
        "line": row.line,
        "name": name or row.email or _called(row, why),
        "url": url,
        "word": word,
        "state": state,
        "why": why,
        "party": row.party,
    }


def _called(row: ImportRow, why: str) -> str:
    """A row that is settled keeps no name: the address that its reason names, or its number."""
    if row.outcome == "erased":
        return ERASED
    address = _ADDRESS.search(why)
    return address[0] if address else f"Row {row.line:,}"
