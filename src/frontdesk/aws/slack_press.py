"""slack-press: somebody pressed a button in Slack, which waits three seconds for the answer.

All that is needed is loaded at the start, when AWS gives a function most of its time.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.aws.doors import Door
from frontdesk.aws.home import Home
from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.features.slack import webhook
from frontdesk.web.site import Site
from frontdesk.wiring.slack import postroom


def _routes(home: Home) -> Sequence[BaseRoute]:
    return webhook.routes() if home.settings.slack_channel else []


def _furnish(site: Site, _app: Starlette, home: Home) -> None:
    if room := postroom(home.settings, site.reads, site.clock):
        site.memory[webhook.NAME] = room()


pages = Pages(Door.SLACK, _routes, _furnish)


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
