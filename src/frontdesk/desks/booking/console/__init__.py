"""Console pages of the booking desk: board, list, booking by phone, rules, hours, time off."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.core.sends import Via
from frontdesk.desks.booking.commands import SetWording
from frontdesk.desks.booking.console import (
    board,
    booking,
    calendars,
    direct_lane,
    listing,
    new_booking,
    page,
    public_links,
    requests,
    rules_pages,
    services,
    today,
    why,
)
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.messages import TO_CUSTOMERS, TO_STAFF
from frontdesk.desks.booking.model import CODE
from frontdesk.features.messages.kinds import saved_wordings
from frontdesk.features.wordings.pages import WordingPages
from frontdesk.settings import Settings
from frontdesk.web.console.sections import ConsoleSection, NavItem, SettingsLink

__all__ = ["routes", "section"]

WORDING_PAGES = WordingPages(
    desk=CODE,
    path="/console/settings/booking-mails",
    title="Booking email templates",
    groups=(
        ("To customers", saved_wordings(TO_CUSTOMERS, Via.MAIL)),
        ("To staff", saved_wordings(TO_STAFF, Via.MAIL)),
    ),
    change=SetWording,
    tone=lambda reads: booking_reads(reads).rules().tone,
)


def section(_settings: Settings) -> ConsoleSection:
    return ConsoleSection(
        nav=(NavItem("Bookings", page.BOOKINGS, "bookings", 30, badge=page.badge),),
        today=(today.cards, calendars.cards),
        places=(today.places,),
        upcoming=(listing.count_upcoming,),
        settings=(
            SettingsLink(
                "Services and team",
                "What customers can book, how long it takes, what it costs, and who does it.",
                page.SERVICES,
            ),
            SettingsLink(
                "Booking rules",
                "Opening hours, notice, approval, caps: what can be booked and when.",
                f"{page.BOOKINGS}/rules",
            ),
            SettingsLink(
                public_links.TITLE,
                "Links to your booking page and to single services; HTML for your own site.",
                public_links.PATH,
            ),
            SettingsLink(
                direct_lane.TITLE,
                "Senders whose mail is forwarded to you instead of being read as a request.",
                direct_lane.PATH,
            ),
            SettingsLink(
                WORDING_PAGES.title,
                "The words of confirmations, reminders and other mails about bookings.",
                WORDING_PAGES.path,
            ),
        ),
    )


def routes() -> list[BaseRoute]:
    return [
        *board.routes(),
        *listing.routes(),
        *new_booking.routes(),
        *why.routes(),
        *public_links.routes(),
        *services.routes(),
        *rules_pages.routes(),
        *requests.routes(),
        *direct_lane.routes(),
        *booking.routes(),
        *calendars.routes(),
        *WORDING_PAGES.routes(),
    ]
