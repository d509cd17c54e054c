"""fd-console: what hosts and staff see and do, and how they sign in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.aws.asking import CalendarElsewhere, DocumentsElsewhere, SheetElsewhere, ask
from frontdesk.aws.doors import Door
from frontdesk.aws.home import Home
from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.desks.rsvp.console.overview import ASSISTANT
from frontdesk.desks.waitlist.console.calendar import NAME as CALENDAR
from frontdesk.desks.waitlist.slot_intake import NAME as SLOT_INTAKE
from frontdesk.features.documents.console import REFRESH
from frontdesk.features.sheet_sync.console import SOURCE, SYNC, kept_in
from frontdesk.web.site import Site
from frontdesk.wiring import calendar
from frontdesk.wiring.aws import sheet_sync, slot_intake_of
from frontdesk.wiring.console import install_console, routes
from frontdesk.wiring.documents import addresses


def _routes(home: Home) -> Sequence[BaseRoute]:
    return [*calendar.pages(home.account.has_calendar).routes, *routes(home.back)]


def _furnish(site: Site, app: Starlette, home: Home) -> None:
    settings, account = home.settings, home.account
    install_console(app, settings, calendar.pages(account.has_calendar))
    site.memory[SLOT_INTAKE] = slot_intake_of(home.back, account)
    asking = partial(ask, account.client)
    site.memory[CALENDAR] = CalendarElsewhere(asking)
    if addresses(settings):
        site.memory[REFRESH] = DocumentsElsewhere(asking)
    if settings.waitlist_sheet:
        site.memory[SYNC.format("wl")] = SheetElsewhere(asking)
        site.memory[SOURCE.format("wl")] = kept_in(settings.waitlist_sheet)
    else:
        site.memory[SYNC.format("wl")] = sheet_sync(home.back, account)
    if home.back.writer is not None:
        site.memory[ASSISTANT] = home.back.writer


pages = Pages(Door.CONSOLE, _routes, _furnish)


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
