"""register: what anybody may see: the pages of events, the form, the JSON behind it."""

from __future__ import annotations

from frontdesk.aws.doors import Door
from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.desks.rsvp.pages import routes

pages = Pages(Door.EVENTS, lambda _home: routes())


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
