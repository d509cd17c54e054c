"""SMS through Amazon SNS."""

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
    """The first SMS shows whether the credentials are good; the desk opens without."""
    from frontdesk.channels.sns.channel import SnsChannel

    return SnsChannel(aws.client("sns"), settings.text_sender, settings.text_number)


def trouble(session: Session) -> str:
    """Why no SMS can go out from this machine, or nothing."""
    return "" if session.get_credentials() else NO_CREDENTIALS
