"""The page on which a customer asks for a lost link. It never reveals who is known."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from frontdesk.desks.booking.commands import SendBookingLink
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking
from frontdesk.desks.booking.pages.addresses import PATH
from frontdesk.web.links import LinkForm, SendLinks, people_with
from frontdesk.web.site import Site

_FORM: Final = LinkForm(
    action=f"{PATH}/link",
    lead="With it you see, move or cancel your appointment. Give the e-mail address or the mobile"
    " number with which you booked.",
    by_number=True,
    back=(PATH, "Back to the booking page"),
)
#: The most links per request.
_MOST_LINKS: Final = 5


def lost_link(_request: Request) -> tuple[LinkForm, SendLinks]:
    return _FORM, send_links


async def send_links(site: Site, contact: str) -> None:
    """Sends the links of the upcoming bookings of this contact."""
    for booking in _upcoming(site, contact)[:_MOST_LINKS]:
        await site.run(SendBookingLink(booking.id), by=f"guest:{booking.id}")


def _upcoming(site: Site, contact: str) -> list[Booking]:
    bk, now = booking_reads(site.reads()), site.clock.now()
    bookings = (one for person in people_with(site, contact) for one in bk.bookings_of(person.id))
    return [one for one in bookings if one.takes_time and now < one.ends_at]
