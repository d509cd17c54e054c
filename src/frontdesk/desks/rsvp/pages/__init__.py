"""Public pages of the RSVP desk: the event page, sign-up, and the pages behind guest links."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.desks.rsvp.pages import api, event_page, sign_up
from frontdesk.desks.rsvp.pages.api import Snippets, snippets
from frontdesk.desks.rsvp.pages.guest_links import LINKS
from frontdesk.web.app import wants_json
from frontdesk.web.cors_json import preflight
from frontdesk.web.links import lost_link_routes

__all__ = ["LINKS", "Snippets", "routes", "snippets"]


def routes() -> list[BaseRoute]:
    """Returns the routes of event pages and the API. `LINKS` serves guest links on a shared
    route."""
    return [
        Route("/e/{slug}", event_page.show, methods=["GET"]),
        Route("/e/{slug}", _sign_up, methods=["POST"]),
        Route("/e/{slug}", preflight, methods=["OPTIONS"]),
        Route("/e/{slug}/embed", event_page.show_embedded, methods=["GET"]),
        Route("/e/{slug}/embed", sign_up.from_frame, methods=["POST"]),
        *lost_link_routes("/e/{slug}/link", event_page.lost_link),
        Route("/api/events/{slug}", api.event_facts, methods=["GET"]),
        Route("/api/events/{slug}", preflight, methods=["OPTIONS"]),
        Route("/api/events/{slug}/guests", api.sign_up_by_json, methods=["POST"]),
        Route("/api/events/{slug}/guests", preflight, methods=["OPTIONS"]),
    ]


async def _sign_up(request: Request) -> Response:
    if wants_json(request):
        return await api.sign_up_by_json(request)
    return await sign_up.from_page(request)
