"""The console page of a calendar: the last sync, problems and missing items."""

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

from frontdesk.core.decision import Command, Refused
from frontdesk.core.words import count
from frontdesk.engine.ports import Reads
from frontdesk.features.calendars.state import (
    CalendarProblem,
    CalendarState,
    SyncUnknown,
    calendar_setting,
)
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import date_and_time, exact_time
from frontdesk.web.console.sections import TodayCard
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import site_of

MOST_NAMED: Final = 10


class CalendarSyncer(Protocol):
    """A `CalendarSync`, here or in another function."""

    def turn(self) -> bool:
        """Syncs now and returns whether anything changed. Blocks. Raises `SyncUnknown`."""


def sync_key(code: str) -> SharedKey[CalendarSyncer]:
    """The key in `Site.shared` of a desk's sync."""
    return SharedKey(f"{code}.calendar_sync")


class CalendarTexts(Frozen):
    """A desk's texts about the items from the calendar."""

    title: str
    item: str
    """'opening'"""
    on_trouble: str
    """Says that the items stay while the calendar cannot be read."""
    on_missing: str
    remove: str
    remove_question: str
    removed: str
    keep: str
    kept: str
    how_to: str
    """Instructions for adding an item to the calendar."""
    connect: str
    """Instructions for connecting a calendar."""


class CalendarConsole(Frozen):
    """The calendar page of one desk."""

    code: str
    path: str
    tab: str
    """The tab that is open on this page."""
    texts: CalendarTexts
    page: Callable[..., Response]
    """Renders a template in the frame of the desk."""
    zone: Callable[[Request], ZoneInfo]
    name_of: Callable[[Request, str], str]
    """Describes the item with this id; empty if it no longer exists."""
    settle: Callable[[tuple[str, ...], bool], Command]
    """The command to keep or remove missing items."""

    def routes(self) -> list[BaseRoute]:
        return [
            Route(path, staff(partial(handler, self)), methods=[method])
            for method, path, handler in (
                ("GET", self.path, _show),
                ("POST", self.path, _look),
                ("POST", f"{self.path}/missing", _settle),
            )
        ]

    def state(self, reads: Reads) -> CalendarState:
        state: CalendarState = reads.desk(self.code).setting(calendar_setting(self.code))
        return state

    def today(self, reads: Reads, _now: datetime) -> Sequence[TodayCard]:
        state, item = self.state(reads), self.texts.item
        if state.trouble:
            title, text = "The calendar cannot be read", state.trouble
        elif state.missing:
            is_are = "is" if len(state.missing) == 1 else "are"
            title = f"{count(len(state.missing), item)} {is_are} gone from the calendar"
            text = "All at once, which may be a mistake. Nothing is done before you say so."
        elif state.problems:
            title = f"{count(len(state.problems), item)} in the calendar to look at"
            text = state.problems[0].why
        else:
            return ()
        asks = bool(state.missing and not state.trouble)
        return (
            TodayCard(
                title=title,
                text=text,
                url=self.path,
                button="Decide what happens" if asks else "See the calendar",
                icon="alert",
                state="ending",
            ),
        )


async def _show(console: CalendarConsole, request: Request) -> Response:
    state, tz = console.state(site_of(request).reads()), console.zone(request)
    missing = (console.name_of(request, each) for each in state.missing[:MOST_NAMED])
    return console.page(
        request,
        "calendars/calendar.html",
        tab=console.tab,
        page_title=console.texts.title,
        url=console.path,
        texts=console.texts,
        is_connected=site_of(request).shared.get(sync_key(console.code)) is not None,
        looked=exact_time(state.looked_at, tz) if state.looked_at else "",
        trouble=state.trouble,
        problems=[_row(each, tz) for each in state.problems],
        missing=list(filter(None, missing)),
        missing_ids=" ".join(state.missing),
        missing_count=len(state.missing),
    )


def _row(problem: CalendarProblem, tz: ZoneInfo) -> dict[str, Any]:
    at = date_and_time(problem.starts_at, tz) if problem.starts_at else ""
    return {"title": problem.title, "at": at, "why": problem.why}


async def _settle(console: CalendarConsole, request: Request) -> Response:
    """Keeps or removes missing items. The next sync acts on it."""
    form = form_of(request)
    keep = form["do"] == "keep"
    command = console.settle(tuple(form["items"].split()), keep)
    if isinstance(await run(request, command), Refused):
        return done(request, console.path, "They are not missing any more.", kind="problem")
    return await _look(console, request, console.texts.kept if keep else console.texts.removed)


async def _look(console: CalendarConsole, request: Request, says: str = "") -> Response:
    sync = site_of(request).shared.get(sync_key(console.code))
    if sync is None:
        return done(request, console.path, "No calendar is connected.", kind="problem")
    try:
        did = await run_in_threadpool(sync.turn)
    except SyncUnknown as why:
        return done(request, console.path, str(why), kind="problem")
    state = console.state(site_of(request).reads())
    if state.trouble:
        return done(request, console.path, state.trouble, kind="problem")
    if state.missing:
        gone = count(len(state.missing), console.texts.item)
        says = f"{gone} are gone. Nothing is done before you say so."
        return done(request, console.path, says, kind="problem")
    new = "What has changed is taken over." if did else "Nothing is new."
    return done(request, console.path, says or new)
