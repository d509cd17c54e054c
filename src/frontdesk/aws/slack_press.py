"""slack-press: takes a press of a button in Slack, which waits three seconds for the answer.

Loads everything at the start, when AWS gives a function most of its time.
"""

from __future__ import annotations

import frontdesk.desks.waitlist.slack.buttons  # noqa: F401
from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.aws.routing import Endpoint
from frontdesk.wiring.waitlist import slack

pages = Pages(Endpoint.SLACK, lambda deployment: slack.routes(deployment.settings))


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
