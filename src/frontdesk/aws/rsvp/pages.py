"""The functions with RSVP pages: `register` serves events, `link-handler` links in mails."""

from __future__ import annotations

from frontdesk.aws.pages import Pages, while_on
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.rsvp.pages import LINKS, routes
from frontdesk.web import links

register = Pages(Endpoint.EVENTS, while_on("rsvp", lambda _deployment: routes()))
link_handler = Pages(Endpoint.LINKS, lambda _deployment: links.routes(LINKS))
