"""Console pages of the waitlist desk: board, list, requests, rules, messages, day, figures."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.desks.waitlist.console import (
    board,
    documents,
    edit_rows,
    entry,
    entry_list,
    figures,
    free_slot,
    page,
    requests,
    rows,
    services,
    slot,
    slot_actions,
    today,
)
from frontdesk.settings import Settings
from frontdesk.web.console.sections import ConsoleSection, NavItem, SettingsLink

__all__ = ["routes", "section"]


def section(_settings: Settings) -> ConsoleSection:
    return ConsoleSection(
        nav=(NavItem("Waitlist", page.WAITLIST, "line", 20, badge=page.badge),),
        today=(today.cards, rows.SHEET.today),
        places=(today.places,),
        upcoming=(today.count_upcoming,),
        settings=(
            SettingsLink(
                "Services and team",
                "What people can wait for, how long it takes and what it costs.",
                f"{page.WAITLIST}/services",
            ),
            SettingsLink(
                "Waitlist rules",
                "Who comes first, how long an offer holds, quiet hours.",
                f"{page.WAITLIST}/rules",
            ),
            SettingsLink(
                "Waitlist messages",
                "The words of every text and mail to those on the list.",
                f"{page.WAITLIST}/voice",
            ),
        ),
    )


def routes() -> list[BaseRoute]:
    return [
        *entry_list.routes(),
        *edit_rows.routes(),
        *entry.routes(),
        *requests.routes(),
        *documents.routes(),
        *services.routes(),
        *rows.SHEET.routes(),
        *board.routes(),
        *free_slot.routes(),
        *board.day_routes(),
        *figures.routes(),
        *slot.routes(),
        *slot_actions.routes(),
    ]
