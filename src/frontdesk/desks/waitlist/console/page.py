"""The frame of the waitlist's console pages, and lookups that they share."""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.localtime import zone
from frontdesk.core.members import Member
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Slot, SlotId
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.slot_intake import SlotIntake, slot_intake_in
from frontdesk.engine.ports import Reads
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.web.console.formatting import badge_number
from frontdesk.web.console.shell import DeskFrame, signed_in
from frontdesk.web.site import or_404, site_of

WAITLIST: Final = "/console/waitlist"
MOST_REQUESTS: Final = 50

_FRAME: Final = DeskFrame(
    name="Waitlist",
    path=WAITLIST,
    tabs=(
        ("Board", WAITLIST),
        ("List", f"{WAITLIST}/list"),
        ("Requests", f"{WAITLIST}/requests"),
        ("Day", f"{WAITLIST}/day"),
        ("Figures", f"{WAITLIST}/figures"),
        ("Rules", f"{WAITLIST}/rules"),
        ("Messages", f"{WAITLIST}/voice"),
        ("Services", f"{WAITLIST}/services"),
    ),
    tabs_label="The waitlist",
    templates="waitlist/console",
)


def wl_of(request: Request) -> WaitlistReads:
    return waitlist(site_of(request).reads())


def slot_intake_of(request: Request) -> SlotIntake:
    """The service that takes freed slots and saved documents. Its methods block the caller."""
    return slot_intake_in(site_of(request))


def slot_of(request: Request) -> Slot:
    """The slot that the URL names; raises 404 if there is none."""
    return or_404(wl_of(request).slot(SlotId(request.path_params["slot"])))


def slot_url(slot_id: str) -> str:
    return f"{WAITLIST}/slots/{slot_id}"


def person_url(person_id: str) -> str:
    return f"/console/people/{person_id}" if person_id else ""


def me(request: Request) -> Member:
    return signed_in(request).member


def zone_of(request: Request) -> ZoneInfo:
    """The time zone of the business."""
    return zone(wl_of(request).rules().zone)


def waitlist_page(
    request: Request, template: str, *, tab: str, page_title: str, **context: Any
) -> Response:
    """Renders a page of the desk in its frame."""
    badges = {"Requests": open_requests(wl_of(request))}
    return _FRAME.page(request, template, tab=tab, page_title=page_title, badges=badges, **context)


def open_requests(wl: WaitlistReads) -> str:
    """The number of open requests as text; empty if there are none."""
    return badge_number(len(wl.proposals(ProposalStatus.OPEN, MOST_REQUESTS)), MOST_REQUESTS)


def badge(reads: Reads) -> str:
    return open_requests(waitlist(reads))
