"""Recognises errors of AWS that pass by themselves, such as throttling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from botocore.exceptions import ClientError

from frontdesk.errors import Busy

_BUSY: Final = frozenset(
    {
        "TransactionConflict",
        "TransactionConflictException",
        "TransactionInProgressException",
        "ThrottlingError",
        "ThrottlingException",
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "InternalServerError",
        "ServiceUnavailable",
    }
)


def is_busy(error: ClientError) -> bool:
    codes = {reason.get("Code") for reason in cancellation_reasons(error)} - {None, "None"}
    return bool(codes & _BUSY) or error.response["Error"]["Code"] in _BUSY


def cancellation_reasons(error: ClientError) -> Sequence[dict[str, Any]]:
    """Returns a reason for each item, in their order; none unless the transaction was cancelled."""
    reasons: Sequence[dict[str, Any]] = error.response.get("CancellationReasons", ())
    return reasons


@contextmanager
def busy_if_throttled() -> Iterator[None]:
    """Raises `Busy` if AWS still rejects a request after the retries of botocore."""
    try:
        yield
    except ClientError as error:
        if not is_busy(error):
            raise
        raise Busy("There are too many requests just now.") from error
