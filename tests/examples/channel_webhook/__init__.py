"""Mail as JSON to a web address: an example of a channel."""

from __future__ import annotations

from frontdesk.channels import AwsAccess
from frontdesk.settings import Settings
from tests.examples.channel_webhook.channel import WebhookChannel


def build(_settings: Settings, _aws: AwsAccess, *, url: str) -> WebhookChannel:
    return WebhookChannel(url)
