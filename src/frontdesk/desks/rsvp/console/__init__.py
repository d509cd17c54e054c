"""Console pages of the RSVP desk: events, guests, the line, imports, the door, stories."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.desks.rsvp.commands import SetWording
from frontdesk.desks.rsvp.console import (
    check_in,
    event_form,
    events,
    guest,
    guest_import,
    guests,
    line,
    overview,
    stories,
    today,
)
from frontdesk.desks.rsvp.messages import WORDINGS
from frontdesk.desks.rsvp.messages.events import TO_HOSTS
from frontdesk.features.wordings.pages import WordingPages
from frontdesk.settings import Settings
from frontdesk.web.console.sections import ConsoleSection, NavItem, SettingsLink

__all__ = ["routes", "section"]

WORDING_PAGES = WordingPages(
    desk="ev",
    path="/console/settings/mails",
    title="Email templates",
    groups=(
        ("To guests", {kind: spec for kind, spec in WORDINGS.items() if kind not in TO_HOSTS}),
        ("To hosts", {kind: spec for kind, spec in WORDINGS.items() if kind in TO_HOSTS}),
    ),
    change=SetWording,
)


def section(settings: Settings) -> ConsoleSection:
    return ConsoleSection(
        nav=(
            NavItem(
                "Events", "/console/events", "events", 10, for_host=lambda _event: "/console/events"
            ),
        ),
        today=(today.cards,),
        places=(today.places,),
        hostable=(today.hostable,),
        settings=(
            SettingsLink(
                "Email templates",
                "The words of every mail to guests and hosts.",
                WORDING_PAGES.path,
            ),
            SettingsLink(
                "Event defaults", "Reminders, quiet hours and the line.", "/console/events/defaults"
            ),
        ),
        addresses=(today.addresses(settings.mail_domain),),
    )


def routes() -> list[BaseRoute]:
    """Routes with a fixed path come before routes with an id."""
    return [
        *events.routes(),
        *event_form.routes(),
        *overview.live_routes(),
        *events.action_routes(),
        *guests.routes(),
        *line.move_routes(),
        *guest.routes(),
        *line.routes(),
        *guest_import.routes(),
        *check_in.routes(),
        *stories.routes(),
        *overview.routes(),
        *WORDING_PAGES.routes(),
    ]
