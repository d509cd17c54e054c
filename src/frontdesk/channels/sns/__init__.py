"""Builds the channel for SMS through Amazon SNS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from frontdesk.channels import AwsAccess
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from botocore.session import Session

    from frontdesk.channels.sns.channel import SnsChannel

NO_CREDENTIALS: Final = (
    "texts = sns, but this machine has no credentials for AWS, so no text goes out: set"
    " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role."
)


def build(settings: Settings, aws: AwsAccess) -> SnsChannel:
    """Builds the channel. It does not check credentials, so that the desk can start without
    them."""
    from frontdesk.channels.sns.channel import SnsChannel

    return SnsChannel(aws.client("sns"), settings.text_sender, settings.text_number)


def trouble(session: Session) -> str:
    """Returns why this machine cannot send SMS, or an empty text."""
    return "" if session.get_credentials() else NO_CREDENTIALS
