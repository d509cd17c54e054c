"""Formats bookings for the console: chips, times, contacts."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import to_wall
from frontdesk.core.phones import shown
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.desks.booking.rules import BookingRules, ResourceKind
from frontdesk.engine.stories import ERASED
from frontdesk.web.console.formatting import Chip, short_date

CHIPS: Final = {
    BookingStatus.PENDING: Chip("Needs approval", "waiting"),
    BookingStatus.CLAIMED: Chip("Being confirmed", "waiting"),
    BookingStatus.CONFIRMED: Chip("Confirmed", "good"),
    BookingStatus.CANCELLED: Chip("Cancelled", "gone"),
    BookingStatus.DECLINED: Chip("Declined", "gone"),
    BookingStatus.LAPSED: Chip("Not decided", "gone"),
    BookingStatus.RELEASED: Chip("Released", "gone"),
    BookingStatus.NO_SHOW: Chip("No-show", "gone"),
}


def customer(booking: Booking) -> str:
    """The name as it was given. Mails leave out names that are not plain, the console does not."""
    return booking.name or shown(booking.mobile) or booking.email or ERASED


def contact(booking: Booking) -> str:
    return ", ".join(filter(None, (shown(booking.mobile), booking.email)))


def served_by(rules: BookingRules, booking: Booking) -> str:
    """'Mira', 'Mira, Room 2'."""
    found = (rules.resource(each) for each in booking.resources)
    names = (
        one.name if one else str(each) for one, each in zip(found, booking.resources, strict=True)
    )
    return ", ".join(names)


def staff_name(rules: BookingRules, booking: Booking) -> str:
    found = (rules.resource(each) for each in booking.resources)
    return next((one.name for one in found if one and one.kind is ResourceKind.STAFF), "")


def clock_span(starts_at: datetime, ends_at: datetime, tz: ZoneInfo) -> str:
    """'15:00 to 15:45', without a line break inside."""
    return f"{to_wall(starts_at, tz):%H:%M}\xa0to\xa0{to_wall(ends_at, tz):%H:%M}"


def day_and_time(booking: Booking, tz: ZoneInfo) -> str:
    """'Fri 20 Nov, 15:00 to 15:45'."""
    on = to_wall(booking.starts_at, tz).date()
    return f"{short_date(on)}, {clock_span(booking.starts_at, booking.ends_at, tz)}"
