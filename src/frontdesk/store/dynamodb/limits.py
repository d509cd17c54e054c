"""Rate limits that all functions share: each row is a token bucket with conditional updates."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Protocol

from botocore.exceptions import BotoCoreError, ClientError

from frontdesk.logs import failure, log
from frontdesk.store.dynamodb.schema import FD_RATELIMIT, Table
from frontdesk.store.dynamodb.values import attributes, to_wire


class RateLimit(Protocol):
    """Allows `burst` requests at once, then `per_minute`."""

    @property
    def burst(self) -> int: ...
    @property
    def per_minute(self) -> float: ...


class DynamoLimits:
    """Stores a bucket as the instant at which it is full again: one number, which a condition
    can compare. If DynamoDB fails, every request is allowed.

    `network` maps an address to the network that shares a bucket.
    """

    def __init__(
        self,
        client: Any,
        prefix: str = "",
        table: Table = FD_RATELIMIT,
        *,
        network: Callable[[str], str] = str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._table = prefix + table.name
        self._network = network
        self._clock = clock

    def take(self, purpose: str, address: str, rate: RateLimit) -> bool:
        """Takes one token. Returns whether the request is allowed."""
        bucket = _digest(purpose, self._network(address))
        try:
            return self._take(bucket, rate)
        except (ClientError, BotoCoreError) as error:
            log("limits.failed", purpose=purpose, why=failure(error))
            return True

    def _take(self, bucket: str, rate: RateLimit) -> bool:
        """Moves `full_at`, in milliseconds, by the time that one token takes."""
        now, each = round(self._clock() * 1_000), round(60_000 / rate.per_minute)
        last = now + each * (rate.burst - 1)
        gone = {"gone": round((last + each) / 1_000) + 60}
        return self._write(
            bucket,
            "SET full_at = :after, expires_at = :gone",
            "attribute_not_exists(full_at) OR full_at <= :now",
            after=now + each,
            now=now,
            **gone,
        ) or self._write(
            bucket,
            "SET full_at = full_at + :each, expires_at = :gone",
            "full_at > :now AND full_at <= :last",
            each=each,
            now=now,
            last=last,
            **gone,
        )

    def _write(self, bucket: str, change: str, when: str, **values: int) -> bool:
        """Updates the row. Returns whether the condition held."""
        try:
            self._client.update_item(
                TableName=self._table,
                Key=attributes({"bucket": bucket}),
                UpdateExpression=change,
                ConditionExpression=when,
                ExpressionAttributeValues={
                    f":{name}": to_wire(value) for name, value in values.items()
                },
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True


def _digest(purpose: str, whom: str) -> str:
    """Returns a digest, so that no address is stored."""
    return blake2b(f"{purpose}\n{whom}".encode(), digest_size=16).hexdigest()
