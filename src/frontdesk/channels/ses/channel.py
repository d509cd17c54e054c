"""Sends mail through Amazon SES and classifies failures."""

from __future__ import annotations

import re
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from frontdesk.channels.aws_failures import aws_error_of, classify
from frontdesk.channels.mime import to_mime, wire_address
from frontdesk.core.messages import Message, SendFailed, SendRefused

#: SES gives each mail its own id. This tag names the send in its reports.
TAG: Final = "send"

#: Our configuration is wrong. Staff can fix it, and then a retry works.
_OURS: Final = frozenset(
    {
        "MailFromDomainNotVerified",
        "MailFromDomainNotVerifiedException",
        "ConfigurationSetDoesNotExist",
        "ConfigurationSetSendingPaused",
        "ConfigurationSetSendingPausedException",
        "AccountSendingPaused",
        "AccountSendingPausedException",
    }
)


class SesChannel:
    """Sends mail through SES. `client` must not retry: the ledger decides about retries."""

    name: Final = "ses"
    local: Final = False

    def __init__(self, client: Any, configuration_set: str = "") -> None:
        self._client = client
        self._configuration_set = configuration_set

    def send(self, message: Message) -> None:
        """Returns once SES has accepted the mail; raises a `SendFailed` otherwise."""
        request = self._request(message)
        try:
            self._client.send_raw_email(**request)
        except (ClientError, BotoCoreError) as error:
            raise _failed(error) from None

    def _request(self, message: Message) -> dict[str, Any]:
        try:
            recipient = wire_address(message.to_email)
        except ValueError as error:
            raise SendRefused(str(error), about_recipient=True) from None
        try:
            sender, mail = wire_address(message.from_email), to_mime(message)
        except ValueError as error:
            raise SendRefused(str(error)) from None
        request: dict[str, Any] = {
            "Source": sender,
            "Destinations": [recipient],
            "RawMessage": {"Data": mail},
        }
        if self._configuration_set:
            request["ConfigurationSetName"] = self._configuration_set
            request["Tags"] = [{"Name": TAG, "Value": _tag(message.message_id)}]
        return request


def _tag(message_id: str) -> str:
    """Returns the send's part of the id, in characters that a tag allows."""
    return re.sub(r"[^\w-]", "_", message_id.strip("<>").partition("@")[0], flags=re.ASCII)[:256]


def _failed(error: ClientError | BotoCoreError) -> SendFailed:
    """Treats an unverified sender as our configuration, although SES rejects the message."""
    if isinstance(error, ClientError):
        answer = aws_error_of(error)
        if answer.code == "MessageRejected" and "not verified" in answer.text:
            return classify("ses", error, _OURS | {answer.code})
    return classify("ses", error, _OURS)
