"""Clients that fail as AWS does: conflicts, throttling, lost answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError

from frontdesk.store.dynamodb.schema import TABLES

KEYS = {table.name: table.key.names for table in TABLES}


class Client:
    """A client that passes everything on."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.transactions = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def transact_write_items(self, **request: Any) -> Any:
        self.transactions += 1
        return self._client.transact_write_items(**request)


class Contended(Client):
    """Cancels the later one of two simultaneous transactions on one row."""

    def __init__(self, client: Any, prefix: str) -> None:
        super().__init__(client)
        self._prefix = prefix
        self._turn = threading.Lock()
        self._in_flight: set[str] = set()
        self.conflicts = 0

    def transact_write_items(self, **request: Any) -> Any:
        rows = [self._row(item) for item in request["TransactItems"]]
        with self._turn:
            taken = [row in self._in_flight for row in rows]
            self.conflicts += any(taken)
            if not any(taken):
                self._in_flight.update(rows)
        if any(taken):
            raise cancelled(*("TransactionConflict" if each else "None" for each in taken))
        try:
            return super().transact_write_items(**request)
        finally:
            with self._turn:
                self._in_flight.difference_update(rows)

    def _row(self, item: dict[str, Any]) -> str:
        (part,) = item.values()
        name = part["TableName"].removeprefix(self._prefix)
        row = part.get("Key") or part["Item"]
        return f"{name} {[row[each] for each in KEYS[name]]}"


class Failing(Client):
    """Fails each transaction with the next of these errors, until none is left."""

    def __init__(self, client: Any, errors: Iterator[Exception]) -> None:
        super().__init__(client)
        self._errors = errors

    def transact_write_items(self, **request: Any) -> Any:
        if error := next(self._errors, None):
            self.transactions += 1
            raise error
        return super().transact_write_items(**request)


class Throttled(Client):
    """While `is_full`, refuses reads and single writes as throttled."""

    is_full = True

    def __getattr__(self, name: str) -> Any:
        if not self.is_full:
            return super().__getattr__(name)
        if name in ("get_item", "query", "scan", "batch_get_item", "put_item", "update_item"):
            return self._refuse
        if name == "get_paginator":
            raise error("ThrottlingException")
        return super().__getattr__(name)

    def _refuse(self, **_request: Any) -> Any:
        raise error("ProvisionedThroughputExceededException")


class Mute(Client):
    """Writes the first transaction, but loses its answer."""

    def transact_write_items(self, **request: Any) -> Any:
        answer = super().transact_write_items(**request)
        if self.transactions == 1:
            raise ReadTimeoutError(endpoint_url="https://dynamodb.example")
        return answer


def cancelled(*codes: str) -> ClientError:
    """Returns the error of a cancelled transaction with one reason for each of its items."""
    return ClientError(
        {
            "Error": {"Code": "TransactionCanceledException", "Message": "cancelled"},
            "CancellationReasons": [{"Code": code} for code in codes],
        },
        "TransactWriteItems",
    )


def error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, "TransactWriteItems")
