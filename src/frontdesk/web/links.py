"""Opens the links in messages: GET `/l/<token>` shows a page, a POST acts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.links import BadLink, ExpiredLink, Link, read
from frontdesk.values import Frozen, field
from frontdesk.web.app import problem
from frontdesk.web.forms import Form, read_form
from frontdesk.web.limits import Rate
from frontdesk.web.site import Site, site_of

#: The limit for one address. An office may share it, and its mail scanner opens every link.
LINK_RATE: Final = Rate(burst=240, per_minute=120)
#: The limit for forged links.
FORGED_RATE: Final = Rate(burst=30, per_minute=6)


class Opened(Frozen):
    """A link with a valid signature; it may have expired."""

    token: str
    link: Link
    expired: bool

    @property
    def path(self) -> str:
        return f"/l/{self.token}"


Answer = Callable[[Request, Opened], Awaitable[Response]]


class LinkHandler(Frozen):
    """Handles one purpose of links. `show` and `parts` are read-only; `act` redirects to `show`."""

    show: Answer
    act: Answer
    parts: Mapping[str, Answer] = field(default_factory=dict)
    """More resources under the link, by name: `/l/<token>/calendar.ics`."""


V = TypeVar("V")
Find = Callable[[Request, Opened], V | Response]
"""Loads the person and the subject of a link, or returns a page that explains why it cannot."""
Show = Callable[[V], Response]
Act = Callable[[V, Form], Awaitable[Response | None]]


def handler(find: Find[V], show: Show[V], act: Act[V], **parts: Show[V]) -> LinkHandler:
    """Builds a handler for the table of links. If `act` returns nothing, redirects to the page."""

    def shown(by: Show[V]) -> Answer:
        async def answer(request: Request, opened: Opened) -> Response:
            visit = find(request, opened)
            return visit if isinstance(visit, Response) else by(visit)

        return answer

    async def acted(request: Request, opened: Opened) -> Response:
        visit = find(request, opened)
        if isinstance(visit, Response):
            return visit
        return await act(visit, await read_form(request)) or see(opened)

    files = {name.replace("_", "."): shown(part) for name, part in parts.items()}
    return LinkHandler(shown(show), acted, files)


def routes(handlers: Mapping[int, LinkHandler]) -> list[BaseRoute]:
    """`handlers` are those of all desks, by the number of their purpose."""

    async def link(request: Request) -> Response:
        opened = open_link(request)
        handler = handlers.get(opened.link.purpose) if opened else None
        if opened is None or handler is None:
            return _not_ours(request)
        answer = handler.act if request.method == "POST" else handler.show
        return await answer(request, opened)

    async def part(request: Request) -> Response:
        opened = open_link(request)
        handler = handlers.get(opened.link.purpose) if opened else None
        if opened is None or handler is None:
            return _not_ours(request)
        answer = handler.parts.get(request.path_params["part"])
        if answer is None:
            raise HTTPException(404)
        return await answer(request, opened)

    return [
        Route("/l/{token}", link, methods=["GET", "POST"]),
        Route("/l/{token}/{part}", part, methods=["GET"]),
    ]


def open_link(request: Request) -> Opened | None:
    """Verifies the link in the address; counts and limits forged ones."""
    site, token = site_of(request), request.path_params["token"]
    _limit(request, site, "link", LINK_RATE)
    try:
        return Opened(token, read(token, site.keys, site.clock.now()), expired=False)
    except ExpiredLink as late:
        return Opened(token, late.link, expired=True)
    except BadLink:
        site.bad_link()
        _limit(request, site, "forged link", FORGED_RATE)
        return None


def see(opened: Opened) -> Response:
    """Redirects to the page after a POST."""
    return RedirectResponse(opened.path, 303)


def _limit(request: Request, site: Site, purpose: str, rate: Rate) -> None:
    if not site.limits.take(purpose, request.client.host if request.client else "", rate):
        raise HTTPException(429)


def _not_ours(request: Request) -> Response:
    return problem(
        request,
        404,
        "This link is not complete.",
        "It may have been cut short on its way to you. Please open it from the message again, "
        "or copy all of it.",
        calm=True,
    )
