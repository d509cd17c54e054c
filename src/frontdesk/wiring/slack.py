"""Slack, where it is set up. Loaded only there: most who start anything never need it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Desk
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from frontdesk.desks.waitlist.slack.posts import Postroom
    from frontdesk.web.site import Site


def check(settings: Settings) -> None:
    """Where one process does everything it needs all of them."""
    needed = (settings.slack_token, settings.slack_channel, settings.slack_signing_secret)
    if any(needed) and not all(needed):
        raise BadSettings("slack_token, slack_channel and slack_signing_secret go together.")


def postroom(settings: Settings, reads: Callable[[], Reads], clock: Clock) -> Postroom | None:
    """Where a channel is named. On AWS few functions have the token, and nobody else needs it."""
    if not settings.slack_channel:
        return None
    from frontdesk.connect.slack import Slack
    from frontdesk.desks.waitlist.slack.posts import Postroom

    slack = Slack(settings.slack_token, settings.slack_channel, settings.slack_api)
    return Postroom(slack, clock, reads, settings.console_at)


def told_in_slack(desk: Desk, room: Postroom | None) -> Desk:
    """The desk, with what is to be said in Slack among its jobs."""
    if room is None:
        return desk
    from frontdesk.desks.waitlist.slack.posts import RULES

    return replace(desk, rules={**desk.rules, **RULES}, jobs={**desk.jobs, **room.jobs})


def following(room: Postroom | None) -> tuple[Binding, ...]:
    return (Binding("wl.slack", room.reactions),) if room else ()


def routes(site: Site) -> list[BaseRoute]:
    """The door for presses of a button."""
    room = postroom(site.settings, site.reads, site.clock)
    if room is None:
        return []
    from frontdesk.desks.waitlist.slack import door

    site.memory[door.NAME] = room
    return door.routes()
