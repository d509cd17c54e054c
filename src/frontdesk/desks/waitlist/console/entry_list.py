"""The list page: an editable table, with export to a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from frontdesk.connect.tables import Cell
from frontdesk.core.localtime import to_wall
from frontdesk.desks.waitlist.console.edit_rows import blank
from frontdesk.desks.waitlist.console.page import WAITLIST, waitlist_page, wl_of
from frontdesk.desks.waitlist.console.rows import (
    COLUMNS,
    LIST,
    SHEET,
    full_name,
    row_of,
    schema_of,
    suggestions,
    values_of,
)
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, OrderBy
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.sheet import ListSchema
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.features.sheet_sync.form import Values
from frontdesk.values import Frozen
from frontdesk.web.console.lists import (
    Column,
    ListQuery,
    ListSpec,
    PageLink,
    list_routes,
    matches,
    pager,
)
from frontdesk.web.console.shell import staff

MOST_OPEN_SLOTS: Final = 1_000
SORTS: Final = ("order", "name", "service", "earliest", "latest", "joined")
FILTERS: Final = (
    ("", "Waiting"),
    ("offered", "Offered"),
    ("booked", "Booked"),
    ("left", "Left"),
    ("stopped", "Stopped"),
    ("expired", "Expired"),
    ("all", "All"),
)
_Line = tuple[ListRow, Values]


def routes() -> list[BaseRoute]:
    return list_routes(LIST, list_page, export, staff)


def waiting_list(schema: ListSchema) -> ListSpec[_Line]:
    in_file: Mapping[str, Callable[[_Line], Cell]] = {
        "name": lambda line: full_name(line[0]),
        "party": lambda line: line[0].entry.party,
        "earliest": lambda line: line[0].entry.earliest_on,
        "latest": lambda line: line[0].entry.latest_on,
        "joined": lambda line: to_wall(line[0].entry.joined_at, schema.zone),
    }
    return ListSpec(
        id="list",
        path=LIST,
        caption="Waitlist",
        columns=(
            *(
                Column(
                    field,
                    label,
                    _value(field),
                    in_file.get(field) or _value(field),
                    sortable=field in SORTS,
                )
                for field, (_, label) in COLUMNS.items()
            ),
            Column("status", "Status", in_file=lambda line: line[0].entry.status.value),
            Column("id", "Id", in_file=lambda line: line[0].entry.id),
        ),
        filters=FILTERS,
        search="Search by name, number, service",
        sort="order",
        more_sorts=("order",),
        per_page=40,
    )


def _value(field: str) -> Callable[[_Line], str]:
    return lambda line: line[1][field]


async def list_page(request: Request) -> Response:
    wl, schema, source = wl_of(request), schema_of(request), SHEET.source(request)
    spec = waiting_list(schema)
    query = spec.query(request)
    found = await run_in_threadpool(find, wl, query)
    versions = PageLink("Earlier versions", f"{WAITLIST}/versions", "clock")
    rows = query.slice(found.rows)
    return waitlist_page(
        request,
        "list.html",
        tab="List",
        page_title="List",
        list=spec.view(
            query,
            (),
            counts=found.counts,
            pages=pager(query, len(rows), len(found.rows)),
            more_files=(versions,),
        ),
        rows=[
            row_of(one, schema, offered=one.entry.id in found.offered, fixed=source is not None)
            for one in rows
        ],
        blank=blank(schema),
        anybody=found.counts["all"] > 0,
        source=source,
        suggestions=suggestions(schema.catalogue),
    )


async def export(request: Request) -> Response:
    wl, schema = wl_of(request), schema_of(request)
    spec = waiting_list(schema)
    query = spec.query(request)
    return await spec.file(
        request,
        lambda: ((ours, values_of(ours, schema)) for ours in find(wl, query).rows),
        name="waitlist",
    )


# --- filters and search ---------------------------------------------------------------------


class FilteredRows(Frozen):
    """Rows of one filter, and how many rows each filter has."""

    rows: Sequence[ListRow]
    counts: Mapping[str, int]
    offered: frozenset[EntryId]


def find(wl: WaitlistReads, query: ListQuery) -> FilteredRows:
    everybody, offered = wl.list_rows(), with_an_offer(wl)
    groups: dict[str, list[ListRow]] = {name: [] for name, _ in FILTERS}
    for one in everybody:
        groups["all"].append(one)
        groups["" if one.entry.status is EntryStatus.WAITING else one.entry.status].append(one)
        if one.entry.id in offered:
            groups["offered"].append(one)
    rows = [one for one in groups[query.filter] if _has(one, query.search)]
    rows.sort(key=_order(wl, query.sort.removeprefix("-")), reverse=query.sort.startswith("-"))
    return FilteredRows(rows, {name: len(group) for name, group in groups.items()}, offered)


def with_an_offer(wl: WaitlistReads) -> frozenset[EntryId]:
    """Entries that have an open offer."""
    slots = (wl.slot(slot_id) for slot_id in wl.open_slots(MOST_OPEN_SLOTS))
    offers = (wl.offer(one.id, one.offer_seq) for one in slots if one and one.offer_seq)
    return frozenset(one.entry_id for one in offers if one)


def _has(one: ListRow, search: str) -> bool:
    """Whether a row matches the search. A phone number matches in any format."""
    entry = one.entry
    text = " ".join((full_name(one), one.email, one.mobile, entry.service, entry.staff))
    return matches(search, text) or _digits(search) in one.mobile


def _digits(search: str) -> str:
    bare = "".join(search.split())
    is_number = len(bare) > 3 and set(bare) <= set("+0123456789-()./")
    return "".join(filter(str.isdigit, bare)) if is_number else "no number"


def _order(wl: WaitlistReads, sort: str) -> Callable[[ListRow], Any]:
    by_priority = OrderBy.PRIORITY in wl.rules().order
    keys: dict[str, Callable[[ListRow], Any]] = {
        "order": lambda one: by_priority and not one.entry.priority,
        "name": lambda one: full_name(one).casefold(),
        "service": lambda one: one.entry.service.casefold(),
        "earliest": lambda one: one.entry.earliest_on,
        "latest": lambda one: one.entry.latest_on,
        "joined": lambda one: one.entry.joined_at,
    }
    return lambda one: (keys[sort](one), one.entry.joined_at, one.entry.id)
