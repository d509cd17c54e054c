"""Builds the channel for mail through the business's own mail server."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from frontdesk.channels import AwsAccess
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from frontdesk.channels.smtp.channel import SmtpChannel, Tls


def build(settings: Settings, _aws: AwsAccess) -> SmtpChannel:
    from frontdesk.channels.smtp.channel import SmtpChannel

    return SmtpChannel(
        settings.smtp_host,
        settings.smtp_port,
        username=settings.smtp_user,
        password=settings.smtp_password,
        tls=cast("Tls", settings.smtp_tls),
    )
