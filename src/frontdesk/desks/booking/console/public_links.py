"""Shows owners the links of their booking page, and the HTML for their own site."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.links import Keys
from frontdesk.desks.booking.console.form_edits import LINKS
from frontdesk.desks.booking.console.page import BOOKINGS, bk_of, booking_page, first_step
from frontdesk.desks.booking.links import service_key
from frontdesk.desks.booking.pages import snippets
from frontdesk.desks.booking.pages.addresses import PATH as BOOK
from frontdesk.desks.booking.pages.addresses import service_path
from frontdesk.desks.booking.rules import ServiceRules
from frontdesk.values import Frozen
from frontdesk.web.console.shell import staff, tabs
from frontdesk.web.site import site_of

PATH: Final = f"{BOOKINGS}/links"
TITLE: Final = "Booking page"


class ServiceLink(Frozen):
    service: str
    url: str
    is_private: bool


def routes() -> list[BaseRoute]:
    return [Route(PATH, staff(links_page), methods=["GET"])]


async def links_page(request: Request) -> Response:
    site, rules = site_of(request), bk_of(request).rules()
    base_url = site.settings.booking_at
    return booking_page(
        request,
        "public_links.html",
        tab="Rules",
        page_title=TITLE,
        first_step=first_step(request),
        links=tabs(LINKS, TITLE),
        public=base_url + BOOK,
        services=[service_link(base_url, one, site.keys) for one in rules.services],
        embed=snippets(base_url),
    )


def service_link(base_url: str, service: ServiceRules, keys: Keys) -> ServiceLink:
    """The link of one service. An unlisted one opens with the key in its link only."""
    path = service_path(service.name)
    if service.unlisted:
        path += f"{'&' if '?' in path else '?'}key={service_key(service.name, keys)}"
    return ServiceLink(service.name, base_url + path, service.unlisted)
