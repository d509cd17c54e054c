"""link-handler: the links in mails: cancel, claim, decline, confirm, unsubscribe."""

from __future__ import annotations

from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.rsvp.pages import LINKS
from frontdesk.web import links

pages = Pages(Endpoint.LINKS, lambda _deployment: links.routes(LINKS))


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
