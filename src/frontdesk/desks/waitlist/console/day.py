"""The page that tells what happened on a day, to the second; also for printing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import ENGLISH, parse_day, to_wall, zone, zone_name
from frontdesk.core.words import count
from frontdesk.desks.waitlist.console.formatting import what
from frontdesk.desks.waitlist.console.page import WAITLIST, slot_url, waitlist_page, wl_of, zone_of
from frontdesk.desks.waitlist.model import Slot, SlotId
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.story import DayStory, day_story
from frontdesk.desks.waitlist.story_words import to_the_second
from frontdesk.desks.waitlist.words import spoken_day
from frontdesk.engine.stories import StoryLine
from frontdesk.web.console.formatting import short_time
from frontdesk.web.console.lists import Link, number
from frontdesk.web.console.shell import staff
from frontdesk.web.console.timeline import steps
from frontdesk.web.site import site_of

DAY: Final = f"{WAITLIST}/day"
#: The most digits of a fact's number.
_LONGEST: Final = 37
_DATE: Final = re.compile(r"[12]\d{3}-\d\d-\d\d", re.ASCII)


def routes() -> list[BaseRoute]:
    return [Route(DAY, staff(day_page), methods=["GET"])]


async def day_page(request: Request) -> Response:
    site, tz = site_of(request), zone_of(request)
    now = site.clock.now()
    today = to_wall(now, tz).date()
    on = asked_for(request.query_params.get("on", ""), today)
    after = number(request.query_params.get("after", ""), digits=_LONGEST)
    told = await run_in_threadpool(day_story, site.reads(), on, tz, after=after)
    return waitlist_page(
        request,
        "day.html",
        tab="Day",
        page_title="Day",
        date=f"{spoken_day(on)} {on.year}",
        on=on.isoformat(),
        zone=zone_name(now, tz),
        says=_says(told, is_today=on == today, is_part=after > 0),
        story=steps(
            told.lines,
            lambda at: to_the_second(at, tz),
            links=_slot_links(wl_of(request), told),
        ),
        earlier=_link(on - timedelta(days=1)),
        later=_link(on + timedelta(days=1)) if on < today else None,
        begins=_part(on) if after else "",
        goes_on=_part(on, told.goes_on_after) if told.goes_on_after else "",
    )


def asked_for(text: str, today: date) -> date:
    """Parses a day. An invalid or future day means today."""
    try:
        found = parse_day(text) if _DATE.fullmatch(text) else today
    except ValueError:
        return today
    return min(found, today)


def _part(on: date, after: int = 0) -> str:
    return f"{DAY}?on={on.isoformat()}" + (f"&after={after}" if after else "")


def _link(on: date) -> tuple[str, str]:
    weekday, month = ENGLISH.weekdays[on.weekday()], ENGLISH.months[on.month - 1]
    return _part(on), f"{weekday} {on.day} {month}"


def _says(told: DayStory, *, is_today: bool, is_part: bool) -> str:
    things = count(len(told.lines), "thing")
    if is_part:
        return f"{things} of a long day."
    if told.goes_on_after:
        return f"The first {things} of a long day."
    if not told.lines:
        return "Nothing has happened yet." if is_today else "Nothing happened."
    return f"{things} happened."


def _slot_links(wl: WaitlistReads, told: DayStory) -> Callable[[StoryLine], Sequence[Link]]:
    """Links each line to its slot. Reads each slot once."""
    found = {slot_id: wl.slot(SlotId(slot_id)) for line in told.lines if (slot_id := line.thing_id)}
    links = {slot_id: [_slot_link(slot)] for slot_id, slot in found.items() if slot}
    return lambda line: links.get(line.thing_id, [])


def _slot_link(slot: Slot) -> Link:
    starts_at = short_time(slot.opening.starts_at, zone(slot.rules.zone))
    return Link(f"{what(slot)}, {starts_at}", slot_url(slot.id))
