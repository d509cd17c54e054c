"""Writes one transaction, with retries while DynamoDB is busy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import uuid4

from botocore.exceptions import ClientError, HTTPClientError

from frontdesk.errors import Busy
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.values import Frozen

MOST_ITEMS: Final = 100
MOST_TRIES: Final = 40
MOST_SECONDS: Final = 4.0
FIRST_PAUSE_SECONDS: Final = 0.02
LONGEST_PAUSE_SECONDS: Final = 0.4

_FAILED: Final = "ConditionalCheckFailed"
#: Temporary errors, which say nothing about the conditions; retried.
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


class Part(Frozen):
    """An item of a transaction, and its origin `of`: a change, the cause, or the key."""

    item: TransactItem
    of: object
    optional: bool = False
    """Whether it is left out if its condition does not hold."""


class ConditionFailed(Exception):
    """The condition of a part does not hold: `of` is the first. Nothing is written."""

    def __init__(self, of: object) -> None:
        super().__init__(type(of).__name__)
        self.of = of


class Backoff:
    """Random pauses between retries that grow longer, up to a limit of tries and of time."""

    def __init__(
        self,
        chance: Callable[[], float],
        pause: Callable[[float], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chance = chance
        self._pause = pause
        self._clock = clock
        self._tries = 0
        self._give_up_at = clock() + MOST_SECONDS

    def wait(self) -> None:
        """Pauses. Raises `Busy` at the limit."""
        self._tries += 1
        if self._tries >= MOST_TRIES or self._clock() >= self._give_up_at:
            raise Busy("Too many people are asking for this at once; please try again.")
        longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (self._tries - 1))
        self._pause(self._chance() * longest)


def transact(client: Any, prefix: str, parts: Sequence[Part], backoff: Backoff) -> None:
    """Writes all parts, or all but optional ones. Raises `ConditionFailed`, or `Busy`."""
    _check(parts)
    while parts:
        failed = _failed(client, prefix, parts, backoff)
        if not failed:
            return
        for part in failed:
            if not part.optional:
                raise ConditionFailed(part.of)
        parts = [part for part in parts if part not in failed]


def is_busy(error: ClientError) -> bool:
    codes = {reason.get("Code") for reason in _reasons(error)} - {None, "None"}
    return bool(codes & _BUSY) or error.response["Error"]["Code"] in _BUSY


def _check(parts: Sequence[Part]) -> None:
    touched = set()
    for part in parts:
        row = part.item.row
        assert row not in touched, f"{row} is touched twice in one commit"
        touched.add(row)
    assert len(parts) <= MOST_ITEMS, f"{len(parts)} items are too many for one commit"


def _failed(client: Any, prefix: str, parts: Sequence[Part], backoff: Backoff) -> tuple[Part, ...]:
    """Returns the parts whose condition failed. If there are none, all parts are written.

    The token makes a retry harmless if the first request was written but its response was lost.
    """
    items = [part.item.wire(prefix) for part in parts]
    token = str(uuid4())
    while True:
        try:
            client.transact_write_items(TransactItems=items, ClientRequestToken=token)
            return ()
        except HTTPClientError:  # no connection or no response
            pass
        except ClientError as error:
            reasons = _reasons(error)
            failed = [reason.get("Code") == _FAILED for reason in reasons]
            if any(failed):
                return tuple(part for part, bad in zip(parts, failed, strict=True) if bad)
            if not is_busy(error):
                raise
        backoff.wait()


def _reasons(error: ClientError) -> Sequence[dict[str, Any]]:
    """Returns a reason for each item, in their order, if the transaction was cancelled."""
    reasons: Sequence[dict[str, Any]] = error.response.get("CancellationReasons", ())
    return reasons
