"""Reads rows by key, by query or by scan; strongly consistent where DynamoDB allows it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from frontdesk.core.mail import MailFolder
from frontdesk.errors import Busy
from frontdesk.store.dynamodb.busy import busy_if_throttled
from frontdesk.store.dynamodb.items import TransactItem, names_in
from frontdesk.store.dynamodb.schema import Table
from frontdesk.store.dynamodb.values import Attributes, Value, attributes, row_of, to_wire
from frontdesk.values import Frozen, field

AT_ONCE: Final = 100
MOST_TRIES: Final = 8
FIRST_PAUSE_SECONDS: Final = 0.05

Row = dict[str, Any]


class ContentBucket(Frozen):
    """An S3 bucket for content that is too large for a row."""

    s3: Any
    name: str

    def put(self, key: str, body: bytes) -> None:
        self.s3.put_object(Bucket=self.name, Key=key, Body=body)

    def get(self, key: str) -> bytes | None:
        try:
            body: bytes = self.s3.get_object(Bucket=self.name, Key=key)["Body"].read()
        except self.s3.exceptions.NoSuchKey:
            return None
        return body

    def beginning(self, key: str, most_bytes: int) -> bytes:
        """Returns the first bytes of an object; empty if it is empty or does not exist."""
        wanted = f"bytes=0-{most_bytes - 1}"
        try:
            found = self.s3.get_object(Bucket=self.name, Key=key, Range=wanted)
        except self.s3.exceptions.ClientError as error:
            if error.response["Error"]["Code"] not in ("NoSuchKey", "InvalidRange"):
                raise
            return b""
        body: bytes = found["Body"].read()
        return body

    def delete(self, key: str) -> None:
        self.s3.delete_object(Bucket=self.name, Key=key)


class TableReader(Frozen):
    """Reads the current tables. `prefix` is the start of their names in this deployment.

    DynamoDB rejects empty keys: `get`, `get_many` and `query` find nothing for one.
    """

    client: Any
    mail: ContentBucket
    prefix: str = ""
    sheets: Mapping[str, ContentBucket] = field(default_factory=dict)
    """The buckets for versions of sheets by the code of the desk, for desks with their own."""
    folders: Mapping[MailFolder, ContentBucket] = field(default_factory=dict)
    """The buckets of mail folders that have their own."""
    outdated: set[tuple[str, tuple[Value, ...]]] = field(default_factory=set)
    """The keys of rows that were read with old attribute names, for `rename_first`."""

    def get(self, table: Table, *key: Value) -> Row | None:
        if "" in key:
            return None
        wanted = attributes(dict(zip(table.key.names, key, strict=True)))
        with busy_if_throttled():
            found = self.client.get_item(
                TableName=self.prefix + table.name, Key=wanted, ConsistentRead=True
            )
        return self._row(table, found["Item"]) if "Item" in found else None

    def get_many(
        self, table: Table, keys: Sequence[tuple[Value, ...]]
    ) -> dict[tuple[Value, ...], Row]:
        """Returns rows by key. Missing rows are left out."""
        names = table.key.names
        wanted = [key for key in dict.fromkeys(keys) if "" not in key]
        found: dict[tuple[Value, ...], Row] = {}
        for start in range(0, len(wanted), AT_ONCE):
            part = [
                attributes(dict(zip(names, key, strict=True)))
                for key in wanted[start : start + AT_ONCE]
            ]
            for row in self._batch(table, part):
                found[tuple(row[name] for name in names)] = row
        return found

    def query(
        self,
        table: Table,
        where: str,
        *,
        index: str = "",
        only: str = "",
        backwards: bool = False,
        limit: int | None = None,
        at_first: int | None = None,
        **values: Value,
    ) -> Iterator[Row]:
        """Yields rows in the order of the key. `only` filters; `limit` counts the filtered rows.

        The first request reads `at_first` rows, which are usually enough.
        """
        if _has_empty_key(where, values):
            return iter(())
        request = self._request(table, where, index=index, only=only, values=values)
        request["ScanIndexForward"] = not backwards
        return self._run("query", table, request, limit, at_first)

    def scan(self, table: Table, *, only: str = "", **values: Value) -> Iterator[Row]:
        """Reads the whole table. Only for small tables and rare work."""
        request = self._request(table, "", only=only, values=values)
        return self._run("scan", table, request, None)

    def count(
        self, table: Table, where: str, *, index: str = "", only: str = "", **values: Value
    ) -> int:
        request = self._request(table, where, index=index, only=only, values=values)
        request["Select"] = "COUNT"
        with busy_if_throttled():
            pages = self.client.get_paginator("query").paginate(**request)
            return sum(page["Count"] for page in pages)

    def write(self, item: TransactItem) -> None:
        """Writes one item outside of a commit. Only for writes that may be repeated."""
        (request,) = item.wire(self.prefix).values()
        with busy_if_throttled():
            match item.operation:
                case "Put":
                    self.client.put_item(**request)
                case "Update":
                    self.client.update_item(**request)
                case "Delete":
                    self.client.delete_item(**request)
                case "ConditionCheck":
                    raise AssertionError("a condition by itself writes nothing")

    def _request(
        self,
        table: Table,
        where: str,
        *,
        index: str = "",
        only: str = "",
        values: Mapping[str, Value],
    ) -> Attributes:
        request: Attributes = {"TableName": self.prefix + table.name}
        if where:
            request["KeyConditionExpression"] = where
        if only:
            request["FilterExpression"] = only
        if names := names_in(where, only):
            request["ExpressionAttributeNames"] = names
        if values:
            request["ExpressionAttributeValues"] = {
                f":{name}": to_wire(value) for name, value in values.items()
            }
        if index:
            request["IndexName"] = index
        if not index or index in {name for name, _ in table.local}:
            request["ConsistentRead"] = True
        return request

    def _row(self, table: Table, wire: Attributes) -> Row:
        """Returns a row with the current attribute names. Remembers rows with old names."""
        row = row_of(wire)
        for then, now in table.renamed:
            if then in row:
                row[now] = row.pop(then)
                self.outdated.add((table.name, tuple(row[name] for name in table.key.names)))
        return row

    def _run(
        self,
        what: str,
        table: Table,
        request: Attributes,
        limit: int | None,
        at_first: int | None = None,
    ) -> Iterator[Row]:
        left = limit
        if limit is not None and "FilterExpression" not in request:
            request["Limit"] = limit
        if at_first is not None:
            request["Limit"] = at_first
        while left is None or left > 0:
            with busy_if_throttled():
                page = getattr(self.client, what)(**request)
            for wire in page["Items"][:left]:
                yield self._row(table, wire)
            if left is not None:
                left -= len(page["Items"])
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
            if at_first is not None:
                request.pop("Limit", None)

    def _batch(self, table: Table, keys: list[Attributes]) -> Iterator[Row]:
        name = self.prefix + table.name
        for turn in range(MOST_TRIES):
            with busy_if_throttled():
                answer = self.client.batch_get_item(
                    RequestItems={name: {"Keys": keys, "ConsistentRead": True}}
                )
            for wire in answer["Responses"].get(name, ()):
                yield self._row(table, wire)
            left = answer.get("UnprocessedKeys", {}).get(name)
            if not left:
                return
            keys = left["Keys"]
            time.sleep(FIRST_PAUSE_SECONDS * 2**turn)
        raise Busy("The database could not be read just now.")


def _has_empty_key(where: str, values: Mapping[str, Value]) -> bool:
    """Whether the partition key, which comes first in `where`, has an empty value."""
    _, _, named = where.partition(" = :")
    return values.get(named.partition(" ")[0]) == ""
