"""The home page of the site: what customers can do here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from frontdesk.values import Frozen
from frontdesk.web.sessions import COOKIE, read_cookie
from frontdesk.web.site import Site, site_of


class HomeLink(Frozen):
    """A public page that the home page leads to."""

    title: str
    text: str
    url: str
    icon: str


def home_route(links: Callable[[Site], Sequence[HomeLink]]) -> Route:
    """Leads customers to public pages, and the team to the console."""

    async def home(request: Request) -> Response:
        site = site_of(request)
        if read_cookie(request, COOKIE):  # the console checks it
            return RedirectResponse("/console", 303)
        return site.renderer.page(
            "home.html",
            site.clock.now(),
            page_title="Welcome",
            links=links(site),
            team_url=f"{site.settings.console_at}/console",
        )

    return Route("/", home, methods=["GET"])
