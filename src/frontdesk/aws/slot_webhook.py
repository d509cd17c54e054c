"""slot-webhook: a booking tool says, signed, that a time came free."""

from __future__ import annotations

from starlette.applications import Starlette

from frontdesk.aws.doors import Door
from frontdesk.aws.home import Home
from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.desks.waitlist.hooks import door
from frontdesk.desks.waitlist.slot_intake import NAME as SLOT_INTAKE
from frontdesk.web.site import Site
from frontdesk.wiring.aws import slot_intake_of


def _furnish(site: Site, _app: Starlette, home: Home) -> None:
    site.memory[SLOT_INTAKE] = slot_intake_of(home.back, home.account)


pages = Pages(Door.HOOKS, lambda _home: door.routes(), _furnish)


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
