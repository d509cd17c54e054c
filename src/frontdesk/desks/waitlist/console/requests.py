"""The pages of requests by mail: staff check the values that were read, and approve or discard
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.routing import BaseRoute

from frontdesk.core.contacts import contact_key
from frontdesk.core.localtime import to_wall
from frontdesk.core.phones import shown as shown_number
from frontdesk.desks.waitlist.commands import ApproveProposal
from frontdesk.desks.waitlist.console.page import WAITLIST, waitlist_page, wl_of, zone_of
from frontdesk.desks.waitlist.console.rows import (
    COLUMNS,
    ENTRIES,
    cell_text,
    choices,
    read_typed,
    refusal,
    schema_of,
)
from frontdesk.desks.waitlist.decide.proposals import PROPOSALS
from frontdesk.desks.waitlist.model import EntryStatus, Lane
from frontdesk.desks.waitlist.sheet import ListColumn
from frontdesk.features.proposals.console import ProposalConsole, ProposalTexts
from frontdesk.features.proposals.model import Proposal, ProposalStatus
from frontdesk.features.sheet_sync.form import Values
from frontdesk.values import replace
from frontdesk.web.console.formatting import Chip
from frontdesk.web.console.lists import Column
from frontdesk.web.console.shell import form_of
from frontdesk.web.site import site_of

REQUESTS: Final = f"{WAITLIST}/requests"
#: Maps the reader's field names to the form's.
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
LABELS: Final = {name: label for name, (_, label) in COLUMNS.items()}
_DAYS: Final = ("earliest_on", "latest_on")
TEXTS: Final = ProposalTexts(
    lead="Requests that came by mail. Each joins the list once you approve it.",
    empty="Forward a request to the waitlist by mail: what it says is read, and waits here for your"
    " yes.",
    became="On the list",
    approved="This is on the list.",
    see="See their row",
    not_yet="Not on the list yet: a few things need a look.",
    would_be="What would be on the list",
    approve="Put them on the list",
    done="On the list. They are told so.",
    discarding="They are not put on the list, and nobody is told.",
)


def routes() -> list[BaseRoute]:
    return ProposalConsole(
        path=REQUESTS,
        desk=PROPOSALS,
        name=("Waitlist", WAITLIST),
        texts=TEXTS,
        fields=FIELDS,
        labels=LABELS,
        columns=(
            Column("service", "Service", lambda one: one.value("service")),
            Column("days", "Days", _days, long=True),
        ),
        readiness=_readiness,
        became_url=lambda entry_id: f"{ENTRIES}/{entry_id}",
        template="request.html",
        values=read_values,
        context=_context,
        approval=_approval,
        refusal=refusal,
        page=waitlist_page,
        zone=zone_of,
    ).routes()


def _days(proposal: Proposal) -> str:
    days = (cell_text("earliest", proposal.value(name)) for name in _DAYS)
    return " to ".join(filter(None, days))


def _readiness(proposal: Proposal) -> Chip:
    is_dated = all(proposal.value(name) for name in _DAYS)
    return Chip("Ready", "good") if is_dated else Chip("Dates missing", "waiting")


def read_values(proposal: Proposal, tz: ZoneInfo) -> Values:
    """Fills the form with the values that were read. A date that the request does not mention stays
    empty."""
    values = dict.fromkeys(COLUMNS, "")
    values |= {FIELDS[one.name]: one.value for one in proposal.fields if one.name in FIELDS}
    values["party"] = values["party"] or "1"
    values["mobile"] = values["mobile"] and shown_number(values["mobile"])
    values["joined"] = f"{to_wall(proposal.received_at, tz):%Y-%m-%d %H:%M}"
    return values


def _approval(
    request: Request, proposal: Proposal
) -> tuple[Values, ApproveProposal | Mapping[str, str]]:
    form, schema, site = form_of(request), schema_of(request), site_of(request)
    values = {field: form[field] for field in COLUMNS}
    typed = read_typed(values, schema)
    if typed.errors:
        return values, typed.errors
    join = schema.join(
        typed.fields, entry_id=site.new_id(), person_id=site.new_id(), lane=Lane.INBOX
    )
    if typed.fields.get(ListColumn.JOINED) == read_values(proposal, schema.zone)["joined"]:
        join = replace(join, joined_at=proposal.received_at)
    return values, ApproveProposal(proposal.id, join, change=form.ticked("change"))


def _context(request: Request, proposal: Proposal, values: Mapping[str, str]) -> Mapping[str, Any]:
    is_open = proposal.status is ProposalStatus.OPEN
    return {
        "already": _entry_to_change(request, values) if is_open else None,
        "choices": choices(schema_of(request).catalogue, values),
    }


def _entry_to_change(request: Request, values: Mapping[str, str]) -> dict[str, str] | None:
    """The waiting entry that approval would change. Staff see it, because a mail does not prove its
    sender."""
    wl, said = wl_of(request), read_typed(values, schema_of(request)).fields
    key = contact_key(said.get(ListColumn.EMAIL, ""), said.get(ListColumn.MOBILE, ""))
    person = wl.person_by_email(key) if key else None
    for one in wl.entries_of(person.id) if person else ():
        if one.status is EntryStatus.WAITING and one.service == said.get(ListColumn.SERVICE):
            days = (
                cell_text("earliest", on.isoformat()) for on in (one.earliest_on, one.latest_on)
            )
            return {"url": f"{ENTRIES}/{one.id}", "days": " to ".join(days)}
    return None
