"""Lists events, upcoming and past."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import to_wall
from frontdesk.core.members import Role
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.console.formatting import event_chip, event_zone
from frontdesk.desks.rsvp.console.page import EVENTS, ev_of, event_url, member
from frontdesk.desks.rsvp.model import Event
from frontdesk.web.console.lists import ListSpec, matches, pager
from frontdesk.web.console.shell import console_page, staff
from frontdesk.web.site import site_of


def routes() -> list[BaseRoute]:
    return [Route(EVENTS, staff(events_page, role=Role.HOST))]


#: Shown as cards, so it has no columns.
LIST: Final = ListSpec[Event](
    id="events",
    path=EVENTS,
    caption="Events",
    columns=(),
    filters=(("", "To come"), ("past", "Over")),
    filter_by="show",
    search="Search events",
    per_page=24,
)


async def events_page(request: Request) -> Response:
    now, who, query = site_of(request).clock.now(), member(request), LIST.query(request)
    mine = [event for event in ev_of(request).events() if who.may_see(event.id)]
    coming, over = _parted([event for event in mine if _matches(event, query.search)], now)
    past = query.filter == "past"
    shown = over if past else coming
    cards = query.slice(shown)
    return console_page(
        request,
        "rsvp/console/events.html",
        page_title="Events",
        active=EVENTS,
        may_create=who.role is not Role.HOST,
        has_any=bool(mine),
        q=query.search,
        past=past,
        list=LIST.view(query, (), counts={"": len(coming), "past": len(over)}),
        cards=[_card(event, now) for event in cards],
        pages=pager(query, len(cards), len(shown)),
    )


def _matches(event: Event, search: str) -> bool:
    return matches(search, f"{event.details.name} {event.details.venue} {event.slug}")


def _parted(events: Sequence[Event], now: datetime) -> tuple[list[Event], list[Event]]:
    """Splits events into upcoming, soonest first, and past, latest first."""
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
    }
