"""The function `reply-handler`: the links in reminders, by which customers answer."""

from __future__ import annotations

from starlette.applications import Starlette

from frontdesk.aws.container import Deployment
from frontdesk.aws.pages import Pages
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.reminders.pages import LINKS
from frontdesk.web import links
from frontdesk.web.site import Site
from frontdesk.wiring.reminders.desk import install_pages


def _install(site: Site, _app: Starlette, _deployment: Deployment) -> None:
    install_pages(site)


reply_handler = Pages(Endpoint.REPLIES, lambda _deployment: links.routes(LINKS), _install)
