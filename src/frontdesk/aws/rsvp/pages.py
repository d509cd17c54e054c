"""The functions with RSVP pages: `register` serves events and the home page, `link-handler` links
in mails.
"""

from __future__ import annotations

from frontdesk.aws.pages import Pages, while_on
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.rsvp.pages import LINKS, routes
from frontdesk.web import links
from frontdesk.wiring.site import home

_event_pages = while_on("rsvp", lambda _deployment: routes())

register = Pages(Endpoint.EVENTS, lambda deployment: [home(), *_event_pages(deployment)])
link_handler = Pages(Endpoint.LINKS, lambda _deployment: links.routes(LINKS))
