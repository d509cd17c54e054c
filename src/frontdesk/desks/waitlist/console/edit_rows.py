"""Adds, edits, removes and restores rows of the list, from the table or from plain forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import EditEntry, JoinList, LeaveList
from frontdesk.desks.waitlist.console import rows
from frontdesk.desks.waitlist.console.page import waitlist_page
from frontdesk.desks.waitlist.facts import EntryJoined, SlotGiven
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane, SlotId
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.sheet import ListSchema
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.engine.ports import Committed, Outcome
from frontdesk.features.sheet_sync.form import Values
from frontdesk.values import replace
from frontdesk.web.app import wants_json
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.site import or_404, site_of


def routes() -> list[BaseRoute]:
    entry = f"{rows.ENTRIES}/{{entry}}"
    return [
        Route(f"{rows.LIST}/add", staff(add_page), methods=["GET"]),
        Route(rows.LIST, staff(add), methods=["POST"]),
        Route(f"{entry}/edit", staff(edit_page), methods=["GET"]),
        Route(f"{entry}/edit", staff(edit), methods=["POST"]),
        Route(f"{entry}/leave", staff(leave), methods=["POST"]),
        Route(f"{entry}/back", staff(put_back), methods=["POST"]),
    ]


def listed_row_of(request: Request) -> ListRow:
    """The row that the URL names; raises 404 if there is none."""
    return or_404(rows.one_row(request, EntryId(request.path_params["entry"])))


# --- editing --------------------------------------------------------------------------------


async def edit_page(request: Request) -> Response:
    ours = listed_row_of(request)
    return _form(request, ours, rows.values_of(ours, rows.schema_of(request)), {})


async def edit(request: Request) -> Response:
    """Saves all cells of a row, unless the row has changed since the page was loaded."""
    ours, form, schema = listed_row_of(request), form_of(request), rows.schema_of(request)
    before = rows.values_of(ours, schema)
    values = {field: form.fields.get(field, before[field]).strip() for field in rows.COLUMNS}
    if reason := _why_fixed(request, ours):
        return _not_saved(request, ours, values, {"name": reason})
    if form["stamp"] != rows.stamp(ours, schema):
        return _newer(request, ours, values)
    typed = rows.read_typed(values, rows.with_current_values(schema, ours.entry))
    if typed.errors:
        return _not_saved(request, ours, values, typed.errors)
    site = site_of(request)
    command = replace(
        schema.edit(ours, typed.fields, site.new_id),
        person_id=PersonId(site.new_id()),
        slot_id=SlotId(site.new_id()),
    )
    outcome = await run(request, command)
    if isinstance(outcome, Refused) and outcome.reason is Reason.CHANGED_MEANWHILE:
        return _newer(request, listed_row_of(request), values)
    if isinstance(outcome, Refused) and outcome.reason is not Reason.UNCHANGED:
        return _not_saved(request, ours, values, rows.refusal(outcome.reason))
    first = _given_to(ours, command) if _is_given(outcome) else "Saved."
    says = " ".join((first, *rows.spelled_dates(values, typed.fields)))
    return _saved(request, _entry_after_edit(outcome, ours.entry.id), says)


def _why_fixed(request: Request, ours: ListRow) -> str:
    if ours.is_erased:
        return "This person was erased, so there is nothing to change."
    source = rows.SHEET.source(request)
    return source.refusal if source else ""


def _is_given(outcome: Outcome) -> bool:
    facts = outcome.facts if isinstance(outcome, Committed) else ()
    return any(isinstance(one.fact, SlotGiven) for one in facts)


def _given_to(ours: ListRow, command: EditEntry) -> str:
    return (
        f"The slot is {command.name}'s now. The booking of {rows.full_name(ours)} is cancelled,"
        " and both are told."
    )


def _entry_after_edit(outcome: Outcome, entry_id: EntryId) -> EntryId:
    """The entry after the edit. Another service or another person has another entry."""
    facts = outcome.facts if isinstance(outcome, Committed) else ()
    joined = (one.fact for one in facts if isinstance(one.fact, EntryJoined | SlotGiven))
    return next((fact.entry_id for fact in joined), entry_id)


def _saved(
    request: Request, entry_id: EntryId, says: str, undo_url: str = "", **more: bool
) -> Response:
    if wants_json(request):
        return rows.row_answer(request, entry_id, says, **more)
    return done(request, f"{rows.ENTRIES}/{entry_id}", says, undo_url=undo_url)


def _not_saved(
    request: Request, ours: ListRow | None, values: Values, errors: Mapping[str, str]
) -> Response:
    if wants_json(request):
        return JSONResponse({"errors": errors, "says": "Not saved yet."}, 422)
    return _form(request, ours, values, errors, status=422)


def _newer(request: Request, ours: ListRow, values: Values) -> Response:
    """Shows the newer row that somebody else saved. The person who typed decides."""
    if wants_json(request):
        says = "Somebody else has changed this row meanwhile."
        return rows.row_answer(request, ours.entry.id, says, status=409, is_newer=True)
    now = rows.values_of(ours, rows.schema_of(request))
    newer = [
        (label, rows.cell_text(field, now[field]) or "nothing")
        for field, (_, label) in rows.COLUMNS.items()
        if now[field] != values[field]
    ]
    return _form(request, ours, values, {}, status=409, newer=newer)


def _form(
    request: Request,
    ours: ListRow | None,
    values: Values,
    errors: Mapping[str, str],
    *,
    status: int = 200,
    newer: list[tuple[str, str]] | None = None,
) -> Response:
    """Shows the form that edits `ours`, or adds a row if `ours` is None."""
    schema, url = rows.schema_of(request), f"{rows.ENTRIES}/{ours.entry.id}" if ours else rows.LIST
    return waitlist_page(
        request,
        "entry_edit.html",
        tab="List",
        page_title=f"Edit {rows.full_name(ours)}" if ours else "Add somebody",
        lead=_GIVE if ours and ours.entry.status is EntryStatus.BOOKED else "",
        status=status,
        action=f"{url}/edit" if ours else url,
        back_url=url,
        button="Save" if ours else "Put them on the list",
        v=values,
        stamp=rows.stamp(ours, schema) if ours else "",
        errors=errors,
        newer=newer,
        choices=rows.choices(schema.catalogue, values),
    )


_GIVE: Final = (
    "To give their slot to somebody else, write that person's name and their e-mail or mobile. "
    "Both are told."
)


# --- leaving and returning ------------------------------------------------------------------


async def leave(request: Request) -> Response:
    """Takes somebody off the list without a message. Staff can undo this."""
    entry = listed_row_of(request).entry
    command = LeaveList(entry.id, quietly=True)
    outcome = await run(request, command)
    if isinstance(outcome, Refused):
        return _saved(request, entry.id, "They were not waiting any more. Nothing was changed.")
    says = "Off the list. They are not told."
    return _saved(request, entry.id, says, f"{rows.ENTRIES}/{entry.id}/back")


async def put_back(request: Request) -> Response:
    """Puts somebody back on the list with the same wish in the same place."""
    ours = listed_row_of(request)
    entry = ours.entry
    if ours.is_erased:
        return _not_back(request, ours, "This person was erased, so nobody can be put back.")
    command = JoinList(
        entry.id,
        entry.person_id,
        ours.name,
        ours.email,
        entry.wish,
        Lane.STAFF,
        entry.joined_at,
        "" if ours.email else ours.mobile,
    )
    outcome = await run(request, command)
    if isinstance(outcome, Refused) and outcome.reason is not Reason.UNCHANGED:
        [sentence] = rows.refusal(outcome.reason).values()
        return _not_back(request, ours, sentence)
    return _saved(request, entry.id, "On the list again, in the same place.")


def _not_back(request: Request, ours: ListRow, says: str) -> Response:
    if wants_json(request):
        return rows.row_answer(request, ours.entry.id, says, status=422)
    return done(request, f"{rows.ENTRIES}/{ours.entry.id}", says, kind="problem")


#: The time span of a new row by default.
USUAL_WAIT: Final = timedelta(days=30)


def blank(schema: ListSchema) -> Values:
    latest = schema.today + USUAL_WAIT
    days = {"earliest": schema.today.isoformat(), "latest": latest.isoformat()}
    return dict.fromkeys(rows.COLUMNS, "") | days | {"party": "1"}


# --- adding ---------------------------------------------------------------------------------


async def add_page(request: Request) -> Response:
    return _form(request, None, blank(rows.schema_of(request)), {})


async def add(request: Request) -> Response:
    """Adds a row. If the person is waiting for this service already, changes their row instead."""
    site, form, schema = site_of(request), form_of(request), rows.schema_of(request)
    values = {field: form[field] for field in rows.COLUMNS}
    if (source := rows.SHEET.source(request)) is not None:
        return _not_saved(request, None, values, {"name": source.refusal})
    typed = rows.read_typed(values, schema)
    if typed.errors:
        return _not_saved(request, None, values, typed.errors)
    entry_id = site.new_id()
    command = schema.join(typed.fields, entry_id=entry_id, person_id=site.new_id(), lane=Lane.STAFF)
    outcome = await run(request, command)
    if isinstance(outcome, Refused):
        errors = _ALREADY if outcome.reason is Reason.UNCHANGED else rows.refusal(outcome.reason)
        return _not_saved(request, None, values, errors)
    return _added(request, outcome, command, rows.spelled_dates(values, typed.fields))


_ALREADY: Final = {"name": "They are on the list already, with just this."}


def _added(
    request: Request, outcome: Committed, command: JoinList, meant: Sequence[str]
) -> Response:
    fact = outcome.facts[0].fact
    entry_id, is_new = EntryId(fact.about), isinstance(fact, EntryJoined)
    ours = rows.one_row(request, entry_id)
    says = "On the list." if is_new else "They were on the list already; their row says this now."
    says += "".join(f" {each}" for each in meant)
    if ours is not None:
        says += "".join(f" {each}" for each in _warnings(request, ours, command))
    return _saved(request, entry_id, says, is_new=is_new)


def _warnings(request: Request, ours: ListRow, command: JoinList) -> Iterator[str]:
    """Warnings about values that were not saved, or about a person who cannot be reached."""
    if ours.name != command.name:
        yield "We know this address by another name, which stays until you change it."
    if command.mobile not in ("", ours.mobile):
        yield "We know this address with another number, which stays until you change it."
    if why := rows.no_texts_because(request, ours):
        yield why
    if rows.only_by_text(ours) and not rows.sends_texts(request):
        yield "They cannot be reached: no texts go out from here. Please add an e-mail address."
