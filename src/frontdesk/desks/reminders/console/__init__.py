"""Console pages of the reminders desk: appointments, messages that go out next, rules."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.core.sends import Via
from frontdesk.desks.reminders.commands import SetWording
from frontdesk.desks.reminders.console import (
    appointment,
    calendar,
    listing,
    next_messages_page,
    page,
    proposal_pages,
    rows,
    rules_page,
    today,
    weeks_page,
    wordings_page,
)
from frontdesk.desks.reminders.messages import TO_CUSTOMERS, TO_STAFF
from frontdesk.desks.reminders.model import CODE
from frontdesk.features.messages.kinds import saved_wordings
from frontdesk.features.wordings.pages import WordingPages
from frontdesk.settings import Settings
from frontdesk.web.console.sections import ConsoleSection, NavItem, SettingsLink

__all__ = ["routes", "section"]

WORDING_PAGES = WordingPages(
    desk=CODE,
    path="/console/settings/reminder-mails",
    title="Reminder email templates",
    groups=(
        ("To customers", saved_wordings(TO_CUSTOMERS, Via.MAIL)),
        ("To staff", saved_wordings(TO_STAFF, Via.MAIL)),
    ),
    change=SetWording,
)


def section(_settings: Settings) -> ConsoleSection:
    return ConsoleSection(
        nav=(NavItem("Reminders", page.REMINDERS, "bell", 40, badge=page.badge),),
        today=(today.cards, rows.SHEET.today, calendar.CALENDAR.today),
        places=(today.places,),
        upcoming=(today.count_upcoming,),
        records=(today.record,),
        settings=(
            SettingsLink(
                "Reminder rules",
                "When customers are reminded, quiet hours, holidays, alerts to staff.",
                rules_page.PATH,
            ),
            SettingsLink(
                "Reminder messages",
                "The words of all texts and mails in one document, and second wordings.",
                rules_page.VOICE_PATH,
            ),
            SettingsLink(
                calendar.CALENDAR.texts.title,
                "Events with #appt, when they were read last, and what in them needs a look.",
                calendar.CALENDAR.path,
            ),
            SettingsLink(
                WORDING_PAGES.title,
                "The words of reminders and other mails about appointments.",
                WORDING_PAGES.path,
            ),
        ),
    )


def routes() -> list[BaseRoute]:
    return [
        *listing.routes(),
        *next_messages_page.routes(),
        *weeks_page.routes(),
        *wordings_page.routes(),
        *rules_page.routes(),
        *rows.routes(),
        *proposal_pages.routes(),
        *calendar.CALENDAR.routes(),
        *appointment.routes(),
        *WORDING_PAGES.routes(),
    ]
