"""Builds the site, which all pages share, and the routes of the public pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.routing import BaseRoute

from frontdesk.core.links import Keys
from frontdesk.desks.admin.branding import branding_of, contact_in
from frontdesk.engine.live import LiveUpdates
from frontdesk.settings import Settings
from frontdesk.web import links
from frontdesk.web.colours import DEFAULT_ACCENT
from frontdesk.web.home import HomeLink, home_route
from frontdesk.web.limits import RateLimits
from frontdesk.web.links import LinkHandler
from frontdesk.web.renderer import Branding, Renderer
from frontdesk.web.site import Site
from frontdesk.wiring.application import Application
from frontdesk.wiring.desks import DESKS, closed_pages, switched_on

TEMPLATES: Final = {
    **{desk.name: desk.package for desk in DESKS},
    "documents": "frontdesk.features.documents",
    "calendars": "frontdesk.features.calendars",
    "catalogue": "frontdesk.features.catalogue",
    "sheet_sync": "frontdesk.features.sheet_sync",
    "proposals": "frontdesk.features.proposals",
}


def site_on(back: Application, keys: Callable[[], Keys], limits: RateLimits) -> Site:
    live = LiveUpdates()
    back.store.on_commit(live.on_commit)
    renderer = Renderer(
        Branding(back.settings.business_name, DEFAULT_ACCENT, contact_in(back.settings)),
        desks=TEMPLATES,
    )
    renderer.set_branding(branding_of(back.engine.reads(), back.settings))
    return Site(
        back.engine,
        back.settings,
        back.clock,
        keys,
        live,
        renderer,
        limits,
        bad_link=lambda: back.bad_signatures.seen(back.clock.now()),
        page_broke=lambda: back.broken_pages.seen(back.clock.now()),
        closed_pages=closed_pages(back.settings),
    )


def home() -> BaseRoute:
    """Returns the home page. It leads to the desks that are on, booking before the waitlist."""

    def home_links(site: Site) -> list[HomeLink]:
        on = (desk for desk in reversed(DESKS) if switched_on(desk, site.settings))
        return [link for desk in on if (link := desk.home_link(site)) is not None]

    return home_route(home_links)


def public_routes(settings: Settings) -> list[BaseRoute]:
    """Returns the public pages of all desks, and the route for links in messages."""
    on = [desk for desk in DESKS if switched_on(desk, settings)]
    pages = [route for desk in on for route in desk.public_routes(settings)]
    handlers: dict[int, LinkHandler] = {}
    for desk in DESKS:
        handlers.update(desk.links())
    return [*pages, *links.routes(handlers)]
