"""The items of a transaction, written so that they can be laid beside the SQL of the other store.

In an expression `:n` is a value given by keyword, and `#state` the attribute `state`: every name
may be written with its `#`, and those that DynamoDB reserves must be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from frontdesk.store.dynamodb.values import Attributes, Value, attributes, to_wire
from frontdesk.values import Frozen

_NAME = re.compile(r"#(\w+)")

Operation = Literal["Put", "Update", "Delete", "ConditionCheck"]


class TransactItem(Frozen):
    """One of them. `table` is without the prefix that a deployment may give its tables."""

    operation: Operation
    table: str
    key: Mapping[str, Value]
    request: Mapping[str, Any]

    @property
    def row(self) -> tuple[str, tuple[Value, ...]]:
        """The table and key that it touches. A commit touches no row twice."""
        return self.table, tuple(self.key.values())

    def wire(self, prefix: str) -> dict[str, Any]:
        return {self.operation: {"TableName": prefix + self.table, **self.request}}


def put(
    table: str,
    keys: tuple[str, ...],
    row: Mapping[str, Value | None],
    /,
    *,
    when: str = "",
    **values: Value,
) -> TransactItem:
    """A whole row. `keys` names its key's attributes."""
    key = {name: row[name] for name in keys}
    request = {"Item": attributes(row), **_condition(when, "", values)}
    return TransactItem("Put", table, key, request)  # type: ignore[arg-type]


def put_new(table: str, keys: tuple[str, ...], row: Mapping[str, Value | None], /) -> TransactItem:
    """A whole row. Condition: there is none under this key."""
    return put(table, keys, row, when=f"attribute_not_exists(#{keys[0]})")


def update(
    table: str, key: Mapping[str, Value], change: str, /, *, when: str = "", **values: Value
) -> TransactItem:
    """`change` is an update expression: 'SET free = free - :n'."""
    request = {
        "Key": attributes(key),
        "UpdateExpression": change,
        **_condition(when, change, values),
    }
    return TransactItem("Update", table, key, request)


def delete(
    table: str, key: Mapping[str, Value], /, *, when: str = "", **values: Value
) -> TransactItem:
    request = {"Key": attributes(key), **_condition(when, "", values)}
    return TransactItem("Delete", table, key, request)


def check(table: str, key: Mapping[str, Value], /, *, when: str, **values: Value) -> TransactItem:
    """Nothing is written."""
    request = {"Key": attributes(key), **_condition(when, "", values)}
    return TransactItem("ConditionCheck", table, key, request)


def _condition(when: str, change: str, values: Mapping[str, Value]) -> Attributes:
    request: Attributes = {}
    if when:
        request["ConditionExpression"] = when
    if names := names_in(when, change):
        request["ExpressionAttributeNames"] = names
    if values:
        request["ExpressionAttributeValues"] = {
            f":{name}": to_wire(value) for name, value in values.items()
        }
    return request


def names_in(*expressions: str) -> dict[str, str]:
    """For every `#name` in them."""
    found = {name for each in expressions for name in _NAME.findall(each)}
    return {f"#{name}": name for name in sorted(found)}
