"""Requests that came in by mail: shown as they were read, and on the list once staff say so."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Refused
from frontdesk.core.localtime import to_wall
from frontdesk.core.phones import shown as shown_number
from frontdesk.desks.waitlist.commands import ApproveProposal, DiscardProposal
from frontdesk.desks.waitlist.console.page import WAITLIST, me, waitlist_page, wl_of, zone_of
from frontdesk.desks.waitlist.console.rows import (
    COLUMNS,
    Values,
    read_typed,
    refusal,
    schema_of,
    shown,
)
from frontdesk.desks.waitlist.console.table import ENTRIES, choices
from frontdesk.desks.waitlist.model import EntryStatus, Lane
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.sheet import ListColumn
from frontdesk.features.proposals.model import Proposal, ProposalId, ProposalStatus
from frontdesk.values import replace
from frontdesk.web.console.formatting import Chip
from frontdesk.web.console.shell import console_page, done, form_of, staff
from frontdesk.web.site import site_of

REQUESTS: Final = f"{WAITLIST}/requests"
MAIL: Final = "/console/messages/in"
MOST_SHOWN: Final = 100
#: What a reader calls a field, and what the form does.
FIELDS: Final = {
    "name": "name",
    "phone": "mobile",
    "email": "email",
    "service": "service",
    "party": "party",
    "earliest_on": "earliest",
    "latest_on": "latest",
    "staff": "staff",
}
SURE: Final = {
    "confident": Chip("Certain", "good"),
    "likely": Chip("Likely", "waiting"),
    "unsure": Chip("Please check", "ending"),
}
NOT_THERE: Final = Chip("Not in the text", "gone")
SHOWN: Final = (
    ("", "To decide", ProposalStatus.OPEN),
    ("approved", "On the list", ProposalStatus.APPROVED),
    ("discarded", "Discarded", ProposalStatus.DISCARDED),
)


def routes() -> list[BaseRoute]:
    one = f"{REQUESTS}/{{request}}"
    return [
        Route(REQUESTS, staff(requests_page), methods=["GET"]),
        Route(one, staff(request_page), methods=["GET"]),
        Route(one, staff(approve), methods=["POST"]),
        Route(f"{one}/discard", staff(discard), methods=["POST"]),
    ]


# --- all of them ----------------------------------------------------------------------------


async def requests_page(request: Request) -> Response:
    wanted = request.query_params.get("show", "")
    status = next((each for name, _, each in SHOWN if name == wanted), ProposalStatus.OPEN)
    found, tz = wl_of(request).proposals(status, MOST_SHOWN), zone_of(request)
    return waitlist_page(
        request,
        me(request),
        "requests.html",
        tab="Requests",
        page_title="Requests",
        filters=[
            {
                "label": label,
                "url": f"{REQUESTS}?show={name}" if name else REQUESTS,
                "active": each is status,
            }
            for name, label, each in SHOWN
        ],
        rows=[_row(one, tz) for one in found],
        is_open=status is ProposalStatus.OPEN,
        most=MOST_SHOWN if len(found) == MOST_SHOWN else 0,
    )


def _row(proposal: Proposal, tz: ZoneInfo) -> dict[str, Any]:
    lacks = [FIELDS[name] for name in ("earliest_on", "latest_on") if not proposal.value(name)]
    days = [shown("earliest", proposal.value(name)) for name in ("earliest_on", "latest_on")]
    return {
        "url": f"{REQUESTS}/{proposal.id}",
        "name": proposal.value("name") or proposal.sender or "No name",
        "service": proposal.value("service"),
        "days": " to ".join(filter(None, days)),
        "chip": Chip("Dates missing", "waiting") if lacks else Chip("Ready", "good"),
        "came": _minute(proposal.received_at, tz),
    }


def _minute(at: datetime, tz: ZoneInfo) -> str:
    return shown("joined", f"{to_wall(at, tz):%Y-%m-%d %H:%M}")


# --- one of them ----------------------------------------------------------------------------


def proposal_of(request: Request) -> Proposal:
    found = wl_of(request).proposal(ProposalId(request.path_params["request"]))
    if found is None:
        raise HTTPException(404)
    return found


async def request_page(request: Request) -> Response:
    proposal = proposal_of(request)
    return _page(request, proposal, read_values(proposal, zone_of(request)), {})


def read_values(proposal: Proposal, tz: ZoneInfo) -> Values:
    """What was read, and nothing else: a date that is not in the text is for staff to ask for."""
    values = dict.fromkeys(COLUMNS, "")
    values |= {FIELDS[one.name]: one.value for one in proposal.fields if one.name in FIELDS}
    values["party"] = values["party"] or "1"
    values["mobile"] = values["mobile"] and shown_number(values["mobile"])
    values["joined"] = f"{to_wall(proposal.received_at, tz):%Y-%m-%d %H:%M}"
    return values


async def approve(request: Request) -> Response:
    """As it stands in the form now: edited or not, it is one press."""
    proposal, form, schema = proposal_of(request), form_of(request), schema_of(request)
    site = site_of(request)
    values = {field: form[field] for field in COLUMNS}
    typed = read_typed(values, schema)
    if typed.errors:
        return _page(request, proposal, values, typed.errors, status=422)
    join = schema.join(typed.said, entry_id=site.new_id(), person_id=site.new_id(), lane=Lane.INBOX)
    if typed.said.get(ListColumn.JOINED) == read_values(proposal, schema.zone)["joined"]:
        join = replace(join, joined_at=proposal.received_at)
    command = ApproveProposal(proposal.id, join, change=form.ticked("change"))
    outcome = await site.run(command, by=me(request).by)
    if isinstance(outcome, Refused):
        return _not_approved(request, proposal, values, outcome)
    entry_id = outcome.facts[0].fact.about
    return done(request, f"{ENTRIES}/{entry_id}", "On the list. They are told so.")


def _not_approved(
    request: Request, proposal: Proposal, values: Values, refused: Refused
) -> Response:
    if refused.reason in (Reason.SETTLED, Reason.NO_SUCH_PROPOSAL):
        return done(request, _url(proposal), _SETTLED, kind="problem")
    return _page(request, proposal, values, refusal(refused.reason), status=422)


_SETTLED: Final = "Somebody has decided about it already. Nothing was changed."


async def discard(request: Request) -> Response:
    proposal = proposal_of(request)
    if not form_of(request).ticked("confirmed"):
        return _ask(request, proposal)
    outcome = await site_of(request).run(DiscardProposal(proposal.id), by=me(request).by)
    if isinstance(outcome, Refused):
        return done(request, _url(proposal), _SETTLED, kind="problem")
    return done(request, REQUESTS, "Discarded. The mail itself is kept, and nobody is told.")


def _ask(request: Request, proposal: Proposal) -> Response:
    """For browsers that could not ask by themselves."""
    return console_page(
        request,
        "confirm.html",
        page_title="Discard this request",
        active=WAITLIST,
        crumbs=(("Waitlist", WAITLIST), ("Requests", REQUESTS), ("Discard", "")),
        question="Discard this request?",
        means="They are not put on the list, and nobody is told. The mail itself is kept.",
        action=f"{_url(proposal)}/discard",
        label="Discard it",
        keep_label="Keep it",
        keep_url=_url(proposal),
        fields={"csrf": form_of(request)["csrf"]},
    )


def _url(proposal: Proposal) -> str:
    return f"{REQUESTS}/{proposal.id}"


def _page(
    request: Request,
    proposal: Proposal,
    values: Values,
    errors: Mapping[str, str],
    *,
    status: int = 200,
) -> Response:
    tz = zone_of(request)
    open_still = proposal.status is ProposalStatus.OPEN
    return waitlist_page(
        request,
        me(request),
        "request.html",
        tab="Requests",
        page_title=proposal.value("name") or "Request",
        status=status,
        url=_url(proposal),
        proposal=proposal,
        came=_minute(proposal.received_at, tz),
        settled=_minute(proposal.settled_at, tz) if proposal.settled_at else "",
        entry_url=f"{ENTRIES}/{proposal.entry_id}" if proposal.entry_id else "",
        mail_url=f"{MAIL}/{proposal.mail_id}",
        pieces=marked(proposal),
        v=values,
        errors=errors,
        already=_already(request, values) if open_still else None,
        how_sure=_how_sure(proposal),
        choices=choices(schema_of(request).shop, values),
    )


def _already(request: Request, values: Values) -> dict[str, str] | None:
    """Whose entry this would change: a mail says nothing about who wrote it."""
    wl, said = wl_of(request), read_typed(values, schema_of(request)).said
    key = contact_key(said.get(ListColumn.EMAIL, ""), said.get(ListColumn.MOBILE, ""))
    person = wl.person_by_email(key) if key else None
    for one in wl.entries_of(person.id) if person else ():
        if one.status is EntryStatus.WAITING and one.service == said.get(ListColumn.SERVICE):
            days = (shown("earliest", on.isoformat()) for on in (one.earliest_on, one.latest_on))
            return {"url": f"{ENTRIES}/{one.id}", "days": " to ".join(days)}
    return None


def _how_sure(proposal: Proposal) -> dict[str, dict[str, Any]]:
    """Beside each field of the form: how sure the reader is, and of which words."""
    read = {FIELDS[one.name]: one for one in proposal.fields if one.name in FIELDS}
    return {
        field: (
            {"chip": SURE.get(read[field].confidence, NOT_THERE), "words": read[field].words}
            if field in read
            else {"chip": NOT_THERE, "words": ""}
        )
        for field in FIELDS.values()
    }


def marked(proposal: Proposal) -> list[tuple[str, str]]:
    """The text in pieces, each with the names of the fields that its words speak of."""
    spans = []
    for one in proposal.fields:
        start = proposal.text.find(one.words) if one.words and one.name in FIELDS else -1
        if start >= 0:
            label = COLUMNS[FIELDS[one.name]][1]
            spans.append((start, start + len(one.words), label))
    cuts = sorted({0, len(proposal.text), *(at for start, end, _ in spans for at in (start, end))})
    return [
        (
            proposal.text[start:end],
            ", ".join(label for first, last, label in spans if first <= start and end <= last),
        )
        for start, end in pairwise(cuts)
    ]
