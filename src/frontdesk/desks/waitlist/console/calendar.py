"""The calendar of openings as staff see it: when it was read, and what in it needs a look."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Protocol, cast
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import to_wall
from frontdesk.core.words import count
from frontdesk.desks.waitlist.commands import SettleCalendar
from frontdesk.desks.waitlist.console.formatting import what, when
from frontdesk.desks.waitlist.console.page import WAITLIST, me, waitlist_page, wl_of, zone_of
from frontdesk.desks.waitlist.console.rows import shown
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import SlotId
from frontdesk.engine.ports import Reads
from frontdesk.features.calendars.state import CalendarProblem
from frontdesk.features.calendars.sync import NotLooked
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.shell import SettingsLink, TodayCard, done, form_of, run, staff
from frontdesk.web.site import site_of

CALENDAR: Final = f"{WAITLIST}/calendar"
MOST_NAMED: Final = 10
#: By which name pages find who keeps the slots in step with it.
NAME: Final = "wl.calendar"
LINK: Final = SettingsLink(
    "Calendar of openings", "When it was read last, and what in it needs a look.", CALENDAR
)


class Keeper(Protocol):
    """Keeps the slots in step with the calendar."""

    def turn(self) -> bool:
        """Look at once; whether there was anything to do. Blocks. Raises `NotLooked`."""


def routes() -> list[BaseRoute]:
    return [
        Route(CALENDAR, staff(calendar_page), methods=["GET"]),
        Route(CALENDAR, staff(look), methods=["POST"]),
        Route(f"{CALENDAR}/missing", staff(settle), methods=["POST"]),
    ]


async def calendar_page(request: Request) -> Response:
    state, tz = wl_of(request).calendar(), zone_of(request)
    return waitlist_page(
        request,
        me(request),
        "calendar.html",
        tab="Board",
        page_title="Calendar of openings",
        url=CALENDAR,
        looked=exact_time(state.looked_at, tz) if state.looked_at else "",
        trouble=state.trouble,
        problems=[_row(each, tz) for each in state.problems],
        missing=_missing(request, state.missing),
        missing_ids=" ".join(state.missing),
        missing_count=len(state.missing),
    )


def _missing(request: Request, slot_ids: Sequence[str]) -> list[str]:
    wl, now = wl_of(request), site_of(request).clock.now()
    slots = (wl.slot(SlotId(slot_id)) for slot_id in slot_ids[:MOST_NAMED])
    return [f"{what(slot)}, {when(slot, now)}" for slot in slots if slot is not None]


async def settle(request: Request) -> Response:
    """What staff say about openings that are gone. The next look acts on it."""
    form = form_of(request)
    slot_ids = tuple(form["slots"].split())
    keep = form["do"] == "keep"
    outcome = await run(request, SettleCalendar(slot_ids, keep))
    if isinstance(outcome, Refused):
        return done(request, CALENDAR, "They are not missing any more.", kind="problem")
    return await _look(request, "They stay slots." if keep else "They are taken back.")


def _row(problem: CalendarProblem, tz: ZoneInfo) -> dict[str, Any]:
    at = problem.starts_at
    wall = f"{to_wall(at, tz):%Y-%m-%d %H:%M}" if at else ""
    return {"title": problem.title, "at": shown("joined", wall), "why": problem.why}


async def look(request: Request) -> Response:
    return await _look(request)


async def _look(request: Request, says: str = "") -> Response:
    keeper = cast("Keeper", site_of(request).memory[NAME])
    try:
        did = await run_in_threadpool(keeper.turn)
    except NotLooked as why:
        return done(request, CALENDAR, str(why), kind="problem")
    if trouble := wl_of(request).calendar().trouble:
        return done(request, CALENDAR, trouble, kind="problem")
    if missing := wl_of(request).calendar().missing:
        gone = f"{count(len(missing), 'opening')} are gone. Nothing is done before you say so."
        return done(request, CALENDAR, gone, kind="problem")
    new = "What has changed is taken over." if did else "Nothing is new."
    return done(request, CALENDAR, says or new)


def today(reads: Reads, _now: datetime) -> Sequence[TodayCard]:
    state = waitlist(reads).calendar()
    if state.missing and not state.trouble:
        return (_ask_about(len(state.missing)),)
    if not (state.trouble or state.problems):
        return ()
    title = f"{count(len(state.problems), 'opening')} in the calendar to look at"
    return (
        TodayCard(
            title="The calendar cannot be read" if state.trouble else title,
            text=state.trouble or state.problems[0].why,
            url=CALENDAR,
            button="Look at it",
            sign="alert",
            chip="Needs you",
            state="ending",
        ),
    )


def _ask_about(missing: int) -> TodayCard:
    return TodayCard(
        title=f"{count(missing, 'opening')} are gone from the calendar",
        text="All at once, which may be a mistake. Nothing is done before you say so.",
        url=CALENDAR,
        button="Look at them",
        sign="alert",
        chip="Needs you",
        state="ending",
    )
