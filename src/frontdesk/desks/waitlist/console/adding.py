"""One more on the list, as staff write the row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist.commands import JoinList
from frontdesk.desks.waitlist.console.page import waitlist_page
from frontdesk.desks.waitlist.console.rows import (
    COLUMNS,
    Values,
    no_texts_because,
    only_by_text,
    read_typed,
    refusal,
    schema_of,
    sends_texts,
    understood,
)
from frontdesk.desks.waitlist.console.table import (
    ENTRIES,
    LIST,
    SHEET,
    choices,
    kept_elsewhere,
    one_row,
    row_answer,
)
from frontdesk.desks.waitlist.facts import EntryJoined
from frontdesk.desks.waitlist.model import EntryId, Lane
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.sheet import ListSchema
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.engine.ports import Committed
from frontdesk.web.app import wants_json
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.site import site_of

#: How far a new row reaches if nobody says otherwise.
USUAL_WAIT: Final = timedelta(days=30)


def routes() -> list[BaseRoute]:
    return [
        Route(f"{LIST}/add", staff(add_page), methods=["GET"]),
        Route(LIST, staff(add), methods=["POST"]),
    ]


def blank(schema: ListSchema) -> Values:
    latest = schema.today + USUAL_WAIT
    days = {"earliest": schema.today.isoformat(), "latest": latest.isoformat()}
    return dict.fromkeys(COLUMNS, "") | days | {"party": "1"}


async def add_page(request: Request) -> Response:
    return _add_form(request, blank(schema_of(request)), {})


async def add(request: Request) -> Response:
    """A row that staff wrote; who is on the list for this already has one row all the same."""
    site, form, schema = site_of(request), form_of(request), schema_of(request)
    values = {field: form[field] for field in COLUMNS}
    if (source := SHEET.source(request)) is not None:
        return _not_added(request, values, {"name": kept_elsewhere(source)})
    typed = read_typed(values, schema)
    if typed.errors:
        return _not_added(request, values, typed.errors)
    entry_id = site.new_id()
    command = schema.join(typed.said, entry_id=entry_id, person_id=site.new_id(), lane=Lane.STAFF)
    outcome = await run(request, command)
    if isinstance(outcome, Refused):
        errors = _ALREADY if outcome.reason is Reason.UNCHANGED else refusal(outcome.reason)
        return _not_added(request, values, errors)
    return _added(request, outcome, command, understood(values, typed.said))


_ALREADY: Final = {"name": "They are on the list already, with just this."}


def _added(
    request: Request, outcome: Committed, command: JoinList, meant: Sequence[str]
) -> Response:
    fact = outcome.facts[0].fact
    entry_id, is_new = EntryId(fact.about), isinstance(fact, EntryJoined)
    ours = one_row(request, entry_id)
    says = "On the list." if is_new else "They were on the list already; their row says this now."
    says += "".join(f" {each}" for each in meant)
    if ours is not None:
        says += "".join(f" {each}" for each in _besides(request, ours, command))
    if wants_json(request):
        return row_answer(request, entry_id, says, is_new=is_new)
    return done(request, f"{ENTRIES}/{entry_id}", says)


def _besides(request: Request, ours: ListRow, command: JoinList) -> Iterator[str]:
    """What staff would not expect."""
    if ours.name != command.name:
        yield "We know this address by another name, which stays until you change it."
    if command.mobile not in ("", ours.mobile):
        yield "We know this address with another number, which stays until you change it."
    if why := no_texts_because(request, ours):
        yield why
    if only_by_text(ours) and not sends_texts(request):
        yield "They cannot be reached: no texts go out from here. Please add an e-mail address."


def _not_added(request: Request, values: Values, errors: Mapping[str, str]) -> Response:
    if wants_json(request):
        return JSONResponse({"errors": errors, "says": "Not saved yet."}, 422)
    return _add_form(request, values, errors, status=422)


def _add_form(
    request: Request, values: Values, errors: Mapping[str, str], *, status: int = 200
) -> Response:
    return waitlist_page(
        request,
        "entry_edit.html",
        tab="List",
        page_title="Add somebody",
        status=status,
        action=LIST,
        back_url=LIST,
        button="Put them on the list",
        v=values,
        stamp="",
        errors=errors,
        newer=None,
        choices=choices(schema_of(request).catalogue, values),
    )
