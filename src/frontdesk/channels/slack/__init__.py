"""Posts to one channel in Slack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frontdesk.errors import BadSettings
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from frontdesk.channels.slack.client import Slack


def check(settings: Settings) -> None:
    """A single process needs all three settings; on AWS each function has those that it needs."""
    needed = (settings.slack_token, settings.slack_channel, settings.slack_signing_secret)
    if any(needed) and not all(needed):
        raise BadSettings("slack_token, slack_channel and slack_signing_secret go together.")


def build(settings: Settings, event_type: str) -> Slack:
    """`event_type` marks our messages."""
    from frontdesk.channels.slack.client import Slack

    return Slack(settings.slack_token, settings.slack_channel, event_type, settings.slack_api)
