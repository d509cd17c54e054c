"""Which function answers at which address, and the way from one to the other."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final
from urllib.parse import quote

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from frontdesk.core.links import purpose_in
from frontdesk.desks.waitlist.links import Purpose
from frontdesk.settings import Settings


class Door(Enum):
    EVENTS = "register"
    LINKS = "link-handler"
    CONSOLE = "fd-console"
    FORM = "web-form"
    CLAIMS = "claim-handler"
    HOOKS = "slot-webhook"
    SLACK = "slack-press"


LINK: Final = "/l"
#: Those of the waitlist; they count who comes too often in a table of their own.
OF_THE_WAITLIST: Final = frozenset({Door.FORM, Door.CLAIMS, Door.HOOKS, Door.SLACK})
#: What begins so belongs behind this door; whatever is not here is anybody's, like '/static'.
PATHS: Final = (
    ("/waitlist", Door.FORM),
    ("/api/waitlist", Door.FORM),
    ("/e", Door.EVENTS),
    ("/api", Door.EVENTS),
    (LINK, Door.LINKS),
    ("/console", Door.CONSOLE),
    ("/sign-in", Door.CONSOLE),
    ("/sign-out", Door.CONSOLE),
)

#: Where who asks for nothing in particular is sent to.
CONSOLE: Final = "/console"
_CLAIMS: Final = frozenset(map(int, Purpose))
_SAFE: Final = "/:@!$&'()*+,;=~"


def door_of(path: str) -> Door | None:
    """Which of the two a link belongs to is written in the link."""
    if _is_under(path, LINK) and purpose_in(_token(path)) in _CLAIMS:
        return Door.CLAIMS
    return next((door for prefix, door in PATHS if _is_under(path, prefix)), None)


def _token(path: str) -> str:
    return path.removeprefix(f"{LINK}/").partition("/")[0]


def _is_under(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(prefix + "/")


def address_of(door: Door, settings: Settings) -> str:
    match door:
        case Door.EVENTS:
            return settings.base_url
        case Door.LINKS:
            return settings.links_at
        case Door.CONSOLE:
            return settings.console_at
        case Door.FORM:
            return settings.waitlist_at
        case Door.CLAIMS:
            return settings.claims_at
        case Door.HOOKS | Door.SLACK:
            return ""  # nobody is sent there: a booking tool and Slack are told their addresses


class OneDoor:
    """The pages of one function; who asks for another's is sent there."""

    def __init__(self, app: ASGIApp, door: Door, settings: Settings) -> None:
        self._app = app
        self._door = door
        self._elsewhere = dict(_elsewhere(door, settings))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        is_bare = path in ("", "/")
        wanted = CONSOLE if is_bare else path
        address = self._elsewhere.get(door_of(wanted), "")
        if not address and not is_bare:
            await self._app(scope, receive, send)
            return
        query = scope["query_string"].decode("latin-1")
        where = address + quote(wanted, safe=_SAFE) + (f"?{query}" if query else "")
        await RedirectResponse(where, 307)(scope, receive, send)


def _elsewhere(door: Door, settings: Settings) -> Iterable[tuple[Door | None, str]]:
    """Nobody is sent to where they are."""
    here = address_of(door, settings)
    for other in Door:
        if other is not door and address_of(other, settings) != here:
            yield other, address_of(other, settings)
