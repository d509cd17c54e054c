"""Builds the client for one Slack channel and checks its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frontdesk.errors import BadSettings
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from frontdesk.channels.slack.client import Slack


def check(settings: Settings) -> None:
    """Raises `BadSettings` if some but not all settings of Slack are set. Only for a single
    process: on AWS each function has the settings that it needs."""
    needed = (settings.slack_token, settings.slack_channel, settings.slack_signing_secret)
    if any(needed) and not all(needed):
        raise BadSettings("slack_token, slack_channel and slack_signing_secret go together.")


def build(settings: Settings, event_type: str) -> Slack:
    """Builds the client. `event_type` marks our messages."""
    from frontdesk.channels.slack.client import Slack

    return Slack(settings.slack_token, settings.slack_channel, event_type, settings.slack_api)
