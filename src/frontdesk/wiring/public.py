"""What guests see, and the one route for the links that they were sent."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.desks.rsvp import pages as rsvp_pages
from frontdesk.desks.waitlist import pages as waitlist_pages
from frontdesk.desks.waitlist.hooks import door as waitlist_hooks
from frontdesk.web import links


def event_routes() -> list[BaseRoute]:
    return list(rsvp_pages.routes())


def waitlist_routes() -> list[BaseRoute]:
    return [*waitlist_pages.routes(), *waitlist_hooks.routes()]


def link_routes() -> list[BaseRoute]:
    return list(links.routes({**rsvp_pages.LINKS, **waitlist_pages.LINKS}))


def routes() -> list[BaseRoute]:
    return [*event_routes(), *waitlist_routes(), *link_routes()]
