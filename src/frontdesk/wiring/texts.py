"""How texts leave: not at all, into the console's mailbox, or by SNS; also from one machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from frontdesk.channels.mailbox import PhoneChannel
from frontdesk.core.messages import TextChannel
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from botocore.session import Session

NO_LIBRARY: Final = "texts = sns needs boto3, which is not installed: pip install boto3."
NO_REGION: Final = "texts = sns needs a region of AWS: set AWS_DEFAULT_REGION, like ap-southeast-1."
NO_CREDENTIALS: Final = (
    "texts = sns, but this machine has no credentials for AWS, so no text goes out: set"
    " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role."
)


def of_this_machine(settings: Settings) -> TextChannel:
    """Whether the credentials are good shows with the first text; the desk opens all the same."""
    session = _session()
    from botocore.config import Config

    from frontdesk.channels.sns import SnsChannel

    once = Config(retries={"total_max_attempts": 1}, connect_timeout=3, read_timeout=10)
    return SnsChannel(session.create_client("sns", config=once), settings.text_sender)


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
        session = _session()
    except BadSettings as error:
        return str(error)
    return "" if session.get_credentials() else NO_CREDENTIALS


def _session() -> Session:
    """With the usual ways of this machine to name a region and to prove who it is."""
    try:
        from botocore.session import Session
    except ModuleNotFoundError:
        raise BadSettings(NO_LIBRARY) from None
    session = Session()
    if not session.get_config_variable("region"):
        raise BadSettings(NO_REGION)
    return session
