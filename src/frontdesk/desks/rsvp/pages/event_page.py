"""Shows the public page of an event: details, free seats and the sign-up form."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.decide.seats import largest_party, seat_is_free
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import Event, Lane, phase
from frontdesk.desks.rsvp.pages import texts
from frontdesk.web.app import problem
from frontdesk.web.covers import cover_tiles
from frontdesk.web.page_cache import CachedPage, LruCache, placeholder
from frontdesk.web.site import Site, site_of

_sheets: Final[LruCache[CachedPage]] = LruCache()
_meters: Final[LruCache[str]] = LruCache()


async def show(request: Request) -> Response:
    """Shows the page, which is the same for everybody: cached, with only the counters filled in."""
    return _page(request, embedded=False)


async def show_embedded(request: Request) -> Response:
    """Shows the form for a frame on another site."""
    return _page(request, embedded=True)


def _page(request: Request, *, embedded: bool) -> Response:
    site = site_of(request)
    event = find(site, request)
    if event is None:
        return no_such_event(request)
    now = site.clock.now()
    sheet = _sheet(site, event, now, embedded=embedded)
    return sheet.page(now, embeddable=embedded, seats=_meter(site, event))


def find(site: Site, request: Request) -> Event | None:
    return rsvp(site.reads()).event_by_slug(request.path_params["slug"])


def no_such_event(request: Request) -> Response:
    return problem(
        request,
        404,
        "There is no event here.",
        "The address may have been cut short, or the event has moved. "
        "Your invitation or the host can tell you the right one.",
        calm=True,
    )


def with_errors(
    site: Site, event: Event, typed: Mapping[str, str], errors: Mapping[str, str], *, embedded: bool
) -> Response:
    """Shows the form again with the typed values and an error beside each wrong field."""
    now = site.clock.now()
    values = _values(event, now, embedded=embedded) | {"typed": typed, "errors": errors}
    sheet = CachedPage(site.renderer, _template(embedded=embedded), now, values)
    return sheet.page(now, status=422, embeddable=embedded, seats=_meter(site, event))


def closed(site: Site, event: Event, *, embedded: bool) -> Response:
    """Shows why the event takes no sign-ups any more; nothing was changed."""
    now = site.clock.now()
    sheet = _sheet(site, event, now, embedded=embedded)
    return sheet.page(now, status=409, embeddable=embedded, seats=_meter(site, event))


def _sheet(site: Site, event: Event, now: datetime, *, embedded: bool) -> CachedPage:
    key = (
        *(event.id, event.version, site.renderer.branding, embedded),
        *(phase(event, now), seat_is_free(event.seats, 1), event.seats.cap),
    )
    template = _template(embedded=embedded)
    return _sheets.get(
        key,
        lambda: CachedPage(site.renderer, template, now, _values(event, now, embedded=embedded)),
    )


def _template(*, embedded: bool) -> str:
    return "rsvp/embed.html" if embedded else "rsvp/event.html"


def _values(event: Event, now: datetime, *, embedded: bool) -> dict[str, Any]:
    left = texts.seats_left(event)
    return {
        "page_title": event.details.name,
        **occasion_values(event),
        "description": event.details.description,
        "tiles": () if embedded else cover_tiles(event.id),
        "phase": phase(event, now),
        "action": f"/e/{event.slug}/embed" if embedded else f"/e/{event.slug}",
        "link_again": f"/e/{event.slug}/link",
        "heading": left.heading,
        "button": left.button,
        "party_options": party_options(largest_party(event, Lane.FORM)),
        "typed": {},
        "errors": {},
        "seats": placeholder("seats"),
    }


def occasion_values(event: Event) -> dict[str, Any]:
    """Returns the values that every page shows about an event."""
    starts = to_wall(event.details.starts_at, zone(event.details.zone))
    return {"what": words.occasion(event.details), "iso_date": starts.date().isoformat()}


def party_options(most: int) -> tuple[tuple[str, str], ...]:
    more = tuple((str(n), f"{n} of us") for n in range(2, most + 1))
    return (("1", "Just me"), *more)


def _meter(site: Site, event: Event) -> str:
    """Renders the seat meter apart from its cached page, because every sign-up changes it."""
    key = (event.settings, event.seats)
    return _meters.get(key, lambda: _render_meter(site, event))


def _render_meter(site: Site, event: Event) -> str:
    template = site.renderer.templates.get_template("rsvp/seats_left.html")
    return template.render(seats=event.seats, left=texts.seats_left(event))
