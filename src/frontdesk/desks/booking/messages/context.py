"""Loads the rows for one message of the booking desk, and formats values for several messages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import Final

from frontdesk.core.ics import Invitation, Method
from frontdesk.core.localtime import spoken_start, zone
from frontdesk.core.mail import MailId, ReplyHeaders
from frontdesk.core.occasions import Occasion, occasion
from frontdesk.desks.booking.calendar_file import Organizer, invitation, staff_name
from frontdesk.desks.booking.links import BookingLinks
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingId, BookingRequest, RequestId
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import MessageContext, ReplyAddress
from frontdesk.features.messages.samples import SAMPLE_TELL_US, VISIT_SAMPLE

CONSOLE_LINK: Final = "https://salon.example/console/bookings"
#: Sample values of placeholders.
SAMPLE: Final = {
    **VISIT_SAMPLE,
    "tell_us": SAMPLE_TELL_US,
}


class BookingMail(ReplyAddress):
    """Returns the desk's own address, and the headers for a reply to a stored mail."""

    answering: Callable[[Reads, MailId], ReplyHeaders | None] = lambda *_: None


class BookingContext(MessageContext):
    """One send about a booking or a request, which may have changed since it was queued."""

    mail: BookingMail = BookingMail()

    @cached_property
    def rules(self) -> BookingRules:
        return booking_reads(self.reads).rules()

    @cached_property
    def booking(self) -> Booking | None:
        return booking_reads(self.reads).booking(BookingId(self.send.subject))

    @cached_property
    def request(self) -> BookingRequest | None:
        return booking_reads(self.reads).request(RequestId(self.send.subject))

    @property
    def links(self) -> BookingLinks:
        return BookingLinks(self.sender.links_url, self.sender.keys)

    def staff_of(self, booking: Booking) -> str:
        """The name of the staff member; empty if the service needs none."""
        return staff_name(booking.resources, self.rules)

    def when(self, at: datetime) -> str:
        return spoken_start(at, zone(self.rules.zone))

    def values(self, booking: Booking) -> dict[str, str]:
        staff, phone = self.staff_of(booking), self.sender.contact.phone
        return {
            "service": booking.service,
            "with_staff": f"with {staff}" if staff else "",
            "when": self.when(booking.starts_at),
            "tell_us": f"Please call {phone}." if phone else "Please tell us.",
        }

    def manage_link(self, booking: Booking) -> str:
        return self.links.manage(booking, self.person.contact_version)

    def occasion(self, booking: Booking) -> Occasion:
        where = self.sender.contact.address
        span = (booking.starts_at, booking.ends_at)
        return occasion(booking.service, *span, self.rules.zone, where)

    def invitation(self, booking: Booking, method: Method) -> Invitation:
        """The calendar file of the customer. It has no answers, notes or personal links."""
        organizer = Organizer(
            business=self.sender.business,
            address=self.sender.contact.address,
            sender=self.sender.name,
            email=self.sender.from_email,
        )
        return invitation(
            organizer, booking, self.rules, method=method, now=self.now, person=self.person
        )

    def in_console(self, booking: Booking) -> str:
        return f"{self.sender.console_url}/console/bookings/one/{booking.id}"


def context_of(base: MessageContext, mail: BookingMail) -> BookingContext:
    return BookingContext(base.sender, base.reads, base.send, base.person, base.now, mail)
