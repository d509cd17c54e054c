"""Shows the audit, newest first, and single facts in full."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Fact
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.core.unreadable import Unreadable
from frontdesk.desks.admin.console.page import number_in, reads_of, settings_tabs, zone_of
from frontdesk.desks.admin.reads import FactFilter
from frontdesk.engine.ports import Recorded
from frontdesk.web.console.formatting import relative_time
from frontdesk.web.console.lists import Column, ListSpec, Pager, number
from frontdesk.web.console.shell import console_page, staff
from frontdesk.web.site import or_404, site_of

PATH: Final = "/console/audit"


def routes() -> list[BaseRoute]:
    return [
        Route(PATH, staff(audit), methods=["GET"]),
        Route(f"{PATH}/{{seq}}", staff(one_fact), methods=["GET"]),
    ]


def fact_list(request: Request) -> ListSpec[Recorded]:
    now, tz = site_of(request).clock.now(), zone_of(request)
    desks = site_of(request).engine.desks.values()
    return ListSpec(
        id="audit",
        path=PATH,
        caption="Facts, newest first",
        columns=(
            Column("what", "What", lambda recorded: fact_word(recorded.fact.kind)),
            Column("by", "By", lambda recorded: actor_words(request, recorded.by)),
            Column("kind", "Kind", lambda recorded: recorded.fact.kind),
            Column("when", "When", lambda recorded: relative_time(recorded.at, now, tz)),
            Column("seq", "Number", lambda recorded: recorded.seq, number=True),
        ),
        row_url=lambda recorded: f"{PATH}/{recorded.seq}",
        filters=(("", "All"), *((desk.code, desk.name) for desk in desks)),
        filter_by="desk",
        keep=("kind", "about"),
        nothing_found="Nothing like that has happened.",
    )


async def audit(request: Request) -> Response:
    spec = fact_list(request)
    query, before = spec.query(request), number(request.query_params.get("before", ""))
    kind, about = query.kept["kind"], query.kept["about"]
    wanted = FactFilter(desk=query.filter, kind=kind, about=about, before=before)
    found = await run_in_threadpool(reads_of(request).facts, wanted, query.per_page + 1)
    rows = found[: query.per_page]
    has_more = len(found) > query.per_page
    return console_page(
        request,
        "admin/audit.html",
        page_title="Audit",
        lead="Everything that has happened. Nothing here is ever changed, and people are named by"
        " id only.",
        active="/console/settings",
        **settings_tabs(request),
        kinds=_kinds(request, query.filter),
        list=spec.view(
            query,
            rows,
            pages=Pager(
                previous=query.url() if before else "",
                next=query.url(before=str(rows[-1].seq)) if has_more else "",
                previous_label="Newest",
                next_label="Earlier",
            ),
        ),
    )


def _kinds(request: Request, desk: str) -> list[tuple[str, str]]:
    desks = site_of(request).engine.desks.values()
    kinds = {fact.kind for each in desks if desk in ("", each.code) for fact in each.facts}
    return [("", "Every kind"), *((kind, fact_word(kind)) for kind in sorted(kinds))]


async def one_fact(request: Request) -> Response:
    recorded = or_404(reads_of(request).fact(number_in(request, "seq")))
    fact, now = recorded.fact, site_of(request).clock.now()
    return console_page(
        request,
        "admin/fact.html",
        page_title=fact_word(fact.kind),
        active="/console/settings",
        crumbs=(("Audit", PATH), (f"Number {recorded.seq}", "")),
        fact=fact,
        seq=recorded.seq,
        by=actor_words(request, recorded.by),
        when=relative_time(recorded.at, now, zone_of(request)),
        at=recorded.at.isoformat(),
        body=_body(fact),
        person=_person_id(request, recorded),
    )


def _body(fact: Fact) -> str:
    """Formats the stored fact; one that cannot be read is shown as stored, after the reason."""
    if isinstance(fact, Unreadable):
        return f"This version of Frontdesk cannot read it: {fact.why}\n\n{fact.body}"
    return msgspec.json.format(msgspec.json.encode(fact), indent=2).decode()


def fact_word(kind: str) -> str:
    """Turns 'ev.offer_made' into 'Offer made'."""
    return kind.partition(".")[2].replace("_", " ").capitalize()


def actor_words(request: Request, by: str) -> str:
    """Names the actor; `by` looks like 'member:<id>'."""
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
    """Returns the id of the person that the fact is about, if it names one."""
    person_id = getattr(recorded.fact, "person_id", "") or recorded.fact.about
    found = site_of(request).reads().engine.person(PersonId(person_id)) if person_id else None
    return found.id if found else ""
