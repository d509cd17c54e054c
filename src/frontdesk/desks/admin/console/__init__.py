"""Console pages that belong to no single desk."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.desks.admin.console import (
    audit,
    business,
    consent,
    health,
    mail_in,
    messages,
    people,
    team,
    today,
)
from frontdesk.desks.admin.console.page import AdminCallbacks
from frontdesk.desks.admin.load import admin
from frontdesk.engine.ports import Reads
from frontdesk.web.console.sections import ConsoleSection, NavItem

__all__ = ["SECTION", "AdminCallbacks", "routes"]


def _problems(reads: Reads) -> str:
    count = admin(reads).problem_count()
    return str(count) if count else ""


SECTION = ConsoleSection(
    nav=(
        NavItem("Today", "/console", "today", 0),
        NavItem("Messages", "/console/messages", "messages", 60),
        NavItem("People", "/console/people", "people", 70),
        NavItem("Settings", "/console/settings", "settings", 90, badge=_problems),
        NavItem("You", "", "people", 95, for_host=lambda _event: "/console/you"),
    ),
    today=(today.cards,),
)


def routes(callbacks: AdminCallbacks) -> list[BaseRoute]:
    """Routes with a fixed path come before routes with an id."""
    return [
        *today.routes(),
        *mail_in.routes(),
        *messages.routes(callbacks),
        *health.problem_routes(callbacks),
        *people.routes(),
        *business.routes(),
        *business.PAGES.routes(),
        *consent.routes(),
        *team.routes(),
        *health.routes(callbacks),
        *audit.routes(),
    ]
