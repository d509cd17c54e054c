"""What staff see and do: the board, the list, requests, rules and words, the day and the month."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.desks.waitlist.console import frame, front, office
from frontdesk.web.console_shell import NavItem

__all__ = ["NAV", "routes"]

NAV = (NavItem("Waitlist", frame.WAITLIST, "waitlist", 20, badge=frame.badge),)


def routes() -> list[BaseRoute]:
    return [*office.routes(), *front.routes()]
