"""Converts plain values to attributes of DynamoDB and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Value = str | int | bool | bytes | list[Any] | tuple[Any, ...] | frozenset[str] | Mapping[str, Any]
Item = Mapping[str, Value | None]
"""A row of plain values, for writing."""
Attributes = dict[str, Any]
"""A row, or a part of it, in the wire format: {'free': {'N': '3'}}."""

EVER: Final = 10**11
"""Seconds that are later than any instant."""


def attributes(row: Mapping[str, Value | None]) -> Attributes:
    """Leaves out None and empty sets, which DynamoDB cannot store."""
    return {
        name: to_wire(value)
        for name, value in row.items()
        if value is not None and value != frozenset()
    }


def to_wire(value: Value | None) -> dict[str, Any]:
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": str(value)}
        case int():
            return {"N": str(value)}
        case bytes():
            return {"B": value}
        case frozenset():
            return {"SS": sorted(value)}
        case list() | tuple():
            return {"L": [to_wire(each) for each in value]}
        case _:
            return {"M": {key: to_wire(each) for key, each in value.items()}}


def row_of(wire: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {name: from_wire(value) for name, value in wire.items()}


def from_wire(wire: Mapping[str, Any]) -> Any:
    ((kind, value),) = wire.items()
    match kind:
        case "N":
            return int(value)
        case "SS":
            return frozenset(value)
        case "L":
            return [from_wire(each) for each in value]
        case "M":
            return row_of(value)
        case "NULL":
            return None
        case "B":
            return bytes(value)
        case _:
            return value
