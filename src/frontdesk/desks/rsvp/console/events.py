"""The events: those to come, those that are over, and what new ones begin with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import to_wall
from frontdesk.core.members import Role
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.console.formatting import event_chip, event_zone, fullness
from frontdesk.desks.rsvp.console.page import EVENTS, ev_of, event_url, member, page_number
from frontdesk.desks.rsvp.model import Event
from frontdesk.web.console.shell import console_page, staff
from frontdesk.web.site import site_of

ON_A_PAGE: Final = 24


def routes() -> list[BaseRoute]:
    return [Route(EVENTS, staff(events_page, role=Role.HOST))]


async def events_page(request: Request) -> Response:
    now, who = site_of(request).clock.now(), member(request)
    search = request.query_params.get("q", "")[:100].strip()
    past = request.query_params.get("show") == "past"
    mine = [event for event in ev_of(request).events() if who.may_see(event.id)]
    found = [event for event in mine if _matches(event, search)]
    coming, over = _parted(found, now)
    shown, page = over if past else coming, page_number(request)
    first = (page - 1) * ON_A_PAGE
    return console_page(
        request,
        "rsvp/console/events.html",
        page_title="Events",
        active=EVENTS,
        may_create=who.role is not Role.HOST,
        has_any=bool(mine),
        q=search,
        past=past,
        counts=(len(coming), len(over)),
        cards=[_card(event, now) for event in shown[first : first + ON_A_PAGE]],
        pages=_pages(page, len(shown), search, past=past),
    )


def _matches(event: Event, search: str) -> bool:
    text = f"{event.details.name} {event.details.venue} {event.slug}".casefold()
    return all(word in text for word in search.casefold().split())


def _parted(events: Sequence[Event], now: datetime) -> tuple[list[Event], list[Event]]:
    """What is to come, the soonest first; what is over, the latest first."""
    coming = [event for event in events if now < event.details.ends_at]
    over = [event for event in events if now >= event.details.ends_at]
    coming.sort(key=lambda event: event.details.starts_at)
    over.sort(key=lambda event: event.details.starts_at, reverse=True)
    return coming, over


def _card(event: Event, now: datetime) -> dict[str, Any]:
    what = words.occasion(event.details)
    on = to_wall(event.details.starts_at, event_zone(event)).date()
    return {
        "event": event,
        "what": what,
        "iso": on.isoformat(),
        "url": event_url(event.id),
        "chip": event_chip(event, now),
        "says": fullness(event.seats),
        "year": str(on.year),
    }


def _pages(page: int, total: int, search: str, *, past: bool) -> dict[str, str]:
    def url(number: int) -> str:
        asked = {"q": search, "show": "past" if past else "", "page": str(number)}
        return f"{EVENTS}?{urlencode({key: value for key, value in asked.items() if value})}"

    last = -(-total // ON_A_PAGE)
    return {
        "says": f"Page {page} of {last}" if last > 1 else "",
        "previous": url(page - 1) if page > 1 else "",
        "next": url(page + 1) if page < last else "",
    }
