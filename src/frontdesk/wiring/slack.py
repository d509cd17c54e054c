"""Slack, where it is set up. Loaded only there: most who start anything never need it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Desk
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from frontdesk.features.slack.posts import Postroom
    from frontdesk.web.site import Site


def check(settings: Settings) -> None:
    """Where one process does everything it needs all of them."""
    needed = (settings.slack_token, settings.slack_channel, settings.slack_signing_secret)
    if any(needed) and not all(needed):
        raise BadSettings("slack_token, slack_channel and slack_signing_secret go together.")


def postroom(
    settings: Settings, reads: Callable[[], Reads], clock: Clock
) -> Callable[[], Postroom] | None:
    """Where a channel is named, loaded with the first message. On AWS few functions have the
    token, and nobody else needs it."""
    if not settings.slack_channel:
        return None

    @cache
    def made() -> Postroom:
        from frontdesk.connect.slack import Slack
        from frontdesk.features.slack.posts import Postroom

        slack = Slack(settings.slack_token, settings.slack_channel, settings.slack_api)
        return Postroom(slack, clock, reads, settings.console_at)

    return made


def told_in_slack(desk: Desk, room: Callable[[], Postroom] | None) -> Desk:
    """The desk, with what is to be said in Slack among its jobs."""
    if room is None:
        return desk
    from frontdesk.features.slack.jobs import KINDS
    from frontdesk.features.slack.news import RULES

    def say(job: Job) -> Command:
        return room().jobs[job.kind](job)

    jobs = {**desk.jobs, **dict.fromkeys(KINDS, say)}
    return replace(desk, rules={**desk.rules, **RULES}, jobs=jobs)


def following(settings: Settings, clock: Clock) -> tuple[Binding, ...]:
    if not settings.slack_channel:
        return ()
    from frontdesk.features.slack.news import reactions

    return (Binding("wl.slack", reactions(clock)),)


def routes(site: Site) -> list[BaseRoute]:
    """The door for presses of a button."""
    room = postroom(site.settings, site.reads, site.clock)
    if room is None:
        return []
    from frontdesk.features.slack import webhook as door

    site.memory[door.NAME] = room()
    return door.routes()
