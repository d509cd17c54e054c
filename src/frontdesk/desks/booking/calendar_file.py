"""Builds a customer's calendar file. It has no answers and no personal link."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from frontdesk.core.contacts import plain_name
from frontdesk.core.ics import Invitation, Method
from frontdesk.core.people import Person
from frontdesk.desks.booking.model import Booking
from frontdesk.desks.booking.rules import BookingRules, ResourceId, ResourceKind
from frontdesk.values import Frozen


class Organizer(Frozen, kw_only=True):
    business: str
    address: str
    sender: str
    email: str

    @property
    def location(self) -> str:
        return ", ".join(filter(None, (self.business, self.address)))


def invitation(
    organizer: Organizer,
    booking: Booking,
    rules: BookingRules,
    *,
    method: Method,
    now: datetime,
    person: Person | None = None,
) -> Invitation:
    """The UID never changes, and the sequence grows with each move and with the cancellation. A
    file for the customer's own calendar names no person.
    """
    return Invitation(
        uid=f"{booking.id}@frontdesk",
        sequence=booking.sequence,
        method=method,
        summary=" ".join(filter(None, (booking.service, with_staff(booking.resources, rules)))),
        starts_at=booking.starts_at,
        ends_at=booking.ends_at,
        tz_name=rules.zone,
        location=organizer.location,
        description="",
        organizer_name=organizer.sender,
        organizer_email=organizer.email,
        attendee_name=(plain_name(person.name) or person.email) if person else "",
        attendee_email=person.email if person else "",
        stamped_at=now,
    )


def with_staff(resources: Iterable[ResourceId], rules: BookingRules) -> str:
    """'with Mia', the first staff member; empty if only rooms and devices serve."""
    name = staff_name(resources, rules)
    return f"with {name}" if name else ""


def staff_name(resources: Iterable[ResourceId], rules: BookingRules) -> str:
    found = (rules.resource(each) for each in resources)
    return next((one.name for one in found if one and one.kind is ResourceKind.STAFF), "")
