"""Asks a customer who books a time that they have already: move it, or book a second one."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.occasions import occasion
from frontdesk.desks.booking.calendar_file import with_staff
from frontdesk.desks.booking.model import Booking
from frontdesk.desks.booking.pages.addresses import PATH
from frontdesk.desks.booking.pages.after_booking import (
    RECEIVED,
    after_booking,
    remembered_booking,
)
from frontdesk.desks.booking.pages.details_form import Typed
from frontdesk.desks.booking.pages.state import PageState
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.web.site import Site

#: The field with which the customer confirms that the time is for another person.
ANOTHER: Final = "another"


def own_visit(request: Request, state: PageState) -> Booking | None:
    """The booking of the same time that this browser made a moment ago."""
    assert state.at is not None
    booking = remembered_booking(request, state.service.name)
    if booking is None:
        return None
    overlaps = booking.starts_at < state.at + state.service.duration and state.at < booking.ends_at
    return booking if overlaps else None


def same_visit_page(site: Site, rules: BookingRules, own: Booking | None, typed: Typed) -> Response:
    """Asks the customer, and shows their booking `own` if this browser made it. Otherwise `own` is
    None, and the link goes to the contact, because anybody can type somebody else's."""
    url = after_booking(site, rules, own) if own else RECEIVED
    is_shown = own is not None and url != RECEIVED
    title = "You have booked this already." if is_shown else "Is this a second appointment?"
    return site.renderer.page(
        "booking/same_visit.html",
        site.clock.now(),
        status=409,
        page_title=title,
        title=title,
        lead="Nothing was booked a second time."
        if is_shown
        else "Nothing was booked now. If you have this appointment already, we have sent you the "
        "link to see, move or cancel it.",
        url=url if is_shown else "",
        action=PATH,
        hidden={**{name: text for name, text in typed.items() if text}, ANOTHER: "yes"},
        **(_shown(rules, own) if own and is_shown else {}),
    )


def _shown(rules: BookingRules, own: Booking) -> dict[str, Any]:
    what = occasion(
        own.service, own.starts_at, own.ends_at, rules.zone, with_staff(own.resources, rules)
    )
    return {
        "what": what,
        "iso_date": to_wall(own.starts_at, zone(rules.zone)).date().isoformat(),
    }
