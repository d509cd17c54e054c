"""How texts leave: not at all, into the console's mailbox, or by SNS; also from one machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from frontdesk.channels.mailbox import PhoneChannel
from frontdesk.core.messages import TextChannel
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings
from frontdesk.wiring.aws_session import session as aws_session

SETTING: Final = "texts = sns"
NO_CREDENTIALS: Final = (
    "texts = sns, but this machine has no credentials for AWS, so no text goes out: set"
    " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role."
)


def of_this_machine(settings: Settings) -> TextChannel:
    """Whether the credentials are good shows with the first text; the desk opens all the same."""
    session = aws_session(SETTING)
    from botocore.config import Config

    from frontdesk.channels.sns import SnsChannel

    once = Config(retries={"total_max_attempts": 1}, connect_timeout=3, read_timeout=10)
    client = session.create_client("sns", config=once)
    return SnsChannel(client, settings.text_sender, settings.text_number)


def texts_of(
    settings: Settings, sns: Callable[[Settings], TextChannel] = of_this_machine
) -> TextChannel | None:
    match settings.texts_by:
        case "sns":
            return sns(settings)
        case "mailbox":
            return PhoneChannel()
        case _:
            return None


def trouble(settings: Settings) -> str:
    """Why no text can go out although it should, or nothing."""
    if settings.texts_by != "sns":
        return ""
    try:
        session = aws_session(SETTING)
    except BadSettings as error:
        return str(error)
    return "" if session.get_credentials() else NO_CREDENTIALS
