"""Chooses the channels for mail and SMS by the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from frontdesk.channels import AwsAccess, mailbox, ses, sns
from frontdesk.core.messages import Channel, Channels
from frontdesk.core.sends import Via
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings
from frontdesk.wiring.aws_session import session

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
