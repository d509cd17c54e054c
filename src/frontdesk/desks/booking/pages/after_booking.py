"""Leads customers to the page of their booking, after booking it and after Back."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from frontdesk.desks.booking.links import BookingLinks, new_booking_token, read_new_booking
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking
from frontdesk.desks.booking.pages.addresses import PATH
from frontdesk.desks.booking.pages.state import PageState
from frontdesk.desks.booking.rules import Approval, BookingRules
from frontdesk.web.sessions import put_cookie, read_cookie
from frontdesk.web.site import Site, site_of

RECEIVED: Final = f"{PATH}/received"
#: The same page after a note in the customer's own words.
NOTE_RECEIVED: Final = f"{RECEIVED}?note=yes"
#: Names the visitor's last booking, so that Back does not show them their own time as taken.
BOOKED_COOKIE: Final = "fd_booked"
_COOKIE_LASTS: Final = timedelta(hours=1)
_MOST_COOKIE: Final = 200


def manage_url(site: Site, booking: Booking) -> str:
    links = BookingLinks(site.settings.booking_links_at, site.read_keys)
    return links.manage(booking, _contact_version(site, booking))


def _contact_version(site: Site, booking: Booking) -> int:
    person = booking_reads(site.reads()).person(booking.person_id)
    return person.contact_version if person else 0


def after_booking(site: Site, rules: BookingRules, booking: Booking) -> str:
    """The address to lead the customer to. Where first visits need approval, the page must not
    reveal who is a known customer, so a message says the result."""
    service = rules.service(booking.service)
    if service is not None and service.approval is Approval.FIRST_VISIT:
        return RECEIVED
    return manage_url(site, booking)


def lead_to_booking(site: Site, rules: BookingRules, booking: Booking) -> Response:
    """Redirects to the page of a new booking, and stores its id in a cookie."""
    url = after_booking(site, rules, booking)
    response = RedirectResponse(url if url == RECEIVED else f"{url}?done=booked", 303)
    until = site.clock.now().replace(microsecond=0) + _COOKIE_LASTS
    token = new_booking_token(booking, _contact_version(site, booking), until, site.keys)
    put_cookie(response, site, BOOKED_COOKIE, token, _COOKIE_LASTS)
    return response


def own_booking_url(request: Request, rules: BookingRules, state: PageState) -> str:
    """The address of the visitor's own booking of the chosen time; empty if there is none."""
    booking = remembered_booking(request, state.service.name)
    if booking is None or booking.starts_at != state.at:
        return ""
    return after_booking(site_of(request), rules, booking)


def remembered_booking(request: Request, service: str) -> Booking | None:
    """The visitor's last booking, if it has not ended and is of this service.

    Like a link in a mail, the cookie is invalid once the contact has changed.
    """
    site, token = site_of(request), read_cookie(request, BOOKED_COOKIE)[:_MOST_COOKIE]
    made = read_new_booking(token, site.keys, site.clock.now())
    if made is None:
        return None
    bk = booking_reads(site.reads())
    booking = bk.booking(made.booking_id)
    if booking is None or not booking.takes_time or booking.service != service:
        return None
    person = bk.person(booking.person_id)
    return booking if person is not None and person.contact_version == made.version else None
