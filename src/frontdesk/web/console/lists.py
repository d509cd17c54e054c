"""List pages: columns, filters, search, sorting, pages and files, declared once.

A list is a `ListSpec`. Its page reads the address, loads the rows and shows them with
`console/list.html`; its files have the same columns and take the same address:

    GUESTS = ListSpec[Guest](
        id="guests",
        path="/console/guests",
        caption="Guests",
        columns=(
            Column("name", "Name", lambda guest: guest.name, sortable=True),
            Column("state", "State", state_chip, in_file=lambda guest: guest.state.value),
            Column("party", "Party", lambda guest: guest.party, number=True),
        ),
        row_url=lambda guest: f"/console/guests/{guest.id}",
        filters=(("", "All"), ("here", "Here")),
        search="Search by name",
        sort="name",
    )

    def routes() -> list[BaseRoute]:
        return list_routes("/console/guests", guests_page, guests_file, staff)

    async def guests_page(request: Request) -> Response:
        query = GUESTS.query(request)
        rows, total, counts = await run_in_threadpool(load, query)
        view = GUESTS.view(query, rows, total=total, counts=counts)
        return console_page(request, "console/list.html", page_title="Guests", list=view, ...)

    async def guests_file(request: Request) -> Response:
        query = GUESTS.query(request)
        return await GUESTS.file(request, lambda: load_all(query), name="guests")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from frontdesk.connect.tables import Cell, write_csv, write_xlsx
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import Chip
from frontdesk.web.console.shell import Handler

R = TypeVar("R")
MOST_SEARCH: Final = 100
MOST_PAGES: Final = 10_000
_XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class PageLink(Frozen):
    """A button that leads to a page; `icon` may be left out."""

    label: str
    url: str
    icon: str = ""


class Menu(Frozen):
    """Links that are folded away under a label."""

    label: str
    links: Sequence[PageLink]


class EmptyState(Frozen):
    """Explains an empty list and offers the first step. Shown while it has no rows at all."""

    title: str
    text: str
    icon: str = "events"
    actions: Sequence[PageLink] = ()


class Column(Frozen, Generic[R]):
    """A column of the table (`cell`), of the file (`in_file`), or of both."""

    key: str
    label: str
    cell: Callable[[R], str | int | Chip] | None = None
    in_file: Callable[[R], Cell] | None = None
    sortable: bool = False
    number: bool = False
    long: bool = False
    """The text may wrap anywhere, like an address."""
    plain: bool = False
    """The text explains itself, so it needs no label on a phone."""


# --- the address ----------------------------------------------------------------------------


def page_number(request: Request) -> int:
    """Returns the page number in the address, from 1; 1 if there is none."""
    return min(max(number(request.query_params.get("page", ""), digits=6), 1), MOST_PAGES)


def number(text: str, *, digits: int = 15) -> int:
    """Parses a whole number in an address; 0 if it is invalid or too long."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else 0


def search_of(request: Request) -> str:
    return request.query_params.get("q", "")[:MOST_SEARCH].strip()


def matches(search: str, text: str) -> bool:
    """Returns whether the text contains every word of the search."""
    found = text.casefold()
    return all(word in found for word in search.casefold().split())


def with_query(path: str, values: Mapping[str, str]) -> str:
    query = urlencode({name: value for name, value in values.items() if value})
    return f"{path}?{query}" if query else path


class ListQuery(Frozen, kw_only=True):
    """The part of a list that an address requests. Unknown values are ignored."""

    path: str
    filter: str = ""
    filter_by: str = "state"
    search: str = ""
    sort: str = ""
    default_sort: str = ""
    kept: Mapping[str, str] = {}
    """Other parameters, by name."""
    page: int = 1
    per_page: int = 50

    @property
    def offset(self) -> int:
        return (self.page - 1) * self.per_page

    @property
    def is_narrowed(self) -> bool:
        return bool(self.filter or self.search or any(self.kept.values()))

    def slice(self, rows: Sequence[R]) -> Sequence[R]:
        """Returns the rows of this page from a list in memory."""
        return rows[self.offset : self.offset + self.per_page]

    def args(self, **changes: str) -> dict[str, str]:
        """Returns the parameters of the address, without the page number."""
        values = {
            "filter": self.filter,
            "q": self.search,
            "sort": self.sort,
            **self.kept,
            **changes,
        }
        values = {self.filter_by: values.pop("filter"), **values}
        if values["sort"] == self.default_sort:
            del values["sort"]
        return {name: value for name, value in values.items() if value}

    @property
    def hidden(self) -> dict[str, str]:
        """Returns the hidden fields of the search form."""
        return self.args(q="")

    def url(self, path: str = "", **changes: str) -> str:
        """Returns the address of this list with `changes`: filter, q, sort, page, or kept ones."""
        return with_query(path or self.path, self.args(**changes))


class Pager(Frozen):
    """The position in a long list as text, and links to the next and previous pages."""

    says: str = ""
    previous: str = ""
    next: str = ""
    previous_label: str = "Previous"
    next_label: str = "Next"


def pager(query: ListQuery, shown: int, total: int) -> Pager:
    first, last = query.offset + 1, query.offset + shown
    says = f"{first:,} to {last:,} of {total:,}" if shown else ""
    return _pager(query, says, has_more=last < total)


def pager_without_total(query: ListQuery, *, has_more: bool) -> Pager:
    """For rows without a total: load one more than fits to learn whether there are more."""
    says = f"Page {query.page}" if has_more or query.page > 1 else ""
    return _pager(query, says, has_more=has_more)


def _pager(query: ListQuery, says: str, *, has_more: bool) -> Pager:
    return Pager(
        says=says,
        previous=query.url(page=str(query.page - 1)) if query.page > 1 else "",
        next=query.url(page=str(query.page + 1)) if has_more else "",
    )


# --- the list -------------------------------------------------------------------------------


class ListSpec(Frozen, Generic[R], kw_only=True):
    id: str
    """The id of the table on the page."""
    path: str
    caption: str
    columns: Sequence[Column[R]]
    row_url: Callable[[R], str] | None = None
    is_gone: Callable[[R], bool] | None = None
    """Returns whether to dim a row."""
    filters: Sequence[tuple[str, str]] = ()
    """Values of the parameter `filter_by` with their labels. The empty value is the default."""
    filter_by: str = "state"
    search: str = ""
    """The label of the search box. Without a label there is no box."""
    sort: str = ""
    """The key of the default sort order, with a minus in front for descending."""
    more_sorts: Sequence[str] = ()
    """Sort orders that are not a column."""
    keep: Sequence[str] = ()
    """Other parameters of the address to keep."""
    per_page: int = 50
    empty: EmptyState | None = None
    nothing_found: str = "Nothing here just now."

    def query(self, request: Request) -> ListQuery:
        parameters = request.query_params
        filter_, sort = parameters.get(self.filter_by, ""), parameters.get("sort", "")
        sorts = {column.key for column in self.columns if column.sortable} | {*self.more_sorts}
        return ListQuery(
            path=self.path,
            filter=filter_ if filter_ in dict(self.filters) else "",
            filter_by=self.filter_by,
            search=search_of(request),
            sort=sort if sort.removeprefix("-") in sorts else self.sort,
            default_sort=self.sort,
            kept={name: parameters.get(name, "").strip()[:MOST_SEARCH] for name in self.keep},
            page=page_number(request),
            per_page=self.per_page,
        )

    def view(
        self,
        query: ListQuery,
        rows: Sequence[R],
        *,
        total: int = 0,
        counts: Mapping[str, int] | None = None,
        pages: Pager | None = None,
        menus: Sequence[Menu] = (),
        more_files: Sequence[PageLink] = (),
        actions: Sequence[PageLink] = (),
        nothing_found: str = "",
    ) -> ListView:
        """`counts` are rows by filter. `pages` is for a list whose rows are not counted.

        `more_files` are links below those to the files, in the menu Export.
        """
        is_blank = self.empty is not None and not rows and not query.is_narrowed
        return ListView(
            spec=self,
            query=query,
            filters=filter_links(query, self.filters, counts),
            columns=[self._heading(query, column) for column in self.columns if column.cell],
            rows=[self._row(row) for row in rows],
            pager=pages or pager(query, len(rows), total),
            actions=actions,
            menus=(*menus, *self._files(query, more_files)),
            empty=(is_blank and self.empty) or nothing_found or self.nothing_found,
        )

    def _heading(self, query: ListQuery, column: Column[R]) -> dict[str, Any]:
        sorting = sort_link(query, column.key) if column.sortable else {}
        return {
            "key": column.key,
            "label": column.label,
            "number": column.number,
            "long": column.long,
            "plain": column.plain,
            **sorting,
        }

    def _row(self, row: R) -> dict[str, Any]:
        return {
            "url": self.row_url(row) if self.row_url else "",
            "state": "gone" if self.is_gone and self.is_gone(row) else "",
            "cells": {each.key: each.cell(row) for each in self.columns if each.cell},
        }

    def _files(self, query: ListQuery, more: Sequence[PageLink]) -> list[Menu]:
        if not any(column.in_file for column in self.columns):
            return []
        kinds = (("As CSV", "csv"), ("For Excel", "xlsx"))
        links = [
            PageLink(label, query.url(f"{self.path}.{kind}"), "download") for label, kind in kinds
        ]
        return [Menu("Export", [*links, *more])]

    async def file(
        self, request: Request, rows: Callable[[], Iterable[R]], *, name: str, sheet: str = ""
    ) -> Response:
        """Sends the columns with `in_file` as CSV or XLSX, by the extension of the address.

        Streams CSV. `name` goes into a header: use letters, digits and hyphens only.
        """
        columns = [(each.label, each.in_file) for each in self.columns if each.in_file]
        headings = [label for label, _ in columns]
        lines = (tuple(cell(row) for _, cell in columns) for row in _lazily(rows))
        ending = request.url.path.rpartition(".")[2]
        headers = {
            "content-disposition": f'attachment; filename="{name}.{ending}"',
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
        }
        if ending == "csv":
            text = write_csv(headings, lines)
            return StreamingResponse(text, media_type="text/csv; charset=utf-8", headers=headers)
        book = await run_in_threadpool(write_xlsx, headings, lines, sheet=sheet or self.caption)
        return Response(book, media_type=_XLSX, headers=headers)


class ListView(Frozen, kw_only=True):
    """A list as `pieces/lists.html` shows it."""

    spec: ListSpec[Any]
    query: ListQuery
    filters: Sequence[Mapping[str, Any]]
    columns: Sequence[Mapping[str, Any]]
    rows: Sequence[Mapping[str, Any]]
    pager: Pager
    actions: Sequence[PageLink]
    menus: Sequence[Menu]
    empty: str | EmptyState


def _lazily(rows: Callable[[], Iterable[R]]) -> Iterable[R]:
    """Loads the rows in the thread that writes the file."""
    yield from rows()


def list_routes(
    path: str, page: Handler, file: Handler, guard: Callable[[Handler], Handler]
) -> list[BaseRoute]:
    """Returns the routes of a list page and its two files."""
    return [
        Route(path, guard(page), methods=["GET"]),
        Route(f"{path}.csv", guard(file), methods=["GET"]),
        Route(f"{path}.xlsx", guard(file), methods=["GET"]),
    ]


def filter_links(
    query: ListQuery, filters: Sequence[tuple[str, str]], counts: Mapping[str, int] | None = None
) -> list[dict[str, Any]]:
    return [
        {
            "label": label,
            "url": query.url(filter=key),
            "active": key == query.filter,
            **({"count": f"{counts[key]:,}"} if counts is not None else {}),
        }
        for key, label in filters
    ]


def sort_link(query: ListQuery, key: str) -> dict[str, str]:
    """Returns the sort link of a column heading; a second click reverses the order."""
    direction = "descending" if query.sort.startswith("-") else "ascending"
    return {
        "sort_url": query.url(sort=f"-{key}" if query.sort == key else key),
        "sorted": direction if query.sort.removeprefix("-") == key else "",
    }
