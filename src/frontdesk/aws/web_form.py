"""web-form: how people join the waitlist: its form, the same in a frame, the JSON behind it."""

from __future__ import annotations

from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.waitlist import pages as waitlist_pages

pages = Pages(Endpoint.FORM, lambda _deployment: waitlist_pages.routes())


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
