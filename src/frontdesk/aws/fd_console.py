"""fd-console: what hosts and staff see and do, and how they sign in."""

from __future__ import annotations

from starlette.applications import Starlette

from frontdesk.aws.doors import Door
from frontdesk.aws.home import Home
from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.desks.rsvp.console.overview import SPEAKER
from frontdesk.desks.waitlist.console.versions import KEEPER
from frontdesk.desks.waitlist.counter import NAME as COUNTER
from frontdesk.web.site import Site
from frontdesk.wiring.aws import counter_of, model_of, sheet_keeper
from frontdesk.wiring.console import furnish_console, routes


def _furnish(site: Site, app: Starlette, home: Home) -> None:
    furnish_console(app, home.settings.mail_domain)
    site.memory[COUNTER] = counter_of(home.back, home.account)
    if not home.settings.waitlist_sheet:
        site.memory[KEEPER] = sheet_keeper(home.back, home.account)
    if (model := model_of(home.account)) is not None:
        site.memory[SPEAKER] = model


pages = Pages(Door.CONSOLE, routes, _furnish)


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
