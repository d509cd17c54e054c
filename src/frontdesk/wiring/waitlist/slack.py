"""Posts to Slack, if it is set up. Imports lazily: most functions never post anything."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from frontdesk.channels.slack import build
from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Desk
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads
from frontdesk.settings import Settings
from frontdesk.values import replace

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from frontdesk.channels.slack.client import Slack
    from frontdesk.features.slack.posts import SlackPoster


def _client(settings: Settings) -> Slack:
    from frontdesk.desks.waitlist.slack.news import EVENT_TYPE

    return build(settings, EVENT_TYPE)


def told_in_slack(desk: Desk, settings: Settings, reads: Callable[[], Reads], clock: Clock) -> Desk:
    """Returns the desk with the jobs that post in Slack, if there is a channel."""
    if not settings.slack_channel:
        return desk
    from frontdesk.desks.waitlist.slack.news import NEWS
    from frontdesk.features.slack.news import RULES

    @cache
    def poster() -> SlackPoster:
        from frontdesk.desks.waitlist.slack.posts import messages
        from frontdesk.features.slack.posts import SlackPoster

        shown = messages(settings.console_at)
        return SlackPoster(_client(settings), clock, reads, shown, NEWS.updates)

    def work(job: Job) -> Command:
        return poster().work(job)

    jobs = {**desk.jobs, **dict.fromkeys(NEWS.kinds, work)}
    return replace(desk, rules={**desk.rules, **RULES}, jobs=jobs)


def following(settings: Settings, clock: Clock) -> tuple[Binding, ...]:
    if not settings.slack_channel:
        return ()
    from frontdesk.desks.waitlist.slack.news import NEWS
    from frontdesk.features.slack.news import reactions

    return (Binding("wl.slack", reactions(NEWS, clock)),)


def routes(settings: Settings) -> list[BaseRoute]:
    """Returns the route to which Slack sends button presses."""
    if not settings.slack_channel:
        return []
    from frontdesk.desks.waitlist.slack.buttons import BUTTONS
    from frontdesk.features.slack import webhook

    return webhook.routes(_client(settings), BUTTONS)
