"""The frame of the booking desk's console pages, and lookups that they share."""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.localtime import zone
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingId, BookingStatus, RequestStatus
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.engine.ports import Reads
from frontdesk.features.catalogue.console import NextStep
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.web.console.formatting import badge_number
from frontdesk.web.console.shell import DeskFrame
from frontdesk.web.site import or_404, site_of

BOOKINGS: Final = "/console/bookings"
SERVICES: Final = f"{BOOKINGS}/services"
HOURS: Final = f"{BOOKINGS}/hours"
#: The hours of the business, in place of the id of a resource; no id begins with this sign.
BUSINESS: Final = "_business"
#: A badge counts up to this number.
MOST_WAITING: Final = 50

_FRAME: Final = DeskFrame(
    name="Bookings",
    path=BOOKINGS,
    tabs=(
        ("Day", BOOKINGS),
        ("Week", f"{BOOKINGS}/week"),
        ("Month", f"{BOOKINGS}/month"),
        ("List", f"{BOOKINGS}/list"),
        ("Requests", f"{BOOKINGS}/requests"),
        ("Calendars", f"{BOOKINGS}/calendars"),
        ("Services", SERVICES),
        ("Rules", f"{BOOKINGS}/rules"),
    ),
    tabs_label="Bookings",
    templates="booking/console",
)


def bk_of(request: Request) -> BookingReads:
    return booking_reads(site_of(request).reads())


def booking_of(request: Request) -> Booking:
    """The booking that the URL names; raises 404 if there is none."""
    return or_404(bk_of(request).booking(BookingId(request.path_params["booking"])))


def booking_url(booking_id: str) -> str:
    return f"{BOOKINGS}/one/{booking_id}"


def zone_of(request: Request) -> ZoneInfo:
    return zone(bk_of(request).rules().zone)


def booking_page(
    request: Request, template: str, *, tab: str, page_title: str, **context: Any
) -> Response:
    """Renders a page of the desk in its frame."""
    badges = _counts(bk_of(request))
    return _FRAME.page(request, template, tab=tab, page_title=page_title, badges=badges, **context)


def first_step(request: Request) -> NextStep | None:
    """The first step of staff in a new installation; None once something can be booked."""
    if bk_of(request).rules().services:
        return None
    if site_of(request).reads().engine.setting(CATALOGUE).services:
        text = "Your services are there. Set your hours, and customers can book."
        return NextStep("Say when you are open", text, f"{HOURS}/{BUSINESS}", "Set your hours")
    text = "Add your services and your team. Then set your hours, and customers can book."
    return NextStep("Say what can be booked", text, SERVICES, "Add your services")


def _counts(bk: BookingReads) -> dict[str, str]:
    """The bookings that need approval and the drafts to check, by the label of their tab."""
    pending = len(bk.bookings_in(BookingStatus.PENDING, MOST_WAITING))
    drafts = len(bk.requests(RequestStatus.DRAFT, MOST_WAITING))
    return {
        "List": badge_number(pending, MOST_WAITING),
        "Requests": badge_number(drafts, MOST_WAITING),
    }


def badge(reads: Reads) -> str:
    """The number of bookings and drafts that wait for staff; empty if there are none."""
    bk = booking_reads(reads)
    pending = len(bk.bookings_in(BookingStatus.PENDING, MOST_WAITING))
    drafts = len(bk.requests(RequestStatus.DRAFT, MOST_WAITING))
    return badge_number(pending + drafts, MOST_WAITING)
