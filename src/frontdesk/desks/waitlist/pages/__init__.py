"""Pages for customers: the form, their place on the list, and their offers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.desks.waitlist.links import Purpose
from frontdesk.desks.waitlist.pages import api, join, offer, place
from frontdesk.desks.waitlist.pages.visit import at_entry, at_offer
from frontdesk.web.app import wants_json
from frontdesk.web.cors_json import preflight
from frontdesk.web.links import LinkHandler, handler, lost_link_routes

__all__ = ["LINKS", "routes"]

#: Handlers by purpose, for the link route that all desks share.
LINKS: Final[Mapping[int, LinkHandler]] = {
    Purpose.OFFER: handler(at_offer, offer.show, offer.answer, calendar_ics=offer.calendar),
    Purpose.DECLINE: handler(
        at_offer, offer.show_decline, offer.answer, calendar_ics=offer.calendar
    ),
    Purpose.PLACE: handler(at_entry, place.show, place.act),
    Purpose.STOP: handler(at_entry, place.show_stop, place.stop_offers),
}


def routes() -> list[BaseRoute]:
    return [
        Route("/waitlist", join.show, methods=["GET"]),
        Route("/waitlist", _join, methods=["POST"]),
        Route("/waitlist", preflight, methods=["OPTIONS"]),
        Route("/waitlist/embed", join.show_embedded, methods=["GET"]),
        Route("/waitlist/embed", join.from_frame, methods=["POST"]),
        *lost_link_routes("/waitlist/link", place.lost_link),
        Route("/api/waitlist", api.terms, methods=["GET"]),
        Route("/api/waitlist", api.join_by_json, methods=["POST"]),
        Route("/api/waitlist", preflight, methods=["OPTIONS"]),
    ]


async def _join(request: Request) -> Response:
    if wants_json(request):
        return await api.join_by_json(request)
    return await join.from_page(request)
