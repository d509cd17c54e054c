"""The function `slack-press`: answers a press of a button in Slack within three seconds.

It imports everything at the start, when AWS gives a function the most CPU time.
"""

from __future__ import annotations

import frontdesk.desks.waitlist.slack.posts  # noqa: F401
from frontdesk.aws.pages import Pages, while_on
from frontdesk.aws.routing import Endpoint
from frontdesk.wiring.waitlist import slack

slack_press = Pages(
    Endpoint.SLACK, while_on("waitlist", lambda deployment: slack.routes(deployment.settings))
)
