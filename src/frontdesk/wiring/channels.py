"""Chooses the channels for mail and SMS by the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from frontdesk.channels import AwsAccess, mailbox, ses, sns
from frontdesk.core.messages import Channel, Channels
from frontdesk.core.sends import Via
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from botocore.session import Session


NO_LIBRARY: Final = "{setting} needs boto3, which is not installed: pip install boto3."
NO_REGION: Final = "{setting} needs a region of AWS: set AWS_DEFAULT_REGION, like ap-southeast-1."


def session(setting: str, region: str = "") -> Session:
    """`setting`, such as 'texts = sns', is named in the error if something is missing. A client
    that has its own `region` needs no other."""
    try:
        from botocore.session import Session
    except ModuleNotFoundError:
        raise BadSettings(NO_LIBRARY.format(setting=setting)) from None
    found = Session()
    if not (region or found.get_config_variable("region")):
        raise BadSettings(NO_REGION.format(setting=setting))
    return found


Build = Callable[[Settings, AwsAccess], Channel]


def _smtp(settings: Settings, aws: AwsAccess) -> Channel:
    """Imports lazily: the package for AWS has no SMTP."""
    from frontdesk.channels import smtp

    return smtp.build(settings, aws)


MAIL: Final[Mapping[str, Build]] = {
    "mailbox": mailbox.build,
    "smtp": _smtp,
    "ses": ses.build,
}
SMS: Final[Mapping[str, Build]] = {"mailbox": mailbox.build, "sns": sns.build}


def channels(mail: Channel, sms: Channel | None) -> Channels:
    return {Via.MAIL: mail} if sms is None else {Via.MAIL: mail, Via.TEXT: sms}


def sms_channel(settings: Settings, aws: AwsAccess) -> Channel | None:
    build = SMS.get(settings.texts_by)
    return build(settings, aws) if build else None


def this_machine(settings: Settings) -> AwsAccess:
    """Uses the credentials of this machine."""
    return AwsAccess(partial(_client, f"texts = {settings.texts_by}"))


def _client(setting: str, service: str) -> Any:
    found = session(setting)
    from botocore.config import Config

    once = Config(retries={"total_max_attempts": 1}, connect_timeout=3, read_timeout=10)
    return found.create_client(service, config=once)


def sms_trouble(settings: Settings) -> str:
    """Returns the reason why this machine cannot send SMS although it should; empty if it can."""
    if settings.texts_by != "sns":
        return ""
    try:
        return sns.trouble(session("texts = sns"))
    except BadSettings as error:
        return str(error)
