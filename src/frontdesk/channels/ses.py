"""Sends mail through Amazon SES, and knows how far it got when that fails."""

from __future__ import annotations

import re
from typing import Any, Final

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    ParamValidationError,
    ProxyConnectionError,
    SSLError,
)

from frontdesk.channels.mime import to_mime, wire_address
from frontdesk.core.messages import Message, SendFailed, SendLater, SendRefused, SendUnknown
from frontdesk.logs import without_addresses

#: SES gives each mail an id of its own; by this tag its reports name the send.
TAG: Final = "send"

#: Too much at once, or not ready: nothing was taken.
_LATER: Final = frozenset(
    {
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "RequestLimitExceeded",
        "LimitExceededException",
        "SlowDown",
        "ServiceUnavailable",
        "ServiceUnavailableException",
    }
)
#: About us: staff can put it right, and then it goes out.
_OURS: Final = frozenset(
    {
        "MailFromDomainNotVerified",
        "MailFromDomainNotVerifiedException",
        "ConfigurationSetDoesNotExist",
        "ConfigurationSetSendingPaused",
        "ConfigurationSetSendingPausedException",
        "AccountSendingPaused",
        "AccountSendingPausedException",
        "AccessDenied",
        "AccessDeniedException",
        "ExpiredToken",
        "InvalidClientTokenId",
        "SignatureDoesNotMatch",
        "UnrecognizedClientException",
    }
)
#: The connection was never made.
_NOT_REACHED: Final = (
    EndpointConnectionError,
    ConnectTimeoutError,
    ProxyConnectionError,
    SSLError,
    NoCredentialsError,
)


class SesChannel:
    """`client` must not repeat what fails: whether to send again is for the ledger to say."""

    name: Final = "ses"
    local: Final = False
    repeatable: Final = True

    def __init__(self, client: Any, configuration_set: str = "") -> None:
        self._client = client
        self._configuration_set = configuration_set

    def send(self, message: Message) -> None:
        """Returns once SES has taken the mail; raises a `SendFailed` otherwise."""
        request = self._request(message)
        try:
            self._client.send_raw_email(**request)
        except ClientError as error:
            raise _answered(error) from None
        except ParamValidationError as error:
            raise SendRefused(_reason(str(error))) from None
        except _NOT_REACHED as error:
            raise SendLater(f"connecting: {type(error).__name__}") from None
        except BotoCoreError as error:
            raise SendUnknown(f"after the mail: {type(error).__name__}") from None

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
    """The part of it that tells one send from another, in the letters that a tag may have."""
    return re.sub(r"[^\w-]", "_", message_id.strip("<>").partition("@")[0], flags=re.ASCII)[:256]


def _answered(error: ClientError) -> SendFailed:
    """SES said something, so that we know: it has not taken the mail. Unless it broke at it."""
    code = error.response.get("Error", {}).get("Code", "")
    text = error.response.get("Error", {}).get("Message", "")
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    reason = _reason(f"{code} {text}")
    if code in _LATER or status in (429, 503):
        return SendLater(reason)
    if status >= 500:
        return SendUnknown(reason)
    ours = code in _OURS or (code == "MessageRejected" and "not verified" in text)
    return SendRefused(reason, permanent=not ours)


def _reason(text: str) -> str:
    """For staff and logs: in one line, without anybody's address."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"ses: {without_addresses(line)}"[:200]
