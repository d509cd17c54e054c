"""Builds the items of a transaction, in a form that is easy to compare with the SQL.

In an expression `:n` is a value given by keyword, and `#state` is the attribute `state`. Any name
may have a `#`; names that DynamoDB reserves need one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, Literal

from frontdesk.core.decision import Change
from frontdesk.store.dynamodb.values import Attributes, Value, attributes, to_wire
from frontdesk.store.rows import seconds
from frontdesk.values import Frozen

_NAME = re.compile(r"#(\w+)")
_VALUE = re.compile(r":(\w+)")
#: Expressions cannot contain a number or a boolean.
_CONSTANTS: Mapping[str, Value] = {"none": 0, "one": 1, "nothing": "", "yes": True, "no": False}

Operation = Literal["Put", "Update", "Delete", "ConditionCheck"]


class TransactItem(Frozen):
    """One item. `table` is the name without the prefix of the deployment."""

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
    """Writes a whole row. `keys` names the attributes of its key."""
    key = {name: row[name] for name in keys}
    request = {"Item": attributes(row), **_condition(when, "", values)}
    return TransactItem("Put", table, key, request)  # type: ignore[arg-type]


def put_new(table: str, keys: tuple[str, ...], row: Mapping[str, Value | None], /) -> TransactItem:
    """Writes a whole row. Condition: there is none with this key."""
    return put(table, keys, row, when=f"attribute_not_exists(#{keys[0]})")


def update(
    table: str, key: Mapping[str, Value], change: str, /, *, when: str = "", **values: Value
) -> TransactItem:
    """Updates a row. `change` is an update expression: 'SET free = free - :n'."""
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
    """Checks a condition and writes nothing."""
    request = {"Key": attributes(key), **_condition(when, "", values)}
    return TransactItem("ConditionCheck", table, key, request)


def apply(
    table: str, key: Mapping[str, Value], change: Change, set_: str, /, *, when: str, **more: Value
) -> TransactItem:
    """Makes the conditional write of a change. Its fields are the values, as in `:seats`, with
    those in `more` and the constants `:none` (0), `:one`, `:nothing`, `:yes` and `:no`."""
    return update(table, key, set_, when=when, **_values(change, f"{set_} {when}", more))


def holds(
    table: str, key: Mapping[str, Value], change: Change, /, *, when: str, **more: Value
) -> TransactItem:
    """Checks the condition of a change that writes nothing. It has the values of `apply`."""
    return check(table, key, when=when, **_values(change, when, more))


def _values(change: Change, expressions: str, more: Mapping[str, Value]) -> dict[str, Value]:
    """DynamoDB refuses values that no expression names, so only these are taken."""
    named = set(_VALUE.findall(expressions)) - more.keys()
    return {**more, **{name: _value(change, name) for name in sorted(named)}}


def _value(change: Change, name: str) -> Value:
    if name not in change.__struct_fields__:
        return _CONSTANTS[name]
    value: Any = getattr(change, name)
    if isinstance(value, datetime):
        return seconds(value)
    return value.value if isinstance(value, Enum) else value  # type: ignore[no-any-return]


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
    """Returns the attribute name of every `#name` in the expressions."""
    found = {name for each in expressions for name in _NAME.findall(each)}
    return {f"#{name}": name for name in sorted(found)}
