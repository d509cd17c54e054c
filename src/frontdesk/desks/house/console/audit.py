"""The audit: everything that has happened, newest first, and one fact in full."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Fact
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.core.unreadable import Unreadable
from frontdesk.desks.house.console.back_office import (
    MOST_DIGITS,
    ROWS_ON_A_PAGE,
    number_in,
    reads_of,
    settings_tabs,
    with_query,
    zone_of,
)
from frontdesk.desks.house.reads import FactFilter
from frontdesk.engine.ports import Recorded
from frontdesk.web.console.formatting import relative_time
from frontdesk.web.console.shell import console_page, staff
from frontdesk.web.site import site_of

PATH: Final = "/console/audit"


def routes() -> list[BaseRoute]:
    return [
        Route(PATH, staff(audit), methods=["GET"]),
        Route(f"{PATH}/{{seq}}", staff(one_fact), methods=["GET"]),
    ]


async def audit(request: Request) -> Response:
    query = request.query_params
    before = query.get("before", "")
    wanted = FactFilter(
        desk=query.get("desk", "")[:10],
        kind=query.get("kind", "")[:50],
        about=query.get("about", "").strip()[:60],
        before=_number(before),
    )
    fd = reads_of(request)
    found = await run_in_threadpool(fd.facts, wanted, ROWS_ON_A_PAGE + 1)
    shown = found[:ROWS_ON_A_PAGE]
    kept = {"desk": wanted.desk, "kind": wanted.kind, "about": wanted.about}
    is_more = len(found) > ROWS_ON_A_PAGE
    return console_page(
        request,
        "house/audit.html",
        page_title="Audit",
        active="/console/settings",
        tabs=settings_tabs(request),
        rows=[_row(request, recorded) for recorded in shown],
        wanted=wanted,
        filters=_desks(request, wanted),
        kinds=_kinds(request, wanted.desk),
        earlier=with_query(PATH, {**kept, "before": str(shown[-1].seq)}) if is_more else "",
        newest=with_query(PATH, kept) if wanted.before else "",
    )


def _number(text: str) -> int:
    """0 if it is none of ours."""
    is_number = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return int(text) if is_number else 0


def _desks(request: Request, wanted: FactFilter) -> list[dict[str, Any]]:
    desks = site_of(request).engine.desks.values()
    pairs = [("", "All"), *((desk.code, desk.name) for desk in desks)]
    return [
        {
            "label": name,
            "url": with_query(PATH, {"desk": code, "about": wanted.about}),
            "active": wanted.desk == code,
        }
        for code, name in pairs
    ]


def _kinds(request: Request, desk: str) -> list[tuple[str, str]]:
    desks = site_of(request).engine.desks.values()
    kinds = {fact.kind for each in desks if desk in ("", each.code) for fact in each.facts}
    return [("", "Every kind"), *((kind, fact_word(kind)) for kind in sorted(kinds))]


async def one_fact(request: Request) -> Response:
    recorded = reads_of(request).fact(number_in(request, "seq"))
    if recorded is None:
        raise HTTPException(404)
    row = _row(request, recorded)
    return console_page(
        request,
        "house/fact.html",
        page_title=row["what"],
        active="/console/settings",
        crumbs=(("Audit", PATH), (f"Number {recorded.seq}", "")),
        row=row,
        at=recorded.at.isoformat(),
        body=_body(recorded.fact),
        person=_person_id(request, recorded),
    )


def _body(fact: Fact) -> str:
    """As it is kept; what cannot be read is shown untouched, after why."""
    if isinstance(fact, Unreadable):
        return f"This version of Frontdesk cannot read it: {fact.why}\n\n{fact.body}"
    return msgspec.json.format(msgspec.json.encode(fact), indent=2).decode()


def fact_word(kind: str) -> str:
    """'ev.offer_made' as people say it: 'Offer made'."""
    return kind.partition(".")[2].replace("_", " ").capitalize()


def _row(request: Request, recorded: Recorded) -> dict[str, Any]:
    site, fact = site_of(request), recorded.fact
    return {
        "seq": recorded.seq,
        "what": fact_word(fact.kind),
        "kind": fact.kind,
        "by": by_words(request, recorded.by),
        "subject": fact.subject,
        "about": fact.about,
        "when": relative_time(recorded.at, site.clock.now(), zone_of(request)),
    }


def by_words(request: Request, by: str) -> str:
    """Who did it, as people say it."""
    who, _, rest = by.partition(":")
    match who:
        case "member":
            member = reads_of(request).member(MemberId(rest))
            return (member.name if member else "") or "Somebody of the team"
        case "guest":
            return "A guest"
        case "cli":
            return "The command line"
        case "slack":
            return "Somebody in Slack"
        case _:
            return "Frontdesk itself"


def _person_id(request: Request, recorded: Recorded) -> str:
    """The person that it is about, if it names them."""
    person_id = getattr(recorded.fact, "person_id", "") or recorded.fact.about
    found = site_of(request).reads().engine.person(PersonId(person_id)) if person_id else None
    return found.id if found else ""
