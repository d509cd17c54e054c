"""Classifies failed calls to AWS, for any service."""

from __future__ import annotations

from typing import Final

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

from frontdesk.connect.network_reasons import network_reason
from frontdesk.core.messages import SendFailed, SendLater, SendRefused, SendUnknown
from frontdesk.logs import without_addresses
from frontdesk.values import Frozen

#: The service throttles or is not ready. It has sent nothing.
_LATER: Final = frozenset(
    {
        "Throttled",
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
#: Our configuration is wrong. Staff can fix it, and then a retry works.
_OURS: Final = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "AuthorizationError",
        "ExpiredToken",
        "InvalidClientTokenId",
        "InvalidSecurity",
        "OptInRequired",
        "SignatureDoesNotMatch",
        "UnrecognizedClientException",
    }
)
#: There was no connection.
_NOT_REACHED: Final = (
    EndpointConnectionError,
    ConnectTimeoutError,
    ProxyConnectionError,
    SSLError,
    NoCredentialsError,
)


class AwsError(Frozen):
    """The error that the service returned."""

    code: str
    text: str


def aws_error_of(error: ClientError) -> AwsError:
    found = error.response.get("Error", {})
    return AwsError(found.get("Code", ""), found.get("Message", ""))


def classify(
    service: str, error: ClientError | BotoCoreError, ours: frozenset[str] = frozenset()
) -> SendFailed:
    """Returns the `SendFailed` for an error. `ours`: more error codes about our configuration."""
    match error:
        case ClientError():
            return _answered(service, error, _OURS | ours)
        case ParamValidationError():
            return SendRefused(reason(service, str(error)))
        case BotoCoreError() if isinstance(error, _NOT_REACHED):
            return SendLater(f"connecting: {network_reason(error)}")
        case _:
            return SendUnknown(f"after it was handed over: {network_reason(error)}")


def _answered(service: str, error: ClientError, ours: frozenset[str]) -> SendFailed:
    """Classifies an error response: nothing was sent, except perhaps after an internal error."""
    answer = aws_error_of(error)
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    why = reason(service, f"{answer.code} {answer.text}")
    if answer.code in _LATER or status in (429, 503):
        return SendLater(why)
    if status >= 500:
        return SendUnknown(why)
    return SendRefused(why, permanent=answer.code not in ours)


def reason(service: str, text: str) -> str:
    """Returns one line for staff and logs, without addresses and numbers."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"{service}: {without_addresses(line)}"[:200]
