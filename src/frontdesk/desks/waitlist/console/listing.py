"""The list as a table that is edited like a sheet, and taken along as a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from frontdesk.connect.tables import Cell, write_csv, write_xlsx
from frontdesk.core.localtime import to_wall
from frontdesk.desks.waitlist.console.adding import blank
from frontdesk.desks.waitlist.console.finding import (
    FILTERS,
    SORTS,
    Wanted,
    find,
    page_number,
    wanted_of,
)
from frontdesk.desks.waitlist.console.page import me, waitlist_page, wl_of
from frontdesk.desks.waitlist.console.rows import COLUMNS, customs_of, full_name, values_of
from frontdesk.desks.waitlist.console.table import LIST, kept_in, row_of, suggestions
from frontdesk.features.sheet_sync.model import OurRow
from frontdesk.features.sheet_sync.reading import Customs
from frontdesk.web.console.shell import staff

ON_A_PAGE: Final = 40


def routes() -> list[BaseRoute]:
    return [
        Route(LIST, staff(list_page), methods=["GET"]),
        Route(f"{LIST}.csv", staff(export_csv), methods=["GET"]),
        Route(f"{LIST}.xlsx", staff(export_xlsx), methods=["GET"]),
    ]


async def list_page(request: Request) -> Response:
    wanted, page, wl, customs = (
        wanted_of(request),
        page_number(request),
        wl_of(request),
        customs_of(request),
    )
    found = await run_in_threadpool(find, wl, wanted)
    first = (page - 1) * ON_A_PAGE
    rows = found.rows[first : first + ON_A_PAGE]
    source = kept_in(request)
    return waitlist_page(
        request,
        me(request),
        "list.html",
        tab="List",
        page_title="List",
        wanted=wanted,
        filters=_filters(wanted, found.counts),
        columns=_columns(wanted),
        rows=[
            row_of(one, customs, offered=one.entry.id in found.offered, fixed=source is not None)
            for one in rows
        ],
        blank=blank(customs),
        pages=_pages(wanted, page, len(rows), len(found.rows)),
        query=wanted.query(),
        anybody=found.counts["all"] > 0,
        source=source,
        suggestions=suggestions(customs.shop),
    )


def _filters(wanted: Wanted, counts: Mapping[str, int]) -> list[dict[str, Any]]:
    return [
        {
            "label": label,
            "url": LIST + Wanted(name, wanted.search, wanted.sort).query(),
            "active": name == wanted.state,
            "count": f"{counts[name]:,}",
        }
        for name, label in FILTERS
    ]


def _columns(wanted: Wanted) -> list[dict[str, str]]:
    return [
        {"field": field, "label": label, **(_sorting(wanted, field) if field in SORTS else {})}
        for field, (_, label) in COLUMNS.items()
    ]


def _sorting(wanted: Wanted, sort: str) -> dict[str, str]:
    is_on = wanted.sort.removeprefix("-") == sort
    other = f"-{sort}" if wanted.sort == sort else sort
    direction = "descending" if wanted.sort.startswith("-") else "ascending"
    return {
        "sort_url": LIST + Wanted(wanted.state, wanted.search, other).query(),
        "sorted": direction if is_on else "",
    }


def _pages(wanted: Wanted, page: int, count: int, total: int) -> dict[str, str]:
    first = (page - 1) * ON_A_PAGE
    return {
        "says": f"{first + 1:,} to {first + count:,} of {total:,}" if count else "",
        "previous": LIST + wanted.query(page=page - 1) if page > 1 else "",
        "next": LIST + wanted.query(page=page + 1) if first + count < total else "",
    }


# --- as a file ------------------------------------------------------------------------------

HEADINGS: Final = (*(label for _, label in COLUMNS.values()), "Status", "Id")


async def export_csv(request: Request) -> Response:
    lines = write_csv(HEADINGS, await run_in_threadpool(_cells, request))
    return StreamingResponse(
        lines, media_type="text/csv; charset=utf-8", headers=_as_file("waitlist.csv")
    )


async def export_xlsx(request: Request) -> Response:
    book = await run_in_threadpool(
        lambda: write_xlsx(HEADINGS, iter(_cells(request)), sheet="Waitlist")
    )
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return Response(book, media_type=kind, headers=_as_file("waitlist.xlsx"))


def _cells(request: Request) -> list[tuple[Cell, ...]]:
    customs = customs_of(request)
    return list(_lines(find(wl_of(request), wanted_of(request)).rows, customs))


def _lines(rows: Sequence[OurRow], customs: Customs) -> Iterator[tuple[Cell, ...]]:
    for one in rows:
        entry, values = one.entry, values_of(one, customs)
        yield (
            full_name(one),
            values["mobile"],
            values["email"],
            values["service"],
            entry.party,
            entry.earliest_on,
            entry.latest_on,
            values["staff"],
            values["priority"],
            to_wall(entry.joined_at, customs.zone),
            entry.status.value,
            entry.id,
        )


def _as_file(name: str) -> dict[str, str]:
    return {
        "content-disposition": f'attachment; filename="{name}"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
