"""claim-handler: the links in messages about the waitlist: claim, decline, one's place, stop."""

from __future__ import annotations

from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.waitlist.pages import LINKS
from frontdesk.web import links

pages = Pages(Endpoint.CLAIMS, lambda _deployment: links.routes(LINKS))


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
