"""A day's story, in order and to the second, over all slots; made to be printed, too."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import ENGLISH, to_wall, zone, zone_name
from frontdesk.core.words import count
from frontdesk.desks.waitlist.console.frame import (
    WAITLIST,
    me,
    waitlist_page,
    wl_of,
    zone_of,
)
from frontdesk.desks.waitlist.console.looks import short_day, steps, what
from frontdesk.desks.waitlist.model import SlotId
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.story import StoryLine, day_story
from frontdesk.desks.waitlist.words import spoken_day
from frontdesk.web.console_shell import staff
from frontdesk.web.site import site_of

DAY: Final = f"{WAITLIST}/day"
_DATE: Final = re.compile(r"[12]\d{3}-\d\d-\d\d", re.ASCII)


def routes() -> list[BaseRoute]:
    return [Route(DAY, staff(day_page), methods=["GET"])]


async def day_page(request: Request) -> Response:
    site, tz = site_of(request), zone_of(request)
    now = site.clock.now()
    today = to_wall(now, tz).date()
    on = asked_for(request.query_params.get("on", ""), today)
    lines = await run_in_threadpool(day_story, site.reads(), on, tz)
    return waitlist_page(
        request,
        me(request),
        "day.html",
        tab="Day",
        page_title="Day",
        date=f"{spoken_day(on)} {on.year}",
        on=on.isoformat(),
        zone=zone_name(now, tz),
        says=_says(lines, on, today),
        story=_with_slots(wl_of(request), steps(lines, tz, dated=False), today),
        earlier=_link(on - timedelta(days=1)),
        later=_link(on + timedelta(days=1)) if on < today else None,
    )


def asked_for(text: str, today: date) -> date:
    """What is no day, or still to come, is today."""
    try:
        found = date.fromisoformat(text) if _DATE.fullmatch(text) else today
    except ValueError:
        return today
    return min(found, today)


def _link(on: date) -> tuple[str, str]:
    weekday, month = ENGLISH.weekdays[on.weekday()], ENGLISH.months[on.month - 1]
    return f"{DAY}?on={on.isoformat()}", f"{weekday} {on.day} {month}"


def _says(lines: tuple[StoryLine, ...], on: date, today: date) -> str:
    if not lines:
        return "Nothing has happened yet." if on == today else "Nothing happened."
    slots = {line.slot_id for line in lines}
    return f"{count(len(lines), 'thing')} happened to {count(len(slots), 'slot')}."


def _with_slots(wl: WaitlistReads, told: list[dict[str, Any]], today: date) -> list[dict[str, Any]]:
    """Each step with the name of its slot."""
    names = {slot_id: _slot_name(wl, slot_id, today) for slot_id in {s["slot_id"] for s in told}}
    return [step | {"slot": names[step["slot_id"]]} for step in told]


def _slot_name(wl: WaitlistReads, slot_id: str, today: date) -> str:
    slot = wl.slot(SlotId(slot_id))
    if slot is None:
        return ""
    starts: datetime = to_wall(slot.opening.starts_at, zone(slot.rules.zone))
    return f"{what(slot)}, {short_day(starts.date(), date.min)}, {starts:%H:%M}"
