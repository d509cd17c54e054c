"""slack-press: takes a press of a button in Slack, which waits three seconds for the answer.

Loads everything at the start, when AWS gives a function most of its time.
"""

from __future__ import annotations

import frontdesk.desks.waitlist.slack.buttons  # noqa: F401
from frontdesk.aws.doors import Door
from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.wiring import slack

pages = Pages(Door.SLACK, lambda home: slack.routes(home.settings))


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
