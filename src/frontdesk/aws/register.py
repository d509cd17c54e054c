"""register: what anybody may see: the pages of events, the form, the JSON behind it."""

from __future__ import annotations

from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.rsvp.pages import routes

pages = Pages(Endpoint.EVENTS, lambda _deployment: routes())


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
