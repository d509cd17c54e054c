"""What the console asks of the works behind it, and the words that its pages share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.exceptions import HTTPException
from starlette.requests import Request

from frontdesk.core.localtime import zone
from frontdesk.core.members import Role
from frontdesk.core.messages import IncomingText
from frontdesk.core.sends import SendState
from frontdesk.desks.house.load import house
from frontdesk.desks.house.model import Part
from frontdesk.desks.house.reads import HouseReads, MailFilter
from frontdesk.engine.health import Health
from frontdesk.engine.replay import Replay
from frontdesk.values import Frozen
from frontdesk.web.console.shell import signed_in
from frontdesk.web.site import site_of

ROWS_ON_A_PAGE: Final = 50
MOST_PAGES: Final = 10_000
MOST_DIGITS: Final = 15


class BackOffice(Frozen):
    """All of these may take a while: they are called from a thread of their own."""

    health: Callable[[], Health]
    replay: Callable[[int, str], Replay]
    """The number of a dead letter, and who asks."""
    text_in: Callable[[IncomingText], None]
    """As if this text had come from somebody's phone."""
    try_part: Callable[[Part], bool] = lambda _part: False
    """Tries something outside that has failed; whether it works."""


def reads_of(request: Request) -> HouseReads:
    return house(site_of(request).reads())


def zone_of(request: Request) -> ZoneInfo:
    return zone(reads_of(request).business().zone)


def number_in(request: Request, name: str) -> int:
    """A number in the path; one that is too long for any row of ours is not there."""
    text = request.path_params[name]
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise HTTPException(404)
    return int(text)


def page_number(request: Request) -> int:
    text = request.query_params.get("page", "1")
    is_number = text.isascii() and text.isdigit() and len(text) <= 6
    return min(max(int(text), 1), MOST_PAGES) if is_number else 1


def pager(request: Request, page: int, total: int) -> dict[str, str]:
    """Where one is in a long list, in words and links; nothing to turn on a short one."""
    first = (page - 1) * ROWS_ON_A_PAGE + 1
    last = min(page * ROWS_ON_A_PAGE, total)
    return {
        "says": f"{first:,} to {last:,} of {total:,}" if total else "",
        "previous": _turned(request, page - 1) if page > 1 else "",
        "next": _turned(request, page + 1) if last < total else "",
    }


def _turned(request: Request, page: int) -> str:
    kept = {k: v for k, v in request.query_params.items() if k in ("q", "state", "kind")}
    return with_query(request.url.path, {**kept, "page": str(page)})


def with_query(path: str, values: Mapping[str, str]) -> str:
    query = urlencode({name: value for name, value in values.items() if value})
    return f"{path}?{query}" if query else path


#: How a send stands: its word, and the state of its chip.
SEND_WORDS: Final[Mapping[SendState, tuple[str, str]]] = {
    SendState.SENT: ("Sent", "good"),
    SendState.QUEUED: ("On its way", "waiting"),
    SendState.HELD: ("Held", "waiting"),
    SendState.SENDING: ("Being sent", "waiting"),
    SendState.FAILED: ("Failed", "ending"),
    SendState.UNKNOWN: ("Unclear", "ending"),
    SendState.DROPPED: ("Not sent", "gone"),
}


def kind_word(kind: str) -> str:
    """'offer_lapsed' as people say it."""
    return kind.replace("_", " ").capitalize()


def message_tabs(request: Request) -> list[dict[str, Any]]:
    waiting = reads_of(request).mail_count(MailFilter(for_a_person=True))
    tabs: list[dict[str, Any]] = [
        {"label": "Sent", "url": "/console/messages"},
        {"label": "Came in", "url": "/console/messages/in"},
    ]
    if waiting:
        tabs[1]["count"] = waiting
    return [tab | {"active": tab["url"] == request.url.path} for tab in tabs]


def settings_tabs(request: Request) -> list[dict[str, Any]]:
    problems = reads_of(request).problem_count()
    is_owner = signed_in(request).member.role is Role.OWNER
    tabs: list[dict[str, Any]] = [
        {"label": "Business", "url": "/console/settings"},
        *([{"label": "Team", "url": "/console/team"}] if is_owner else []),
        {"label": "Problems", "url": "/console/problems"},
        {"label": "Health", "url": "/console/health"},
        {"label": "Audit", "url": "/console/audit"},
        {"label": "Your sessions", "url": "/console/you"},
    ]
    for tab in tabs:
        tab["active"] = tab["url"] == request.url.path
        if tab["label"] == "Problems" and problems:
            tab["count"] = problems
    return tabs
