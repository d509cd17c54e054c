"""How the sheet and the list stand to each other, and the way back to an earlier version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol, cast
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.words import count, join_names
from frontdesk.desks.waitlist.console.page import WAITLIST, me, waitlist_page, wl_of, zone_of
from frontdesk.desks.waitlist.console.table import kept_in
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.engine.stories import member_name
from frontdesk.features.sheet_sync.model import Counts, Problem, Version, VersionHead
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.shell import console_page, done, form_of, staff
from frontdesk.web.site import site_of

VERSIONS: Final = f"{WAITLIST}/versions"
ON_A_PAGE: Final = 50
MOST_ROWS: Final = 500
#: By which name pages find who keeps the versions.
KEEPER: Final = "wl.keeper"


class Report(Protocol):
    @property
    def counts(self) -> Counts: ...
    @property
    def problems(self) -> Sequence[Problem]: ...
    @property
    def trouble(self) -> str:
        """Why nothing could be done at all."""


class Keeper(Protocol):
    """Keeps the list and the sheet in step. Its methods block."""

    def sync(self, *, by: str = ..., let_go: Sequence[str] = ...) -> Report: ...
    def go_back(self, number: int, *, by: str) -> Report: ...


def routes() -> list[BaseRoute]:
    one = f"{VERSIONS}/{{number}}"
    return [
        Route(VERSIONS, staff(versions_page), methods=["GET"]),
        Route(f"{VERSIONS}/sync", staff(sync), methods=["POST"]),
        Route(one, staff(version_page), methods=["GET"]),
        Route(one, staff(go_back), methods=["POST"]),
    ]


def keeper_of(request: Request) -> Keeper | None:
    keeper = site_of(request).memory.get(KEEPER)
    return cast("Keeper | None", keeper)


# --- looking --------------------------------------------------------------------------------


async def versions_page(request: Request) -> Response:
    wl, tz = wl_of(request), zone_of(request)
    before = _number(request.query_params.get("before", ""))
    heads = wl.sheet.heads(ON_A_PAGE, before=before)
    state, names = wl.sheet.state(), EntryNames(site_of(request).reads())
    return waitlist_page(
        request,
        me(request),
        "versions.html",
        tab="List",
        page_title="Earlier versions",
        source=kept_in(request),
        checked=exact_time(state.checked_at, tz) if state.checked_at else "",
        trouble=state.trouble,
        problems=state.problems,
        missing=[names.of_entry(one) for one in state.missing],
        rows=[_row(one, names, tz, place) for place, one in enumerate(heads)],
        can_sync=keeper_of(request) is not None and kept_in(request) is not None,
        older=f"{VERSIONS}?before={heads[-1].number}" if len(heads) == ON_A_PAGE else "",
        newer=VERSIONS if before else "",
    )


def _row(head: VersionHead, names: EntryNames, tz: ZoneInfo, place: int) -> dict[str, Any]:
    return {
        "url": f"{VERSIONS}/{head.number}",
        "number": head.number,
        "at": exact_time(head.kept_at, tz),
        "by": member_name(names.reads, head.by),
        "what": _what(head.counts) or "Changed here",
        "problems": head.problem_count,
        "is_last": place == 0,
    }


def _what(counts: Counts) -> str:
    """'2 joined, 1 edited'; nothing if only the sheet changed."""
    parts = (
        (counts.joined, "joined"),
        (counts.edited, "edited"),
        (counts.left, "left"),
    )
    return ", ".join(f"{n:,} {word}" for n, word in parts if n)


def _number(text: str) -> int:
    """0 if it is none: versions are counted from 1."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0


def version_of(request: Request) -> Version:
    found = wl_of(request).sheet.version(_number(request.path_params["number"]))
    if found is None:
        raise HTTPException(404)
    return found


async def version_page(request: Request) -> Response:
    version, tz = await run_in_threadpool(version_of, request), zone_of(request)
    head = version.head
    heads = wl_of(request).sheet.heads(1)
    width = max((len(row.cells) for row in version.rows), default=0)
    return waitlist_page(
        request,
        me(request),
        "version.html",
        tab="List",
        page_title=f"Version {head.number}",
        url=f"{VERSIONS}/{head.number}",
        at=exact_time(head.kept_at, tz),
        rows=[[row.cell(place) for place in range(width)] for row in version.rows[:MOST_ROWS]],
        more=max(len(version.rows) - MOST_ROWS, 0),
        problems=head.problems,
        can_go_back=keeper_of(request) is not None and heads[0].number != head.number,
    )


# --- going back -----------------------------------------------------------------------------


async def go_back(request: Request) -> Response:
    version, keeper = await run_in_threadpool(version_of, request), keeper_of(request)
    number = version.head.number
    if keeper is None:
        return done(request, VERSIONS, _NOBODY, kind="problem")
    if not form_of(request).ticked("confirmed"):
        return _ask(request, version)
    by = me(request).by
    report = await run_in_threadpool(lambda: keeper.go_back(number, by=by))
    return _told(request, report, f"The list is as it was in version {number}.")


async def sync(request: Request) -> Response:
    """Now, and with the rows that staff say are gone on purpose."""
    keeper, by = keeper_of(request), me(request).by
    if keeper is None:
        return done(request, VERSIONS, _NOBODY, kind="problem")
    gone = wl_of(request).sheet.state().missing if form_of(request).ticked("let_go") else ()
    report = await run_in_threadpool(lambda: keeper.sync(by=by, let_go=gone))
    return _told(request, report, "The sheet was read.")


_NOBODY: Final = "Versions are not kept here, so there is nothing to do."


def _told(request: Request, report: Report, says: str) -> Response:
    if report.trouble:
        return done(request, VERSIONS, report.trouble, kind="problem")
    if report.problems:
        lines = [f"{one.line}" for one in report.problems[:5]]
        rows = count(len(report.problems), "row needs", "rows need")
        says = f"{says} {rows} a look: line {join_names(lines)}."
        return done(request, VERSIONS, says, kind="problem")
    what = _what(report.counts)
    return done(request, VERSIONS, f"{says} {what[:1].upper()}{what[1:]}.".replace(" .", ""))


def _ask(request: Request, version: Version) -> Response:
    at = exact_time(version.head.kept_at, zone_of(request))
    url = f"{VERSIONS}/{version.head.number}"
    return console_page(
        request,
        "confirm.html",
        page_title="Go back",
        active=WAITLIST,
        crumbs=(("Waitlist", WAITLIST), ("Earlier versions", VERSIONS), ("Go back", "")),
        question=f"Go back to the list of {at}?",
        means="Every row says again what it said then. Rows that came since stay, and nobody is"
        " told. You can come back to today's list the same way.",
        action=url,
        label="Go back to it",
        keep_label="Leave it",
        keep_url=url,
        fields={"csrf": form_of(request)["csrf"]},
    )
