"""Builds the public pages of all desks, and the route for links in messages."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.settings import Settings
from frontdesk.web import links
from frontdesk.web.links import LinkHandler
from frontdesk.wiring.desks import DESKS


def routes(settings: Settings) -> list[BaseRoute]:
    pages = [route for desk in DESKS for route in desk.public_routes(settings)]
    handlers: dict[int, LinkHandler] = {}
    for desk in DESKS:
        handlers.update(desk.links())
    return [*pages, *links.routes(handlers)]
