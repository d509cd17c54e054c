"""What the host sees and does: events, guests, the line, imports, the door, and their stories."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.desks.rsvp.console import (
    door,
    editing,
    events,
    guest,
    guests,
    hosting,
    importing,
    line,
    live,
    moving,
    overview,
    stories,
    today,
    wordings,
)
from frontdesk.settings import Settings
from frontdesk.web.console.shell import NavItem, SettingsLink, Shell

__all__ = ["routes", "section"]


def section(settings: Settings) -> Shell:
    return Shell(
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
                "Email templates", "The words of every mail to guests and hosts.", wordings.PATH
            ),
            SettingsLink(
                "Event defaults", "Reminders, quiet hours and the line.", "/console/events/defaults"
            ),
        ),
        addresses=(today.addresses(settings.mail_domain),),
    )


def routes() -> list[BaseRoute]:
    """What has a name of its own comes before what takes any id."""
    return [
        *events.routes(),
        *editing.routes(),
        *live.routes(),
        *hosting.routes(),
        *guests.routes(),
        *moving.routes(),
        *guest.routes(),
        *line.routes(),
        *importing.routes(),
        *door.routes(),
        *stories.routes(),
        *overview.routes(),
        *wordings.routes(),
    ]
