"""Shows the public page of an event: details, free seats and the sign-up form."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.commands import ResendLink
from frontdesk.desks.rsvp.decide.seats import largest_party, seat_is_free
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import Event, Lane, phase
from frontdesk.desks.rsvp.pages import texts
from frontdesk.engine.ports import Recorded
from frontdesk.values import Frozen
from frontdesk.web.app import HOME, problem
from frontdesk.web.forms import party_options
from frontdesk.web.links import LinkForm, SendLinks
from frontdesk.web.page_cache import CachedPage, LruCache, placeholder
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import Site, site_of

Shape = Literal["blank", "disc", "ring", "quarter", "half", "leaf"]

ACROSS = 8
DOWN = 3

_SHAPES: tuple[Shape, ...] = ("blank", "disc", "quarter", "half", "leaf", "ring", "quarter", "leaf")


class Tile(Frozen):
    """One square of the poster. Tones are 1 (strong) to 3 (faint); `ground` is the background."""

    column: int
    row: int
    shape: Shape
    turn: int  # degrees, in quarters
    tone: int
    ground: int


def cover_tiles(seed: str) -> tuple[Tile, ...]:
    """Returns the tiles of a poster. The same seed always gives the same poster."""
    noise = hashlib.shake_128(seed.encode()).digest(ACROSS * DOWN * 2)
    return tuple(
        _tile(place, noise[2 * place], noise[2 * place + 1]) for place in range(ACROSS * DOWN)
    )


def _tile(place: int, form: int, colour: int) -> Tile:
    ground = colour % 3 + 1
    return Tile(
        column=place % ACROSS,
        row=place // ACROSS,
        shape=_SHAPES[form % len(_SHAPES)],
        turn=90 * (form // len(_SHAPES) % 4),
        tone=(ground + colour // 3 % 2) % 3 + 1,  # differs from the tone of the ground
        ground=ground,
    )


class EventCache:
    """Caches events by slug until the next commit, in a process that is told of every commit."""

    def __init__(self) -> None:
        self._events: dict[str, Event] = {}

    def on_commit(self, _facts: Sequence[Recorded]) -> None:
        """Empties the cache. `Store.on_commit` calls it."""
        self._events = {}

    def event(self, site: Site, slug: str) -> Event | None:
        events = self._events  # a commit replaces the dict, so no older event stays in it
        if slug not in events:
            event = rsvp(site.reads()).event_by_slug(slug)
            if event is None:
                return None
            events[slug] = event
        return events[slug]


#: The key in `Site.shared` of the cache. Only one machine has one.
EVENT_CACHE: Final = SharedKey[EventCache]("rsvp.event_cache")


_pages: Final[LruCache[CachedPage]] = LruCache()
_meters: Final[LruCache[str]] = LruCache()


async def show(request: Request) -> Response:
    """Shows the page. It is cached, because it is the same for everybody except for the
    counters."""
    return _page(request, embedded=False)


async def show_embedded(request: Request) -> Response:
    """Shows the form for a frame on another site."""
    return _page(request, embedded=True)


def _page(request: Request, *, embedded: bool) -> Response:
    site = site_of(request)
    event = find_event(site, request)
    if event is None:
        return no_such_event(request)
    now = site.clock.now()
    cached = _cached_page(site, event, now, embedded=embedded)
    return cached.page(now, embeddable=embedded, seats=_meter(site, event))


def find_event(site: Site, request: Request) -> Event | None:
    slug = request.path_params["slug"]
    event_cache = site.shared.get(EVENT_CACHE)
    if event_cache is not None:
        return event_cache.event(site, slug)
    return rsvp(site.reads()).event_by_slug(slug)


def no_such_event(request: Request) -> Response:
    return problem(
        request,
        404,
        "There is no event here.",
        "The address may have been cut short, or the event has moved. "
        "Your invitation or the host can tell you the right one.",
        HOME,
        calm=True,
    )


def show_with_errors(
    site: Site, event: Event, typed: Mapping[str, str], errors: Mapping[str, str], *, embedded: bool
) -> Response:
    """Shows the form again with the typed values and an error beside each wrong field."""
    now = site.clock.now()
    values = _values(event, now, embedded=embedded) | {"typed": typed, "errors": errors}
    cached = CachedPage(site.renderer, _template(embedded=embedded), now, values)
    return cached.page(now, status=422, embeddable=embedded, seats=_meter(site, event))


def show_closed(site: Site, event: Event, *, embedded: bool) -> Response:
    """Shows why the event takes no more sign-ups. Nothing was changed."""
    now = site.clock.now()
    cached = _cached_page(site, event, now, embedded=embedded)
    return cached.page(now, status=409, embeddable=embedded, seats=_meter(site, event))


def _cached_page(site: Site, event: Event, now: datetime, *, embedded: bool) -> CachedPage:
    key = (
        *(event.id, event.version, site.renderer.branding, embedded),
        *(phase(event, now), seat_is_free(event.seats, 1), event.seats.cap),
    )
    template = _template(embedded=embedded)
    return _pages.get(
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


def _meter(site: Site, event: Event) -> str:
    """Renders the seat meter apart from its cached page, because every sign-up changes it."""
    key = (event.settings, event.seats)
    return _meters.get(key, lambda: _render_meter(site, event))


def _render_meter(site: Site, event: Event) -> str:
    template = site.renderer.templates.get_template("rsvp/seats_left.html")
    return template.render(seats=event.seats, left=texts.seats_left(event))


def lost_link(request: Request) -> tuple[LinkForm, SendLinks] | Response:
    """Lets a guest who has lost our mail ask for their link."""
    event = find_event(site_of(request), request)
    if event is None:
        return no_such_event(request)
    return _link_form(event), _send_for(event)


def _link_form(event: Event) -> LinkForm:
    page = f"/e/{event.slug}"
    return LinkForm(
        action=f"{page}/link",
        lead=f"With it you see where you stand for {event.details.name}, answer an offer or cancel."
        " Give the address with which you signed up.",
        back=(page, "Back to the event"),
    )


def _send_for(event: Event) -> SendLinks:
    async def send(site: Site, email: str) -> None:
        ev = rsvp(site.reads())
        person = ev.person_by_email(email)
        guest = None if person is None else ev.guest_of(event.id, person.id)
        if guest is not None:
            await site.run(ResendLink(guest.id, by_guest=True), by=f"guest:{guest.id}")

    return send
