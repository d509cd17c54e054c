"""Builds the channel for mail through Amazon SES."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frontdesk.channels import AwsAccess
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from frontdesk.channels.ses.channel import SesChannel


def build(_settings: Settings, aws: AwsAccess) -> SesChannel:
    from frontdesk.channels.ses.channel import SesChannel

    return SesChannel(aws.client("ses"), aws.configuration_set)
