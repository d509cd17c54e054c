"""A list is declared once: its page, filters, sorting, pager and files."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from frontdesk.values import Frozen, replace
from frontdesk.web.console.formatting import Chip
from frontdesk.web.console.lists import (
    Column,
    EmptyState,
    ListQuery,
    ListSpec,
    Menu,
    PageLink,
    Pager,
    list_routes,
    matches,
    number,
    page_number,
    pager,
    pager_without_total,
)
from tests.web.test_pieces import piece


class Cake(Frozen):
    name: str
    slices: int
    is_eaten: bool = False


CAKES = ListSpec[Cake](
    id="cakes",
    path="/cakes",
    caption="Cakes",
    columns=(
        Column("name", "Name", lambda cake: cake.name, lambda cake: cake.name, sortable=True),
        Column("state", "State", lambda cake: Chip("Gone" if cake.is_eaten else "There")),
        Column("slices", "Slices", lambda cake: cake.slices, number=True, sortable=True),
        Column("calories", "Calories", in_file=lambda cake: cake.slices * 400),
    ),
    row_url=lambda cake: f"/cakes/{cake.name}",
    is_gone=lambda cake: cake.is_eaten,
    filters=(("", "All"), ("eaten", "Eaten")),
    search="Search cakes",
    sort="name",
    keep=("shop",),
    per_page=2,
    empty=EmptyState("No cakes yet", "Bake one.", "events", (PageLink("Bake", "/cakes/bake"),)),
    nothing_found="No cake is like that.",
)
LEMON, PLUM, EATEN = Cake("Lemon", 8), Cake("Plum", 6), Cake("Eaten", 0, is_eaten=True)


def asked(query: str = "", path: str = "/cakes") -> Request:
    scope = {"type": "http", "path": path, "query_string": query.encode(), "headers": []}
    return Request({**scope, "server": ("desk", 80), "scheme": "http"})


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ("", "", "name", {"shop": ""}, 1)),
        ("state=eaten&q=+le+&shop=b&page=3", ("eaten", "le", "name", {"shop": "b"}, 3)),
        ("sort=-slices", ("", "", "-slices", {"shop": ""}, 1)),
        ("state=x&sort=calories&page=x", ("", "", "name", {"shop": ""}, 1)),
        ("page=0", ("", "", "name", {"shop": ""}, 1)),
    ],
)
def test_an_address_asks_for_a_part_of_the_list_and_unknown_values_are_left_out(
    query: str, found: tuple[Any, ...]
) -> None:
    read = CAKES.query(asked(query))

    assert (read.filter, read.search, read.sort, read.kept, read.page) == found


@pytest.mark.parametrize(
    ("text", "page"),
    [("2", 2), ("-1", 1), ("²", 1), ("99999999", 1), ("999999", 10_000), ("", 1)],
)
def test_a_page_number_is_never_wrong(text: str, page: int) -> None:
    assert page_number(asked(f"page={text}")) == page


def test_a_number_in_an_address_is_bounded() -> None:
    assert [number(text) for text in ("7", "007", "x", "", "9" * 15, "9" * 16)] == [
        *(7, 7, 0, 0, 999_999_999_999_999, 0)
    ]


def test_links_keep_what_was_asked_for_and_begin_on_the_first_page() -> None:
    query = CAKES.query(asked("state=eaten&q=le&sort=-slices&shop=b&page=3"))

    assert query.url() == "/cakes?state=eaten&q=le&sort=-slices&shop=b"
    assert query.url(filter="") == "/cakes?q=le&sort=-slices&shop=b"
    assert query.url(sort="name", shop="") == "/cakes?state=eaten&q=le"
    assert query.hidden == {"state": "eaten", "sort": "-slices", "shop": "b"}


def test_a_search_finds_every_word_in_any_order() -> None:
    assert matches("LEE ann", "Ann Lee, ann@example.org")
    assert not matches("ann bob", "Ann Lee")


@pytest.mark.parametrize(
    ("page", "shown", "total", "pages"),
    [
        (1, 2, 5, Pager("1 to 2 of 5", "", "/cakes?page=2")),
        (2, 2, 5, Pager("3 to 4 of 5", "/cakes?page=1", "/cakes?page=3")),
        (3, 1, 5, Pager("5 to 5 of 5", "/cakes?page=2", "")),
        (9, 0, 5, Pager("", "/cakes?page=8", "")),
        (1, 0, 0, Pager()),
    ],
)
def test_the_pager_shows_the_position(page: int, shown: int, total: int, pages: Pager) -> None:
    query = ListQuery(path="/cakes", page=page, per_page=2)

    assert pager(query, shown, total) == pages


def test_a_list_that_is_not_counted_is_paged_too() -> None:
    first, second = (ListQuery(path="/cakes", page=page) for page in (1, 2))

    assert pager_without_total(first, has_more=False) == Pager()
    assert pager_without_total(first, has_more=True) == Pager("Page 1", "", "/cakes?page=2")
    assert pager_without_total(second, has_more=False) == Pager("Page 2", "/cakes?page=1", "")


def test_a_view_has_headings_rows_filters_and_files() -> None:
    query = CAKES.query(asked("sort=slices"))
    view = CAKES.view(query, (LEMON, EATEN), total=2, counts={"": 2, "eaten": 1_000})

    assert view.columns == [
        {"key": "name", "label": "Name", "number": False, "long": False, "plain": False}
        | {"sort_url": "/cakes", "sorted": ""},
        {"key": "state", "label": "State", "number": False, "long": False, "plain": False},
        {"key": "slices", "label": "Slices", "number": True, "long": False, "plain": False}
        | {"sort_url": "/cakes?sort=-slices", "sorted": "ascending"},
    ]
    assert view.rows == [
        {
            "url": "/cakes/Lemon",
            "state": "",
            "cells": {"name": "Lemon", "state": Chip("There"), "slices": 8},
        },
        {
            "url": "/cakes/Eaten",
            "state": "gone",
            "cells": {"name": "Eaten", "state": Chip("Gone"), "slices": 0},
        },
    ]
    assert view.filters == [
        {"label": "All", "url": "/cakes?sort=slices", "active": True, "count": "2"},
        {
            "label": "Eaten",
            "url": "/cakes?state=eaten&sort=slices",
            "active": False,
            "count": "1,000",
        },
    ]
    as_csv = PageLink("As CSV", "/cakes.csv?sort=slices", "download")
    for_excel = PageLink("For Excel", "/cakes.xlsx?sort=slices", "download")
    assert view.menus == (Menu("Export", [as_csv, for_excel]),)


SHOW = '{% from "pieces/lists.html" import list_view %}{{ list_view(list) }}'


def shown(query: str, rows: Sequence[Cake]) -> str:
    return piece(SHOW, list=CAKES.view(CAKES.query(asked(query)), rows, total=len(rows)))


def test_a_list_is_shown_with_its_tools_its_table_and_its_pages() -> None:
    html = shown("q=l", (LEMON, PLUM))

    assert '<input class="input" type="search" name="q" value="l"' in html
    assert '<a class="row-link" href="/cakes/Lemon">Lemon</a>' in html
    assert '<td role="cell" class="cell"><span class="chip chip-neutral">' in html
    assert 'data-label="Slices">8</td>' in html
    assert "1 to 2 of 2" in html
    assert 'href="/cakes.csv?q=l"' in html


def test_a_plain_column_has_no_label_on_a_phone() -> None:
    name, _, slices, _ = CAKES.columns
    plain = replace(CAKES, columns=(name, replace(slices, plain=True)))
    html = piece(SHOW, list=plain.view(plain.query(asked()), (LEMON,), total=1))

    assert '<td role="cell" class="number cell-end">8</td>' in html


@pytest.mark.parametrize("macro", ["list_view", "tools"])
def test_a_page_adds_tools_of_its_own(macro: str) -> None:
    source = '{% from "pieces/lists.html" import MACRO %}{% call MACRO(list) %}Undo{% endcall %}'
    view = CAKES.view(CAKES.query(asked()), (LEMON,), total=1)
    html = piece(source.replace("MACRO", macro), list=view)

    assert '<div class="tools-more">Undo <details class="menu">' in html


def test_a_list_without_any_rows_says_what_to_do_first() -> None:
    html = shown("", ())

    assert "<h2>No cakes yet</h2>" in html
    assert '<a class="button" href="/cakes/bake">Bake</a>' in html
    assert "Search cakes" not in html


def test_a_search_that_finds_nothing_says_so_and_keeps_the_search() -> None:
    html = shown("q=nothing", ())

    assert '<p class="table-empty">No cake is like that.</p>' in html
    assert "Search cakes" in html


def filed(path: str, rows: Sequence[Cake]) -> Response:
    return asyncio.run(CAKES.file(asked(path=path), lambda: rows, name="cakes"))


def test_a_file_has_the_columns_that_are_meant_for_it() -> None:
    answer = filed("/cakes.csv", (LEMON, PLUM))
    assert isinstance(answer, StreamingResponse)

    async def text() -> bytes:
        return b"".join([chunk async for chunk in answer.body_iterator if isinstance(chunk, bytes)])

    assert asyncio.run(text()) == b"\xef\xbb\xbfName,Calories\r\nLemon,3200\r\nPlum,2400\r\n"
    assert answer.headers["content-disposition"] == 'attachment; filename="cakes.csv"'
    assert answer.headers["cache-control"] == "no-store"


def test_a_file_for_excel_is_an_excel_file() -> None:
    answer = filed("/cakes.xlsx", (LEMON,))

    assert bytes(answer.body)[:2] == b"PK"
    assert answer.headers["content-disposition"] == 'attachment; filename="cakes.xlsx"'


def test_the_routes_of_a_list_are_its_page_and_its_files() -> None:
    async def handler(_request: Request) -> Response:
        return Response()

    routes: list[Any] = list_routes("/cakes", handler, handler, lambda each: each)
    assert [route.path for route in routes] == ["/cakes", "/cakes.csv", "/cakes.xlsx"]
