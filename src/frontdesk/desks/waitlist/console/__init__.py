"""What staff see and do: the board, the list, requests, rules and words, the day and the month."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.desks.waitlist.console import frame, front, office, today
from frontdesk.web.console_shell import NavItem, SettingsLink

__all__ = ["NAV", "PLACES", "SETTINGS", "TODAY", "routes"]

NAV = (NavItem("Waitlist", frame.WAITLIST, "waitlist", 20, badge=frame.badge),)
TODAY = today.cards
PLACES = today.places
SETTINGS = (
    SettingsLink(
        "Services and team",
        "What can be waited for, how long it takes and what it costs.",
        f"{frame.WAITLIST}/services",
    ),
    SettingsLink(
        "Rules of the waitlist",
        "Who comes first, how long an offer holds, quiet hours.",
        f"{frame.WAITLIST}/rules",
    ),
    SettingsLink(
        "What waitlist messages say",
        "The words of every text and mail to those on the list.",
        f"{frame.WAITLIST}/voice",
    ),
)


def routes() -> list[BaseRoute]:
    return [*office.routes(), *front.routes()]
