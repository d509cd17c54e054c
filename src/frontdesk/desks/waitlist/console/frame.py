"""Puts the waitlist's pages into one frame, and finds what their addresses name."""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.localtime import zone
from frontdesk.core.members import Member, Role
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import ProposalStatus
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Reads
from frontdesk.web.console_shell import console_page
from frontdesk.web.site import site_of

WAITLIST: Final = "/console/waitlist"
MOST_REQUESTS: Final = 50

_TABS: Final = (
    ("Board", WAITLIST),
    ("List", f"{WAITLIST}/list"),
    ("Requests", f"{WAITLIST}/requests"),
    ("Day", f"{WAITLIST}/day"),
    ("Figures", f"{WAITLIST}/figures"),
    ("Rules", f"{WAITLIST}/rules"),
    ("Messages", f"{WAITLIST}/voice"),
    ("Services", f"{WAITLIST}/services"),
)


def wl_of(request: Request) -> WaitlistReads:
    return waitlist(site_of(request).reads())


def zone_of(request: Request) -> ZoneInfo:
    """Where the business is."""
    return zone(wl_of(request).rules().zone)


def waitlist_page(
    request: Request,
    member: Member,
    template: str,
    *,
    tab: str,
    page_title: str,
    status: int = 200,
    **context: Any,
) -> Response:
    """A page of the waitlist. `tab` is the label of the one that is open; the title is its heading.

    Templates are in `waitlist/console/`, extend its `frame.html` and fill the block `body`; the
    blocks `lead` and `actions` stand beside the heading.
    """
    assert member.role.is_at_least(Role.STAFF), "hosts of one event do not see the waitlist"
    here = ((tab, dict(_TABS)[tab]), *(() if page_title == tab else ((page_title, ""),)))
    return console_page(
        request,
        f"waitlist/console/{template}",
        page_title=page_title,
        active=WAITLIST,
        crumbs=(("Waitlist", WAITLIST), *here),
        status=status,
        tabs=_tabs(wl_of(request), tab),
        **context,
    )


def _tabs(wl: WaitlistReads, active: str) -> list[dict[str, Any]]:
    counts = {"Requests": open_requests(wl)}
    return [
        {"label": label, "url": url, "active": label == active}
        | ({"count": counts[label]} if counts.get(label) else {})
        for label, url in _TABS
    ]


def open_requests(wl: WaitlistReads) -> str:
    """How many wait for somebody to say yes or no; nothing if none do."""
    n = len(wl.proposals(ProposalStatus.OPEN, MOST_REQUESTS))
    return f"{n}+" if n == MOST_REQUESTS else str(n or "")


def badge(reads: Reads) -> str:
    return open_requests(waitlist(reads))
