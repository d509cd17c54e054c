"""The HTTP application: routes, static files and error pages."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontdesk.errors import Busy
from frontdesk.logs import failure, log, where
from frontdesk.web.forms import BadForm
from frontdesk.web.site import Site, site_of

#: The link on the page for an address that does not exist.
HOME = ("/", "To the home page")
NOT_SNIFFED = {"x-content-type-options": "nosniff"}
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}


def create_app(site: Site, routes: Sequence[BaseRoute]) -> Starlette:
    """`routes` are those of the desks; static files are added."""
    is_encrypted = site.settings.base_url.startswith("https://")
    app = Starlette(
        middleware=[Middleware(StrictTransportSecurity)] if is_encrypted else [],
        exception_handlers={
            HTTPException: _http_problem,
            BadForm: _bad_form,
            Busy: _busy,
            Exception: _bug,
        },
    )
    app.router = PathRouter([*routes, Route("/static/{digest}/{name}", static_file)])
    app.state.site = site
    return app


class PathRouter(Router):
    """Looks up paths without parameters, and others by their first segment. Starlette would compare
    all routes one by one.

    It never redirects to an address with or without a slash: that would trust the Host header.
    """

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        super().__init__(routes, redirect_slashes=False)
        paths = {one.path for one in routes if isinstance(one, Route)}
        self._by_path = {path: Router(_matching(routes, path)) for path in paths if "{" not in path}
        self._by_segment = {
            first: Router(_beginning(routes, first), redirect_slashes=False)
            for first in map(_segment, paths)
        }

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        router = self._by_path.get(path) or self._by_segment.get(_segment(path))
        await (router.app if router else super().app)(scope, receive, send)


def _matching(routes: Sequence[BaseRoute], path: str) -> list[BaseRoute]:
    """The routes that match a path, in their order."""
    return [one for one in routes if not isinstance(one, Route) or one.path_regex.match(path)]


def _beginning(routes: Sequence[BaseRoute], first: str) -> list[BaseRoute]:
    """The routes whose first segment is this one or a parameter, in their order."""

    def fits(route: BaseRoute) -> bool:
        segment = _segment(route.path) if isinstance(route, Route) else "{"
        return segment == first or "{" in segment

    return [one for one in routes if fits(one)]


def _segment(path: str) -> str:
    return path[1:].partition("/")[0]


class StrictTransportSecurity:
    """Adds a header (HSTS) that makes browsers use https for all later visits."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["strict-transport-security"] = "max-age=31536000"
            await send(message)

        await self._app(scope, receive, answer)


async def static_file(request: Request) -> Response:
    key = f"{request.path_params['digest']}~{request.path_params['name']}"
    file = site_of(request).renderer.static.get(key)
    if file is None:
        raise HTTPException(404)
    headers = {**FOR_EVER, **NOT_SNIFFED}
    return Response(file.body, media_type=file.media_type, headers=headers)


def problem(
    request: Request,
    status: int,
    happened: str,
    means: str,
    way_out: tuple[str, str] | None = None,
    *,
    calm: bool = False,
) -> Response:
    """Returns an error page, or JSON if the client sends or accepts JSON."""
    if wants_json(request):
        return JSONResponse({"problem": happened, "means": means}, status, NOT_SNIFFED)
    site = site_of(request)
    if way_out and not site.open_url(way_out[0]):
        way_out = None
    return site.renderer.page(
        "problem.html",
        site.clock.now(),
        status=status,
        page_title=happened,
        happened=happened,
        means=means,
        way_out={"url": way_out[0], "label": way_out[1]} if way_out else None,
        calm=calm,
    )


def wants_json(request: Request) -> bool:
    """Returns whether the client sends or accepts JSON."""
    kinds = (request.headers.get("content-type", ""), request.headers.get("accept", ""))
    return any("application/json" in kind for kind in kinds)


async def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    match error.status_code:
        case 404 if request.method in ("GET", "HEAD") and request.url.path.endswith("/"):
            return _without_last_slash(request)
        case 404:
            return problem(
                request,
                404,
                "There is nothing here.",
                "The address may have been cut short when it was copied.",
                ("/console", "To the console") if _is_in_console(request) else HOME,
                calm=True,
            )
        case 405:
            return problem(request, 405, "That cannot be done here.", "Please go back a step.")
        case 429:
            return problem(
                request,
                429,
                "That was a lot at once.",
                "Please wait a minute, then try again. Nothing was lost.",
                calm=True,
            )
        case status:
            return problem(request, status, error.detail, "Please go back a step and try again.")


def _without_last_slash(request: Request) -> Response:
    """Redirects to the address without its last slash; always stays on this site."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/{request.url.path.strip('/')}{query}", 308)


def _is_in_console(request: Request) -> bool:
    return request.url.path.startswith("/console")


async def _bad_form(request: Request, error: Exception) -> Response:
    return problem(request, 400, str(error), "Nothing was changed. Please go back and try again.")


async def _busy(request: Request, _error: Exception) -> Response:
    return problem(
        request,
        503,
        "Many people are here at once.",
        "Nothing was changed. Please try again in a few seconds.",
        calm=True,
    )


async def _bug(request: Request, error: Exception) -> Response:
    if _has_hung_up(error):
        return Response(status_code=400)  # nothing broke, and nobody reads this response
    site_of(request).page_broke()
    log("page.failed", path=request.url.path, why=failure(error), where=where(error))
    return problem(
        request,
        500,
        "Something broke on our side.",
        "Nothing was changed. We keep a record of it; please try again.",
    )


def _has_hung_up(error: Exception) -> bool:
    """Returns whether the client disconnected before or during the response."""
    return isinstance(error, ClientDisconnect) or isinstance(error.__cause__, ClientDisconnect)
