"""The functions with waitlist pages: `web-form` serves the form, `claim-handler` serves links."""

from __future__ import annotations

from frontdesk.aws.pages import Pages, while_on
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.waitlist.pages import LINKS, routes
from frontdesk.web import links

web_form = Pages(Endpoint.FORM, while_on("waitlist", lambda _deployment: routes()))
claim_handler = Pages(Endpoint.CLAIMS, lambda _deployment: links.routes(LINKS))
