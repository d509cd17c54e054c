"""The console pages of a sheet: its problems, its versions, and going back to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.words import count, join_names
from frontdesk.engine.ports import Reads
from frontdesk.engine.stories import member_name
from frontdesk.features.sheet_sync.model import Counts, SheetReads, SyncReport, Version, VersionHead
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.forms import confirm_page, is_confirmed
from frontdesk.web.console.lists import number
from frontdesk.web.console.sections import TodayCard
from frontdesk.web.console.shell import done, form_of, signed_in, staff
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import or_404, site_of

ON_A_PAGE: Final = 50
MOST_ROWS: Final = 500

_NOT_KEPT: Final = "Versions are not kept here, so there is nothing to do."


class EditingPlace(Frozen):
    """The place where staff edit a table, if not in the console."""

    words: str
    """'the file guests.xlsx'"""
    url: str = ""

    @property
    def refusal(self) -> str:
        """The text for staff who try to change a row in the console."""
        return f"The list is kept in {self.words}. Please change it there."


def editing_place(where: str) -> EditingPlace:
    if where.startswith("https://"):
        return EditingPlace("a Google Sheet", where)
    return EditingPlace(f"the file {where.rpartition('/')[2]}")


class SheetSyncer(Protocol):
    """A `SheetSync`, here or in another function. Its methods block."""

    def sync(self, *, by: str = ..., let_go: Sequence[str] = ...) -> SyncReport: ...
    def go_back(self, number: int, *, by: str) -> SyncReport: ...


def sync_key(code: str) -> SharedKey[SheetSyncer]:
    """The key in `Site.shared` of a desk's sync."""
    return SharedKey(f"{code}.sheet_sync")


def source_key(code: str) -> SharedKey[EditingPlace]:
    """The key in `Site.shared` of the place where staff edit a desk's table."""
    return SharedKey(f"{code}.sheet_source")


class SheetTexts(Frozen):
    """A desk's texts about rows that vanished. The defaults are about people on a list."""

    untouched: str = "Nobody leaves the list before you say so"
    question: str = "Take them off the list?"
    button: str = "Take them off"


class SheetConsole(Frozen):
    """The sheet pages of one desk."""

    code: str
    path: str
    tab: str
    """The tab that is open on these pages."""
    desk: tuple[str, str]
    """The desk's name and URL, for the breadcrumbs."""
    page: Callable[..., Response]
    """Renders a template in the frame of the desk."""
    zone: Callable[[Request], ZoneInfo]
    name_of: Callable[[Request, str], str]
    """Returns the name of the person whom a row is about."""
    topic: str
    """The plural noun for the rows of the sheet: 'appointments'."""
    texts: SheetTexts = SheetTexts()

    def routes(self) -> list[BaseRoute]:
        one = f"{self.path}/{{number}}"
        return [
            Route(path, staff(partial(handler, self)), methods=[method])
            for method, path, handler in (
                ("GET", self.path, _versions),
                ("POST", f"{self.path}/sync", _sync),
                ("GET", one, _version),
                ("POST", one, _go_back),
            )
        ]

    def source(self, request: Request) -> EditingPlace | None:
        return site_of(request).shared.get(source_key(self.code))

    def syncing(self, request: Request) -> SheetSyncer | None:
        return site_of(request).shared.get(sync_key(self.code))

    def sheet(self, request: Request) -> SheetReads:
        return _sheet_of(site_of(request).reads(), self.code)

    def today(self, reads: Reads, _now: datetime) -> Sequence[TodayCard]:
        state = _sheet_of(reads, self.code).state()
        if state.trouble and state.staff_know:
            title, text = f"The sheet of {self.topic} could not be read or written", state.trouble
        elif state.missing:
            is_are = "is" if len(state.missing) == 1 else "are"
            title = (
                f"{count(len(state.missing), 'row')} {is_are} gone from the sheet of {self.topic}"
            )
            text = "All at once, which may be a mistake. Nothing is done before you say so."
        elif state.problems:
            lines = {each.line for each in state.problems}
            first = state.problems[0]
            title = f"{count(len(lines), 'row')} of the sheet of {self.topic} cannot be used"
            text = f"Row {first.line}: {first.text}"
        else:
            return ()
        asks = bool(state.missing and not state.trouble)
        button = "Decide what happens" if asks else "See the sheet"
        return (
            TodayCard(
                title=title, text=text, url=self.path, button=button, icon="alert", state="ending"
            ),
        )


def _sheet_of(reads: Reads, code: str) -> SheetReads:
    sheet: SheetReads = reads.desk(code).sheet
    return sheet


# --- looking --------------------------------------------------------------------------------


async def _versions(console: SheetConsole, request: Request) -> Response:
    sheet, source, tz = console.sheet(request), console.source(request), console.zone(request)
    before = number(request.query_params.get("before", ""), digits=9)
    heads, state = sheet.heads(ON_A_PAGE, before=before), sheet.state()
    return console.page(
        request,
        "sheet_sync/versions.html",
        tab=console.tab,
        page_title="Earlier versions",
        url=console.path,
        source=source,
        checked=exact_time(state.checked_at, tz) if state.checked_at else "",
        texts=console.texts,
        trouble=state.trouble,
        problems=state.problems,
        missing=[console.name_of(request, one) for one in state.missing],
        rows=[_row(console, request, one, place) for place, one in enumerate(heads)],
        can_sync=console.syncing(request) is not None and source is not None,
        older=f"{console.path}?before={heads[-1].number}" if len(heads) == ON_A_PAGE else "",
        newer=console.path if before else "",
    )


def _row(console: SheetConsole, request: Request, head: VersionHead, place: int) -> dict[str, Any]:
    return {
        "url": f"{console.path}/{head.number}",
        "number": head.number,
        "at": exact_time(head.kept_at, console.zone(request)),
        "by": member_name(site_of(request).reads(), head.by),
        "what": _what(head.counts) or "Changed here",
        "problems": head.problem_count,
        "is_last": place == 0,
    }


def _what(counts: Counts) -> str:
    """'2 added, 1 edited'; empty if no command ran."""
    parts = ((counts.joined, "added"), (counts.edited, "edited"), (counts.left, "removed"))
    return ", ".join(f"{n:,} {word}" for n, word in parts if n)


def _found(console: SheetConsole, request: Request) -> Version:
    return or_404(console.sheet(request).version(number(request.path_params["number"], digits=9)))


async def _version(console: SheetConsole, request: Request) -> Response:
    version = await run_in_threadpool(_found, console, request)
    head, heads = version.head, console.sheet(request).heads(1)
    width = max((len(row.cells) for row in version.rows), default=0)
    return console.page(
        request,
        "sheet_sync/version.html",
        tab=console.tab,
        page_title=f"Version {head.number}",
        url=f"{console.path}/{head.number}",
        versions_url=console.path,
        at=exact_time(head.kept_at, console.zone(request)),
        rows=[[row.cell(place) for place in range(width)] for row in version.rows[:MOST_ROWS]],
        more=max(len(version.rows) - MOST_ROWS, 0),
        problems=head.problems,
        can_go_back=console.syncing(request) is not None and heads[0].number != head.number,
    )


# --- syncing and going back -----------------------------------------------------------------


async def _go_back(console: SheetConsole, request: Request) -> Response:
    version, syncing = await run_in_threadpool(_found, console, request), console.syncing(request)
    number, by = version.head.number, signed_in(request).member.by
    if syncing is None:
        return done(request, console.path, _NOT_KEPT, kind="problem")
    if not is_confirmed(request):
        at = exact_time(version.head.kept_at, console.zone(request))
        return confirm_page(
            request,
            page_title="Go back",
            active=console.desk[1],
            crumbs=(console.desk, ("Earlier versions", console.path), ("Go back", "")),
            question=f"Go back to the list of {at}?",
            means="Every row says again what it said then. Rows that came since stay, and nobody is"
            " told. You can come back to today's list the same way.",
            label="Go back to it",
            keep_url=request.url.path,
        )
    report = await run_in_threadpool(lambda: syncing.go_back(number, by=by))
    return _after_sync(console, request, report, f"The list is as it was in version {number}.")


async def _sync(console: SheetConsole, request: Request) -> Response:
    """Syncs now; lets missing rows go if staff confirmed them."""
    syncing, by = console.syncing(request), signed_in(request).member.by
    if syncing is None:
        return done(request, console.path, _NOT_KEPT, kind="problem")
    gone = console.sheet(request).state().missing if form_of(request).ticked("let_go") else ()
    report = await run_in_threadpool(lambda: syncing.sync(by=by, let_go=gone))
    return _after_sync(console, request, report, "The sheet was read.")


def _after_sync(console: SheetConsole, request: Request, report: SyncReport, says: str) -> Response:
    if report.trouble:
        return done(request, console.path, report.trouble, kind="problem")
    if report.problems:
        lines = [f"{one.line}" for one in report.problems[:5]]
        rows = count(len(report.problems), "row needs", "rows need")
        says = f"{says} {rows} a look: line {join_names(lines)}."
        return done(request, console.path, says, kind="problem")
    what = _what(report.counts)
    return done(request, console.path, f"{says} {what[:1].upper()}{what[1:]}.".replace(" .", ""))
