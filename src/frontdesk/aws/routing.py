"""Maps paths to functions, and redirects requests for another function's pages."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final
from urllib.parse import quote

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from frontdesk.core.links import purpose_in
from frontdesk.settings import Settings


class Endpoint(Enum):
    EVENTS = "register"
    LINKS = "link-handler"
    CONSOLE = "fd-console"
    FORM = "web-form"
    CLAIMS = "claim-handler"
    HOOKS = "slot-webhook"
    SLACK = "slack-press"
    BOOKING = "bk-pages"
    REPLIES = "reply-handler"


LINK: Final = "/l"
#: Endpoints with keys and a rate-limit table of their own.
WITH_OWN_LIMITS: Final = frozenset({Endpoint.FORM, Endpoint.CLAIMS, Endpoint.HOOKS, Endpoint.SLACK})
#: The endpoint of each path prefix. Every endpoint serves other paths, like '/static'.
PATHS: Final = (
    ("/waitlist", Endpoint.FORM),
    ("/api/waitlist", Endpoint.FORM),
    ("/book", Endpoint.BOOKING),
    ("/feed", Endpoint.BOOKING),
    ("/api/booking", Endpoint.BOOKING),
    ("/", Endpoint.EVENTS),
    ("/e", Endpoint.EVENTS),
    ("/api", Endpoint.EVENTS),
    ("/console", Endpoint.CONSOLE),
    ("/sign-in", Endpoint.CONSOLE),
    ("/sign-out", Endpoint.CONSOLE),
)

#: The targets of redirects for requests without a path. Other functions lead to the home page.
_FIRST_PAGES: Final = {
    Endpoint.CONSOLE: "/console",
    Endpoint.FORM: "/waitlist",
    Endpoint.BOOKING: "/book",
}
#: The endpoint of a link by the number of its purpose: each desk has numbers of its own. All others
#: are those of events.
_PURPOSES: Final[dict[int | None, Endpoint]] = {
    **dict.fromkeys(range(50, 70), Endpoint.CLAIMS),
    **dict.fromkeys(range(70, 80), Endpoint.BOOKING),
    **dict.fromkeys(range(80, 90), Endpoint.REPLIES),
}
_SAFE: Final = "/:@!$&'()*+,;=~"


def endpoint_of(path: str) -> Endpoint | None:
    """Returns the endpoint of a path. The token of a link tells which endpoint serves it."""
    if _is_under(path, LINK):
        return _PURPOSES.get(purpose_in(_token(path)), Endpoint.LINKS)
    return next((endpoint for prefix, endpoint in PATHS if _is_under(path, prefix)), None)


def _token(path: str) -> str:
    return path.removeprefix(f"{LINK}/").partition("/")[0]


def _is_under(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(prefix + "/")


def address_of(endpoint: Endpoint, settings: Settings) -> str:
    match endpoint:
        case Endpoint.EVENTS:
            return settings.base_url
        case Endpoint.LINKS:
            return settings.links_at
        case Endpoint.CONSOLE:
            return settings.console_at
        case Endpoint.FORM:
            return settings.waitlist_at
        case Endpoint.CLAIMS:
            return settings.claims_at
        case Endpoint.BOOKING:
            return settings.booking_links_at
        case Endpoint.REPLIES:
            return settings.replies_at
        case Endpoint.HOOKS | Endpoint.SLACK:
            return ""  # no redirects: booking tools and Slack know their addresses


class EndpointRouter:
    """Serves the pages of one function; redirects requests for another's."""

    def __init__(self, app: ASGIApp, endpoint: Endpoint, settings: Settings) -> None:
        self._app = app
        self._endpoint = endpoint
        self._elsewhere = dict(_elsewhere(endpoint, settings))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] or "/"
        wanted = _FIRST_PAGES.get(self._endpoint, path) if path == "/" else path
        address = self._elsewhere.get(endpoint_of(wanted), "")
        if not address and wanted == path:
            await self._app(scope, receive, send)
            return
        query = scope["query_string"].decode("latin-1")
        where = address + quote(wanted, safe=_SAFE) + (f"?{query}" if query else "")
        await RedirectResponse(where, 307)(scope, receive, send)


def _elsewhere(endpoint: Endpoint, settings: Settings) -> Iterable[tuple[Endpoint | None, str]]:
    """Returns the addresses of the other endpoints; never that of this one."""
    here = address_of(endpoint, settings)
    for other in Endpoint:
        if other is not endpoint and address_of(other, settings) != here:
            yield other, address_of(other, settings)
