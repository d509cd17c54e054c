"""The waitlist's news in Slack, if it is set up, and the buttons of its messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from frontdesk.channels.slack import build
from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Desk
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads
from frontdesk.settings import Settings
from frontdesk.wiring.slack import SlackNews

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from frontdesk.features.slack.posts import SlackMessage


def _messages() -> Callable[[str], Mapping[str, SlackMessage]]:
    from frontdesk.desks.waitlist.slack.posts import messages

    return messages


def _news() -> SlackNews:
    from frontdesk.desks.waitlist.slack.news import EVENT_TYPE, NEWS

    return SlackNews(NEWS, EVENT_TYPE, _messages)


def with_slack(desk: Desk, settings: Settings, reads: Callable[[], Reads], clock: Clock) -> Desk:
    """Returns the desk with the jobs that post in Slack, if there is a channel."""
    if not settings.slack_channel:
        return desk
    return _news().add_jobs(desk, settings, reads, clock)


def following(settings: Settings, clock: Clock) -> tuple[Binding, ...]:
    """Returns the follower that posts in Slack; none if the desk is off, because posts link to its
    pages."""
    is_told = settings.slack_channel and settings.has_desk("waitlist")
    return (_news().follower(clock),) if is_told else ()


def routes(settings: Settings) -> list[BaseRoute]:
    """Returns the route to which Slack sends button presses."""
    if not settings.slack_channel:
        return []
    from frontdesk.desks.waitlist.slack.news import EVENT_TYPE
    from frontdesk.desks.waitlist.slack.posts import BUTTONS
    from frontdesk.features.slack import webhook

    return webhook.routes(build(settings, EVENT_TYPE), BUTTONS)
